"""A page in French says every text of ours in French: none is looked for in the catalogue in vain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import insanonym_core.texts as texts
from insanonym_core.kinds import all_kinds
from insanonym_dashboard.app import App
from insanonym_dashboard.state import TabState
from insanonym_dashboard.tab_names import TRADEOFF

_PLACE, _WORD = re.compile(r"{[^}]*}"), re.compile(r"[^\W\d_]{2}")


class Listening(dict[str, str]):
    """The catalogue, and what it was asked for and does not hold."""

    def __init__(self, known: dict[str, str]) -> None:
        super().__init__(known)
        self.missed: set[str] = set()

    def get(self, text: str, otherwise: Any = None) -> Any:
        if text not in self:
            self.missed.add(text)
        return super().get(text, otherwise)


@pytest.fixture
def catalogue(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listening]:
    """Hears what is said in French."""
    found = Listening(texts.french())
    monkeypatch.setattr(texts, "french", lambda: found)
    return found


@pytest.fixture(autouse=True)
def quick(at_once, small_city, monkeypatch) -> None:
    """Nobody waits for fresh draws, nor for a large city."""
    monkeypatch.setattr(TabState, "_measure_spread", lambda *_: None)


@pytest.mark.slow
@pytest.mark.parametrize("tab", list(all_kinds()))
def test_every_page_of_a_tab_the_search_and_the_comparison(tab, catalogue):
    app = App("fr")
    app.open(tab)
    state, panel = app.states[tab], app.panels[tab]
    state._rested(state.report)
    state.trail.pin()
    for _, page in panel.menu.options:
        panel.open_page(page)
    app.find.toggle(tab, "fr")
    assert ours(catalogue.missed, state) == set()
    app.close()


def test_the_trade_off(catalogue, monkeypatch):
    monkeypatch.setattr("insanonym_dashboard.panels.sweep_form.SweepForm.run", lambda *_, **__: None)
    app = App("fr")
    app.open(TRADEOFF)
    assert ours(catalogue.missed, next(iter(app.states.values()))) == set()
    app.close()


def ours(missed: set[str], state: TabState) -> set[str]:
    """Texts with a word outside their places, and no word of the data."""
    columns = set(state.columns())
    return {text for text in missed if _WORD.search(_PLACE.sub("", text)) and text not in columns}
