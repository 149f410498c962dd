"""The trade-off in a browser: its first picture, points to click, sweeps run and kept."""

from __future__ import annotations

import re

import pytest

from tests.browser_dashboard.instrument import small_tab  # noqa: F401  the fixture
from tests.browser_dashboard.serving import opened, wait_for

POINT = ".insanonym-plot .scatterlayer .points path"


@pytest.fixture
def tradeoff(small_tab):  # noqa: F811
    """The tab with its first picture."""

    def visit(width: int = 1280, lang: str = "en"):
        found = small_tab("tradeoff", lang, width, 900, preset="strong_noise")
        found.page.set_default_timeout(60_000)
        found.page.wait_for_selector("[data-selected]")
        opened(found.page)
        return found

    return visit


def run(page, runs: int = 24) -> None:
    """Sweep what is chosen, and wait for the end: so many runs, and those of the front once more."""
    start = page.get_by_role("button", name="Run", exact=True)
    start.click()
    wait_for(start.is_disabled, "the sweep")
    wait_for(start.is_enabled, "the end")
    said = page.locator(".insanonym-sweep small").first.inner_text()
    done, of = re.search(r"(\d+) of (\d+) runs", said).groups()
    assert done == of
    assert int(of) >= runs
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
    done, of = re.search(r"(\d+) of (\d+) runs", page.locator(".insanonym-sweep").inner_text()).groups()
    assert done == of
    assert int(of) > 12, "points of the front are run again, with the strongest attacker"
    choose(page, 0, label="Tables")  # the menu is for the next sweep, the points are of the last one
    click_point(page, 3)
    page.wait_for_selector("[data-moved=set]")
    said = page.locator("[data-moved=set]").inner_text()
    value = page.locator("[data-selected]").get_attribute("data-selected")
    assert said == f"The sliders of the Mobility tab now stand at {value}."
    assert page.locator(".insanonym-tab-tradeoff").count()  # still here
    page.get_by_role("button", name="Open the tab").click()
    slider = page.locator(".step-planar_laplace [data-parameter=radius] .value")
    slider.wait_for()
    wait_for(lambda: slider.input_value() in value.split(), "the slider")
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
    slider = page.locator(".step-planar_laplace [data-parameter=radius] .value")
    wait_for(lambda: slider.count() and slider.input_value() == "2,000", "the slider")


def test_the_menu_has_a_step_added_since(tradeoff):
    page = tradeoff().page
    page.get_by_role("button", name="Mobility", exact=True).click()
    page.wait_for_selector(".insanonym-tab-mobility [data-headline=utility]")
    page.locator(".insanonym-steps .adder").select_option(label="Gaussian noise")
    page.wait_for_selector(".step-gaussian_noise")
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
    assert page.locator(".insanonym-selected option").count() == 8  # a failed setting is not offered
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
    legend = page.locator(".insanonym-plot .legendtext")
    both = ["Planar Laplace", "Delete rare cells"]
    wait_for(lambda: legend.all_text_contents()[1:] == both, "both in the legend")
    assert page.locator(".insanonym-selected option").count() >= 6 + 8
    page.locator(".insanonym-comparing .insanonym-small").first.click()
    wait_for(lambda: lines.count() == 1, "one sweep")
    wait_for(lambda: page.locator(".insanonym-plot .legendtext").count() == 2, "one line in the legend")
    found.assert_quiet()


@pytest.mark.parametrize("width", [1280, pytest.param(1920, marks=pytest.mark.long)])
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
