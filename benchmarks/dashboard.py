"""Speed of the dashboard in a browser, as ratios measured in one run.

    python -m benchmarks --only dashboard

The floor is a page with an empty slider bound to an empty figure, from the same server. Measured are the time
from a key on the slider of the noise to a figure drawn anew, at 100,000 rows (six scores, eight attacks, two
maps), and from the request of a page to its first figure.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.ratios import Ratio
from tests.browser import ARGUMENTS, find_chromium
from tests.browser_dashboard.serving import Running, notebook, opened, running

FLOOR = """
import ipywidgets
from IPython.display import display
from insanonym_dashboard.plot import Plot

slider, plot = ipywidgets.IntSlider(500, max=1000), Plot()
def moved(_=None):
    plot.figure = {"data": [], "layout": {"height": 300, "title": {"text": str(slider.value)}}}
slider.observe(moved, "value")
moved()
display(ipywidgets.VBox([slider, plot]))
"""
ROWS = """
from IPython.display import display
from insanonym_core.demo.city import make_city
from insanonym_dashboard.app import App

app = App()
app.state("mobility").data = make_city(108, 6).track
display(app.root)
"""
SLIDER, PLOT = "[role=slider]", ".insanonym-plot"
NOISE = ".insanonym-step-planar_laplace [role=slider]"
FIGURES = {"scores": ".insanonym-plot >> nth=0", "attacks": ".insanonym-plot >> nth=1"}
KEYS, WARM_UP, PAGES = 60, 5, 5
REST = 0.3  # seconds somebody looks before the next key, when keys do not follow each other
_SECONDS = 60_000

# The key is timed where it arrives and the figure where it is finished: no test driver in between.
TIMED = """([slider, plot]) => {
  const times = (window.insanonymTimes = []);
  let pressed = null;
  slider.addEventListener("keydown", () => { pressed = performance.now(); }, { capture: true });
  new MutationObserver(() => {
    if (pressed === null) return;
    times.push(performance.now() - pressed);
    pressed = null;
  }).observe(plot, { attributes: true, attributeFilter: ["data-drawn"] });
}"""


@dataclass(frozen=True)
class Times:
    """Seconds."""

    all: Sequence[float]

    def at(self, percent: float) -> float:
        return float(np.percentile(self.all, percent))

    def __str__(self) -> str:
        return f"p50 {self.at(50) * 1000:.0f} ms, p95 {self.at(95) * 1000:.0f} ms"


def key_to_drawn(page: Page, slider: str, plot: str, pause: float, keys: int = KEYS) -> Times:
    """From a key on a slider to the figure drawn anew, there and back: the next key `pause` seconds after."""
    handle = page.locator(slider).first
    page.evaluate(TIMED, [handle.element_handle(), page.locator(plot).first.element_handle()])
    handle.focus()
    for number in range(WARM_UP + keys):
        page.keyboard.press("ArrowLeft" if number % 20 < 10 else "ArrowRight")
        page.wait_for_function("n => window.insanonymTimes.length > n", arg=number, timeout=_SECONDS)
        time.sleep(pause)
    return Times([one / 1000 for one in page.evaluate("() => window.insanonymTimes")[WARM_UP:]])


def cold_starts(browser: Browser, server: Running, pool: int = 1, pages: int = PAGES) -> Times:
    """From the request of a page to its first figure, when a kernel waits for it (or none does: pool 0)."""
    times = []
    for _ in range(pages):
        if pool:
            server.wait_until_warm(pool)
        page = browser.new_context().new_page()
        started = time.perf_counter()
        page.goto(server.address, wait_until="commit", timeout=_SECONDS)
        page.wait_for_selector(f"{PLOT}:not([data-drawn='0'])", timeout=_SECONDS)
        times.append(time.perf_counter() - started)
        page.context.close()
        time.sleep(6)  # the next kernel is started a little later
    return Times(times)


def empty_page(browser: Browser, folder: Path, pool: int) -> Times:
    """Cold starts of the empty page."""
    folder.mkdir()
    with running(folder, notebook=notebook(folder, FLOOR), pool=pool) as server:
        return cold_starts(browser, server, pool)


def keys_of(
    browser: Browser, server: Running, slider: str = SLIDER, plot: str = PLOT, pause: float = 0.0
) -> Times:
    """The keys of a page of this server."""
    page = browser.new_context().new_page()
    page.goto(server.address, timeout=_SECONDS)
    opened(page)
    times = key_to_drawn(page, slider, plot, pause)
    page.context.close()
    return times


def compare_keys(browser: Browser, home: Path) -> Iterator[Ratio]:
    """The dashboard's figures against the floor, both servers up, in turns."""
    folder = home / "keys"
    folder.mkdir()
    with (
        running(folder, notebook=notebook(folder, FLOOR), pool=1) as empty,
        running(home, notebook=notebook(home, ROWS), pool=1) as full,
    ):
        for title, pause in (("one after the other", 0.0), (f"{REST} s apart", REST)):
            least = keys_of(browser, empty, pause=pause)
            for name, figure in FIGURES.items():
                times = keys_of(browser, full, NOISE, figure, pause)
                yield Ratio(
                    f"a key on the noise slider to its {name}, 102,518 rows, {title} ({times})",
                    f"an empty slider and figure ({least}), p95",
                    times.at(95) / least.at(95),
                    "≤ 3",
                )


def ratios(*, peers: bool = True) -> Iterator[Ratio]:
    """Keys and cold starts."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = Path(folder)
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))
        yield from compare_keys(browser, home)
        empty = empty_page(browser, home / "warm", pool=1).at(50)
        with running(home, pool=1) as server:
            app = cold_starts(browser, server).at(50)
        browser.close()
    yield Ratio(
        f"the dashboard's first figure, a kernel waiting ({app:.1f} s)",
        f"an empty page ({empty:.1f} s)",
        app / empty,
        "≤ 2",
    )
