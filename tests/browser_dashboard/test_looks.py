"""What a look at the page has found and can be measured: chips that are cut, controls without a name."""

from __future__ import annotations

import io

import pypdf
import pytest
from pypdf import mult

from tests.browser_dashboard.geometry import problems
from tests.browser_dashboard.instrument import (
    TABS,
    one_more_point,
    open_page,
    press,
    settled,
    shown_value,
    slider,
    tab,  # noqa: F401  the fixture
    wait_open,
)
from tests.browser_dashboard.serving import wait_for

UNNAMED = """() => [...document.querySelectorAll(
    ".insanonym :is(button, select, input, textarea, a, summary, [role=slider])")]
  .filter((one) => one.getBoundingClientRect().width > 1)
  .filter((one) => {
    const label = one.id && document.querySelector(`label[for="${CSS.escape(one.id)}"]`);
    const own = ["SELECT", "INPUT", "TEXTAREA"].includes(one.tagName) ? "" : one.textContent;
    const name = one.getAttribute("aria-label") || (label || one.closest("label"))?.textContent || own;
    return !/[\\p{L}\\p{N}]/u.test(name);
  }).map((one) => one.outerHTML.slice(0, 200))"""
FOCUSED = """() => {
  const one = document.activeElement, style = getComputedStyle(one), box = one.getBoundingClientRect();
  const ringed = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  const seen = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
  return { what: one.outerHTML.slice(0, 200), sound: (ringed || style.boxShadow !== "none") && seen };
}"""


def test_pages_and_menus_fit_beside_pinned_settings(tab):  # noqa: F811
    page = tab("table", "fr").page
    settled(page)
    page.locator(".insanonym-pin").click()
    with one_more_point(page, "table"):
        press(slider(page, "mondrian", "k"), "ArrowRight")
    open_page(page, "Comparison", "fr")
    assert page.locator(".insanonym-pages button").count() == 8
    assert problems(page) == []
    reference = page.locator(".insanonym-reference").bounding_box()
    assert reference["x"] > page.locator(".insanonym-sidebar").bounding_box()["width"]


def test_every_control_has_a_name_and_the_keyboard_shows_where_it_is(tab):  # noqa: F811
    page = tab("table").page
    settled(page)
    for line in page.locator(".insanonym-fold-line").all():
        line.click()
    page.locator(".insanonym-find").click()
    page.wait_for_selector(".insanonym-search")
    wait_for(lambda: page.evaluate(UNNAMED) == [], "a name for every control")
    page.locator(".insanonym-find").click()
    page.locator(".insanonym-tabbutton").first.focus()
    lost = []
    for _ in range(60):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUSED)
        lost += [] if found["sound"] else [found["what"]]
    assert lost == []


def test_an_explanation_closes_by_escape_and_by_a_click_elsewhere(tab):  # noqa: F811
    page = tab("table").page
    about, told = page.locator(".insanonym-tile .about summary").nth(1), page.locator(".about p").nth(1)
    for leave in (lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(640, 760)):
        about.click()
        assert told.is_visible()
        leave()
        told.wait_for(state="hidden")


def test_back_returns_to_the_tab_before_with_its_latest_setting(tab):  # noqa: F811
    found = tab("table")
    page = found.page
    with one_more_point(page, "table"):
        press(slider(page, "mondrian", "k"), "End")
    k = shown_value(page, "mondrian", "k")
    page.locator(".insanonym-tabbutton").nth(TABS.index("avatars")).click()
    wait_open(page, "avatars")
    page.go_back()
    wait_open(page, "table")
    settled(page)
    assert shown_value(page, "mondrian", "k") == k
    assert "tab=table" in page.url
    page.go_forward()
    wait_open(page, "avatars")
    found.assert_quiet()


@pytest.mark.parametrize("landscape", [True, False], ids=["landscape", "portrait"])
def test_a_printed_page_has_the_numbers_and_all_four_tiles_and_no_controls(tab, landscape):  # noqa: F811
    page = tab("table", "en", 1920, 1080).page
    settled(page)
    assert problems(page) == []
    sheets = pypdf.PdfReader(io.BytesIO(page.pdf(format="A4", landscape=landscape))).pages
    assert len(sheets) == 1
    width, height = float(sheets[0].mediabox.width), float(sheets[0].mediabox.height)
    places: dict[str, tuple[float, float]] = {}

    def visit(text: str, matrix: list[float], text_matrix: list[float], *_: object) -> None:
        place = mult(text_matrix, matrix)
        places.setdefault(text.strip(), (place[4], place[5]))

    sheets[0].extract_text(visitor_text=visit)
    seen = " ".join(places)
    for said in ("Utility", "Where you are", "Class sizes", "Information lost", "What an attacker learns"):
        assert said in seen
    assert "Add a step" not in seen
    assert "Find the best" not in seen
    assert "town" in places, "the last label of a figure"
    for text, (x, y) in places.items():
        assert not text or (0 <= x < 0.97 * width and 0 <= y <= height), text
    right = max(x for text, (x, _) in places.items() if text)
    assert right > 0.5 * width, "two tiles stand beside each other"


def test_in_a_narrow_window_sliders_stay_beside_the_figures(tab):  # noqa: F811
    page = tab("table", "fr", 1024, 768).page
    settled(page)
    for tile in page.locator(".insanonym-tile:visible").all():
        tile.scroll_into_view_if_needed()
        box = slider(page, "mondrian", "k").bounding_box()
        assert 0 <= box["y"] < 768
        assert box["x"] + box["width"] < tile.bounding_box()["x"]
