"""Lines worth a label: vertical ones named above the plot, horizontal ones named right of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from insanonym_core.figures.text_layout import escape_markup, shorten, text_width, wrap
from insanonym_core.figures.theme import BASELINE, MUTED, PAPER, SMALL

if TYPE_CHECKING:
    from insanonym_core.figures.sheet import Sheet

_LINE = SMALL * 1.4
_MARK_WIDTH = 230
_SHARE_FOR_LEVELS = 0.17
_DASHED = {"color": BASELINE, "width": 1.5, "dash": "dash"}
_FONT = {"size": SMALL, "color": MUTED}


def mark_rows(sheet: Sheet) -> dict[str, tuple[int, bool]]:
    """A row above the plot for the label of each vertical line, and whether it stands left of its line.

    A label stands above those of the lines it reaches over, so that no line that leads up to a label crosses
    another label. Two that reach over each other's line stand on the same side.
    """
    low, high = sheet.x_range
    at = {
        name: (place - low) / (high - low) * sheet.plot_width
        for name in sheet.marks
        if low <= (place := _place(sheet, name)) <= high
    }
    wide = {name: text_width(_mark_text(sheet, name), SMALL) + 14 for name in at}
    leftwards: list[str] = []
    for name in sorted(at, key=lambda name: -at[name]):
        end = at[name] + wide[name]
        over = any(at[name] < at[other] < end for other in leftwards)
        fits = at[name] - wide[name] >= -sheet.left
        if end > sheet.plot_width + sheet.right or (over and fits):
            leftwards.insert(0, name)
    rightwards = [name for name in sorted(at, key=lambda name: -at[name]) if name not in leftwards]
    rows: dict[str, tuple[int, bool]] = {}
    spans: list[tuple[float, float, int]] = []
    for name in [*rightwards, *leftwards]:
        left = name in leftwards
        start, end = (at[name] - wide[name], at[name]) if left else (at[name], at[name] + wide[name])
        row = 1 + max((row for a, b, row in spans if start < b and a < end), default=-1)
        spans.append((start, end, row))
        rows[name] = (row, left)
    return rows


def draw_marks(sheet: Sheet, placed: Mapping[str, tuple[int, bool]], inside: float) -> None:
    """The vertical lines, up to their labels; the plot is `inside` pixels high."""
    for name, (row, leftwards) in placed.items():
        place = _place(sheet, name)
        top = 1 + (row * _LINE + 12) / inside
        sheet.draft.add_shape(type="line", x0=place, x1=place, y0=0, y1=top, yref="paper", line=_DASHED)
        sheet.draft.add_annotation(
            text=escape_markup(_mark_text(sheet, name)),
            x=place,
            y=1,
            yref="paper",
            yshift=row * _LINE,
            yanchor="bottom",
            xanchor="right" if leftwards else "left",
            xshift=-4 if leftwards else 4,
            showarrow=False,
            borderpad=0,
            bgcolor=PAPER,
            font=_FONT,
        )


def levels_width(sheet: Sheet) -> float:
    """How many pixels the labels of the horizontal lines take."""
    lines = [line for lines in _level_texts(sheet).values() for line in lines]
    return max((text_width(line, SMALL) + 8 for line in lines), default=0)


def draw_levels(sheet: Sheet, inside: float) -> None:
    """The horizontal lines; a label that would touch the one below moves up."""
    low, high = sheet.y_range
    free = -math.inf
    for name, lines in sorted(_level_texts(sheet).items(), key=lambda item: sheet.levels[item[0]]):
        level = sheet.levels[name]
        at = (level - low) / (high - low) * inside
        half = len(lines) * _LINE / 2
        place = max(at, free + half)
        free = place + half
        sheet.draft.add_shape(type="line", x0=0, x1=1, xref="paper", y0=level, y1=level, line=_DASHED)
        sheet.draft.add_annotation(
            text="<br>".join(map(escape_markup, lines)),
            x=1,
            xref="paper",
            y=level,
            yshift=place - at,
            xanchor="left",
            align="left",
            xshift=4,
            showarrow=False,
            font=_FONT,
        )


def _place(sheet: Sheet, name: str) -> float:
    return sheet.places.get(name, sheet.marks[name])


def _mark_text(sheet: Sheet, name: str) -> str:
    most = min(_MARK_WIDTH, 0.4 * sheet.size.width)
    return f"{shorten(sheet.say(name), most, SMALL)} = {sheet.value(sheet.marks[name])}"


def _level_texts(sheet: Sheet) -> dict[str, list[str]]:
    low, high = sheet.y_range
    room = sheet.size.width * _SHARE_FOR_LEVELS
    return {
        name: wrap(f"{shorten(sheet.say(name), 2.4 * room, SMALL)} = {sheet.value(level)}", room, SMALL)
        for name, level in sheet.levels.items()
        if low <= level <= high
    }
