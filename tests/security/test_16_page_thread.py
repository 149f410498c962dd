"""Number 16: heavy work is done beside the page's thread, and the page is answered meanwhile."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from insanonym_core.figures import gallery, weights
from insanonym_dashboard import downloads
from insanonym_dashboard.app import App
from insanonym_dashboard.panels import mobility, tables
from insanonym_dashboard.saver import Saver
from tests.security.page import PAGE, Gate, moved, on_the_page, opened, opening, until

pytestmark = pytest.mark.slow


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
        of_traces = name in (downloads.TO_SCORE, downloads.LOOKUP)
        of_table = name == downloads.MAPPING
        app, panel = await opened("mobility" if of_traces else "table" if of_table else "avatars")
        asked = panel.state.report
        with opening(gate):
            app.download_menu.chose(name)
            await until(gate.entered.is_set)
            assert panel.state.busy == name
            assert name in panel.status.busy.value
            assert panel.status.cancel.layout.display == ""
            # A slider is served while the file is being made.
            await moved(panel, *(("share", 0.2) if of_traces else ("k", 7)))
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
        with opening(gate):
            app.download_menu.chose("Scores (CSV)")
            app.download_menu.chose("Recipe (YAML)")
            await until(gate.entered.is_set)
            gate.opened.set()
            await until(lambda: len(saved) == 2)
        assert [name for name, _ in saved] == ["scores.csv", "recipe.yaml"]
        gate.entered.clear()
        gate.opened.clear()
        with opening(gate):
            app.download_menu.chose("Scores (CSV)")
            await until(gate.entered.is_set)
            panel.status.cancel.click()
            assert panel.state.busy == ""
        app.download_menu.chose("Recipe (YAML)")
        await until(lambda: len(saved) == 3)
        assert saved[-1][0] == "recipe.yaml", "the cancelled file never came"

    on_the_page(use)


def test_a_download_that_fails_says_so_and_leaves_the_page_alive(
    monkeypatch: pytest.MonkeyPatch, saved: list[tuple[str, bytes]]
) -> None:
    def broken(report: Any, lang: str) -> Any:
        raise OSError("/some/where is full")

    monkeypatch.setitem(downloads.MENU, downloads.TO_PUBLISH, broken)

    async def use() -> None:
        app, panel = await opened("table")
        app.download_menu.chose(downloads.TO_PUBLISH)
        await until(lambda: panel.state.error)
        assert "/some/where" not in panel.status.banner.value
        await moved(panel, "k", 9)
        assert saved == []

    on_the_page(use)


def test_a_report_that_is_being_written_stops_when_it_is_cancelled(
    monkeypatch: pytest.MonkeyPatch, saved: list[tuple[str, bytes]]
) -> None:
    gate = Gate(weights.COMPARISON.compute)
    monkeypatch.setattr(weights.COMPARISON, "compute", gate)
    drawn: list[Any] = []
    monkeypatch.setattr(gallery, "draw", lambda *_, **__: drawn.append(1))

    async def use() -> None:
        app, panel = await opened("avatars")
        drawn.clear()
        with opening(gate):
            app.download_menu.chose("Report (HTML)")
            await until(gate.entered.is_set)
            panel.status.cancel.click()
            gate.opened.set()
            app.download_menu.chose("Recipe (YAML)")
            await until(lambda: saved)
        assert [name for name, _ in saved] == ["recipe.yaml"]
        assert drawn == [], "no figure was drawn after it"

    on_the_page(use)


def saved_texts(plot: Any) -> str:
    """The figure as it is saved: with its recipe, which a tile does not repeat."""
    figure = plot.exporter()
    drawn = figure if isinstance(figure, dict | None) else figure.to_dict()
    return str(drawn).replace("\\xa0", " ")


# --- figures and previews ---------------------------------------------------------------------------


def test_the_weights_page_is_computed_beside_and_the_latest_wish_wins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = Gate(weights.run)
    monkeypatch.setattr(weights, "run", gate)
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
            await until(lambda: "k = 7 rows" in saved_texts(plot))  # with its recipe, as it is saved
        await until(lambda: panel.state.figures.idle and panel.state.busy == "")
        assert len(gate.threads) == 2
        assert PAGE not in gate.threads

    on_the_page(use)


def test_a_cancelled_weights_page_leaves_the_tab_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(weights.run)
    monkeypatch.setattr(weights, "run", gate)

    async def use() -> None:
        _, panel = await opened("avatars")
        with opening(gate):
            panel.menu.value = "Weights"
            await until(gate.entered.is_set)
            panel.status.cancel.click()
            assert panel.state.busy == ""
        panel.menu.value = "Distances"
        await moved(panel, "k", 5)
        panel.menu.value = "Weights"
        await until(lambda: "k = 5 rows" in saved_texts(panel.plots["Published against exponential"]))

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
            if tab == "table":
                panel.menu.value = "The rows"
            await until(gate.entered.is_set)
            place = 0 if tab == "table" else 2
            before = panel.state.report
            panel.state.set_parameter(
                place, "k" if tab == "table" else "radius", 9 if tab == "table" else 500
            )
            await until(lambda: panel.state.report is not before)
            gate.opened.set()
            await until(lambda: panel.preview.content if tab == "table" else panel.maps.shown)
        assert PAGE not in gate.threads
        assert panel.state.error == ""

    on_the_page(use)


@pytest.mark.usefixtures("at_once")
def test_one_row_of_avatars_does_not_make_the_whole_table_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    app = App()
    app.open("avatars")
    panel, sizes = app.panels["avatars"], []
    panel.menu.value = "One person"
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
