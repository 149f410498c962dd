"""Issue 17, number 14: a bucketised release leaves whole; a lookup leaves only by its own name."""

from __future__ import annotations

import csv
import io
import math
import re
import stat
import zipfile

import numpy as np
import pandas as pd
import pytest

from insanonym_core.experiment import run as run_recipe
from insanonym_core.recipe import Recipe, Step
from insanonym_core.report import write_report
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Table
from insanonym_dashboard.app import App
from insanonym_dashboard.downloads import FIGURES, LOOKUP, MAPPING, MENU, TO_PUBLISH, TO_SCORE, entries
from insanonym_dashboard.pieces import promises
from tests.helpers import scores_of
from tests.tabular.helpers import apply

TABLES = ["quasi_identifiers.csv", "sensitive.csv"]
BUCKETS = "kind: table\nroles: {quasi: [age], sensitive: [illness]}\nsteps: [bucketise: {k: 2, l: 2}]\n"
PSEUDONYMS = "kind: table\nroles: {quasi: [age], identifier: who}\nsteps: [pseudonymise: {}]\n"
FIVE = pd.DataFrame({"age": [51, 52, 53, 54, 55], "illness": ["a", "a", "b", "b", "c"]})
PEOPLE = FIVE.assign(who=[f"quetzal{number}" for number in range(5)])


@pytest.fixture
def table(tmp_path):
    PEOPLE.to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "buckets.yaml").write_text(BUCKETS)
    (tmp_path / "pseudonyms.yaml").write_text(PSEUDONYMS)
    return tmp_path / "table.csv"


def bucketised(**parameters):
    recipe = Recipe(
        (Step("bucketise", {"k": 2, "l": 2, **parameters}),),
        kind="table",
        roles={"quasi": ("age",), "sensitive": ("illness",)},
    )
    return run_recipe(recipe, data=Table.from_frame(FIVE))


# --- both tables ----------------------------------------------------------------------------------------


def whole(first: str, second: str) -> None:
    """Each group of the first table has as many rows as the second counts for it, and all five are there."""
    rows, values = (list(csv.DictReader(io.StringIO(text))) for text in (first, second))
    assert set(rows[0]) == {"age", "group"}
    assert sorted(row["age"] for row in rows) == ["51", "52", "53", "54", "55"]
    for group in {row["group"] for row in rows}:
        size = sum(row["group"] == group for row in rows)
        assert size == sum(int(value["count"]) for value in values if value["group"] == group)
    assert sorted({value["illness"] for value in values}) == ["a", "b", "c"]


