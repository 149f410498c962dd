"""The layout of a figure: title, notes, legend, labelled lines and recipe card without overlaps.

Everything around the plot is measured before it is placed: a long recipe makes the figure higher instead of
overlapping the axis, and the same figure works at screen and at print width.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ParamSpec

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.card import Card
from insanonym_core.figures.draft import Draft
from insanonym_core.figures.reference_lines import draw_levels, draw_marks, levels_width, mark_rows
from insanonym_core.figures.text_layout import escape_markup, separators, shorten, text_width, wrap
from insanonym_core.figures.theme import INK, MUTED, SCREEN, SMALL, TEXT, TITLE, Size, template
from insanonym_core.results.scores import Values
from insanonym_core.texts import label, say
from insanonym_core.texts.numbers import number, percent

if TYPE_CHECKING:
    from insanonym_core.results.scores import JsonObject

Parameters = ParamSpec("Parameters")

EDGE = 16
_TILE_EDGE = 6
_TITLE_LINE, _TEXT_LINE, _SMALL_LINE = TITLE * 1.3, TEXT * 1.35, SMALL * 1.4
_LEGEND_ROW, _LEGEND_KEY = 24, 52
_MIN_PLOT_HEIGHT, _MIN_TILE_PLOT_HEIGHT = 200, 92
_BOLD_WIDTH_FACTOR = 1.12  # how much wider bold letters are


@dataclass
class Sheet:
    """A figure under construction; `finish` lays it out.

    `marks` are labelled vertical lines (`places` overrides their positions on the axis), `levels` labelled
    horizontal lines; `head` and `foot` are extra space above and below the plot, in pixels.
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
    head: float = 0.0
    foot: float = 0.0
    tick_lines: int = 1
    plot_height: float = _MIN_PLOT_HEIGHT
    x_range: tuple[float, float] = (0.0, 1.0)
    y_range: tuple[float, float] = (0.0, 1.0)
    marks: Mapping[str, float] = field(default_factory=dict)
    places: Mapping[str, float] = field(default_factory=dict)
    levels: Mapping[str, float] = field(default_factory=dict)
    shares_on: str = ""  # "x" or "y": the axis that shows shares, written in percent
    draft: Draft = field(default_factory=lambda: Draft(template()))

    def __post_init__(self) -> None:
        if self.size.tile:
            self.plot_height = min(self.plot_height, _MIN_TILE_PLOT_HEIGHT)

    def rows_height(self, rows: int, comfortable: float, smallest: float) -> float:
        """Height of a plot of that many rows: in a tile each may be as low as `smallest` pixels."""
        return max(self.plot_height, rows * (smallest if self.size.tile else comfortable))

    def say(self, text: str, **values: object) -> str:
        """Translate a text into the language of the figure."""
        return say(text, self.lang, **values)

    def label(self, text: str) -> str:
        """A label that may come from the data: translated only if it is a text of the package."""
        return label(text, self.lang)

    def number(self, value: float, decimals: int | None = None) -> str:
        """Format a number in the language of the figure."""
        return number(float(value), self.lang, decimals)

    @property
    def plot_width(self) -> float:
        """Pixels between the current left and right margins."""
        return self.size.width - self.left - self.right

    def number_axes(self, x: str, y: str, x_values: Iterable[float], y_values: Iterable[float]) -> None:
        """Set up two numeric axes: titles, ranges that include all values, and the left margin."""
        self.x_range, self.y_range = padded_range(x_values), padded_range(y_values)
        self.title_axes(x, y, max(text_width(text, SMALL) for text in _range_labels(self.y_range)))
        self.draft.update_xaxes(range=self.x_range)
        self.draft.update_yaxes(range=self.y_range)

    def title_axes(self, x: str, y: str, ticks: float) -> None:
        """Set the titles of the axes and the left margin; y tick labels are `ticks` pixels wide."""
        self.x_title, self.y_title = x, y
        self.left = EDGE + (_TEXT_LINE + 10 if y else 0) + ticks + 8

    def show_message(self, message: str = "") -> Sheet:
        """Show a message instead of a plot; returns the sheet."""
        text = message or self.say("There is nothing to show.")
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

    def message_figure(self, message: str = "") -> go.Figure:
        """A figure that shows only a message."""
        return self.show_message(message).finish()

    def finish(self) -> go.Figure:
        """Lay everything out and build the figure."""
        self.lay_out()
        return self.draft.figure()

    def as_dict(self) -> JsonObject:
        """Lay everything out; return the figure for plotly.js, not validated, for fast redraws."""
        self.lay_out()
        return self.draft.as_dict()

    def lay_out(self) -> float:
        """Place everything from top to bottom; return the height of the plot in pixels."""
        text_pixels = self.size.width - 2 * EDGE
        edge = _TILE_EDGE if self.size.tile else EDGE
        self.right += levels_width(self)
        title, notes = (
            wrap(self.title, text_pixels, TITLE * _BOLD_WIDTH_FACTOR) if self.shows_title else [],
            wrap(" ".join(self.notes), text_pixels, SMALL if self.size.tile else TEXT),
        )
        legend_at = edge + len(title) * _TITLE_LINE + len(notes) * _TEXT_LINE + 6
        rows = self._legend_rows(text_pixels) if len(self.legend) > 1 else 0
        rows_of_marks = mark_rows(self)
        mark_height = _SMALL_LINE * (1 + max((row for row, _ in rows_of_marks.values()), default=-1))
        gap = (4 if self.size.tile else 16) if rows else (0 if self.size.tile else 10)
        top = legend_at + rows * _LEGEND_ROW + mark_height + gap + self.head
        card = self._card_lines(text_pixels - EDGE) if self.size.carded and not self.size.tile else []
        space_below = (
            self.foot + self.tick_lines * _SMALL_LINE + (10 + _TEXT_LINE if self.x_title else 0) + edge
        )
        bottom = space_below + (len(card) * _SMALL_LINE + EDGE if card else 0)
        height = math.ceil(max(float(self.size.height), top + bottom + self.plot_height))
        plot_height = height - top - bottom
        self.draft.update_layout(
            width=self.size.width,
            height=height,
            margin={"t": top, "b": bottom, "l": self.left, "r": self.right, "pad": 0},
            separators=separators(self.lang),
            title={
                "text": "<br>".join(map(escape_markup, title)),
                "x": EDGE / self.size.width,
                "xanchor": "left",
                "y": 1 - (edge + 0.75 * TITLE) / height,
                "yanchor": "bottom",  # baseline of the first line, whatever the number of lines
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
            meta={
                "card": self.card.text(self.lang) if self.card else "",
                "lang": self.lang,
                "title": self.title,
            },
        )
        self._draw_axis_titles(plot_height)
        draw_marks(self, rows_of_marks, plot_height)
        draw_levels(self, plot_height)
        self._write(
            "notes", notes, 1, top - edge - len(title) * _TITLE_LINE, SMALL if self.size.tile else TEXT
        )
        self._write("card", card, 0, -space_below, SMALL)
        return plot_height

    @property
    def shows_title(self) -> bool:
        """Whether the title is written into the figure."""
        return self.size.titled and not self.size.tile

    def _card_lines(self, pixels: float) -> list[str]:
        """The recipe card, wrapped without a line that starts with a separator."""
        if self.card is None:
            return []
        text = self.card.text(self.lang).replace(" · ", "\u00a0· ")  # no line begins with the dot
        text = re.sub(r"n = ([^ ]+) (?=[^ ])", "n\u00a0=\u00a0\\1\u00a0", text)  # nor with the unit of n
        return wrap(text, pixels, SMALL)

    def _legend_rows(self, pixels: float) -> int:
        """Number of rows that the legend takes: plotly sets entries of several rows in equal columns."""
        widths = [text_width(name, SMALL) + _LEGEND_KEY for name in self.legend]
        if sum(widths) <= pixels:
            return 1
        return math.ceil(len(widths) / max(1, int(pixels // max(widths))))

    def value(self, value: float, axis: str) -> str:
        """Format a value of an axis ("x" or "y"), in percent if it shows shares."""
        return percent(value, self.lang) if self.shares_on == axis else self.number(value)

    def _draw_axis_titles(self, plot_height: float) -> None:
        if self.x_title:
            self.draft.update_xaxes(
                title={"text": escape_markup(shorten(self.x_title, self.plot_width, TEXT))}
            )
        if self.y_title:
            self.draft.update_yaxes(title={"text": escape_markup(shorten(self.y_title, plot_height, TEXT))})

    def _write(self, name: str, lines: list[str], y: float, shift: float, font: float) -> None:
        """Write grey lines at the left edge, `shift` pixels from the top (y=1) or foot (y=0) of the plot."""
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


def figure_function(make_sheet: Callable[Parameters, Sheet]) -> Callable[Parameters, go.Figure]:
    """Turn a function that returns a sheet into one that returns its figure."""

    def figure(*values: Parameters.args, **named: Parameters.kwargs) -> go.Figure:
        return make_sheet(*values, **named).finish()

    figure.__doc__ = make_sheet.__doc__
    return figure


def padded_range(values: Iterable[float], share: float = 0.04) -> tuple[float, float]:
    """Range of all finite values with padding; no padding below a minimum of zero."""
    numbers = finite_values(np.fromiter(values, dtype=float))
    if len(numbers) == 0:
        return 0.0, 1.0
    low, high = float(numbers.min()), float(numbers.max())
    padding = (high - low) * share or abs(high) * share or 1.0
    return (low if low == 0 else low - padding), high + padding


def zero_filled(values: Values) -> Values:
    """The values with zero in place of NaN and infinity."""
    numbers = np.asarray(values, dtype=float)
    return np.where(np.isfinite(numbers), numbers, 0.0)


def finite_values(values: Values) -> Values:
    """The values without NaN and infinity."""
    numbers = np.asarray(values, dtype=float)
    return numbers[np.isfinite(numbers)]


def _range_labels(value_range: tuple[float, float]) -> list[str]:
    """Both ends of an axis roughly as plotly writes them, to estimate the width of tick labels."""
    step = (value_range[1] - value_range[0]) / 6
    decimals = min(8, max(0, math.ceil(-math.log10(step)))) if step > 0 else 0
    return [f"{limit:,.{decimals}f}" for limit in value_range]
