"""insanonym avatars make and score: what is said, refused, written."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from insanonym_core.avatars.methods.mix_neighbours import MixNeighbours
from tests.avatars.test_generate import GOLDEN


@pytest.fixture
def never_made(monkeypatch):
    """Fails whoever computes before the call was checked."""

    def never(*_: object):
        raise AssertionError("avatars were made")

    monkeypatch.setattr(MixNeighbours, "apply", never)


@pytest.fixture
def small(tmp_path):
    """A file of thirty rows: numbers, a text, a constant column."""
    draw = np.random.default_rng(0)
    path = tmp_path / "small.csv"
    frame = pd.DataFrame(draw.normal(size=(30, 3)).round(2), columns=list("xyz"))
    frame.assign(t=list("abc" * 10), same=7).to_csv(path, index=False)
    return path


@pytest.mark.slow
def test_commands(run, tmp_path):
    out = tmp_path / "avatars.csv"
    arguments = ["avatars", "make", "demo:breast_cancer", "--components", 5, "--seed", 1, "-o", out]
    report = run(*arguments, "--json").json
    assert (report["rows"], report["components"], report["k"]) == (569, 5, 20)
    assert report["hidden_rate"] == pytest.approx(0.84, abs=0.05)
    assert report["identical"] == 0
    assert pd.read_csv(out).shape == (569, 30)
    assert run(*arguments).code == 2
    again = run("avatars", "score", "demo:breast_cancer", out, "--json").json
    assert again["hidden_rate"] is None
    assert again["dcr_median"] > 0
    copies = run(*arguments, "--force", "--include-self")
    assert "Do not publish them" in copies.err
    assert "Do not publish them" in run(*arguments, "--force", "--include-self", "--json").json["warnings"][0]
    for wrong in (
        ["--impute", "magic"],
        ["--weights", "none"],
        ["-k", 0],
        ["--variance", 2],
        ["--without", "nothing"],
    ):
        found = run(*arguments, "--force", *wrong)
        assert found.code == 2, wrong
    golden = run(
        "avatars", "score", GOLDEN / "real.csv", GOLDEN / "synthetic.csv", "--space", "columns", "--json"
    ).json
    assert golden["nndr_median"] == pytest.approx(0.40681633862336597, abs=1e-9)


def test_a_k_of_all_rows_or_more_is_lowered_and_said(run, small, tmp_path):
    for k in (30, 20_000):
        done = run("avatars", "make", small, "-k", k, "-o", tmp_path / f"{k}.csv", "--json")
        assert done.code == 0
        assert done.json["k"] == 29
        assert f"k = {k} was lowered to 29" in done.err
        assert f"k = {k} was lowered to 29" in done.json["warnings"][0]
    for k in (0, -3):
        done = run("avatars", "make", small, "--k", k, "-o", tmp_path / "no.csv")
        assert (done.code, "whole number from 1" in done.err) == (2, True)


@pytest.mark.parametrize("name", ["a.xls", "a.ODS", "a.json"])
def test_forms_that_are_not_written_are_refused_first(run, tmp_path, name, never_made):
    done = run("avatars", "make", "demo:diabetes", "-o", tmp_path / name)
    assert (done.code, "ends in .csv, .tsv, .xlsx or .parquet" in done.err) == (2, True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--target", "x"], "'x' must have from 2 to 50 different values and has "),
        (["--target", "nothing"], "'nothing', which is no column"),
        (["--target", "t", "--without", "t"], "'t', which is no column"),
        (["--components", 3, "--variance", 0.5], "--components 3 and --variance 0.5 both say"),
    ],
)
def test_wrong_calls_are_found_before_computing(run, tmp_path, never_made, arguments, message):
    table = tmp_path / "t.csv"
    pd.DataFrame({"x": np.arange(99), "t": list("abc" * 33), "y": np.arange(99)}).to_csv(table, index=False)
    done = run("avatars", "make", table, "-o", tmp_path / "no.csv", *arguments)
    assert (done.code, message in done.err) == (2, True), done.err


def test_zero_components_beside_a_variance_is_no_contradiction(run, small, tmp_path):
    arguments = ["avatars", "make", small, "--variance", 0.5, "--components", 0, "--json"]
    assert run(*arguments, "-o", tmp_path / "few.csv").json["components"] < 4


def test_columns_left_out_are_left_out_of_both_tables(run, small, tmp_path):
    made = tmp_path / "made.csv"
    frame = pd.read_csv(small)
    frame.drop(columns="x").assign(extra=1).to_csv(made, index=False)
    for without, message in (("", "lacks the columns x"), ("x", "lacks the columns extra")):
        done = run("avatars", "score", small, made, "--without", without)
        assert (done.code, message in done.err) == (1, True), done.err
    report = run("avatars", "score", small, made, "--without", "x,extra", "--json").json
    assert (report["identical"], report["rows"]) == (1, 30)
    frame.to_csv(made, index=False)
    assert run("avatars", "score", small, made, "--without", "t", "--json").json["identical"] == 1
    assert run("avatars", "score", small, made, "--without", "nothing").code == 2
    assert run("avatars", "score", small, made, "--without", "x,y,z,t,same").code == 2


def test_an_empty_synthetic_column_is_named(run, small, tmp_path):
    made = tmp_path / "made.csv"
    pd.read_csv(small).assign(y=None).to_csv(made, index=False)
    done = run("avatars", "score", small, made)
    assert (done.code, "'y' of the synthetic table has no value" in done.err) == (1, True)


@pytest.mark.slow
def test_components_of_a_score_and_what_the_headings_say(run, small, tmp_path):
    made = tmp_path / "made.csv"
    shown = run("avatars", "make", small, "-o", made, "--components", 1, "--seed", 1, "-k", 4).out
    assert "(distances in the PCA space of the originals, 1 component)" in shown
    assert "30 rows, 1 component, k = 4." in shown
    assert "do not vary: same." in shown
    for name in ("nndr_median: undefined 0.", "linkage: worst ", "chance 0.0333, rows tried 30."):
        assert name in shown
    for setting, components in (({"--components": 2}, 2), ({"--variance": 1}, 5), ({}, 3)):
        given = [part for pair in setting.items() for part in pair]
        report = run("avatars", "score", small, made, *given, "--json").json
        assert report["components"] == components
        assert report["constant"] == ["same"]
    shown = run("avatars", "score", small, made, "--components", 2, "--space", "columns").out
    assert "(distances in standardised columns, 2 components)" in shown
    assert "do not vary: same." in shown
    for wrong in (["--components", -1], ["--variance", 0], ["--components", 2, "--variance", 0.3]):
        assert run("avatars", "score", small, made, *wrong).code == 2


def test_json_says_what_a_number_must_be_read_beside(run, small, tmp_path):
    arguments = ["avatars", "make", small, "-o", tmp_path / "made.csv", "--first-rows", 2, "-k", 3, "--json"]
    report = run(*arguments).json
    for name in ("dcr_median", "nndr_median"):
        for beside in ("held_out_rows", "avatars_of_half", "real_rows"):
            assert report[f"{name}_of_{beside}"] > 0
    assert report["nndr_median_undefined"] == 0
    assert report["linkage_worst"] >= report["linkage"]
    assert report["linkage_chance"] == pytest.approx(1 / 30)
    assert report["linkage_rows_tried"] == 30
    assert [row["row"] for row in report["neighbour_distances"]] == [0, 1]
    assert [list(row) for row in report["first_avatars"]] == [
        ["row", "DCR", "NNDR", "NNDR of the source"]
    ] * 2
    json.dumps(report, allow_nan=False)


def test_decimal_commas_are_understood(run, tmp_path):
    table = tmp_path / "french.csv"
    table.write_text("a;b;t\n" + "".join(f"1,{n};{n};x{n}\n" for n in range(10, 39)))
    assert run("avatars", "make", table, "-o", tmp_path / "a.csv").code == 0
    assert re.fullmatch(r"1,\d+;\d+", (tmp_path / "a.csv").read_text().splitlines()[1])
