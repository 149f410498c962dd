"""Pinned settings beside each other: only what differs, every measure, and the change to the first."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pytest

from insanonym_core.experiment import run
from insanonym_core.kinds import kind_named
from insanonym_core.presets import preset_recipe
from insanonym_core.recipe import Recipe, Step
from insanonym_core.sweep.front import HOLLOW
from insanonym_dashboard.panels.compare import comparison, trail_file
from insanonym_dashboard.trail import Trail

FIRST = preset_recipe(kind_named("table"))


@pytest.fixture(scope="module")
def reports():
    return {k: run(FIRST.with_parameter(0, "k", k)) for k in (5, 20)}


@pytest.fixture
def trail(reports) -> Trail:
    """Both pinned."""
    made = Trail()
    for report in reports.values():
        made.arrive(report, "demo:patients")
        made.pin()
    return made


def rows(text: str) -> list[list[str]]:
    cells = (re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in re.findall(r"<tr.*?</tr>", text))
    return [[re.sub("<[^>]*>", "", cell).strip() for cell in row] for row in cells]


def test_without_pins_a_sentence_says_how(reports):
    said = comparison(Trail(), reports[5], "en")
    assert "Pin a setting" in said
    assert "<table" not in said


def test_the_settings_that_differ_stand_first_and_no_others(trail):
    head, first, second, *_ = rows(comparison(trail, None, "en"))
    assert head == ["", "★ A", "★ B"]
    assert first[0].startswith("Mondrian")
    assert first[0].endswith("k")
    assert first[1:] == ["5", "20"]
    assert second[0] == "Utility"


def test_numbers_and_changes_are_those_of_the_reports(trail, reports):
    found = {name: cells for name, *cells in rows(comparison(trail, reports[20], "en"))}
    assert next(iter(found)) == ""
    assert found[""] == ["★ A", "★ B", "now"]
    utility = [reports[5].utility, reports[20].utility, reports[20].utility]
    change = utility[1] - utility[0]
    sign = "+" if change > 0 else "−"
    assert f"{sign}{abs(change):.2f}" in found["Utility"][1]
    assert [float(cell.split()[0]) for cell in found["Utility"]] == pytest.approx(utility, abs=0.006)
    assert len(found["Utility"][0].split()) == 1, "the first has no change"


def test_every_measure_has_a_row(trail, reports):
    text = comparison(trail, reports[5], "en")
    shown = set(re.findall(r'data-measure="([^"]+)"', text))
    defined = {one.key for one in reports[5].measures if one.score.defined}
    assert defined <= shown


def test_a_step_that_only_one_has_is_a_difference(reports):
    made = Trail()
    recipe = replace(FIRST, steps=(Step("suppress_rare_values", {"k": 2, "columns": ("sex",)}), *FIRST.steps))
    for report in (reports[5], run(recipe)):
        made.arrive(report, "demo:patients")
        made.pin()
    text = comparison(made, None, "en")
    assert any(row[0].startswith("Delete rare values") and row[1] == "–" for row in rows(text))


def test_names_from_a_file_are_text(reports):
    hostile = "<img src=x onerror=alert(1)>"
    made = Trail()
    for k in (2, 3):
        step = Step("suppress_rare_values", {"k": k, "columns": (hostile, "a" * k)})
        made.arrive(replace(reports[5], recipe=Recipe((step,), kind="table")), hostile)
        made.pin()
    text = comparison(made, None, "en")
    assert "<img" not in text
    assert "&lt;img" in text


def test_the_trail_is_a_table_with_every_setting_what_differs_and_every_number(trail, reports):
    name, content, _ = trail_file(trail, reports[20], "en")
    assert name == "trail.csv"
    first, second = csv.DictReader(io.StringIO(content.decode(), newline=""))
    assert (first["Setting"], first["Follows"], first["Pin"], first["Data"]) == (
        "1",
        "",
        "A",
        "demo:patients",
    )
    assert (second["Setting"], second["Follows"], second["Pin"]) == ("2", "1", "B")
    k = "Mondrian (multidimensional) · k"
    assert (first[k], second[k]) == ("5", "20")
    assert not any(name.endswith("· t") for name in first), "what is the same everywhere is left out"
    for row, report in zip((first, second), reports.values(), strict=True):
        assert float(row["Utility"]) == report.utility
        assert float(row["Privacy"]) == report.privacy
        assert float(row["k (rows)"]) == report.values()["privacy.k"]
    french = trail_file(trail, reports[20], "fr")[1].decode().splitlines()[0]
    assert french.startswith("Réglage,Suit,Épingle,Données,")


def test_a_file_name_in_the_trail_is_no_formula(reports):
    made = Trail()
    made.arrive(reports[5], "=cmd()|x.csv")
    (row,) = csv.DictReader(io.StringIO(trail_file(made, reports[5], "en")[1].decode(), newline=""))
    assert row["Data"] == "'=cmd()|x.csv"


def test_what_must_be_read_beside_privacy_stands_in_the_trail(reports):
    made = Trail()
    guessed = replace(reports[5].recipe, roles={**reports[5].recipe.roles, "guessed": ("quasi",)})
    for report in (reports[5], replace(reports[5], recipe=guessed)):
        made.arrive(report, "demo:patients")
    made.visits = (replace(made.visits[0], hollow=True), made.visits[1])
    rows = csv.DictReader(io.StringIO(trail_file(made, reports[5], "en")[1].decode(), newline=""))
    assert [row["Caution"] for row in rows] == [HOLLOW, "Roles not confirmed"]
