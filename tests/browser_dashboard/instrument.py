"""Tabs of the dashboard in a browser: opened, moved, read. All waits are for something that is seen."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from insanonym_core.kinds import all_kinds, kind_named
from insanonym_core.texts import say
from tests.browser import Watched
from tests.browser_dashboard.renewed import FAILED, Renewed
from tests.browser_dashboard.serving import SECONDS, opened, wait_for

KINDS = tuple(all_kinds())
TABS = (*KINDS, "tradeoff")
KEPT = "insanonym-trails"
MEASURES = "All measures"
PRESET = "strong_noise"  # of traces: the one with many steps
LAPTOP, PROJECTOR = (1366, 768), (1920, 1080)


@pytest.fixture
def tab(renewed: Renewed, request: pytest.FixtureRequest) -> Iterator[Callable[..., Watched]]:
    """Open a tab and wait until its first setting has come to rest: tab("avatars", lang="fr")."""
    yield from _tabs(renewed, request)


@pytest.fixture
def small_tab(small_renewed: Renewed, request: pytest.FixtureRequest) -> Iterator[Callable[..., Watched]]:
    """The same with the small city, for tests in which its size does not matter."""
    yield from _tabs(small_renewed, request)


def _tabs(renewed: Renewed, request: pytest.FixtureRequest) -> Iterator[Callable[..., Watched]]:
    taken = []

    def visit(
        name: str, lang: str = "en", width: int = 1366, height: int = 768, page: str = "", **more: str
    ) -> Watched:
        noise = (
            {"preset": "strong_noise"} if name == "mobility" else {}
        )  # steps with many sliders, quickly run
        asked = {"tab": name, "lang": lang, **({"page": page} if page else {}), **noise, **more}
        found = renewed.take(width, height, **asked)
        taken.append(found)
        found.page.set_default_timeout(SECONDS * 1000)
        wait_open(found.page, name)
        return found

    yield visit
    for found in taken:
        renewed.give_back(found, sound=FAILED not in request.node.stash)


def wait_open(page: Page, name: str) -> None:
    """Until a tab shows numbers that rest; the trade-off: until it shows its form."""
    if name == "tradeoff":
        page.wait_for_selector(".insanonym-sweep", timeout=SECONDS * 1000)
        return
    page.wait_for_selector(f".insanonym-tab-{name} [data-headline=utility]", timeout=2 * SECONDS * 1000)
    wait_for(lambda: trail(page, name)["visits"], "the first point of the trail")
    if page.locator(".insanonym-plot").count():
        opened(page)


# --- what is shown ----------------------------------------------------------------------------------


def trail(page: Page, name: str) -> dict[str, Any]:
    """The trail of a tab, as the browser keeps it."""
    text = page.evaluate("name => window.localStorage.getItem(name)", KEPT)
    found = json.loads(text or "{}").get("trails", {}).get(name)
    return found or {"visits": [], "pins": {}, "current": -1}


def headline(page: Page, what: str) -> float:
    return float(page.locator(f"[data-headline={what}]").get_attribute("data-value") or "nan")


def headlines(page: Page) -> tuple[float, ...]:
    return tuple(headline(page, what) for what in ("utility", "privacy", "defence"))


def measure(page: Page, key: str) -> float:
    """The number of a measure, on the page of all measures."""
    return float(page.locator(f"tr[data-measure='{key}'][data-value]").get_attribute("data-value") or "nan")


def measures(page: Page) -> dict[str, str]:
    """All of them."""
    rows = page.locator("tr[data-measure][data-value]")
    return dict(rows.evaluate_all("all => all.map((row) => [row.dataset.measure, row.dataset.value])"))


def slider(page: Page, method: str, name: str = "") -> Locator:
    """The slider of a parameter; the first one of the step without a name."""
    place = f"[data-parameter={name}]" if name else "[data-parameter]"
    return page.locator(f".step-{method} {place} input[type=range]").first


def shown_value(page: Page, method: str, name: str) -> str:
    """The value beside a slider, as it is written there."""
    return page.locator(f".step-{method} [data-parameter={name}] .value").input_value()


def plane(page: Page) -> Locator:
    return page.locator(".insanonym-tile-plane .insanonym-plot")


def current_point(page: Page) -> list[float]:
    """Where the ringed point of the plane lies: utility, privacy."""
    return plane(page).evaluate(
        """el => { const data = el.querySelector('.js-plotly-plot')._fullData;
          const { x, y } = data[data.length - 1]; return [x[0], y[0]]; }"""
    )


# --- what somebody does -----------------------------------------------------------------------------


def press(control: Locator, key: str, times: int = 1) -> None:
    control.focus()
    for _ in range(times):
        control.page.keyboard.press(key)


def drag(control: Locator, share: float) -> None:
    """Drag the handle of a slider to a place on its track, by the mouse."""
    page, box = control.page, control.bounding_box()
    now = control.evaluate("one => (one.value - one.min) / (one.max - one.min)")
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 8 + now * (box["width"] - 16), middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 8 + share * (box["width"] - 16), middle, steps=8)
    page.mouse.up()


@contextmanager
def one_more_point(page: Page, name: str) -> Iterator[None]:
    """What is done inside comes to rest: the trail has exactly one point more."""
    before = len(trail(page, name)["visits"])
    yield
    wait_for(lambda: len(trail(page, name)["visits"]) > before, "another point of the trail")
    assert len(trail(page, name)["visits"]) == before + 1
    settled(page)


def settled(page: Page) -> None:
    """Until nothing is computed, and nothing shown is of an earlier setting."""
    page.wait_for_function(
        """() => !document.querySelector('.insanonym-stale, .insanonym-strip .stale')
          && !document.querySelector('.insanonym-working p')"""
    )


def changed(page: Page, read: Any, before: float) -> float:
    """The number after it has changed and come to rest."""
    wait_for(lambda: page.evaluate("1") and read() != before, "another number")
    settled(page)
    return read()


def open_page(page: Page, name: str, lang: str = "en") -> None:
    """Open a page of the tab by its chip."""
    page.locator(".insanonym-pages").get_by_role("button", name=say(name, lang), exact=True).click()
    page.wait_for_function("name => new URLSearchParams(location.search).get('page') === name", arg=name)


def tile_titles(name: str, lang: str) -> dict[str, list[str]]:
    """The titles of the tiles on each page of a tab, by the chip that opens it."""
    if name == "tradeoff":
        pages = {"Plane": ["Privacy against utility"], "Table": ["All settings"]}
    else:
        module, _, panel = kind_named(name).panel.partition(":")
        own: dict[str, dict[str, Any]] = getattr(import_module(module), panel).pages
        pages = {page: list(tiles) for page, tiles in own.items()} | {MEASURES: [MEASURES]}
    return {say(page, lang): [say(title, lang) for title in titles] for page, titles in pages.items()}


def choose_recipe(page: Page, label: str) -> None:
    page.locator(".insanonym-recipe-menu select").select_option(label=label)
