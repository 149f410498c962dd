"""Labelled reference lines: vertical ones labelled above the plot, horizontal ones right of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from insanonym_core.figures.text_layout import escape_markup, shorten, text_width, wrap
from insanonym_core.figures.theme import BASELINE, MUTED, PAPER, SMALL

if TYPE_CHECKING:
    from insanonym_core.figures.sheet import Sheet

_LINE_HEIGHT = SMALL * 1.4
_MAX_MARK_WIDTH = 230
_SHARE_FOR_LEVELS = 0.17
_DASHED = {"color": BASELINE, "width": 1.5, "dash": "dash"}
_FONT = {"size": SMALL, "color": MUTED}


def mark_rows(sheet: Sheet) -> dict[str, tuple[int, bool]]:
    """Map each vertical line to the row of its label above the plot and whether the label is left of it.

    A label that spans other lines is placed above their labels, so that no line crosses a label. Two labels
    that span each other's line are placed on the same side.
    """
    low, high = sheet.x_range
    x_of = {
        name: (position - low) / (high - low) * sheet.plot_width
        for name in sheet.marks
        if low <= (position := _mark_position(sheet, name)) <= high
    }
    width_of = {name: text_width(_mark_text(sheet, name), SMALL) + 14 for name in x_of}
    leftwards: list[str] = []
    for name in sorted(x_of, key=lambda name: -x_of[name]):
        end = x_of[name] + width_of[name]
        overlaps = any(x_of[name] < x_of[other] < end for other in leftwards)
        fits = x_of[name] - width_of[name] >= -sheet.left
        if end > sheet.plot_width + sheet.right or (overlaps and fits):
            leftwards.insert(0, name)
    rightwards = [name for name in sorted(x_of, key=lambda name: -x_of[name]) if name not in leftwards]
    rows: dict[str, tuple[int, bool]] = {}
    spans: list[tuple[float, float, int]] = []
    for name in [*rightwards, *leftwards]:
        left = name in leftwards
        start, end = (
            (x_of[name] - width_of[name], x_of[name]) if left else (x_of[name], x_of[name] + width_of[name])
        )
        row = 1 + max((row for a, b, row in spans if start < b and a < end), default=-1)
        spans.append((start, end, row))
        rows[name] = (row, left)
    return rows


def draw_marks(sheet: Sheet, placed: Mapping[str, tuple[int, bool]], plot_height: float) -> None:
    """Draw the vertical lines up to their labels, on a plot `plot_height` pixels high."""
    for name, (row, leftwards) in placed.items():
        x = _mark_position(sheet, name)
        top = 1 + (row * _LINE_HEIGHT + 12) / plot_height
        sheet.draft.add_shape(type="line", x0=x, x1=x, y0=0, y1=top, yref="paper", line=_DASHED)
        sheet.draft.add_annotation(
            text=escape_markup(_mark_text(sheet, name)),
            x=x,
            y=1,
            yref="paper",
            yshift=row * _LINE_HEIGHT,
            yanchor="bottom",
            xanchor="right" if leftwards else "left",
            xshift=-4 if leftwards else 4,
            showarrow=False,
            borderpad=0,
            bgcolor=PAPER,
            font=_FONT,
        )


def levels_width(sheet: Sheet) -> float:
    """Pixels needed right of the plot for the labels of the horizontal lines."""
    lines = [line for lines in _level_texts(sheet).values() for line in lines]
    return max((text_width(line, SMALL) + 8 for line in lines), default=0)


def draw_levels(sheet: Sheet, plot_height: float) -> None:
    """Draw the horizontal lines; move a label up if it would overlap the one below."""
    low, high = sheet.y_range
    next_free = -math.inf
    for name, lines in sorted(_level_texts(sheet).items(), key=lambda item: sheet.levels[item[0]]):
        level = sheet.levels[name]
        line_y = (level - low) / (high - low) * plot_height
        half = len(lines) * _LINE_HEIGHT / 2
        label_y = max(line_y, next_free + half)
        next_free = label_y + half
        sheet.draft.add_shape(type="line", x0=0, x1=1, xref="paper", y0=level, y1=level, line=_DASHED)
        sheet.draft.add_annotation(
            text="<br>".join(map(escape_markup, lines)),
            x=1,
            xref="paper",
            y=level,
            yshift=label_y - line_y,
            xanchor="left",
            align="left",
            xshift=4,
            showarrow=False,
            font=_FONT,
        )


def _mark_position(sheet: Sheet, name: str) -> float:
    return sheet.places.get(name, sheet.marks[name])


def _mark_text(sheet: Sheet, name: str) -> str:
    max_width = min(_MAX_MARK_WIDTH, 0.4 * sheet.size.width)
    return f"{shorten(sheet.say(name), max_width, SMALL)} = {sheet.value(sheet.marks[name], 'x')}"


def _level_texts(sheet: Sheet) -> dict[str, list[str]]:
    """Wrapped label of each horizontal line inside the range of the y axis."""
    low, high = sheet.y_range
    available = sheet.size.width * _SHARE_FOR_LEVELS
    return {
        name: wrap(
            f"{shorten(sheet.say(name), 2.4 * available, SMALL)} = {sheet.value(level, 'y')}",
            available,
            SMALL,
        )
        for name, level in sheet.levels.items()
        if low <= level <= high
    }
