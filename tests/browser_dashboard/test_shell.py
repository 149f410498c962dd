"""The shell in a browser: figures and maps change in place, nobody is asked, errors stand in the log."""

from __future__ import annotations

import re
import signal
import socket
from collections.abc import Iterator

import psutil
import pytest
from playwright.sync_api import Browser, Page

from insanonym_core.errors import UsageError
from insanonym_dashboard.server import serve
from tests.browser import Watched, open_page
from tests.browser_dashboard.serving import (
    Running,
    drawn,
    notebook,
    opened,
    running,
    until,
    values,
    wait_for,
    wait_redrawn,
    wait_values,
)
from tests.browser_dashboard.shell_page import OTHER_DATA, PLOTS, START, heights

PANES = ("original", "release")
VIEWPORT = {"width": 1280, "height": 800}


@pytest.fixture(scope="module")
def shared_page(browser: Browser, shell: Running) -> Iterator[Watched]:
    """One page for all tests that leave it alive: each page takes a kernel, and seconds to load."""
    with open_page(browser, shell.address, **VIEWPORT) as found:
        opened(found.page, PLOTS)
        yield found


@pytest.fixture
def page(shared_page: Watched) -> Iterator[Page]:
    """The shared page as it was when it was opened."""
    found = shared_page.page
    found.set_viewport_size(VIEWPORT)
    times = int(found.inner_text(".begun")) + 1
    found.get_by_role("button", name="begin again").click()
    until(found, "n => document.querySelector('.begun').textContent.trim() == n", times)
    for place in range(PLOTS):
        found.locator(".insanonym-plot").nth(place).scroll_into_view_if_needed()
        wait_values(found.locator(".insanonym-plot").nth(place), heights(START))
    found.evaluate("() => window.scrollTo(0, 0)")
    yield found
    shared_page.assert_quiet()


def slide(page: Page, key: str = "ArrowRight", times: int = 1) -> None:
    page.locator("[role=slider]").first.focus()
    for _ in range(times):
        page.keyboard.press(key)


def picture(page: Page, side: str) -> str:
    """The cells as they are painted."""
    return page.locator(f".insanonym-map-{side} canvas").evaluate("canvas => canvas.toDataURL()")


def painted(page: Page, side: str) -> int:
    """How many pixels have a colour."""
    return page.locator(f".insanonym-map-{side} canvas").evaluate(
        """canvas => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data
          .filter((value, place) => place % 4 === 3 && value > 0).length"""
    )


def view(page: Page, side: str) -> str:
    return page.locator(f".insanonym-map-{side} .leaflet-map-pane").get_attribute("style") or ""


def scale(page: Page, side: str) -> str:
    """How near the map looks."""
    line = page.locator(f".insanonym-map-{side} .leaflet-control-scale-line")
    return f"{line.inner_text()} {line.get_attribute('style')}"


# --- figures ----------------------------------------------------------------------------------------


def test_figures_are_drawn_as_wide_as_their_place_and_as_high_as_they_are(page):
    for place in range(PLOTS):
        plot = page.locator(".insanonym-plot").nth(place)
        assert values(plot) == heights(START)
        box = plot.bounding_box()
        drawing = plot.locator(".main-svg").first.bounding_box()
        assert drawing["width"] == pytest.approx(box["width"], abs=1)
        assert drawing["height"] == 200 + 20 * place
        assert plot.get_attribute("aria-label") == f"Figure {place}"
    page.set_viewport_size({"width": 900, "height": 800})
    first = page.locator(".main-svg").first
    wait_for(lambda: first.bounding_box()["width"] == pytest.approx(900, abs=10), "a narrower figure")
    assert first.bounding_box()["width"] == pytest.approx(plot.bounding_box()["width"], abs=1)


def test_a_slider_redraws_a_figure_in_place(page):
    plot = page.locator(".insanonym-plot").first
    page.evaluate("() => { document.querySelector('.js-plotly-plot').mine = true; }")
    before = drawn(plot)
    slide(page)
    wait_redrawn(plot, before)
    assert values(plot) == heights(11)
    slide(page, times=5)
    wait_values(plot, heights(16))
    assert page.evaluate("() => document.querySelector('.js-plotly-plot').mine") is True


@pytest.mark.parametrize("asked", ["scrolled to", "printed"])
def test_a_figure_out_of_sight_is_drawn_when_it_is(page, asked):
    page.set_viewport_size({"width": 1280, "height": 250})
    first, last = page.locator(".insanonym-plot").first, page.locator(".insanonym-plot").nth(PLOTS - 1)
    slide(page)  # the window is smaller now: what is out of sight is known from here on
    wait_values(first, heights(11))
    page.evaluate("() => window.scrollTo(0, 0)")
    before = drawn(last)
    for value in (12, 13):  # once the second is drawn, the others of the first have arrived
        slide(page)
        wait_values(first, heights(value))
    assert drawn(last) == before
    if asked == "printed":
        page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    else:
        last.scroll_into_view_if_needed()
    wait_values(last, heights(13))


