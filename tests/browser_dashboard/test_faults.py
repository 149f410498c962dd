"""What goes wrong in a room full of people: kernels die, servers are started anew, browsers are closed."""

from __future__ import annotations

import re

import psutil
import pytest
from playwright.sync_api import Browser, Page

from tests.browser_dashboard.instrument import small_tab  # noqa: F401  the fixture
from tests.browser_dashboard.serving import (
    Running,
    choose_file,
    notebook,
    opened,
    running,
    wait_for,
    wait_values,
)
from tests.browser_dashboard.shell_page import PLOTS, heights
from tests.browser_dashboard.test_shell import slide

SHELL = "from tests.browser_dashboard.shell_page import show; show()"
BANNER = "#insanonym-banner:not([hidden])"
SOCKET = "window.jupyterapp.widgetManager.kernel._ws"


def banner(page: Page, said: str) -> str:
    """The text of the banner, once it says this."""
    page.wait_for_selector(f"{BANNER}[data-said={said}]")
    return page.inner_text(f"{BANNER} p")


def reload(page: Page, button: str, plots: int = PLOTS) -> None:
    """By the button of the banner, to a page that works."""
    page.get_by_role("button", name=button).click()
    page.wait_for_selector(BANNER, state="detached")
    opened(page, plots)
    slide(page)
    wait_values(page.locator(".insanonym-plot").first, heights(11))


@pytest.fixture
def page(watch, shell: Running) -> Page:
    found = watch(shell.address)
    opened(found.page, PLOTS)
    return found.page


def test_a_kernel_killed_mid_move_ends_the_session_and_a_reload_begins_another(page, shell):
    kernel = shell.kernel_of(page)
    slide(page, times=3)
    kernel.kill()
    slide(page, times=3)
    assert banner(page, "ended").startswith("This session has ended")
    page.evaluate("() => window.scrollTo(0, 400)")
    box = page.locator(BANNER).bounding_box()
    assert box["y"] >= 0  # it stays in sight
    assert page.evaluate("() => document.activeElement.textContent") == "Reload"
    assert page.locator(".insanonym-plot").count() == PLOTS  # the last picture stays
    reload(page, "Reload")
    assert shell.kernel_of(page).pid != kernel.pid


@pytest.mark.long
def test_a_kernel_that_died_while_it_waited_is_told_too(watch, tmp_path):
    with running(tmp_path, notebook=notebook(tmp_path, SHELL), pool=1) as found:
        found.wait_until_warm(1)
        found.kernels()[0].kill()
        wait_for(lambda: not found.kernels(), "the end of the kernel")
        page = watch(found.address).page
        banner(page, "ended")
        reload(page, "Reload")


@pytest.mark.long
def test_a_server_started_anew_is_told_and_a_reload_works(watch, tmp_path):
    shown = notebook(tmp_path, SHELL)
    with running(tmp_path, notebook=shown, lang="fr") as first:
        port = int(first.address.rstrip("/").rpartition(":")[2])
        page = watch(first.address).page
        opened(page, PLOTS)
    assert banner(page, "lost").startswith("Le tableau de bord ne répond pas")
    assert not page.get_by_role("button", name="Recharger").count()  # it would lose the page for nothing
    with running(tmp_path, notebook=shown, lang="fr", port=port) as second:
        second.wait_until_warm()
        assert banner(page, "ended").startswith("Cette session est terminée")
        reload(page, "Recharger")


def test_a_connection_that_breaks_for_a_moment_loses_nothing(page, shell):
    slide(page, times=5)
    plot = page.locator(".insanonym-plot").first
    wait_values(plot, heights(15))
    kernel = shell.kernel_of(page)
    page.evaluate(f"() => {{ window.broken = {SOCKET}; window.broken.close(); }}")
    page.wait_for_function(f"""() => {SOCKET} && {SOCKET} !== window.broken
        && window.jupyterapp.widgetManager.kernel.connectionStatus === 'connected'""")
    slide(page)
    wait_values(plot, heights(16))
    assert shell.kernel_of(page).pid == kernel.pid
    assert not page.locator(BANNER).count()


@pytest.mark.long
def test_a_browser_closed_mid_upload_leaves_nothing_behind(browser: Browser, tmp_path):
    large = tmp_path / "large.csv"
    large.write_bytes(b"age;town\n" + b"41;Lyon\n" * 11_000_000)
    with running(tmp_path, away=10.0) as found:
        found.wait_until_warm()
        server = psutil.Process(found.process.pid)
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{found.address}?tab=table")
        opened(page)
        kernel, before = found.kernel_of(page), server.memory_info().rss
        choose_file(page, large)
        page.wait_for_function(f"() => {SOCKET}.bufferedAmount > 1e6", polling=5)  # on its way
        context.close()  # without a word, as when a browser is killed
        psutil.wait_procs([kernel], timeout=60)
        assert not kernel.is_running()
        wait_for(lambda: server.memory_info().rss < before + 40_000_000, "the memory of the upload")
        page = browser.new_page()
        page.goto(f"{found.address}?tab=table")
        opened(page)
        assert "Traceback" not in found.log
        page.close()


def test_a_cancelled_sweep_says_so_leaves_a_picture_and_runs_again(small_tab):  # noqa: F811
    page = small_tab("tradeoff", height=900).page
    page.wait_for_selector("[data-selected]")
    opened(page)
    points = page.locator(".insanonym-plot .scatterlayer .points path")
    all_done = re.compile(r"(\d+) of \1 runs")
    wait_for(lambda: all_done.search(page.locator(".insanonym-sweep").inner_text()), "the first sweep")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("button", name="Cancel").click()
    wait_for(lambda: "stopped" in page.locator(".insanonym-sweep").inner_text(), "the end")
    assert points.count()  # of the runs that were done, or else of the last sweep
    page.get_by_role("button", name="Run", exact=True).click()
    wait_for(lambda: all_done.search(page.locator(".insanonym-sweep").inner_text()), "the second sweep")
    assert "stopped" not in page.locator(".insanonym-sweep").inner_text()
