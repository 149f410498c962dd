"""Issue 17, number 18: an address opens the tab that a person means, or the page says that there is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.texts import LANGUAGES, say
from insanonym_dashboard.app import App
from insanonym_dashboard.tab_names import tab_named, tabs

TYPED = {
    "mobility": ["mobility", "Mobility", "mobilité", "MOBILITE"],
    "table": ["table", "tables", "Tables", "tableau", "tableaux"],
    "traces": [
        "traces",
        "trace",
        "study-traces",
        "study traces",
        "Study_Trace",
        "parcours d’études",
        "parcours",
    ],
    "avatars": ["avatar", "avatars", " Avatars "],
    "tradeoff": ["tradeoff", "trade-off", "Trade-offs", "trade off", "compromis"],
}
PAIRS = [(name, tab) for tab, names in TYPED.items() for name in names]
JUNK = [
    "nothing",
    "tab",
    "s",
    "<img src=x onerror=alert(1)>",
    "{name}",
    "x" * 100_000,
    "\u202e\x00",
]


@pytest.fixture
def app(monkeypatch) -> App:
    """Without panels: only which one is asked for matters here."""

    class Panel:
        def __init__(self) -> None:
            import ipywidgets

            self.root = ipywidgets.HTML()

        def opened(self) -> None:
            pass

    monkeypatch.setattr(App, "_panel", lambda self, kind: Panel())
    monkeypatch.setattr(App, "_tradeoff", lambda self: Panel())
    return App("en")


def visit(app: App, tab: str, lang: str = "") -> None:
    """As the page tells its address: all at once."""
    with app.shell.hold_trait_notifications():
        app.shell.tab, app.shell.lang, app.shell.known = tab, lang, True


@pytest.mark.parametrize(("name", "tab"), PAIRS)
def test_the_tab_that_is_meant_opens(app, name, tab):
    visit(app, name)
    assert app.tab == tab
    assert app.shell.tab == tab  # the address is then written as we write it
    assert app.notice.value == ""


def test_every_title_names_its_tab():
    for lang in LANGUAGES:
        for tab, title in tabs().items():
            assert tab_named(say(title, lang)) == tab


@pytest.mark.parametrize("name", JUNK)
@pytest.mark.parametrize(("lang", "said"), [("en", "The address asks"), ("fr", "L’adresse demande")])
def test_an_unknown_tab_is_said_and_stays_text(app, name, lang, said):
    visit(app, name, lang)
    assert app.tab == "mobility"
    assert said in app.notice.value
    assert say("Study traces", lang) in app.notice.value
    assert "<img" not in app.notice.value
    assert len(app.notice.value) < 600
    app.open("table")
    assert app.notice.value == ""


def test_an_address_without_a_tab_says_nothing(app):
    visit(app, "")
    assert app.tab == "mobility"
    assert app.notice.value == ""


@given(st.text(max_size=50))
def test_no_name_fails(name):
    assert tab_named(name) in (None, *tabs())
