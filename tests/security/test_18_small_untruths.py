"""Parts of number 18: recipes, sentences and promises say what was really done."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.errors import DataError
from insanonym_core.experiment import Report
from insanonym_core.experiment import run as run_recipe
from insanonym_core.kinds import all_kinds, kind_named
from insanonym_core.mobility import person
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.writer import write_track
from insanonym_core.presets import preset_recipe
from insanonym_core.recipe import Recipe, Step, method_entry
from insanonym_core.recipe_file import recipe_from_text, recipe_to_text
from insanonym_core.registry import Measure, methods
from insanonym_core.report import write_report
from insanonym_core.tabular.table import Table
from insanonym_core.texts import say
from insanonym_dashboard import downloads, pieces
from insanonym_dashboard.panels.mobility import MobilityPanel
from insanonym_dashboard.session import Session
from insanonym_dashboard.state import TabState

PROJECTION_RECIPE = """
data: demo:enrolments
kind: {kind}
roles: {{identifier: CODE_INDIVIDU}}
steps:
  - suppress_rare_values: {{k: 5, columns: [CONTINENT, LIBELLE_REGIME]}}
  - grow_projection: {{start: [CONTINENT, ANNEE_INSCRIPTION], candidates: [REGROUPEMENT_BAC], max_loss: 0.5}}
