"""Places: how many pages may be open, what the next one reads, and when a place is free again."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser, Page

from insanonym_dashboard import sessions
from insanonym_dashboard.notices import full_page
from insanonym_dashboard.sessions import Sessions, default_limit
from tests.browser_dashboard.serving import Running, notebook, running, wait_for

PAGE = "import ipywidgets; display(ipywidgets.IntSlider())"


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory):
    """One place, two kernels that wait."""
    folder = tmp_path_factory.mktemp("narrow")
    with running(folder, notebook=notebook(folder, PAGE), sessions=1, away=8.0) as found:
        found.wait_until_warm()
        yield found


def visit(browser: Browser, server: Running) -> Page:
    page = browser.new_context().new_page()  # which outlives its page: the last word is sent after it
    answer = page.goto(server.address)
    assert answer.status == 200, page.inner_text("body")
    page.wait_for_selector("[role=slider]")
    return page


def test_past_the_limit_a_page_says_so_and_comes_in_when_somebody_leaves(browser, watch, narrow):
    first = visit(browser, narrow)
    waiting = watch(narrow.address)
    assert "Every place is taken" in waiting.page.inner_text("h1")
    text = waiting.page.inner_text("main")
    assert "Sessions open: 1," in text
    assert "15 minutes" in text
    assert waiting.asked == []
    french = waiting.page.request.get(f"{narrow.address}?lang=fr")
    assert french.status == 503
    assert int(french.headers["retry-after"]) > 0
    assert "Toutes les places sont prises" in french.text()
    first.close(run_before_unload=True)
    waiting.page.wait_for_selector("[role=slider]")  # by itself
    waiting.page.close(run_before_unload=True)


def test_a_reload_keeps_its_place_and_leaves_no_kernel_behind(browser, narrow):
    page = visit(browser, narrow)
    for _ in range(2):
        kernel = narrow.kernel_of(page)
        assert page.reload().status == 200
        page.wait_for_selector("[role=slider]")
        wait_for(lambda old=kernel: not old.is_running(), "the end of the old kernel")
    page.close(run_before_unload=True)


def test_a_page_that_goes_without_a_word_gives_its_place_back_a_little_later(browser, narrow):
    page = visit(browser, narrow)
    kernel = narrow.kernel_of(page)
    page.close()  # nothing is said, as when a laptop is shut
    wait_for(lambda: not kernel.is_running(), "the end of its kernel")
    visit(browser, narrow).close(run_before_unload=True)


def test_who_only_asks_and_never_looks_holds_no_place_for_long(browser, narrow):
    page = browser.new_page()
    assert page.request.get(narrow.address).status == 200
    assert page.request.get(narrow.address).status == 503
    wait_for(lambda: page.request.get(narrow.address).status == 200, "its place")
    page.close()
    assert "Traceback" not in narrow.log


def test_another_address_is_a_sentence_and_no_kernel(browser, narrow):
    page = browser.new_page()
    answer = page.request.get(f"{narrow.address}nowhere?lang=fr")
    assert answer.status == 404
    assert "Il n’y a rien à cette adresse" in answer.text()
    page.close()


# --- without a page ---------------------------------------------------------------------------------


def in_thread(work):
    """Playwright's loop is in this one."""
    found = []
    thread = threading.Thread(target=lambda: found.append(asyncio.run(work())))
    thread.start()
    thread.join()
    return found[0]


def full(minutes: dict[str, float], state: str = "idle"):
    """As many pages as places, each untouched for some minutes."""
    made = Sessions(limit=len(minutes))
    for name, untouched in minutes.items():
        since = datetime.now(UTC) - timedelta(minutes=untouched)
        made._kernels[name] = SimpleNamespace(last_activity=since, execution_state=state)
        made.seat(object(), name)
    ended = []

    async def shutdown_kernel(kernel_id: str) -> None:
        ended.append(kernel_id)
        made.pages.pop(kernel_id)

    made.shutdown_kernel = shutdown_kernel
    return made, ended


@pytest.mark.parametrize(
    ("minutes", "state", "gone"),
    [
        ({"a": 3, "b": 16, "c": 40}, "idle", ["c"]),
        ({"a": 3, "b": 14}, "idle", []),
        ({"a": 3, "b": 40}, "busy", []),
    ],
)
def test_the_page_left_untouched_longest_makes_room(monkeypatch, minutes, state, gone):
    monkeypatch.setattr(sessions, "_LEAVING_SECONDS", 0.1)

    async def work():
        made, ended = full(minutes, state)
        return await made.take_place(), ended

    place, ended = in_thread(work)
    assert ended == gone
    assert (place is not None) == bool(gone)


def test_the_limit_is_half_of_the_memory(monkeypatch):
    def with_memory(size: float) -> int:
        monkeypatch.setattr(sessions.psutil, "virtual_memory", lambda: SimpleNamespace(total=size))
        return default_limit()

    assert [with_memory(size) for size in (24e9, 8e9, 1e8)] == [40, 13, 2]


def test_the_page_is_escaped_and_whole():
    shown = full_page("en", 40, 15, 20)
    assert shown.startswith("<!doctype html>")
    assert 'content="20"' in shown
    assert "http" not in shown.replace("http-equiv", "")


def test_no_place_at_all_is_a_sentence(run):
    found = run("dashboard", "--sessions", 0)
    assert found.code == 2
    assert "1 or more, got 0" in found.err
