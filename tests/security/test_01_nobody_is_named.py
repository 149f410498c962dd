"""1 and 2: no report, download, log or error tells of a person or of a rare value, whatever was measured.

The recipes below are made from the registries: a measure, method or attack that is added later is tried by
itself.
"""

from __future__ import annotations

import inspect
import logging
from dataclasses import replace

import pytest

from insanonym_core.errors import InsanonymError
from insanonym_core.experiment import Report, run
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import attacks, methods, metrics
from insanonym_core.report import write_comparison, write_report
from insanonym_core.results import scores as evidence_classes
from insanonym_core.results.scores import Evidence, EvidenceBase, may_be_handed_over
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.step_defaults import suitable_step
from insanonym_core.texts import LANGUAGES
from insanonym_dashboard import downloads
from insanonym_dashboard.app import App
from insanonym_dashboard.plot import Plot
from tests.levels import LEVEL
from tests.security import markers

TABLE_ROLES = {"by": "town", **markers.ROLES}
COUNT = Step("count_traces", {"item": ("stage",), "order": ("year",), "prefix": ("bac",)})


def _table_recipe(method: str) -> Recipe:
    table = markers.hospital()
    step = suitable_step(method, "table", table, Roles(**markers.ROLES))
    return Recipe((step,), data="hospital.csv", kind="table", roles=TABLE_ROLES)


def _recipes() -> dict[str, Recipe]:
    found = {
        f"mobility-{rules}-{entry.name}": Recipe((Step(entry.name),), data="gps.tsv", rules=rules)
        for rules in ("v1", "v2")
        for entry in methods.all(data="mobility")
    }
    found |= {f"table-{entry.name}": _table_recipe(entry.name) for entry in methods.all(data="table")}
    found["table-unchanged"] = Recipe((), data="hospital.csv", kind="table", roles=TABLE_ROLES)
    who = {"identifier": "who"}
    found["traces-count_traces"] = Recipe((COUNT,), data="studies.csv", kind="traces", roles=who)
    hardly_masked = Step("count_traces", {**COUNT.parameters, "mask": 2})
    found["traces-hardly-masked"] = Recipe((hardly_masked,), data="studies.csv", kind="traces", roles=who)
    cleaned = (Step("suppress_rare_values", {"k": 5, "columns": ("stage", "year")}), COUNT)
    found["traces-cleaned"] = Recipe(cleaned, data="studies.csv", kind="traces", roles=who)
    found |= {
        f"avatars-{entry.name}": Recipe(
            (Step(entry.name),), data="hospital.csv", kind="avatars", roles={"identifier": "patient"}
        )
        for entry in methods.all(data="avatars")
    }
    return found


RECIPES = _recipes()
DATA = {"mobility": markers.track, "table": markers.hospital, "avatars": markers.hospital}


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    """What was run so far, by name."""
    return {}


