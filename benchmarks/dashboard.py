"""Speed of the dashboard in a browser, as ratios measured in one run.

    python -m benchmarks --only dashboard

The floor is a page with an empty slider bound to an empty figure of plotly's (FigureWidget, `batch_update`),
of the same server; beside it stands the same with the dashboard's own, quicker figure. Measured are the time
from a key on the slider of the noise to a figure drawn anew, at 100,000 rows (six scores; then eight attacks
and two maps), and from the request of a page to its first figure. The floor's figure counts from its first
change on, ours when it is finished.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.ratios import Ratio
from insanonym_core.demo.city import make_city
from insanonym_core.mobility.writer import write_track
from insanonym_dashboard.opening import VARIABLE, Opening
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
CITY = 108, 6  # people and weeks: 102,518 rows
SLIDER, PLOT, WIDGET = "[role=slider]", ".insanonym-plot", ".js-plotly-plot"
NOISE = ".step-planar_laplace [data-parameter=radius] input[type=range]"
FIGURES = {"scores": f"{PLOT}[aria-label=Utility]", "attacks": f"{PLOT}[aria-label=Attacks]"}
SCREEN = {"width": 1366, "height": 768}
KEYS, WARM_UP, PAGES = 100, 5, 5
REST = 0.3  # seconds somebody looks before the next key, when keys do not follow each other
LIMITS = {("scores", 0.0): "≤ 3", ("scores", REST): "≤ 3", ("attacks", REST): "≤ 6"}
_SECONDS = 60_000

# The key is timed where it arrives and the figure where it is finished: no test driver in between. A figure
# counts when it is of another setting than the one before the key: one of that setting, drawn late (with the
# strongest attack, or the whole report), does not.
TIMED = """([slider, plot]) => {
  const times = (window.insanonymTimes = []);
  const own = "drawn" in plot.dataset;
  const setting = () => {
    const { title, meta } = (own ? plot.querySelector(".js-plotly-plot") : plot)?.layout ?? {};
    return JSON.stringify([title?.text, meta?.card]);
  };
  let pressed = null, before = null;
  const press = () => { [pressed, before] = [performance.now(), setting()]; };
  slider.addEventListener("keydown", press, { capture: true });
  new MutationObserver(() => {
    if (pressed === null || (own && setting() === before)) return;
    times.push(performance.now() - pressed);
    pressed = null;
    window.insanonymDrawn?.();
  }).observe(plot, own
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


@contextmanager
def city_server(folder: Path, people: int, weeks: int) -> Iterator[Running]:
    """The dashboard on a file of GPS traces (`insanonym dashboard FILE`)."""
    file = folder / "city.csv"
    write_track(make_city(people, weeks).track, file)
    opening = {VARIABLE: json.dumps(asdict(Opening.from_arguments(file)))}
    with running(folder, opening, pool=1) as server:
        yield server


def open_city(browser: Browser, server: Running) -> Page:
    """A page of `city_server`, once every number of its file is there."""
    page = browser.new_context(viewport=SCREEN).new_page()
    page.goto(f"{server.address}?preset=strong_noise", timeout=_SECONDS)
    until_rested = """() => JSON.parse(localStorage.getItem("insanonym-trails") ?? "{}")
      .trails?.mobility?.visits.some(({ data }) => data === "city.csv")"""
    page.wait_for_function(until_rested, polling=200, timeout=_SECONDS)
    return page


def open_floor(browser: Browser, server: Running, plot: str) -> Page:
    """A page with a slider and an empty figure."""
    page = browser.new_context(viewport=SCREEN).new_page()
    page.goto(server.address, timeout=_SECONDS)
    page.locator(plot).locator(".main-svg").first.wait_for(timeout=_SECONDS)
    return page


def keys_of(page: Page, server: Running, slider: str, plot: str, pause: float = 0.0) -> Times:
    """The keys of a page, which ends with them."""
    server.wait_until_warm(2)  # the kernel that takes this one's place starts: not what is measured
    times = key_to_drawn(page, slider, plot, pause)
    page.close(run_before_unload=True)  # the page says that it closes, and its kernel ends
    wait_for(lambda: len(server.kernels()) < 2, "the end of a kernel")
    page.context.close()
    return times


def compare_keys(browser: Browser, home: Path) -> Iterator[Ratio]:
    """The dashboard's figures against the floor, all servers up, in turns."""
    with ExitStack() as stack:
        floors = {}
        for figure, code in ((WIDGET, FLOOR), (PLOT, OWN_FLOOR)):
            folder = home / f"floor-{len(floors)}"
            folder.mkdir()
            floors[figure] = stack.enter_context(running(folder, notebook=notebook(folder, code), pool=1))
        full = stack.enter_context(city_server(home, *CITY))
        for title, pause in (("one after the other", 0.0), (f"{REST} s apart", REST)):
            least, own = (
                keys_of(open_floor(browser, server, figure), server, SLIDER, figure, pause)
                for figure, server in floors.items()
            )
            for name, figure in FIGURES.items():
                times = keys_of(open_city(browser, full), full, NOISE, figure, pause)
                what = f"a key on the noise slider to its {name}, 102,518 rows, {title} ({times})"
                against = f"an empty slider and figure of plotly's ({least}), p95"
                yield Ratio(what, against, times.at(95) / least.at(95), "≤ 3" if name == "scores" else "")
                ours = f"with our own figure, empty ({own}), p95"
                yield Ratio("the same", ours, times.at(95) / own.at(95), LIMITS.get((name, pause), ""))


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
