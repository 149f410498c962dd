"""Issue 17, number 12: names of columns, files and categories are text on the page, never HTML."""

from __future__ import annotations

from collections.abc import Iterator

import ipywidgets as widgets
import pytest

from insanonym_core.registry import methods
from insanonym_dashboard import worker
from insanonym_dashboard.app import App
from insanonym_dashboard.elements import Rows
from insanonym_dashboard.panels.sweeping import Sweeps
from insanonym_dashboard.uploads import clean_name

HOSTILE = "<img src=x onerror=alert({})>"
NAMES = [HOSTILE.format(n) for n in range(5)]
FILE = HOSTILE.format("'file'") + ".csv"


def hostile_table(rows: int = 120) -> bytes:
    """Two numbers, two categories and an id, all with hostile names and hostile values."""
    value = [HOSTILE.format(f"'v{n}'") for n in range(4)]
    lines = [
        f"{n % 40};{n % 7};{value[n % 3]};{value[1 + n % 2]};{HOSTILE.format(repr(n))}" for n in range(rows)
    ]
    return "\n".join([";".join(NAMES), *lines]).encode()


class Page:
    """Everything that was ever shown as HTML."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shown: list[str] = []
        for kind, name in ((widgets.HTML, "value"), (widgets.HTMLMath, "value"), (Rows, "content")):
            self._record(monkeypatch, kind, name)

    def _record(self, monkeypatch: pytest.MonkeyPatch, kind: type, name: str) -> None:
        plain = kind.__init__

        def made(widget, *values, **named):
            plain(widget, *values, **named)
            self.shown.append(getattr(widget, name))
            widget.observe(lambda change: self.shown.append(change["new"]), name)

        monkeypatch.setattr(kind, "__init__", made)

    def hostile(self) -> Iterator[str]:
        return (text for text in self.shown if "<img" in text.lower())


@pytest.fixture
def page(at_once, monkeypatch) -> Page:
    monkeypatch.setattr(worker, "SLOW", -1.0)  # every part of the work is told, however quick it is
    return Page(monkeypatch)


def opened(kind: str, lang: str) -> App:
    app = App(lang)
    app.open(kind)
    app.panels[kind].data._uploaded(clean_name(FILE), 1, hostile_table())
    return app


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("kind", ["table", "avatars", "traces"])
def test_a_hostile_file_shows_no_html(page, kind, lang):
    app = opened(kind, lang)
    panel = app.panels[kind]
    panel.state.trail.arrive(panel.state.report, panel.state.data_name)
    panel.state.trail.pin()
    for _, name in panel.menu.options:
        panel.menu.value = name
    assert any("&lt;img" in text for text in page.shown)  # it was shown, as text
    assert list(page.hostile()) == []


def _added(method):
    """Each opens a dashboard: two in every run."""
    return pytest.param(method, marks=() if method in ("mondrian", "recode") else pytest.mark.long)


@pytest.mark.slow
@pytest.mark.parametrize("method", [_added(entry.name) for entry in methods.all(data="table")])
def test_the_line_that_says_what_is_computed_is_text(page, method):
    app = opened("table", "en")
    panel = app.panels["table"]
    panel.menu.value = "The rows"
    panel.editor._editing.add(method)
    assert any(text.startswith("<p>Computing: ") for text in page.shown)
    assert list(page.hostile()) == []


@pytest.mark.slow
def test_a_sweep_over_hostile_columns_shows_no_html(page):
    app = opened("table", "en")
    app.sweeps = Sweeps(app.session.store)
    app.sweeps.begun = True  # not the small first sweep, which is over demonstration data
    panel = app.panels["tradeoff"] = app._tradeoff()
    panel.form.kind.value = "table"
    panel.form.run(2, 1)
    assert app.sweeps.now is not None
    assert list(page.hostile()) == []