def unzipped(content: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.namelist() == TABLES
        return [archive.read(name).decode() for name in TABLES]


def test_the_dashboard_hands_out_both_tables():
    name, content, kind = MENU[TO_PUBLISH](bucketised(), "en")
    assert (name, kind) == ("release_to_publish.zip", "application/zip")
    whole(*unzipped(content))


@pytest.mark.parametrize("option", ["-o", "--publish"])
def test_the_command_writes_both_tables(run, table, tmp_path, option):
    call = ["anonymise", table, "--recipe", tmp_path / "buckets.yaml", option]
    assert run(*call, tmp_path / "both.zip").code == 0
    whole(*unzipped((tmp_path / "both.zip").read_bytes()))
    assert run(*call, tmp_path / "both").code == 0
    assert sorted(path.name for path in (tmp_path / "both").iterdir()) == TABLES
    whole(*((tmp_path / "both" / name).read_text() for name in TABLES))


def test_half_a_release_is_never_written(run, table, tmp_path):
    call = ["anonymise", table, "--recipe", tmp_path / "buckets.yaml", "-o"]
    found = run(*call, tmp_path / "one.csv")
    assert found.code == 2
    assert "a folder or a .zip" in found.err
    assert not (tmp_path / "one.csv").exists()
    assert run(*call, tmp_path / "both").code == 0
    before = {path: path.read_bytes() for path in (tmp_path / "both").iterdir()}
    (tmp_path / "both" / "sensitive.csv").unlink()
    found = run(*call, tmp_path / "both")  # one of its names is taken: the other is not written either
    assert found.code == 2
    assert "exists already" in found.err
    assert not (tmp_path / "both" / "sensitive.csv").exists()
    first = tmp_path / "both" / "quasi_identifiers.csv"
    assert first.read_bytes() == before[first]
    assert run(*call, table / "deep", "--force").code == 2


# --- the lookup -----------------------------------------------------------------------------------------


def test_the_lookup_of_a_table_is_written_by_name_and_private(run, table, tmp_path):
    public, lookup = tmp_path / "public.csv", tmp_path / "lookup.csv"
    call = ["anonymise", table, "--recipe", tmp_path / "pseudonyms.yaml", "--publish", public]
    found = run(*call, "--lookup", lookup)
    assert found.code == 0, found.err
    assert "Keep this file secret" in found.err
    assert stat.S_IMODE(lookup.stat().st_mode) == 0o600
    undone = pd.read_csv(lookup).set_index("pseudonym")["who"]
    frame = pd.read_csv(public)
    assert dict(zip(frame["who"].map(undone), frame["age"], strict=True)) == dict(
        zip(PEOPLE["who"], PEOPLE["age"], strict=True)
    )
    assert "quetzal" not in public.read_text()


@pytest.mark.parametrize(
    "steps", [["--recipe", "buckets.yaml", "-o", "out"], ["--step", "gaussian_noise", "-o", "o.tsv"]]
)
def test_without_pseudonyms_there_is_no_lookup(run, table, golden, tmp_path, monkeypatch, steps):
    monkeypatch.chdir(tmp_path)
    file = table if "--recipe" in steps else golden[0]
    found = run("anonymise", file, *steps, "--lookup", "lookup.csv")
    assert found.code == 2
    assert "no lookup without a step pseudonymise" in found.err
    assert not (tmp_path / "lookup.csv").exists()


def pseudonymised():
    recipe = Recipe((Step("pseudonymise"),), kind="table", roles={"quasi": ("age",), "identifier": "who"})
    return run_recipe(recipe, data=Table.from_frame(PEOPLE))


def test_the_lookup_is_in_its_own_download_and_in_no_other(tmp_path):
    report = pseudonymised()
    assert LOOKUP in entries(report.recipe)
    _, content, _ = MENU[LOOKUP](report, "en")
    pairs = list(csv.DictReader(io.StringIO(content.decode())))
    assert sorted(pair["who"] for pair in pairs) == sorted(PEOPLE["who"])
    for name, make in MENU.items():
        if name not in (LOOKUP, TO_SCORE, MAPPING):
            assert b"quetzal" not in make(report, "en")[1], name
    folder = write_report(report, tmp_path / "report", formats=())
    assert not any(b"quetzal" in path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert not any("quetzal" in text for text in unzipped(MENU[TO_PUBLISH](bucketised(), "en")[1]))


def test_the_menu_offers_what_there_is():
    def taken(kind, *methods):
        return {TO_SCORE, LOOKUP, MAPPING} & set(entries(Recipe(tuple(map(Step, methods)), kind=kind)))

    assert taken("mobility", "gaussian_noise", "pseudonymise") == {TO_SCORE, LOOKUP}
    assert taken("mobility", "gaussian_noise") == {TO_SCORE}
    assert taken("table", "pseudonymise") == {LOOKUP}
    assert taken("table", "mondrian") == taken("table", "mondrian", "pseudonymise") - {LOOKUP} == {MAPPING}
    assert taken("avatars", "mix_neighbours") == taken("table", "bucketise") == set()
    assert set(entries(None)) == {*MENU, *FIGURES} - {TO_SCORE, LOOKUP, MAPPING}


def test_the_mapping_is_in_its_own_download_and_says_what_became_what():
    recipe = Recipe((Step("generalise_column", {"column": "age", "k": 2}),), kind="table")
    report = run_recipe(recipe, data=Table.from_frame(PEOPLE))
    _, content, _ = MENU[MAPPING](report, "en")
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    assert sum(int(row["rows"]) for row in rows) == report.kept
    assert {row["value"] for row in rows} == {str(age) for age in PEOPLE["age"]}
    assert {row["published"] for row in rows} == set(report.release.frame["age"].astype(str))


def test_the_menu_follows_the_report():
    app = App()
    app.tab = "table"
    state = app.state("table")

    def offered():
        return {value for _, value in app.bar.download.options}

    assert LOOKUP not in offered()
    state.report = pseudonymised()
    assert LOOKUP in offered()
    assert TO_SCORE not in offered()
    state.report = bucketised()
    assert LOOKUP not in offered()


# --- its report -----------------------------------------------------------------------------------------


def test_five_rows_by_hand():
    """Dealt by value into two groups: {a, b, c} and {a, b}. Every age is unique."""
    release = apply("bucketise", FIVE, Roles(("age",), ("illness",)), k=2, l=2)
    groups = [sorted(FIVE["illness"].iloc[release.rows[release.group == one]]) for one in (0, 1)]
    assert sorted(groups) == [["a", "b"], ["a", "b", "c"]]
    scores = scores_of(release, "table")
    assert scores["l"].value == 2
    assert scores["entropy_l"].value == pytest.approx(2)
    assert scores["recursive_c"].value == 1  # 1 < c · 1 in the smaller group
    # Shares in the table: 0.4, 0.4, 0.2. In {a, b}: 0.1 + 0.1 too much; in {a, b, c}: 1/3 − 0.2.
    assert scores["t"].value == pytest.approx(0.2)
    assert scores["homogeneous_share"].value == 0
    assert scores["average_class"].value == 5 / (2 * 2)
    assert scores["k"].value == 1  # of the exact ages, and said so
    assert scores["unique_share"].value == 1
    assert "asked k" not in scores["k"].evidence[0].marks
    assert (release.asked_k, release.facts["smallest_group"]) == (2, 2)


def test_groups_of_one_give_everything_away():
    frame = pd.DataFrame({"age": [1, 2], "illness": ["a", "b"]})
    release = apply("bucketise", frame, Roles(("age",), ("illness",)), k=1, l=1)
    scores = scores_of(release, "table")
    assert (scores["l"].value, scores["homogeneous_share"].value) == (1, 1)


def test_measures_agree_with_the_second_table():
    draw = np.random.default_rng(3)
    frame = pd.DataFrame({"age": draw.integers(0, 40, 200), "illness": draw.choice(list("abcdef"), 200)})
    release = apply("bucketise", frame, Roles(("age",), ("illness",)), k=5, l=3)
    second = release.extra["sensitive"].groupby("group")["count"]
    scores = scores_of(release, "table")
    assert scores["l"].value == second.size().min() == release.facts["l"]
    entropy = second.apply(lambda count: -(count / count.sum() * np.log(count / count.sum())).sum())
    assert scores["entropy_l"].value == pytest.approx(math.exp(entropy.min()))


def read_page(report, folder) -> str:
    text = (write_report(report, folder, formats=()) / "index.html").read_text("utf-8")
    return " ".join(re.sub(r"<[^>]+>", "", text.partition("<h2>Figures")[0]).split())


def test_numbers_and_sentences_of_its_report_agree(tmp_path):
    report = bucketised()
    page = read_page(report, tmp_path / "report")
    assert "No sensitive column was named" not in page
    assert "n/a" not in page.partition("l (different values)")[2].partition("Entropy l")[0]
    assert "one of at least 2 different ones in that group" in page
    assert "group size = 2group size = 2" in page.replace(" group", "group")
    assert not re.search(r"k = 2 ?k = 2", page)  # beside "k (rows) 1" it would contradict
    assert "are unique on the quasi-identifiers" in page
    (promise,) = report.promises
    assert promise.sentence().startswith("Asked group size = 2, measured group size = 2: Every group holds")
    assert "asked group size = 2, measured group size = 2" in promises(report, "en")
    assert "taille de groupe" in promises(report, "fr")
    with (tmp_path / "report" / "scores.csv").open(newline="") as file:
        scores = {(row[0], row[1]): row[2] for row in csv.reader(file)}
    assert float(scores["privacy.l", "value"]) == 2
    assert ("column.illness", "different_values") in scores


def test_a_sensitive_column_that_is_named_and_not_published_is_told_as_such(tmp_path):
    recipe = Recipe(
        (Step("grow_projection", {"start": ("town",), "candidates": ("town",), "k": 2, "max_loss": 1.0}),),
        kind="table",
        roles={"quasi": ("town",), "sensitive": ("illness",)},
    )
    frame = pd.DataFrame({"town": list("xxyy") * 3, "illness": list("abcd") * 3})
    report = run_recipe(recipe, data=Table.from_frame(frame))
    assert "illness" not in report.release.published.columns
    page = read_page(report, tmp_path / "report")
    assert "No sensitive column was named" not in page
    assert "The sensitive columns are not published" in page
