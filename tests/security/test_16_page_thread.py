"""Number 16: heavy work is done beside the page's thread, and the page is answered meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from insanonym_core.figures import gallery
from insanonym_dashboard import downloads
from insanonym_dashboard.app import App
from insanonym_dashboard.panels import data_card, mobility, tables
from insanonym_dashboard.saver import Saver
from insanonym_dashboard.worker import Worker

PATIENCE = 60  # seconds until a test that hangs is given up
PAGE = "the page's thread"
ROWS = "person,age,town\n" + "".join(f"p{n},{20 + n % 40},{'ab'[n % 2]}\n" for n in range(80))


def on_the_page(wanted: Callable[[], Awaitable[Any]]) -> Any:
    """Run this with an event loop in a thread of its own, as a kernel does."""

    def named() -> None:
        threading.current_thread().name = PAGE

    async def limited() -> Any:
        return await asyncio.wait_for(wanted(), PATIENCE)  # threads that are still busy then find no page

    with ThreadPoolExecutor(1, initializer=named) as pool:
        return pool.submit(asyncio.run, limited()).result()


async def until(met: Callable[[], Any]) -> None:
    """The page is idle until this holds: everything posted to it is served."""
    while not met():
        await asyncio.sleep(0.01)


class Gate:
    """A function that notes its thread, then waits until the gate opens."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self.call = call
        self.threads: list[str] = []
        self.entered, self.opened = threading.Event(), threading.Event()

    def __call__(self, *arguments: Any, **more: Any) -> Any:
        self.threads.append(threading.current_thread().name)
        self.entered.set()
        assert threading.current_thread().name != PAGE, "heavy work on the page's thread"
        assert self.opened.wait(PATIENCE)
        return self.call(*arguments, **more)


@contextmanager
def opening(*gates: Gate) -> Iterator[None]:
    """No thread waits for ever when a test fails."""
    try:
        yield
    finally:
        for gate in gates:
            gate.opened.set()


async def opened(tab: str) -> tuple[App, Any]:
    app = App()
    app.open(tab)
    await until(lambda: app.states[tab].report is not None and app.states[tab].worker.idle)
    return app, app.panels[tab]


async def moved(panel: Any, name: str, value: Any) -> None:
    """A slider moves, and its report comes."""
    before = panel.state.report
    panel.state.set_parameter(0, name, value)
    await until(lambda: panel.state.report is not before and panel.state.worker.idle)


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bytes]]:
    """What the page was given to save."""
    found: list[tuple[str, bytes]] = []

    def save(_: Any, name: str, content: bytes, kind: str = "") -> None:
        assert threading.current_thread().name == PAGE, "the page is only told on its own thread"
        found.append((name, content))

    monkeypatch.setattr(Saver, "save", save)
    return found


# --- downloads --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(downloads.MENU))
def test_sliders_are_answered_during_a_download_which_is_of_the_report_asked_for(
    name: str, monkeypatch: pytest.MonkeyPatch, saved: list[tuple[str, bytes]]
) -> None:
    gate = Gate(downloads.MENU[name])
    monkeypatch.setitem(downloads.MENU, name, gate)
    monkeypatch.setattr(downloads, gate.call.__name__, gate)

    async def use() -> None:
        app, panel = await opened("avatars")
        asked = panel.state.report
        with opening(gate):
            app._download(app.header.children[-2], name)
            await until(gate.entered.is_set)
            assert panel.state.busy == name
            assert name in panel.busy.value
            assert panel.cancel.layout.display == ""
            await moved(panel, "k", 7)  # a slider is served while the file is being made
            assert panel.state.report is not asked
            assert saved == []
            gate.opened.set()
            await until(lambda: saved)
        if name == "Recipe (YAML)":
            assert b"k: 20" in saved[0][1], "the recipe as it was when it was asked for"
        assert panel.state.error == ""
        await until(lambda: panel.state.busy == "")

    on_the_page(use)


