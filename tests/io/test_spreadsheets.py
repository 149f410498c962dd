"""No file we write runs a formula in a spreadsheet, and what is read back is what was there."""

import csv
import json

import numpy as np
import pandas as pd
import pytest

from insanonym_core.io.spreadsheets import defused, defused_frame, restored
from insanonym_core.mobility.attack_files import read_guesses, write_guesses
from insanonym_core.mobility.competition import footprint
from insanonym_core.mobility.files import read_track
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.scoring import score_guesses
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.writer import write_track
from insanonym_core.recipe import Recipe, step_from_text
from insanonym_core.report.ledger import Ledger
from insanonym_core.sweep import Sweep, plan_sweep, sweep_to_text
from insanonym_core.sweep.plan import Outcome
from insanonym_core.tabular.files import read_table, read_texts, write_frame
from insanonym_core.traces import read_trace_table, write_trace_table
from insanonym_core.traces.table import TraceTable
from tests.helpers import lines, track

FORMULAS = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "＝1",
    "'=1",
    "''-x",
]
HARMLESS = ["-1", "+33612345678", "-1.5", "-1,5e-3", "-", "a=b", "", "O'Neil", "'quoted'", "12", "-.5"]


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_get_an_apostrophe_and_lose_it_again(text):
    assert defused(text) == f"'{text}"
    assert restored(defused(text)) == text


@pytest.mark.parametrize("value", [*HARMLESS, -1, -1.5, None, float("nan"), True])
def test_numbers_and_other_texts_stay(value):
    assert defused(value) is value
    if isinstance(value, str):
        assert restored(value) == value


def test_a_frame_keeps_its_numbers_and_its_types():
    frame = pd.DataFrame(
        {"n": [-1, 2], "x": [-1.5, np.nan], "t": ["a", None], "when": pd.to_datetime(["2015-01-01"] * 2)}
    )
    pd.testing.assert_frame_equal(defused_frame(frame), frame)
    spoilt = defused_frame(frame.assign(c=pd.Categorical(["=1", "b"])).rename(columns={"t": "=t"}))
    assert list(spoilt.columns) == ["n", "x", "'=t", "when", "c"]
    assert spoilt["c"].tolist() == ["'=1", "b"]
    assert spoilt["n"].tolist() == [-1, 2]


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.csv.gz", "a.tsv.zip", "a.parquet"])
def test_tables_come_back_as_they_were(tmp_path, name):
    texts = [*FORMULAS, *(text for text in HARMLESS if text)]
    frame = pd.DataFrame({"=name": texts, "number": range(-5, len(texts) - 5)})
    write_frame(frame, tmp_path / name)
    found = read_texts(tmp_path / name)
    assert found["=name"].tolist() == texts
    table = read_table(tmp_path / name)
    assert table["number"].kind == "number"
    assert table.frame()["number"].tolist() == frame["number"].tolist()
    if name == "a.csv":
        written = list(csv.reader((tmp_path / name).read_bytes().decode().splitlines(keepends=True)))
        assert written[0] == ["'=name", "number"]
        assert [row[1] for row in written[1:6]] == ["-5", "-4", "-3", "-2", "-1"]
        assert all(defused(cell) == cell or cell[0] == "'" for row in written for cell in row)


@pytest.mark.parametrize("name", ["a.tsv", "a.csv", "a.csv.gz", "a.parquet"])
def test_ids_come_back_as_they_were_and_score_the_same(tmp_path, name):
    ids = ["-1", "+33612345678", "+33 6 12", "=x", "'=x", "-Ab3x", "@you", "plain"]
    dates = [f"2015-03-04 10:00:0{place}" for place in range(len(ids))]
    found = Track.from_frame(pd.DataFrame({"id": ids, "date": dates, "latitude": 45.0, "longitude": 4.0}))
    write_track(found, tmp_path / name)
    again = read_track(tmp_path / name)
    assert [again.tokens[code] for code in again.token.tolist()] == ids
    secret = footprint(Pair.from_tracks(found, again))
    assert score_guesses(secret, secret.as_guesses()).value == 1
    if name == "a.tsv":
        firsts = [line.split("\t")[0] for line in (tmp_path / name).read_text().splitlines()]
        assert firsts == ["-1", "+33612345678", "'+33 6 12", "'=x", "''=x", "'-Ab3x", "'@you", "plain"]


def test_an_attacker_may_read_the_release_by_other_means(tmp_path):
    """Whoever guesses a pseudonym as it stands in the file, apostrophe included, is right."""
    found = track(lines("=x, 2015-03-04 10:00:00, 45, 4"))
    (tmp_path / "a.json").write_text(json.dumps({"=x": {"2015-10": ["'=x"]}}))
    secret = footprint(Pair.from_tracks(found, found))
    assert score_guesses(secret, read_guesses(tmp_path / "a.json")).value == 1
    write_guesses(secret.as_guesses(), tmp_path / "b.json")
    assert "'=x" not in (tmp_path / "b.json").read_text()  # JSON is no spreadsheet


def test_two_ids_that_read_the_same_are_one():
    found = track("=x\t2015-03-04 10:00:00\t45\t4\n'=x\t2015-03-04 10:00:01\t45\t4\n")
    assert found.tokens == ("=x",)
    assert found.token.tolist() == [0, 0]


def test_study_traces(tmp_path):
    table = TraceTable.from_counts([("=a", "-b"), ("'=a",), ("-1", "\rx")], np.array([30, 20, 10]))
    write_trace_table(table, tmp_path / "a.csv")
    assert "\n30,'=a,'-b" in (tmp_path / "a.csv").read_text().replace('"', "")
    assert read_trace_table(tmp_path / "a.csv").traces == table.traces


def test_scores_and_sweeps():
    ledger = Ledger("en")
    ledger.record("=name", "@detail", -0.5)
    assert ledger.as_csv() == "name,detail,value\n'=name,'@detail,-0.5\n"
    recipe = Recipe((step_from_text("mondrian k=2"),), data="demo:patients", kind="table", seed=1)
    plan = plan_sweep({"=series": recipe}, ["mondrian.k=2"], 1)
    failed = Outcome(plan.points[0], {"privacy": -0.5}, "=why")
    rows = list(csv.DictReader(sweep_to_text(Sweep(plan, (failed,))).splitlines()))
    assert (rows[0]["series"], rows[0]["privacy"], rows[0]["failed"]) == ("'=series", "-0.5", "'=why")


def test_a_lookup(run, tmp_path):
    (tmp_path / "a.tsv").write_text(lines("=x, 2015-03-04 10:00:00, 45, 4", "-1, 2015-03-04 10:00:00, 45, 4"))
    step = "pseudonymise per=individual"
    run(
        "anonymise",
        tmp_path / "a.tsv",
        "-o",
        tmp_path / "b.tsv",
        "--step",
        step,
        "--lookup",
        tmp_path / "l.csv",
    )
    rows = list(csv.DictReader((tmp_path / "l.csv").read_text().splitlines()))
    assert [row["id"] for row in rows] == ["-1", "'=x"]
