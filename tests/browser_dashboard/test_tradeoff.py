"""The trade-off: its sweeps without a page, and its tab in a browser."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from insanonym_core.recipe import Recipe, Step
from insanonym_core.recipe_file import recipe_from_text
from insanonym_core.sweep import Axis
from insanonym_dashboard.downloads import MENU
from insanonym_dashboard.panels.mobility import RECIPE as MOBILITY
from insanonym_dashboard.panels.sweeping import Sweeps
from insanonym_dashboard.panels.tables import RECIPE as TABLES
from insanonym_dashboard.panels.tradeoff import TradeoffPanel
from insanonym_dashboard.state import Session, TabState
from tests.browser_dashboard.serving import opened, wait_for

POINT = ".insanonym-plot .scatterlayer .points path"

# --- without a page ---------------------------------------------------------------------------------


@pytest.fixture
def states():
    """Tabs of two kinds; without an event loop everything is computed at once."""
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
    shown.kind.value = "mobility"
    shown.pick.value = 2
    assert states["table"].recipe.steps == (Step("mondrian", {"k": 20}),)
    assert states["mobility"].recipe == MOBILITY
    assert "Tables tab now stand at k 20 rows" in shown.moved.value


def test_steps_that_are_gone_come_back(states, swept):
    states["table"].set_steps((Step("suppress_rare_rows", {"k": 2}),))
    swept.go_to(swept.settings[1], states)
    assert states["table"].recipe.steps == (Step("mondrian", {"k": 5}),)
    assert swept.moved == "set"
    states["table"].set_parameter(0, "k", 9)
    swept.follow(states)
    assert swept.moved == ""


def test_other_roles_or_data_since_the_sweep_are_told(states, swept):
    states["table"].set_roles({"quasi": ("age",)})
    before = states["table"].recipe
    swept.go_to(swept.settings[0], states)
    assert (swept.moved, states["table"].recipe) == ("other", before)


def test_a_click_finds_the_point_whose_name_was_shown(states, swept):
    shown = panel(states, swept)
    aim = swept.settings[1]
    shown.plot.clicked = {"x": aim.utility[0], "y": aim.privacy[0], "count": 1}
    assert states["table"].recipe.steps[0].parameters == {"k": 5}
    shown.plot.clicked = {"x": 0.123, "y": 0.4, "count": 2}  # a curve, not a point
    assert swept.point == aim


def test_the_menu_follows_the_recipe_and_keeps_the_choice(states, swept):
    shown = panel(states, swept)
    shown.parameter.value = ("jitter_time", "hours", 1)
    shown.span.value = (12.0, 48.0)
    states["mobility"].set_steps((Step("gaussian_noise"), Step("jitter_time"), Step("cloak")))
    assert ("gaussian_noise", "sigma", 1) in [value for _, value in shown.parameter.options]
    assert shown.parameter.value == ("jitter_time", "hours", 1)
    assert shown.span.value == (12.0, 48.0)
    states["mobility"].set_steps((Step("gaussian_noise"),))
    assert shown.parameter.value == ("gaussian_noise", "sigma", 1)
    states["mobility"].set_steps((Step("pseudonymise"),))
    assert shown.parameter.value is None
    assert shown.start.disabled
    assert "no number to sweep" in shown.told.value
    states["mobility"].set_steps((Step("gaussian_noise"),))
    assert not shown.start.disabled


def test_spans_are_those_of_the_data(states, swept):
    shown = panel(states, swept)
    shown.kind.value = "table"
    assert shown.span.value == (1, 60)
    shown.kind.value = "avatars"
    assert shown.span.value == (1, 56)
    shown.kind.value = "traces"
    assert shown.span.value == (2, 1000)


def test_failed_runs_are_told_and_not_counted(states, swept):
    swept.start("table", states["table"], Axis("mondrian", "k", "2,700,900"), 1)
    shown = panel(states, swept)
    assert "2 of 3 runs failed: " in shown.banner.value
    assert "n = 1 runs" in str(shown.plot.figure)
    before = swept.now
    swept.start("table", states["table"], Axis("mondrian", "k", "700,900"), 1)
    assert "2 of 2 runs failed: " in shown.banner.value
    assert swept.now is before  # the last picture stays
    swept.start("table", states["table"], Axis("mondrian", "k", "2,5"), 1)
    assert shown.banner.value == ""


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
    assert len(shown.list.children) == 2
    swept.show(first)
    assert swept.shown == (first,)
    swept.remove(first)
    assert swept.kept == ()
    assert swept.now is first  # nothing else to show
    assert second not in swept.shown


def test_removing_the_sweep_of_the_point_chooses_another(states, swept):
    swept.keep()
    kept = swept.now
    swept.start("table", states["table"], Axis("mondrian", "k", "3,9"), 1)
    swept.go_to(swept.settings[0], states)
    assert swept.run_of(swept.point) is kept
    swept.remove(kept)
    assert swept.point in swept.settings


def test_another_language_finds_everything_again(states, swept):
    shown = panel(states, swept)
    shown.kind.value = "table"
    shown.points.value = 5
    shown.span.value = (2, 30)
    swept.keep()
    swept.go_to(swept.settings[2], states)
    shown.close()
    again = panel(states, swept, "fr")
    assert (again.kind.value, again.points.value, again.span.value) == ("table", 5, (2, 30))
    assert "data-selected='k 20 rows'" in again.selected.value
    assert "k 20 lignes" in again.moved.value
    assert again.keep.disabled
    states["table"].set_parameter(0, "k", 7)
    assert "data-moved='set'" in shown.moved.value  # the closed one no longer listens
    assert "data-moved=''" in again.moved.value


def test_downloads(states, swept):
    shown = panel(states, swept)
    name, content, _ = shown.downloads("Scores (CSV)")
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    assert name == "sweep.csv"
    assert [row["mondrian.k"] for row in rows] == ["2", "5", "20"]
    swept.go_to(swept.settings[2], states)
    assert recipe_from_text(shown.downloads("Recipe (YAML)")[1].decode()) == replace(
        TABLES, steps=(Step("mondrian", {"k": 20}),)
    )
    assert [shown.downloads(name) for name in MENU if name not in ("Scores (CSV)", "Recipe (YAML)")] == [
        None
    ] * 3
    empty = Sweeps()
    assert (empty.scores(), empty.recipe()) == (None, None)


def test_the_first_opening_sweeps_once(states):
    sweeps = Sweeps()
    shown = TradeoffPanel(states, "en", lambda kind: None, sweeps)
    first = sweeps.now
    assert sweeps.total == 12
    assert first.tab == "mobility"
    assert "small first sweep" in shown.note.value
    shown.opened()
    assert sweeps.now is first


# --- in a browser -----------------------------------------------------------------------------------


@pytest.fixture
def tradeoff(watch, dashboard):
    """The tab with its first picture."""

    def visit(width: int = 1280, lang: str = "en"):
        found = watch(f"{dashboard.address}?tab=tradeoff&lang={lang}", width=width, height=900)
        found.page.set_default_timeout(60_000)
        found.page.wait_for_selector("[data-selected]")
        opened(found.page)
        return found

    return visit


def run(page, runs: int = 24) -> None:
    """Sweep what is chosen, and wait for the end."""
    page.get_by_role("button", name="Run", exact=True).click()
    said = page.locator(".insanonym-sweep small")
    wait_for(lambda: f"{runs} of {runs} runs" in said.inner_text(), "the last run")
    page.wait_for_timeout(500)


def choose(page, place: int, **option) -> None:
    page.locator(".insanonym-sweep select").nth(place).select_option(**option)
    page.wait_for_timeout(500)


def click_point(page, place: int) -> None:
    box = page.locator(POINT).nth(place).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_the_tab_opens_with_a_picture_and_a_clicked_point_sets_the_sliders(tradeoff):
    found = tradeoff()
    page = found.page
    assert "small first sweep" in page.locator("[data-note]").inner_text()
    assert "12 of 12 runs" in page.locator(".insanonym-sweep").inner_text()
    choose(page, 0, label="Tables")  # the menu is for the next sweep, the points are of the last one
    click_point(page, 3)
    page.wait_for_selector("[data-moved=set]")
    said = page.locator("[data-moved=set]").inner_text()
    value = page.locator("[data-selected]").get_attribute("data-selected")
    assert said == f"The sliders of the Mobility tab now stand at {value}."
    assert page.locator(".insanonym-tab-tradeoff").count()  # still here
    page.get_by_role("button", name="Open the tab").click()
    slider = page.locator(".insanonym-step-planar_laplace .widget-readout")
    wait_for(lambda: slider.inner_text().replace(",", "") in value, "the slider")
    assert slider.inner_text().replace(",", "") == value.split()[1]
    found.assert_quiet()


def test_an_open_tab_has_its_sliders_there_too(tradeoff):
    page = tradeoff().page
    page.get_by_role("button", name="Mobility", exact=True).click()
    page.wait_for_selector(".insanonym-tab-mobility [data-headline=utility]")
    page.get_by_role("button", name="Trade-off", exact=True).click()
    page.wait_for_selector("[data-selected]")
    opened(page)
    page.wait_for_timeout(500)
    page.locator(".insanonym-selected select").select_option(index=2)
    page.wait_for_selector("[data-moved=set]")
    page.get_by_role("button", name="Mobility", exact=True).click()
    slider = page.locator(".insanonym-step-planar_laplace .widget-readout")
    wait_for(lambda: slider.count() and slider.inner_text() == "2,000", "the slider")


def test_the_menu_has_a_step_added_since(tradeoff):
    page = tradeoff().page
    page.get_by_role("button", name="Mobility", exact=True).click()
    page.wait_for_selector(".insanonym-tab-mobility [data-headline=utility]")
    page.locator(".insanonym-steps select").last.select_option(label="Gaussian noise")
    page.wait_for_selector(".insanonym-step-gaussian_noise")
    page.get_by_role("button", name="Trade-off", exact=True).click()
    menu = page.locator(".insanonym-sweep select").nth(1)
    wait_for(lambda: "Gaussian noise · sigma" in menu.text_content().replace("\xa0", " "), "the new step")
    assert menu.evaluate("menu => menu.selectedOptions[0].value") == "Planar Laplace · radius"


@pytest.mark.parametrize("kind", ["Tables", "Avatars"])
def test_a_default_sweep_of_a_table_has_no_failed_run(tradeoff, kind):
    page = tradeoff().page
    choose(page, 0, label=kind)
    run(page)
    assert not page.locator(".insanonym-error").count()
    card = page.locator(".insanonym-plot").text_content().replace("\xa0", " ")
    assert "n = 24 runs" in card
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_kept_sweeps_are_removed_again(tradeoff):
    found = tradeoff()
    page = found.page
    lines = page.locator(".insanonym-comparing [data-series]")
    assert lines.count() == 1
    page.get_by_role("button", name="Keep for comparison").click()
    choose(page, 1, label="Delete rare cells · k")
    run(page)
    wait_for(lambda: lines.count() == 2, "two sweeps")
    legend = page.locator(".insanonym-plot .legendtext").all_text_contents()
    assert legend[1:] == ["Planar Laplace", "Delete rare cells"]
    assert page.locator(".insanonym-selected option").count() >= 6 + 8
    page.locator(".insanonym-comparing .insanonym-small").first.click()
    wait_for(lambda: lines.count() == 1, "one sweep")
    wait_for(lambda: page.locator(".insanonym-plot .legendtext").count() == 2, "one line in the legend")
    found.assert_quiet()


@pytest.mark.parametrize("width", [1280, 1920])
def test_the_figure_is_drawn_for_its_place(tradeoff, width):
    page = tradeoff(width).page
    page.wait_for_timeout(500)
    wide, drawn = page.evaluate(
        """() => { const plot = document.querySelector('.insanonym-plot');
            return [plot.clientWidth, plot.querySelector('.js-plotly-plot')._fullLayout.width]; }"""
    )
    assert wide == drawn
    assert page.evaluate(
        """() => { const place = document.querySelector('.insanonym-plot').getBoundingClientRect();
            return [...document.querySelectorAll('.insanonym-plot text')].every(text => {
                const box = text.getBoundingClientRect();
                return box.left >= place.left - 1 && box.right <= place.right + 1; }); }"""
    )
