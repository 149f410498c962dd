"""The sheet a figure is drawn on: title, notes, legend, labelled lines, recipe card; none over another.

Everything around the plot is measured before it is placed. So a long recipe makes the foot of the figure
grow instead of running into the axis, and the same figure holds at screen and at print width.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ParamSpec

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.card import Card
from insanonym_core.figures.draft import Draft
from insanonym_core.figures.reference_lines import draw_levels, draw_marks, levels_width, mark_rows
from insanonym_core.figures.text_layout import escape_markup, separators, shorten, text_width, wrap
from insanonym_core.figures.theme import INK, MUTED, SCREEN, SMALL, TEXT, TITLE, Size, template
from insanonym_core.scores import Values
from insanonym_core.texts import label, say
from insanonym_core.written import number, percent

Asked = ParamSpec("Asked")

EDGE = 16
_TITLE_LINE, _TEXT_LINE, _SMALL_LINE = TITLE * 1.3, TEXT * 1.35, SMALL * 1.4
_LEGEND_ROW, _LEGEND_KEY = 24, 52
_FEWEST_PIXELS = 200
_BOLD = 1.12  # how much wider bold letters are


@dataclass
class Sheet:
    """A figure in the making; `finish` lays it out.

    `marks` are vertical lines with a label (`places` says where on the axis, if not at their value), `levels`
    horizontal ones; `foot` is room to keep free below the plot.
    """

    title: str
    card: Card | None = None
    lang: str = "en"
    size: Size = SCREEN
    notes: list[str] = field(default_factory=list)
    legend: list[str] = field(default_factory=list)
    x_title: str = ""
    y_title: str = ""
    left: float = EDGE
    right: float = EDGE + 12
    foot: float = 0.0
    tick_lines: int = 1
    plot_height: float = _FEWEST_PIXELS
    x_range: tuple[float, float] = (0.0, 1.0)
    y_range: tuple[float, float] = (0.0, 1.0)
    marks: Mapping[str, float] = field(default_factory=dict)
    places: Mapping[str, float] = field(default_factory=dict)
    levels: Mapping[str, float] = field(default_factory=dict)
    in_percent: bool = False
    draft: Draft = field(default_factory=lambda: Draft(template()))

    def say(self, text: str, **values: object) -> str:
        """A text in the language of the figure."""
        return say(text, self.lang, **values)

    def label(self, text: str) -> str:
        """A text that may come from the data: translated only when it is one of ours."""
        return label(text, self.lang)

    def number(self, value: float, decimals: int | None = None) -> str:
        """A number in the language of the figure."""
        return number(float(value), self.lang, decimals)

    @property
    def plot_width(self) -> float:
        """Pixels between the margins, as far as they are known by now."""
        return self.size.width - self.left - self.right

    def number_axes(self, x: str, y: str, x_values: Iterable[float], y_values: Iterable[float]) -> None:
        """Two axes of numbers: ranges that hold all values, and room for what is written beside them."""
        self.x_range, self.y_range = span(x_values), span(y_values)
        self.title_axes(x, y, max(text_width(text, SMALL) for text in _ticks(self.y_range)))
        self.draft.update_xaxes(range=self.x_range)
        self.draft.update_yaxes(range=self.y_range)

    def title_axes(self, x: str, y: str, ticks: float) -> None:
        """Name the axes; the labels of the y axis are `ticks` pixels wide."""
        self.x_title, self.y_title = x, y
        self.left = EDGE + (_TEXT_LINE + 10 if y else 0) + ticks + 8

    def nothing(self, why: str = "") -> Sheet:
        """The sheet with nothing but a sentence on it."""
        text = why or self.say("There is nothing to show.")
        self.draft.add_annotation(
            text=escape_markup(text),
            x=0.5,
            y=0.5,
            xref="paper",
            yref="paper",
            showarrow=False,
            font={"color": MUTED},
        )
        self.draft.update_xaxes(visible=False)
        self.draft.update_yaxes(visible=False)
        self.tick_lines, self.x_title, self.y_title = 0, "", ""
        return self

    def empty(self, why: str = "") -> go.Figure:
        """The figure of a sheet with nothing but a sentence on it."""
        return self.nothing(why).finish()

    def finish(self) -> go.Figure:
        """Lay everything out and make the figure."""
        self.lay_out()
        return self.draft.figure()

    def as_dict(self) -> dict[str, Any]:
        """The same figure as JSON for plotly, unchecked: for what is drawn many times a second."""
        self.lay_out()
        return self.draft.as_dict()

    def lay_out(self) -> float:
        """Place everything, top to bottom; how many pixels high the plot is."""
        inner = self.size.width - 2 * EDGE
        self.right += levels_width(self)
        title, notes = wrap(self.title, inner, TITLE * _BOLD), wrap(" ".join(self.notes), inner, TEXT)
        legend_at = EDGE + len(title) * _TITLE_LINE + len(notes) * _TEXT_LINE + 6
        rows = self._legend_rows(inner) if len(self.legend) > 1 else 0
        marked = mark_rows(self)
        mark_height = _SMALL_LINE * (1 + max((row for row, _ in marked.values()), default=-1))
        top = legend_at + rows * _LEGEND_ROW + mark_height + (16 if rows else 10)
        card = self._card_lines(inner - EDGE)
        below = self.foot + self.tick_lines * _SMALL_LINE + (10 + _TEXT_LINE if self.x_title else 0) + 16
        bottom = below + (len(card) * _SMALL_LINE + EDGE if card else 0)
        height = math.ceil(max(float(self.size.height), top + bottom + self.plot_height))
        inside = height - top - bottom
        self.draft.update_layout(
            width=self.size.width,
            height=height,
            margin={"t": top, "b": bottom, "l": self.left, "r": self.right, "pad": 0},
            separators=separators(self.lang),
            title={
                "text": "<br>".join(map(escape_markup, title)),
                "x": EDGE / self.size.width,
                "xanchor": "left",
                "y": 1 - (EDGE + 0.75 * TITLE) / height,
                "yanchor": "bottom",  # the base of the first line, however many follow
                "font": {"size": TITLE, "weight": 600, "color": INK},
            },
            showlegend=rows > 0,
            legend={
                "orientation": "h",
                "xref": "container",
                "x": EDGE / self.size.width,
                "yref": "container",
                "y": 1 - legend_at / height,
                "yanchor": "top",
            },
            meta={"card": self.card.text(self.lang) if self.card else "", "lang": self.lang},
        )
        self._draw_axis_titles(inside)
        draw_marks(self, marked, inside)
        draw_levels(self, inside)
        self._write("notes", notes, 1, top - EDGE - len(title) * _TITLE_LINE, TEXT)
        self._write("card", card, 0, -below, SMALL)
        return inside

    def _card_lines(self, pixels: float) -> list[str]:
        if self.card is None:
            return []
        text = self.card.text(self.lang).replace(" · ", "\u00a0· ")  # no line begins with the dot
        text = text.replace("n = ", "n\u00a0=\u00a0")
        return wrap(text, pixels, SMALL)

    def _legend_rows(self, inner: float) -> int:
        rows, used = 1, 0.0
        for name in self.legend:
            wide = text_width(name, SMALL) + _LEGEND_KEY
            if used and used + wide > inner:
                rows, used = rows + 1, 0.0
            used += wide
        return rows

    def value(self, value: float) -> str:
        """A number on the main axis: in percent where that shows shares."""
        return percent(value, self.lang) if self.in_percent else self.number(value)

    def _draw_axis_titles(self, inside: float) -> None:
        if self.x_title:
            self.draft.update_xaxes(
                title={"text": escape_markup(shorten(self.x_title, self.plot_width, TEXT))}
            )
        if self.y_title:
            self.draft.update_yaxes(title={"text": escape_markup(shorten(self.y_title, inside, TEXT))})

    def _write(self, name: str, lines: list[str], y: float, shift: float, font: float) -> None:
        """Grey lines from the left edge of the figure, `shift` pixels from the top or foot of the plot."""
        if lines:
            self.draft.add_annotation(
                name=name,
                text="<br>".join(map(escape_markup, lines)),
                x=0,
                xref="paper",
                xshift=EDGE - self.left,
                xanchor="left",
                y=y,
                yref="paper",
                yshift=shift,
                yanchor="top",
                align="left",
                borderpad=0,
                showarrow=False,
                font={"size": font, "color": MUTED},
            )


def finished(make: Callable[Asked, Sheet]) -> Callable[Asked, go.Figure]:
    """The function that makes the figure of what another one makes the sheet of."""

    def figure(*values: Asked.args, **named: Asked.kwargs) -> go.Figure:
        return make(*values, **named).finish()

    figure.__doc__ = make.__doc__
    return figure


def span(values: Iterable[float], share: float = 0.04) -> tuple[float, float]:
    """A range that holds all finite values, with a little air; zero is a floor when nothing is below it."""
    found = finite(np.fromiter(values, dtype=float))
    if len(found) == 0:
        return 0.0, 1.0
    low, high = float(found.min()), float(found.max())
    air = (high - low) * share or abs(high) * share or 1.0
    return (low if low == 0 else low - air), high + air


def drawable(values: Values) -> Values:
    """The values with zero where there is no finite number: a bar that is not there."""
    found = np.asarray(values, dtype=float)
    return np.where(np.isfinite(found), found, 0.0)


def finite(values: Values) -> Values:
    """What is a number."""
    found = np.asarray(values, dtype=float)
    return found[np.isfinite(found)]


def _ticks(limits: tuple[float, float]) -> list[str]:
    """The ends of an axis about as plotly will write them: their width decides the margin."""
    step = (limits[1] - limits[0]) / 6
    places = min(8, max(0, math.ceil(-math.log10(step)))) if step > 0 else 0
    return [f"{limit:,.{places}f}" for limit in limits]