def test_two_downloads_are_both_made_and_cancel_drops_the_one_under_way(
    monkeypatch: pytest.MonkeyPatch, saved: list[tuple[str, bytes]]
) -> None:
    gate = Gate(downloads.scores)
    monkeypatch.setitem(downloads.MENU, "Scores (CSV)", gate)

    async def use() -> None:
        app, panel = await opened("avatars")
        menu = app.header.children[-2]
        with opening(gate):
            app._download(menu, "Scores (CSV)")
            app._download(menu, "Recipe (YAML)")
            await until(gate.entered.is_set)
            gate.opened.set()
            await until(lambda: len(saved) == 2)
        assert [name for name, _ in saved] == ["scores.csv", "recipe.yaml"]
        gate.entered.clear()
        gate.opened.clear()
        with opening(gate):
            app._download(menu, "Scores (CSV)")
            await until(gate.entered.is_set)
            panel.cancel.click()
            assert panel.state.busy == ""
        app._download(menu, "Recipe (YAML)")
        await until(lambda: len(saved) == 3)
        assert saved[-1][0] == "recipe.yaml", "the cancelled file never came"

    on_the_page(use)


def test_a_download_that_fails_says_so_and_leaves_the_page_alive(
    monkeypatch: pytest.MonkeyPatch, saved: list[tuple[str, bytes]]
) -> None:
    def broken(report: Any, lang: str) -> Any:
        raise OSError("/some/where is full")

    monkeypatch.setitem(downloads.MENU, "Release", broken)

    async def use() -> None:
        app, panel = await opened("table")
        app._download(app.header.children[-2], "Release")
        await until(lambda: panel.state.error)
        assert "/some/where" not in panel.banner.value
        await moved(panel, "k", 9)
        assert saved == []

    on_the_page(use)


def test_a_report_that_is_being_written_stops_when_it_is_cancelled(
    monkeypatch: pytest.MonkeyPatch, saved: list[tuple[str, bytes]]
) -> None:
    gate = Gate(gallery.weights_measures)
    monkeypatch.setattr(gallery, "weights_measures", gate)
    drawn: list[Any] = []
    monkeypatch.setattr(gallery, "draw", lambda *_, **__: drawn.append(1))

    async def use() -> None:
        app, panel = await opened("avatars")
        drawn.clear()
        with opening(gate):
            app._download(app.header.children[-2], "Report (HTML)")
            await until(gate.entered.is_set)
            panel.cancel.click()
            gate.opened.set()
            app._download(app.header.children[-2], "Recipe (YAML)")
            await until(lambda: saved)
        assert [name for name, _ in saved] == ["recipe.yaml"]
        assert drawn == [], "no figure was drawn after it"

    on_the_page(use)


# --- figures and previews ---------------------------------------------------------------------------


def test_the_weights_page_is_computed_beside_and_the_latest_wish_wins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = Gate(gallery.run)
    monkeypatch.setattr(gallery, "run", gate)
    name = "Published against exponential"

    async def use() -> None:
        _, panel = await opened("avatars")
        plot = panel.plots[name]
        with opening(gate):
            panel.menu.value = "Weights"
            await until(gate.entered.is_set)
            assert panel.state.busy == name
            assert "Computing" in str(plot.figure)
            gate.entered.clear()
            await moved(panel, "k", 7)  # a slider is served; what was under way is of an old report
            gate.opened.set()
            await until(lambda: "k=7" in str(plot.figure))
        await until(lambda: panel.state.figures.idle and panel.state.busy == "")
        assert len(gate.threads) == 2
        assert PAGE not in gate.threads

    on_the_page(use)


def test_a_cancelled_weights_page_leaves_the_tab_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(gallery.run)
    monkeypatch.setattr(gallery, "run", gate)

    async def use() -> None:
        _, panel = await opened("avatars")
        with opening(gate):
            panel.menu.value = "Weights"
            await until(gate.entered.is_set)
            panel.cancel.click()
            assert panel.state.busy == ""
        panel.menu.value = "Distances"
        await moved(panel, "k", 5)
        panel.menu.value = "Weights"
        await until(lambda: "k=5" in str(panel.plots["Published against exponential"].figure))

    on_the_page(use)


