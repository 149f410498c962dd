"""Speed of the dashboard in a browser, as ratios measured in one run.

    python -m benchmarks.dashboard

The floor is a page with an empty slider bound to an empty figure, from the same server. Measured are the time
from a key on a slider to the figure drawn anew, and from the request of a page to its first figure.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import ARGUMENTS, find_chromium
from tests.browser_dashboard.serving import Running, notebook, opened, running

FLOOR = """
import ipywidgets
from IPython.display import display
from insanonym_dashboard.plot import Plot

slider, plot = ipywidgets.IntSlider(max=1000), Plot()
def moved(_=None):
    plot.figure = {"data": [], "layout": {"height": 300, "title": {"text": str(slider.value)}}}
slider.observe(moved, "value")
moved()
display(ipywidgets.VBox([slider, plot]))
"""
SLIDER, PLOT = "[role=slider]", ".insanonym-plot"
KEYS, WARM_UP, PAGES = 60, 5, 5
_SECONDS = 60_000

# The key is timed where it arrives and the figure where it is finished: no test driver in between.
_TIMED = """([slider, plot]) => {
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


def key_to_drawn(page: Page, slider: str = SLIDER, plot: str = PLOT, keys: int = KEYS) -> Times:
    """From a key on a slider to the figure drawn anew, one key at a time, there and back."""
    handle = page.locator(slider).first
    page.evaluate(_TIMED, [handle.element_handle(), page.locator(plot).first.element_handle()])
    handle.focus()
    for number in range(WARM_UP + keys):
        page.keyboard.press("ArrowRight" if number % 20 < 10 else "ArrowLeft")
        page.wait_for_function("n => window.insanonymTimes.length > n", arg=number, timeout=_SECONDS)
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


def floor(browser: Browser, folder: Path, pool: int = 1) -> tuple[Times, Times]:
    """Keys and cold starts of the empty page."""
    folder.mkdir()
    with running(folder, notebook=notebook(folder, FLOOR), pool=pool) as server:
        starts = cold_starts(browser, server, pool)
        return (keys_of(browser, server) if pool else starts), starts


def keys_of(browser: Browser, server: Running, slider: str = SLIDER, plot: str = PLOT) -> Times:
    """The keys of a page of this server."""
    page = browser.new_context().new_page()
    page.goto(server.address, timeout=_SECONDS)
    opened(page)
    times = key_to_drawn(page, slider, plot)
    page.context.close()
    return times


def main() -> None:
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))
        empty_keys, empty = floor(browser, Path(home) / "floor")
        _, plain = floor(browser, Path(home) / "plain", pool=0)
        with running(Path(home), pool=1) as server:
            starts, keys = cold_starts(browser, server), keys_of(browser, server)
        browser.close()
    ratio, app = keys.at(95) / empty_keys.at(95), starts.at(50)
    print(f"Slider key to figure drawn: the floor {empty_keys}; the dashboard {keys}")
    print(f"  ratio of p95: {ratio:.1f}× the floor (wanted: at most 3×)")
    print(f"Cold start with a kernel waiting: the dashboard {app:.1f} s, an empty page {empty.at(50):.1f} s")
    print(f"  ratio: {app / empty.at(50):.1f}× the empty page (wanted: at most 2×)")
    print(f"  and {app / plain.at(50):.1f}× an empty page without a kernel waiting, {plain.at(50):.1f} s")


if __name__ == "__main__":
    main()
