"""The trade-off without a page: its sweeps, and what its panel makes of them."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Iterator
from dataclasses import replace

import pytest

from insanonym_core.kinds import kind_named
from insanonym_core.presets import preset_recipe
from insanonym_core.recipe import Recipe, Step
from insanonym_core.recipe_file import recipe_from_text
from insanonym_core.registry import metrics
from insanonym_core.sweep import Axis
from insanonym_dashboard.downloads import MENU
from insanonym_dashboard.panels.sweep_form import NO_PARAMETER
from insanonym_dashboard.panels.sweep_point import decided_by
from insanonym_dashboard.panels.sweeping import Sweeps
from insanonym_dashboard.panels.tradeoff import TradeoffPanel
from insanonym_dashboard.session import Session
from insanonym_dashboard.state import TabState

MOBILITY = preset_recipe(kind_named("mobility"), "strong_noise")
TABLES = preset_recipe(kind_named("table"))


@pytest.fixture(autouse=True)
def computed_at_once() -> Iterator[None]:
    """No event loop in this thread, where a browser of earlier tests keeps one: workers then do not wait."""
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)


@pytest.fixture
def states():
    """Tabs of every kind."""
    traces = Recipe((Step("count_traces"),), data="demo:enrolments", kind="traces", seed=1)
    avatars = Recipe((Step("mix_neighbours"),), data="demo:breast_cancer", seed=1)
    recipes = {"mobility": MOBILITY, "table": TABLES, "traces": traces, "avatars": avatars}
    return {kind: _quiet(TabState(recipe, Session())) for kind, recipe in recipes.items()}


def _quiet(state: TabState) -> TabState:
    state.refresh = lambda: None  # type: ignore[method-assign]  the recipe is what is looked at
    return state


@pytest.fixture
def swept(states) -> Sweeps:
    """Three k of Mondrian."""
    sweeps = Sweeps()
    sweeps.begun = True
    sweeps.start("table", states["table"], Axis("mondrian", "k", "2,5,20"), 1)
    return sweeps


def panel(states, swept, lang="en") -> TradeoffPanel:
    return TradeoffPanel(states, lang, lambda kind: None, swept)


def test_a_point_sets_the_tab_that_was_swept(states, swept):
    shown = panel(states, swept)
    shown.form.kind.value = "mobility"
    shown.pick.value = 2
    assert states["table"].recipe.steps == (Step("mondrian", {"k": 20}),)
    assert states["mobility"].recipe == MOBILITY
    assert "Tables tab now stand at k = 20 rows" in shown.moved.value


def test_steps_that_are_gone_come_back(states, swept):
    states["table"].set_steps((Step("suppress_rare_rows", {"k": 2}),))
    swept.go_to(swept.settings[1], states)
    assert states["table"].recipe.steps == (Step("mondrian", {"k": 5}),)
    assert swept.moved == "set"
    states["table"].set_parameter(0, "k", 9)
    swept.follow(states)
    assert swept.moved == ""


@pytest.mark.slow
def test_other_roles_or_data_since_the_sweep_are_told(states, swept):
    states["table"].set_roles({"quasi": ("age",)})
    before = states["table"].recipe
    swept.go_to(swept.settings[0], states)
    assert (swept.moved, states["table"].recipe) == ("other", before)


def test_a_click_finds_the_point_whose_name_was_shown(states, swept):
    shown = panel(states, swept)
    aim = swept.settings[1]
    shown.plot.clicked = {"customdata": ["k = 5 rows", 1], "count": 1}
    assert states["table"].recipe.steps[0].parameters == {"k": 5}
    for other in (None, "a curve, not a point", ["?", -1], ["?", 99], ["?", "1"]):
        shown.plot.clicked = {"customdata": other, "count": 2}
    assert swept.point == aim


def test_the_menu_follows_the_recipe_and_keeps_the_choice(states, swept):
    shown = panel(states, swept)
    shown.form.parameter.value = ("jitter_time", "hours", 1)
    shown.form.span.value = (12.0, 48.0)
    states["mobility"].set_steps((Step("gaussian_noise"), Step("jitter_time"), Step("cloak")))
    assert ("gaussian_noise", "sigma", 1) in [value for _, value in shown.form.parameter.options]
    assert shown.form.parameter.value == ("jitter_time", "hours", 1)
    assert shown.form.span.value == (12.0, 48.0)
    states["mobility"].set_steps((Step("gaussian_noise"),))
    assert shown.form.parameter.value == ("gaussian_noise", "sigma", 1)
    states["mobility"].set_steps((Step("pseudonymise"),))
    assert shown.form.parameter.value is None
    assert shown.form.start.disabled
    assert "no number to sweep" in shown.form.told.value
    states["mobility"].set_steps((Step("gaussian_noise"),))
    assert not shown.form.start.disabled


def test_spans_are_those_of_the_data(states, swept):
    shown = panel(states, swept)
    shown.form.kind.value = "table"
    assert shown.form.span.value == (1, 60)
    shown.form.kind.value = "avatars"
    assert shown.form.span.value == (1, 56)
    shown.form.kind.value = "traces"
    assert shown.form.span.value == (2, 1000)


@pytest.mark.slow
def test_failed_runs_are_told_and_not_counted(states, swept):
    swept.start("table", states["table"], Axis("mondrian", "k", "2,700,900"), 1)
    shown = panel(states, swept)
    assert "2 of 3 runs failed: " in shown.banner.value
    assert "n = 1 run" in str(shown.plot.exporter())
    before = swept.now
    swept.start("table", states["table"], Axis("mondrian", "k", "700,900"), 1)
    assert "2 of 2 runs failed: " in shown.banner.value
    assert swept.now is before  # the last picture stays
    swept.start("table", states["table"], Axis("mondrian", "k", "2,5"), 1)
    assert shown.banner.value == ""


@pytest.mark.slow
def test_kept_sweeps_stand_beside_each_other_and_go_again(states, swept):
    first = swept.now
    swept.keep()
    swept.keep()
    swept.start("table", states["table"], Axis("mondrian", "k", "2,9"), 1)
    second = swept.now
    assert [run.series for run in swept.shown] == [
        "Mondrian (multidimensional)",
        "Mondrian (multidimensional) (2)",
    ]
    assert len(swept.settings) == 5
    assert [setting.seeds for setting in swept.settings] == [1] * 5
    shown = panel(states, swept, "fr")
    assert "Mondrian (multidimensionnel) (2)" in str(shown.plot.figure)
    swept.start("mobility", states["mobility"], Axis("planar_laplace", "radius", "0,900"), 1)
    assert len(swept.shown) == 1  # other data: not on this plot, still in the list
    assert len(shown.compared.lines.children) == 2
    swept.show(first)
    assert swept.shown == (first,)
    swept.remove(first)
    assert swept.kept == ()
    assert swept.now is first  # nothing else to show
    assert second not in swept.shown


@pytest.mark.slow
def test_removing_the_sweep_of_the_point_chooses_another(states, swept):
    swept.keep()
    kept = swept.now
    swept.start("table", states["table"], Axis("mondrian", "k", "3,9"), 1)
    swept.go_to(swept.settings[0], states)
    assert swept.run_of(swept.point) is kept
    swept.remove(kept)
    assert swept.point in swept.settings


@pytest.mark.slow
def test_another_language_finds_everything_again(states, swept):
    shown = panel(states, swept)
    shown.form.kind.value = "table"
    shown.form.points.value = 5
    shown.form.span.value = (2, 30)
    swept.keep()
    swept.go_to(swept.settings[2], states)
    shown.close()
    again = panel(states, swept, "fr")
    assert (again.form.kind.value, again.form.points.value, again.form.span.value) == ("table", 5, (2, 30))
    assert "data-selected='k = 20 rows'" in again.selected.value
    assert "k = 20 lignes" in again.moved.value
    assert again.compared.keep.disabled
    states["table"].set_parameter(0, "k", 7)
    assert "data-moved='set'" in shown.moved.value  # the closed one no longer listens
    assert "data-moved=''" in again.moved.value


def test_a_chosen_point_says_what_decides_its_privacy_and_that_it_is_hollow(states, swept):
    point = swept.settings[0]
    swept.go_to(point, states)
    shown = panel(states, swept)
    (title,) = (one.title for one in metrics.all(data="table") if one.key == point.decided_by)
    assert f"privacy decided by “{title}”" in shown.selected.value
    assert "where somebody was is not" not in shown.selected.value
    hollow = replace(point, hollow=True)
    assert "where somebody was is not" in decided_by(hollow, swept.now.sweep, "en")
    assert "on voit où quelqu’un se trouvait" in decided_by(hollow, swept.now.sweep, "fr")


@pytest.mark.slow
def test_downloads(states, swept):
    shown = panel(states, swept)
    name, content, _ = shown.downloads("Scores (CSV)")
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    assert name == "sweep.csv"
    assert [row["mondrian.k"] for row in rows] == ["2", "5", "20"]
    swept.go_to(swept.settings[2], states)
    chosen = replace(TABLES, steps=(Step("mondrian", {"k": 20}),))
    assert recipe_from_text(shown.downloads("Recipe (YAML)")[1].decode()) == chosen.complete()
    others = set(MENU) - {"Scores (CSV)", "Recipe (YAML)"}
    assert {name: shown.downloads(name) for name in others} == dict.fromkeys(others)
    empty = Sweeps()
    assert (empty.scores(), empty.recipe()) == (None, None)


@pytest.mark.slow
def test_the_first_opening_sweeps_once(small_city, states):
    sweeps = Sweeps()
    shown = TradeoffPanel(states, "en", lambda kind: None, sweeps)
    first = sweeps.now
    assert len(first.sweep.outcomes) == 12
    assert sweeps.done == sweeps.total >= 12  # the front once more, with costly measures
    assert first.tab == "mobility"
    assert "small first sweep" in shown.note.value
    shown.opened()
    assert sweeps.now is first


@pytest.mark.slow
def test_the_picture_grows_with_the_points_and_ends_as_the_whole(states, swept, monkeypatch):
    monkeypatch.setattr("insanonym_dashboard.panels.sweeping._REDRAWN", 0.0)
    shown, seen = panel(states, swept), []

    def note(change) -> None:
        if change["new"] is not None:
            seen.append((len(change["new"].sweep.settings), str(shown.plot.figure).count("5 rows")))

    swept.observe(note, "growing")
    swept.start("table", states["table"], Axis("mondrian", "k", "3,5,9"), 1)
    assert [points for points, _ in seen][:3] == [1, 2, 3]
    assert [drawn > 0 for _, drawn in seen][:2] == [False, True], "the figure has the points that are there"
    assert swept.growing is None
    assert len(swept.now.sweep.settings) == 3


@pytest.mark.slow
def test_two_parameters_are_swept_over_a_grid(states, swept):
    steps = (*TABLES.steps, Step("suppress_rare_rows", {"k": 2}))
    states["table"].set_steps(steps[::-1])
    shown = panel(states, swept)
    shown.form.kind.value = "table"
    offered = [value for _, value in shown.form.second.options]
    assert offered[0] == shown.form.second.value == NO_PARAMETER
    assert shown.form.parameter.value not in offered
    shown.form.second.value = offered[1]
    shown.form.run(2, 1)
    values = {tuple(setting.values) for setting in swept.now.sweep.settings}
    assert len(next(iter(values))) == 2
    assert len(swept.now.sweep.outcomes) >= 2 * 4


def test_the_table_has_every_setting_and_marks_the_front(states, swept):
    shown = panel(states, swept)
    shown.menu.value = "rows"
    assert shown.table.value.count("<tr") == 1 + len(swept.settings)
    assert shown.table.value.count('class="marked"') == len(swept.now.sweep.front)
    for setting in swept.settings:
        assert f": {setting.written()}</td>" in shown.table.value


def test_the_plane_shows_all_of_both_axes(states, swept):
    figure = str(panel(states, swept).plot.figure)
    assert "Enlarged" not in figure