def test_zoom_stays_while_a_slider_moves_and_goes_with_other_data(page):
    plot = page.locator(".insanonym-plot").first
    ends = "() => document.querySelector('.js-plotly-plot')._fullLayout.xaxis.range"
    whole = page.evaluate(ends)
    box = plot.locator(".nsewdrag").bounding_box()
    page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 0.5 * box["height"], steps=5)
    page.mouse.up()
    page.wait_for_function(f"was => ({ends})()[0] > was", arg=whole[0])
    near = page.evaluate(ends)
    slide(page)
    wait_values(plot, heights(11))
    assert page.evaluate(ends) == near
    slide(page, times=OTHER_DATA + 1 - 11)
    wait_values(plot, heights(OTHER_DATA + 1))
    assert page.evaluate(ends) == whole


def test_a_click_reaches_python_every_time(page):
    said = page.locator(".said")
    for count in (1, 2):
        box = page.locator(".insanonym-plot").first.locator(".bars path").nth(1).bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_function(
            "n => document.querySelector('.said').textContent.includes(`(${n})`)", arg=count
        )
    assert said.inner_text().strip() == "clicked 1 b 20 (2)"


def test_plotly_comes_once_for_all_figures(browser: Browser, shell: Running):
    page, received, asked = listened(browser, shell)
    assert len(asked) == 1
    assert sum(received) < 1_000_000
    page.close()


@pytest.mark.long
def test_without_the_page_plotly_comes_once_through_the_kernel(browser: Browser, shell: Running):
    page, received, _ = listened(browser, shell, blocked=True)
    assert [size for size in received if size > 4_000_000] == [max(received)]
    assert values(page.locator(".insanonym-plot").nth(1)) == heights(START)
    page.close()


def listened(browser: Browser, shell: Running, blocked: bool = False) -> tuple[Page, list[int], list[str]]:
    """A page, the sizes of what its kernel sent, and its requests for plotly.js."""
    page = browser.new_page()
    received: list[int] = []
    asked: list[str] = []
    page.on("websocket", lambda found: found.on("framereceived", lambda frame: received.append(len(frame))))
    page.on("request", lambda request: asked.append(request.url) if "plotly" in request.url else None)
    if blocked:
        page.route("**/plotly.min.js*", lambda route: route.abort())
    page.goto(shell.address)
    opened(page, PLOTS)
    return page, received, asked


# --- maps -------------------------------------------------------------------------------------------


def test_cells_change_and_the_view_does_not_jump(page):
    page.wait_for_selector(".insanonym-map-release canvas")
    maps = page.locator(".insanonym-maps")
    assert [f"in {cells} cells" in maps.inner_text() for cells in (400, 800)] == [True, True]
    assert painted(page, "release") == pytest.approx(2 * painted(page, "original"), rel=0.05)
    fitted = scale(page, "release")
    page.locator(".insanonym-map-original .leaflet-control-zoom-in").click()
    views, original = [(view(page, side), scale(page, side)) for side in PANES], picture(page, "original")
    assert views[0] == views[1]
    assert views[1][1] != fitted
    before = painted(page, "release")
    slide(page, "ArrowLeft", 5)
    wait_for(lambda: "600 cells" in maps.inner_text(), "the heading")
    wait_for(lambda: painted(page, "release") < before, "fewer cells")
    assert picture(page, "original") == original
    assert [(view(page, side), scale(page, side)) for side in PANES] == views


def test_the_view_is_chosen_again_when_asked_and_by_the_first_of_other_data(page):
    page.wait_for_selector(".insanonym-map-release canvas")
    maps, fitted = page.locator(".insanonym-maps"), scale(page, "release")
    slide(page, "ArrowLeft", 5)
    wait_for(lambda: "600 cells" in maps.inner_text(), "the heading")
    assert scale(page, "release") == fitted
    page.get_by_role("button", name="show all").click()
    wait_for(lambda: scale(page, "original") == scale(page, "release") != fitted, "a closer view")
    page.locator(".insanonym-map-release .leaflet-control-zoom-in").click()
    zoomed = scale(page, "release")
    page.get_by_role("button", name="other data").click()
    wait_for(lambda: maps.inner_text().count("every row was deleted") == 2, "words")
    wait_for(lambda: painted(page, "original") == painted(page, "release") == 0, "empty maps")
    assert scale(page, "release") == zoomed  # nothing to look at yet
    slide(page, "ArrowRight", 5)
    wait_for(lambda: "800 cells" in maps.inner_text(), "the heading")
    assert scale(page, "release") != zoomed
    page.get_by_role("button", name="show all").click()
    wait_for(lambda: scale(page, "original") == scale(page, "release") == fitted, "the whole")
    assert "deleted" not in maps.inner_text()


def test_the_maps_move_together_whichever_is_dragged(page):
    page.wait_for_selector(".insanonym-map-release canvas")
    page.locator(".insanonym-maps").scroll_into_view_if_needed()
    for side in PANES:
        before = view(page, "release")
        box = page.locator(f".insanonym-map-{side}").bounding_box()
        page.mouse.move(box["x"] + 200, box["y"] + 150)
        page.mouse.down()
        page.mouse.move(box["x"] + 140, box["y"] + 110, steps=5)
        page.wait_for_timeout(200)  # standing still before letting go: no inertia
        page.mouse.up()
        wait_for(lambda then=before: view(page, "original") == view(page, "release") != then, "both maps")