"""
COUNT_STEP = "  - count_traces: {item: [REGROUPEMENT_BAC], order: [ANNEE_INSCRIPTION]}\n"


# --- (a) recipes name every value -------------------------------------------------------------------


@pytest.mark.parametrize("kind", all_kinds())
def test_a_complete_recipe_names_every_parameter_of_every_method(kind: str) -> None:
    for entry in methods.all(data=kind):
        (step,) = Recipe((Step(entry.name),), kind=kind).complete().steps
        filled_in = {
            name
            for name, parameter in entry.parameters.items()
            if getattr(parameter.constraint, "filled_in", False)  # counted from the data by the run
        }
        assert set(step.parameters) == set(entry.parameters) - filled_in
        assert all(step.parameters[name] == entry.parameters[name].default for name in step.parameters)


def test_a_value_that_is_set_stays_and_the_recipe_reads_back_as_the_same() -> None:
    short = Recipe((Step("stop_noise", {"radius": 50}), Step("cloak")), data="demo:mobility", seed=3)
    whole = short.complete()
    assert whole.steps[0].parameters == {"radius": 50, "decimals": 3}
    assert recipe_from_text(recipe_to_text(whole)) == whole == whole.complete()
    assert whole.hash == short.hash, "both decide the same numbers"


@pytest.fixture(scope="module")
def noisy() -> Report:
    """A report whose recipe says nothing about its noise."""
    return run_recipe(Recipe((Step("gaussian_noise"), Step("pseudonymise")), data="demo:mobility", seed=3))


@pytest.mark.slow
def test_downloaded_recipes_name_the_values_and_make_the_same_release(noisy: Report, tmp_path: Path) -> None:
    sigma = method_entry("gaussian_noise", "mobility").parameters["sigma"].default
    write_report(noisy, tmp_path / "report", formats=())
    texts = {
        "download": downloads.recipe(noisy, "en")[1].decode(),
        "report": (tmp_path / "report" / "recipe.yaml").read_text(),
    }
    for text in texts.values():
        assert f"gaussian_noise: {{sigma: {sigma}}}" in text
    again = run_recipe(recipe_from_text(texts["download"]), data=noisy.data, only=("utility.distance",))
    assert again.release.release.latitude.tolist() == noisy.release.release.latitude.tolist()
    for page in (
        (tmp_path / "report" / "index.html").read_text(encoding="utf-8"),
        downloads.notebook(noisy, "en")[1].decode(),
    ):
        assert f"sigma: {sigma}" in page


# --- (b) the best attack is the best, and named -----------------------------------------------------


def test_the_sentence_names_the_attack_that_found_most(noisy: Report) -> None:
    """Another one than 'assignment' is best when it re-identifies most."""

    def finding(one: Measure, share: float) -> Measure:
        return replace(one, score=replace(one.score, details={**one.score.details, "reidentified": share}))

    for name in ("poi", "heatmap"):
        measures = tuple(
            finding(one, 1.0 if one.key == f"attack.{name}" else 0.5)
            for one in noisy.measures
            if one.family == "attack"
        )
        attack = person.best_attack(replace(noisy, measures=measures).measures)
        assert attack is not None
        assert attack.name == name


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_the_dashboard_says_which_attack_it_was(noisy: Report) -> None:
    panel = MobilityPanel(TabState(noisy.recipe, Session()), "en")
    panel.state.report = noisy
    best = max(noisy.family("attack"), key=lambda one: one.score.value)
    assert best.entry.name != "assignment"  # noise averages out: others find everybody too, and come first
    panel.person.value = noisy.data.individuals[0]
    assert f"by the best attack, {best.entry.title}." in panel.found.value
    found = person.weeks_found(noisy.release, noisy.data.individuals[0], best.entry)
    assert f"Found in {found.found} of {found.weeks} weeks" in panel.found.value


# --- (c) a step that deletes all rows is named ------------------------------------------------------


def worldwide(people: int = 4) -> Track:
    """Each person in another part of the world: no cell has two visitors."""
    city = make_city(users=people, weeks=1).track
    shift = city.individual.astype(float)
    return city.changed(latitude=city.latitude - 20 * shift, longitude=city.longitude + 30 * shift)


def test_the_default_recipe_on_sparse_data_names_the_step_that_deleted_all() -> None:
    report = run_recipe(
        replace(preset_recipe(kind_named("mobility"), "strong_noise"), data=None), data=worldwide()
    )
    assert report.kept == 0
    (said,) = report.warnings
    assert re.match(r"Step 4 \(Delete rare cells\) deleted all [\d,]+ rows that were left", said)
    assert say(said, "fr").startswith("L’étape 4 (")
    shown = pieces.banner("", "en", report)
    assert "Step 4 (Delete rare cells)" in shown
    assert "Step 4" not in pieces.strip(report, report, {}, "en"), "said once"


def test_ordinary_deletions_are_not_reported() -> None:
    assert (
        run_recipe(preset_recipe(kind_named("mobility"), "strong_noise"), only=("utility.distance",)).warnings
        == ()
    )


def test_a_step_that_deletes_nearly_all_rows_of_a_table_is_named() -> None:
    rare = [("x", str(n)) for n in range(195)]
    table = Table.from_frame(pd.DataFrame([*rare, *[("y", "0")] * 5], columns=["a", "b"]))
    step = Step("suppress_rare_rows", {"columns": ("a", "b"), "k": 5})
    recipe = Recipe((step,), kind="table", roles={"quasi": ("a",)})
    (said,) = run_recipe(recipe, data=table, only=("privacy.k",)).warnings
    assert said.startswith("Step 1 (Delete rare combinations) deleted 195 of the 200 rows that were left")
    with pytest.raises(DataError, match=r"Step 1 \(Delete rare combinations\) deleted all 200 rows"):
        run_recipe(recipe.with_parameter(0, "k", 6), data=table)


def test_the_command_line_names_the_step(run: Any, tmp_path: Path) -> None:
    write_track(worldwide(), tmp_path / "world.tsv")
    found = run(
        "anonymise", tmp_path / "world.tsv", "-o", tmp_path / "out.tsv",
        "--step", "gaussian_noise", "--step", "suppress_rare_cells",
    )  # fmt: skip
    assert found.code == 0
    assert re.search(r"Step 2 \(Delete rare cells\) deleted all [\d,]+ rows", " ".join(found.err.split()))


# --- (d) how much was written -----------------------------------------------------------------------


def test_the_lines_of_a_traces_file_are_counted(run: Any, tmp_path: Path) -> None:
    rows = [f"p{person},{year},{'ab'[person % 2]}" for person in range(40) for year in (2015, 2016)]
    (tmp_path / "in.csv").write_text("\n".join(["who,year,item", *rows]) + "\n")
    recipe = (
        "kind: traces\nroles: {identifier: who}\nsteps:\n  - count_traces: {item: [item], order: [year]}\n"
    )
    (tmp_path / "recipe.yaml").write_text(recipe)
    out = tmp_path / "out.csv"
    found = run("anonymise", tmp_path / "in.csv", "-o", out, "--recipe", tmp_path / "recipe.yaml")
    assert found.code == 0
    traces = len(out.read_text().splitlines()) - 1
    told = " ".join(found.err.split())
    assert f"{traces} traces, counted from 80 of 80 rows, written to" in told
    assert "80 rows written" not in told


# --- (e) promises name published columns ------------------------------------------------------------


@pytest.mark.parametrize(("kind", "more"), [("table", ""), ("traces", COUNT_STEP)])
def test_a_promise_names_only_published_columns(kind: str, more: str, tmp_path: Path) -> None:
    recipe = recipe_from_text(PROJECTION_RECIPE.format(kind=kind) + more)
    report = run_recipe(recipe, only=("utility.rows_kept",))
    published = set(
        report.release.published.columns if kind == "table" else ("REGROUPEMENT_BAC", "ANNEE_INSCRIPTION")
    )
    assert "LIBELLE_REGIME" not in published, "the projection left it out"
    assert report.promises
    for promise in report.promises:
        assert set(promise.columns) <= published
        assert "LIBELLE_REGIME" not in promise.sentence()


def test_the_report_page_promises_nothing_for_a_column_that_is_gone(tmp_path: Path) -> None:
    report = run_recipe(recipe_from_text(PROJECTION_RECIPE.format(kind="table")))
    write_report(report, tmp_path / "report", formats=())
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    promised = page[page.index("Asked and measured") :]
    promised = promised[: promised.index("</table>")]
    assert "CONTINENT" in promised
    assert "LIBELLE_REGIME" not in promised
