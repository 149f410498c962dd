"""Speed of the dashboard in a browser, as ratios measured in one run.

    python -m benchmarks --only dashboard

The floor is a page with an empty slider bound to an empty figure of plotly's (FigureWidget, `batch_update`),
of the same server; beside it stands the same with the dashboard's own, quicker figure. Measured are the time
from a key on the slider of the noise to a figure drawn anew, at 100,000 rows (six scores; then eight attacks
and two maps), and from the request of a page to its first figure. The floor's figure counts from its first
change on, ours when it is finished.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.ratios import Ratio
from tests.browser import ARGUMENTS, find_chromium
from tests.browser_dashboard.serving import Running, notebook, running, wait_for

FLOOR = """
import ipywidgets
import plotly.graph_objects as go
from IPython.display import display

slider, figure = ipywidgets.IntSlider(500, max=1000), go.FigureWidget(layout={"title": {"text": "500"}})
def moved(_):
    with figure.batch_update():
        figure.layout.title.text = str(slider.value)
slider.observe(moved, "value")
display(ipywidgets.VBox([slider, figure]))
"""
OWN_FLOOR = """
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
app.address.preset = "strong_noise"
app.state("mobility").data = make_city(108, 6).track
display(app.root)
"""
SLIDER, PLOT, WIDGET = "[role=slider]", ".insanonym-plot", ".js-plotly-plot"
NOISE = ".step-planar_laplace [data-parameter=radius] input[type=range]"
FIGURES = {  # the plane and the maps have tiles of their own
    "scores": ".insanonym-tile-figure .insanonym-plot >> nth=0",
    "attacks": ".insanonym-tile-figure .insanonym-plot >> nth=1",
}
KEYS, WARM_UP, PAGES = 100, 5, 5
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
    window.insanonymDrawn?.();
  }).observe(plot, "drawn" in plot.dataset
    ? { attributes: true, attributeFilter: ["data-drawn"] }
    : { subtree: true, childList: true, characterData: true });
}"""
# Told, not asked again and again: a page that is asked at every frame has that to do as well.
UNTIL_DRAWN = """(number) => new Promise((done, failed) => {
  const drawn = () => window.insanonymTimes.length >= number && done();
  setTimeout(() => failed(new Error("the figure was not drawn")), 60000);
  window.insanonymDrawn = drawn;
  drawn();
})"""


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
        page.evaluate(UNTIL_DRAWN, number + 1)
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
    with running(folder, notebook=notebook(folder, OWN_FLOOR), pool=pool) as server:
        return cold_starts(browser, server, pool)


def keys_of(
    browser: Browser, server: Running, slider: str = SLIDER, plot: str = PLOT, pause: float = 0.0
) -> Times:
    """The keys of a page of this server."""
    page = browser.new_context().new_page()
    page.goto(server.address, timeout=_SECONDS)
    page.locator(plot).locator(".main-svg").first.wait_for(timeout=_SECONDS)
    server.wait_until_warm(2)  # the kernel that takes this one's place starts: not what is measured
    times = key_to_drawn(page, slider, plot, pause)
    page.close(run_before_unload=True)  # the page says that it closes, and its kernel ends
    wait_for(lambda: len(server.kernels()) < 2, "the end of a kernel")
    page.context.close()
    return times


def compare_keys(browser: Browser, home: Path) -> Iterator[Ratio]:
    """The dashboard's figures against the floor, all servers up, in turns."""
    codes = {"plotly": FLOOR, "own": OWN_FLOOR, "full": ROWS}
    with ExitStack() as stack:
        servers = {}
        for name, code in codes.items():
            folder = home / name
            folder.mkdir()
            servers[name] = stack.enter_context(running(folder, notebook=notebook(folder, code), pool=1))
        for title, pause in (("one after the other", 0.0), (f"{REST} s apart", REST)):
            least = keys_of(browser, servers["plotly"], plot=WIDGET, pause=pause)
            own = keys_of(browser, servers["own"], pause=pause)
            for name, figure in FIGURES.items():
                times = keys_of(browser, servers["full"], NOISE, figure, pause)
                what = f"a key on the noise slider to its {name}, 102,518 rows, {title} ({times})"
                against = f"an empty slider and figure of plotly's ({least}), p95"
                wanted = "≤ 3" if name == "scores" else ""
                yield Ratio(what, against, times.at(95) / least.at(95), wanted)
                yield Ratio("the same", f"with our own figure, empty ({own}), p95", times.at(95) / own.at(95))


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