def test_pointing_tells_of_a_cell_and_a_click_of_both_sides(page):
    page.wait_for_selector(".insanonym-map-release canvas")
    pane, told = page.locator(".insanonym-map-original"), page.locator(".insanonym-maps p").last
    box = pane.bounding_box()
    inside = {"x": box["width"] // 2 + 4, "y": box["height"] * 3 // 4}  # the very middle is an edge
    pane.hover(position=inside)
    pointed = page.locator(".leaflet-tooltip").inner_text().split("\n")
    pane.click(position=inside)
    wait_for(lambda: re.search(r"Original: \d+ rows .* Release: \d+ rows", told.inner_text()), "numbers")
    assert told.inner_text().startswith(f"Original: {' · '.join(pointed)} ")
    pane.click(position={"x": box["width"] - 5, "y": 5})
    wait_for(lambda: told.inner_text() == "", "nothing where nothing is")


def test_tiles_are_asked_for_only_when_switched_on(watch, shell):
    found = watch(shell.address)
    opened(found.page, PLOTS)
    assert found.asked == []
    found.page.get_by_label("tiles").check()
    found.page.wait_for_selector(".leaflet-tile", state="attached")
    assert {re.sub(r"https://([^/]+)/.*", r"\1", url) for url in found.asked} == {"tile.openstreetmap.org"}
    assert "Its server learns which places you look at" in found.page.inner_text(".insanonym-maps")
    found.page.get_by_label("tiles").uncheck()
    found.page.wait_for_function("() => !document.querySelector('.leaflet-tile')")
    maps = found.page.locator(".insanonym-maps")
    wait_for(lambda: "learns" not in maps.inner_text(), "the end of the sentence")


# --- when something goes wrong ----------------------------------------------------------------------


def test_a_failing_callback_stands_in_the_log_and_not_on_the_page(page, shell):
    for times, button in enumerate(("fail", "fail in a thread"), start=1):
        page.get_by_role("button", name=button, exact=True).click()
        wait_for(lambda n=times: shell.log.count("RuntimeError: a secret of the server") == n, button)
    assert "in failed" in shell.log
    slide(page)  # still alive
    wait_values(page.locator(".insanonym-plot").first, heights(11))
    text = page.inner_text("body")
    assert "secret" not in text
    assert "Traceback" not in text
    assert "a warning while" not in text
    assert "a warning while the page is made" in shell.log


@pytest.mark.long
def test_a_page_that_cannot_be_made_is_a_sentence(watch, tmp_path):
    with running(tmp_path, notebook=notebook(tmp_path, "1 / 0"), pool=0, lang="fr") as found:
        page = watch(found.address).page
        page.wait_for_selector("text=Le journal du serveur")
        assert "ZeroDivisionError" not in page.inner_text("body")
        assert not page.locator("#insanonym-loading").count()
        assert page.get_attribute("html", "lang") == "fr"
        wait_for(lambda: "ZeroDivisionError" in found.log, "the traceback")


# --- the server -------------------------------------------------------------------------------------


def test_a_slow_page_gets_its_widgets(page):
    page.evaluate("() => { window.given = AbortSignal.timeout(1); }")
    page.wait_for_timeout(200)
    assert (
        page.evaluate("() => window.given.aborted") is False
    )  # anywidget gives up after two seconds, for good


def test_the_dashboard_opens(watch, dashboard):
    found = watch(dashboard.address)
    opened(found.page)
    assert found.page.title() == "INSAnonym Explorer"
    found.assert_quiet()


def test_nothing_but_the_page_is_served(browser, shell):
    context = browser.new_context()
    for path in ("page.ipynb", "voila/files/page.ipynb", "server.log", "insanonym/../server.log"):
        assert context.request.get(shell.address + path).status in (403, 404)
    assert context.request.get(shell.address, headers={"Host": "elsewhere.example"}).status == 403
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long)])
def test_the_server_ends_with_its_kernels(tmp_path, how):
    with running(tmp_path, notebook=notebook(tmp_path, "pass"), pool=2) as found:
        wait_for(lambda: len(found.kernels()) >= 2, "both kernels")
        kernels = found.kernels()
        assert found.stop(how) == 0
        psutil.wait_procs(kernels, timeout=10)
        assert not any(kernel.is_running() for kernel in kernels)
        assert "Traceback" not in found.log


def test_a_taken_port_is_a_sentence(run):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        found = run("dashboard", "--port", port, "--no-browser")
    assert found.code == 2
    assert found.err.startswith(f"Port {port} is taken")


def test_an_unknown_language_and_an_impossible_port_are_sentences(run):
    assert "got 'de'" in run("dashboard", "--lang", "de").err
    assert "from 0 to 65535, got 70000" in run("dashboard", "--port", 70000).err


def test_an_address_of_another_machine_is_a_sentence():
    with pytest.raises(UsageError, match=r"cannot be used here|not one of this machine"):
        serve(host="192.0.2.1", port=0, open_browser=False, share=True)
