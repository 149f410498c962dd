"""Tiles: the grid of figures that fills the page; shell.js opens one to the whole area."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import ipywidgets as widgets

from insanonym_core.texts import say


class Tile(widgets.VBox):  # type: ignore[misc]
    """A title, small controls beside it, and a figure, map or table that fills the rest.

    What its title means (`explain`) opens from a `?`; a `hint`, in fewer words, stands beside the title where
    there is room.
    """

    def __init__(
        self,
        title: str,
        content: widgets.Widget,
        *,
        lang: str,
        controls: Sequence[widgets.Widget] = (),
        name: str = "",
        explain: str = "",
        hint: str = "",
    ) -> None:
        whole = html.escape(say("Whole area (F), back with Esc", lang), quote=True)
        told, short = (html.escape(text, quote=True) for text in (explain, hint or explain))
        about = (
            f'<details class="about"><summary class="ask" title="{told}" aria-label="{told}">?</summary>'
            f'<p>{told}</p></details><span class="hint" aria-hidden="true">{short}</span>'
            if told
            else ""
        )
        self._title = widgets.HTML(f"<h2>{html.escape(title)}</h2>{about}")
        self._title.add_class("insanonym-tile-title")
        expand = widgets.HTML(
            f'<button type="button" class="insanonym-expand" title="{whole}" aria-label="{whole}">⤢</button>'
        )
        head = widgets.HBox([self._title, *controls, expand])
        head.add_class("insanonym-tile-head")
        content.add_class("insanonym-tile-body")
        super().__init__([head, content])
        self.add_class("insanonym-tile")
        if name:
            self.add_class(f"insanonym-tile-{name}")


def grid(tiles: Sequence[Tile]) -> widgets.Box:
    """Up to four tiles that fill the area: one, two beside each other, or two rows of two."""
    made = widgets.Box(list(tiles))
    made.add_class("insanonym-grid")
    made.add_class(f"insanonym-grid-{min(4, len(tiles))}")
    return made


class Fold(widgets.VBox):  # type: ignore[misc]
    """One line that opens to show more: its text says in short what is inside."""

    def __init__(self, *children: widgets.Widget, name: str = "", opened: bool = False) -> None:
        self._line = widgets.Button(layout={"width": "100%"})
        self._line.add_class("insanonym-fold-line")
        self._line.on_click(lambda _: self.toggle())
        self._inside = widgets.VBox(list(children))
        self._inside.add_class("insanonym-fold-inside")
        super().__init__([self._line, self._inside])
        self.add_class("insanonym-fold")
        if name:
            self.add_class(f"insanonym-{name}")
        self._text, self.opened = "", opened
        self._show()

    def tell(self, text: str) -> None:
        """Set the text of the line."""
        self._text = text
        self._show()

    def toggle(self, opened: bool | None = None) -> None:
        """Open or close it."""
        self.opened = not self.opened if opened is None else opened
        self._show()

    def _show(self) -> None:
        self._line.description = f"{self._text}\u00a0{'▴' if self.opened else '▾'}"
        self._line.tooltip = self._text
        self._inside.layout.display = "" if self.opened else "none"


def small_button(text: str, tooltip: str, act: Any, name: str = "") -> widgets.Button:
    """A round button of the bar or of a tile."""
    made = widgets.Button(description=text, tooltip=tooltip, layout={"width": "auto"})
    made.add_class("insanonym-small")
    if name:
        made.add_class(f"insanonym-{name}")
    made.on_click(lambda _: act())
    return made