def _report(name: str, reports: dict[str, Report]) -> Report:
    if name not in reports:
        recipe = RECIPES[name]
        reports[name] = run(recipe, data=DATA.get(recipe.kind, markers.studies)())
    return reports[name]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * ("-v1-" in name)) for name in RECIPES]
)
def test_no_marker_in_the_report_or_a_download(name, reports, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    report = _report(name, reports)
    # The same numbers in both languages: half of the recipes in each, all in both in make test-all.
    for lang in LANGUAGES if LEVEL == "all" else LANGUAGES[[*RECIPES].index(name) % 2 :][:1]:
        write_report(report, tmp_path / lang, lang=lang, formats=(), salt="s", data_digest=True)
    assert markers.markers_in_folder(tmp_path) == []
    for title, make in downloads.MENU.items():
        if title in (downloads.TO_PUBLISH, downloads.TO_SCORE, downloads.LOOKUP, downloads.MAPPING):
            continue  # what is published, which a method decides, and what undoes it
        file, content, _ = make(report, "fr")
        assert markers.markers_in(content.decode("utf-8", errors="ignore")) == [], (title, file)
    assert markers.markers_in(caplog.text) == []
    assert (
        markers.markers_in(" ".join([*report.warnings, *(one.sentence() for one in report.promises)])) == []
    )


FIGURES = ["mobility-v2-planar_laplace", "table-mondrian", "traces-cleaned"]
FIGURES += [f"avatars-{entry.name}" for entry in methods.all(data="avatars")]
FIGURES += [pytest.param("mobility-v1-planar_laplace", marks=pytest.mark.long)]
WIDTHS = ("85mm", "170mm", "slide")


@pytest.mark.browser
@pytest.mark.parametrize("name", FIGURES)
def test_no_marker_in_figures(name, reports, tmp_path):
    """The files beside the page: SVG as text, PDF, which are slow to read, as read by a program."""
    formats = ("svg", "pdf") if LEVEL == "all" or name == "traces-cleaned" else ("svg",)
    width = WIDTHS[FIGURES.index(name) % len(WIDTHS)] if name in FIGURES else "170mm"
    folder = write_report(_report(name, reports), tmp_path / "report", formats=formats, width=width)
    assert len(list((folder / "figures").glob("*.svg"))) > 2
    assert len(list((folder / "figures").glob("*.caption.txt"))) > 2
    assert (folder / "figures" / "figures-word.html").exists()
    assert markers.markers_in_folder(folder) == []


def test_no_marker_where_two_recipes_are_compared(reports, tmp_path):
    both = {name: _report(name, reports) for name in ("traces-count_traces", "traces-cleaned")}
    folder = write_comparison(both, tmp_path / "report", lang="fr", formats=())
    assert len(list(folder.rglob("index.html"))) == 3
    assert markers.markers_in_folder(folder) == []


def test_every_registered_measure_and_method_was_tried():
    """Not by name: whoever adds one is tested without a line here."""
    tried = {
        (recipe.kind, recipe.rules if recipe.kind == "mobility" else "", step.method)
        for recipe in RECIPES.values()
        for step in recipe.steps
    }
    for entry in methods.all():
        assert any(kind == entry.data and method == entry.name for kind, _, method in tried), entry.name
    for kind, rules in (
        ("mobility", "v1"),
        ("mobility", "v2"),
        ("table", ""),
        ("traces", ""),
        ("avatars", ""),
    ):
        assert list(metrics.all(data=kind, rules=rules or None))
        assert any(one.kind == kind and rules in ("", one.rules) for one in RECIPES.values())
    assert list(attacks.all(data="mobility"))


@pytest.mark.parametrize("name", RECIPES)
def test_all_evidence_says_whether_people_can_be_seen(name, reports):
    report = _report(name, reports)
    for evidence in (*report.evidence, *(e for one in report.measures for e in one.score.evidence)):
        assert isinstance(evidence.shows_individuals, bool)


def test_the_field_is_required_and_what_says_nothing_is_kept_back():
    every_class = (one for one in vars(evidence_classes).values() if inspect.isclass(one))
    classes = [one for one in every_class if issubclass(one, EvidenceBase)]
    assert {*Evidence.__args__} <= {*classes}
    for one in classes:
        assert inspect.signature(one).parameters["shows_individuals"].default is inspect.Parameter.empty
    assert not may_be_handed_over(object())


def test_asked_for_by_name_people_are_shown(reports, tmp_path):
    """The search finds what is there: with --individuals, the ids are in the report."""
    report = _report("mobility-v2-planar_laplace", reports)
    folder = write_report(report, tmp_path / "report", formats=(), individuals=True)
    assert any(markers.ID in found for found in markers.markers_in_folder(folder))
    assert any("latitude" in found for found in markers.markers_in_folder(folder))


def test_rare_values_are_counted_together(reports):
    report = _report("table-suppress_rare_values", reports)
    losses = report.facts["losses_by"]
    assert losses["(other values)"] == 1
    assert markers.RARE not in losses


@pytest.mark.parametrize("kind", ["table", "traces", "avatars"])
def test_recipes_that_cannot_work_name_no_value(kind):
    """Errors of the core: whatever is wrong, no value that few rows hold is told."""
    data = DATA.get(kind, markers.studies)()
    column = next(name for name in data.columns if name in ("town", "stage"))
    wrong = [
        Step("bucketise", {"k": 5, "l": 50}),
        Step("suppress_rare_rows", {"k": 1000, "columns": (column,)}),
        Step("mondrian", {"k": 10_000}),
        Step("count_traces", {"item": (column,), "order": (column,)}),
        Step("mix_neighbours", {"k": 10_000}),
    ]
    said: list[str] = []
    for step in wrong:
        try:
            recipe = Recipe((step,), kind=kind, roles={"identifier": next(iter(data.columns))})
            if kind == "table":
                recipe = replace(recipe, roles=TABLE_ROLES)
            run(recipe, data=data)
        except InsanonymError as error:
            said.append(str(error))
    assert len(said) > 2
    assert markers.markers_in(" ".join(said)) == []


@pytest.mark.slow
def test_figures_of_people_are_saved_only_by_their_own_button(at_once, monkeypatch):
    """The menu's "Figures" leaves them out and says so."""
    saved: list[str] = []
    monkeypatch.setattr(Plot, "save", lambda plot, kind: saved.append(plot.label))
    app = App("en")
    app.open("table")
    panel = app.panels["table"]
    for page, kept_back in (("Cuts", True), ("Risk and loss", False)):
        panel._open(page)
        app.notify("")
        app.download_menu.chose("Figures (SVG)")
        assert ("single people may be seen" in app.notice.value) == kept_back
        assert bool(saved) != kept_back