@pytest.mark.parametrize(
    ("tab", "module", "function"),
    [("table", tables, "classes_of_release"), ("mobility", mobility, "cells_of")],
)
def test_previews_and_maps_are_looked_up_beside(
    tab: str, module: Any, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(getattr(module, function))
    monkeypatch.setattr(module, function, gate)

    async def use() -> None:
        _, panel = await opened(tab)
        with opening(gate):
            await until(gate.entered.is_set)
            place = 0 if tab == "table" else 2
            before = panel.state.report
            panel.state.set_parameter(
                place, "k" if tab == "table" else "radius", 9 if tab == "table" else 500
            )
            await until(lambda: panel.state.report is not before)
            gate.opened.set()
            shown = panel.preview if tab == "table" else panel.maps.maps[0].layers[-1]
            await until(lambda: shown.content if tab == "table" else shown.data)
        assert PAGE not in gate.threads
        assert panel.state.error == ""

    on_the_page(use)


def test_one_row_of_avatars_does_not_make_the_whole_table_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    app = App()
    app.open("avatars")  # without an event loop everything is done at once
    panel, sizes = app.panels["avatars"], []
    table = type(panel.state.report.release.original)
    frame = table.frame

    def counted(self: Any) -> Any:
        sizes.append(self.rows)
        return frame(self)

    monkeypatch.setattr(table, "frame", counted)
    panel.row.value = 500
    assert sizes
    assert max(sizes) <= 4
    from insanonym_core.avatars.walkthrough import avatar_distances, first_avatars

    found = first_avatars(panel.state.report.release, 500).columns
    assert avatar_distances(panel.state.report.release, 499) == (found["DCR"][499], found["NNDR"][499])


# --- data -------------------------------------------------------------------------------------------


def test_an_upload_is_read_and_its_roles_guessed_beside_and_a_slider_does_not_drop_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reading, guessing = Gate(data_card.read_upload), Gate(tables.guess_roles)
    monkeypatch.setattr(data_card, "read_upload", reading)
    monkeypatch.setattr(tables, "guess_roles", guessing)

    async def use() -> None:
        _, panel = await opened("table")
        with opening(reading, guessing):
            panel.data._uploaded("own.csv", len(ROWS), ROWS.encode())
            await until(reading.entered.is_set)
            assert panel.state.busy == "Reading the file"
            await moved(panel, "k", 9)
            reading.opened.set()
            await until(guessing.entered.is_set)
            await moved(panel, "k", 8)
            guessing.opened.set()
            await until(lambda: panel.state.data_name == "own.csv")
        await until(lambda: panel.state.report.rows == 80 and panel.state.worker.idle)
        assert panel.state.error == ""

    on_the_page(use)


def test_a_cancelled_upload_leaves_the_data_that_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = Gate(data_card.read_upload)
    monkeypatch.setattr(data_card, "read_upload", reading)

    async def use() -> None:
        _, panel = await opened("table")
        with opening(reading):
            panel.data._uploaded("own.csv", len(ROWS), ROWS.encode())
            await until(reading.entered.is_set)
            panel.cancel.click()
        await moved(panel, "k", 9)
        assert panel.state.data_name == "demo:patients"

    on_the_page(use)


# --- the worker -------------------------------------------------------------------------------------


def test_a_worker_that_keeps_all_does_every_job_in_order_until_it_is_cancelled() -> None:
    gate = Gate(lambda: 0)

    async def use() -> list[Any]:
        found: list[Any] = []
        worker = Worker(keep_all=True)
        done = lambda result, error: found.append(result)  # noqa: E731
        with opening(gate):
            for job in (gate, lambda: 1, lambda: 2):
                worker.submit(lambda tell, early, job=job: job(), done)
            await until(gate.entered.is_set)
            assert not worker.idle
            gate.opened.set()
            await until(lambda: worker.idle)
        assert found == [0, 1, 2]
        gate.entered.clear()
        gate.opened.clear()
        with opening(gate):
            worker.submit(lambda tell, early: gate(), done)
            worker.submit(lambda tell, early: 4, done)
            await until(gate.entered.is_set)
            worker.cancel()
        worker.submit(lambda tell, early: 5, done)
        await until(lambda: worker.idle)
        return found

    assert on_the_page(use) == [0, 1, 2, 5]
