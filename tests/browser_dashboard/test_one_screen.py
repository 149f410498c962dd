"""Every tab and page on one screen: nothing scrolls, nothing is cut, too small or over another."""

from __future__ import annotations

import pytest

from tests.browser_dashboard.geometry import problems
from tests.browser_dashboard.instrument import (
    LAPTOP,
    PROJECTOR,
    TABS,
    small_tab,  # noqa: F401  the fixture
    tab,  # noqa: F401  the fixture
    tile_titles,
    wait_open,
)

SHORT = {"mobility": "fr", "table": "en", "traces": "fr", "avatars": "en", "tradeoff": "fr"}
MATRIX = [
    pytest.param(
        name,
        lang,
        size,
        marks=() if size == LAPTOP and SHORT[name] == lang else pytest.mark.long,
        id=f"{name}-{lang}-{size[0]}",
    )
    for name in TABS
    for lang in ("en", "fr")
    for size in (LAPTOP, PROJECTOR)
]


def faults_of_pages(page, name: str, lang: str, **asked) -> dict[str, list[str]]:
    """What does not fit, by page of the tab: each is opened by its chip."""
    faults = {}
    titles_of = tile_titles(name, lang)
    chips = page.locator(".insanonym-pages button")
    assert chips.all_inner_texts() == list(titles_of)
    for place, (chip, titles) in enumerate(titles_of.items()):
        chips.nth(place).click()
        said = problems(page, titles=titles, **asked)
        if said:
            faults[chip] = said
    return faults


@pytest.mark.parametrize(("name", "lang", "size"), MATRIX)
def test_every_page_of_a_tab_fits_on_one_screen(tab, small_tab, name, lang, size):  # noqa: F811
    if name == "tradeoff":
        found = small_tab(name, lang, *size)
        found.page.wait_for_selector("[data-selected]")  # its first sweep
    else:
        found = tab(name, lang, *size)
    assert faults_of_pages(found.page, name, lang, together=name != "tradeoff") == {}
    found.assert_quiet()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == "table" else pytest.mark.long)
        for name in TABS
        if name != "tradeoff"
    ],
)
def test_on_a_projector_texts_of_figures_have_twenty_pixels(tab, name):  # noqa: F811
    page = tab(name, "fr", *PROJECTOR, present="1").page  # French takes more room
    assert not page.locator(".insanonym-bar").is_visible()
    assert not page.locator(".insanonym-sidebar").is_visible()
    assert faults_of_pages(page, name, "fr", least=20, together=False) == {}


@pytest.mark.parametrize("name", [pytest.param("mobility", marks=pytest.mark.long), "avatars"])
def test_an_opened_tile_fills_the_area_with_large_texts(tab, name):  # noqa: F811
    page = tab(name, "en", *PROJECTOR).page
    tile = page.locator(".insanonym-tile").nth(3)
    tile.locator(".insanonym-expand").click()
    page.wait_for_selector(".insanonym-expanded")
    assert tile.bounding_box()["width"] > 1500
    assert problems(page, least=20, together=False) == []
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('.insanonym-expanded')")
    assert problems(page) == []


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=() if one == "traces" else pytest.mark.long) for one in TABS]
)
def test_a_narrow_window_may_scroll_down_but_not_across(tab, name):  # noqa: F811
    page = tab(name, "fr", 768, 1024).page
    if name == "tradeoff":
        page.wait_for_selector("[data-note]:not(:empty)")
    page.wait_for_function("() => document.scrollingElement.scrollWidth <= innerWidth")
    tiles = page.locator(".insanonym-tile:visible")
    assert tiles.count() == (1 if name == "tradeoff" else 4)
    for tile in tiles.all():
        assert tile.bounding_box()["height"] > 300
    for part in page.locator(".insanonym-strip .headline").all():
        assert part.bounding_box()["height"] > 50


def test_nothing_that_a_finger_is_to_hit_is_smaller_than_44_pixels(browser, dashboard):
    context = browser.new_context(
        viewport={"width": 1180, "height": 820}, has_touch=True, is_mobile=True, locale="en"
    )
    page = context.new_page()
    page.goto(f"{dashboard.address}?tab=table")
    wait_open(page, "table")
    assert page.evaluate("() => matchMedia('(pointer: coarse)').matches")
    small = page.evaluate(
        """() => [...document.querySelectorAll(
            ".insanonym :is(button, select, summary, a, input[type=range], .modebar-btn)")]
          .filter((one) => one.getBoundingClientRect().width > 0)
          .filter((one) => !one.closest("details:not([open])") || one.tagName === "SUMMARY")
          .map((one) => [one.tagName, one.textContent, one.getBoundingClientRect()])
          .filter(([, , box]) => box.height < 43.5 || box.width < 43.5)
          .map(([tag, text, box]) => `${tag} ${text} ${box.width} x ${box.height}`)"""
    )
    context.close()
    assert small == []
