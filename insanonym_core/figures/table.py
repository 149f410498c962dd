"""Tables: the first rows, numbers rounded and to the right."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.sheet import EDGE, Sheet
from insanonym_core.figures.text_layout import escape_markup, shorten, text_width
from insanonym_core.figures.theme import GRID, INK, MUTED, PAPER, SMALL
from insanonym_core.scores import Table, Values

MOST_ROWS = 20
_MOST_COLUMNS = 10
_ROW = 27
_TALLER = 4  # pixels that a row grows by when a sign is an entity or comes from another font
_UNUSUAL = re.compile("[<>&\u2080-\u209f]")
_PADDING, _LEAST_TEXT = 24, 100


def draw_table(table: Table, sheet: Sheet) -> go.Figure:
    """At most twenty rows; how many more there are is said."""
    columns = {name: np.asarray(values) for name, values in table.columns.items()}
    rows = len(next(iter(columns.values()), ()))
    if not rows:
        return sheet.empty()
    if rows > MOST_ROWS:
        sheet.notes.append(
            sheet.say("The first {shown} rows; {more} more.", shown=MOST_ROWS, more=rows - MOST_ROWS)
        )
    texts = {name: _texts(values[:MOST_ROWS], sheet) for name, values in columns.items()}
    return text_table(texts, {name for name, values in columns.items() if _numeric(values)}, sheet)


def text_table(columns: Mapping[str, Sequence[str]], to_the_right: set[str], sheet: Sheet) -> go.Figure:
    """Ready texts as a table; every row takes one line, so long texts are shortened."""
    room = sheet.size.width - 2 * EDGE
    wide = _widths(columns, to_the_right, room, sheet)
    if len(wide) < len(columns):
        sheet.notes.append(sheet.say("Columns not shown: {more}.", more=len(columns) - len(wide)))
    columns = {name: columns[name] for name in wide}
    heads = [sheet.say(name) for name in columns]
    align = ["right" if name in to_the_right else "left" for name in columns]
    rows = len(next(iter(columns.values())))
    cells = [
        [escape_markup(shorten(text, pixels - _PADDING + 2, SMALL)) for text in texts]
        for pixels, texts in zip(wide.values(), columns.values(), strict=True)
    ]
    sheet.left = sheet.right = EDGE
    lines = [heads, *zip(*columns.values(), strict=True)]
    taller = sum(any(map(_UNUSUAL.search, line)) for line in lines)
    sheet.tick_lines, sheet.plot_height = 0, (rows + 1) * _ROW + taller * _TALLER + 16
    sheet.draft.add_trace(
        go.Table(
            columnwidth=list(wide.values()),
            domain={"x": [0, min(1.0, sum(wide.values()) / room)]},
            header={
                "values": [
                    f"<b>{escape_markup(shorten(head, pixels - _PADDING + 2, SMALL * 1.15))}</b>"
                    for pixels, head in zip(wide.values(), heads, strict=True)
                ],
                "align": align,
                "fill": {"color": PAPER},
                "line": {"color": PAPER},
                "font": {"size": SMALL, "color": MUTED},
                "height": _ROW,
            },
            cells={
                "values": cells,
                "align": align,
                "fill": {"color": [[(PAPER, "#f7f9fb")[row % 2] for row in range(rows)]] * len(cells)},
                "line": {"color": GRID},
                "font": {"size": SMALL, "color": INK},
                "height": _ROW,
            },
        )
    )
    figure = sheet.finish()
    _end_with_the_last_row(figure, sheet)
    return figure


def _widths(
    columns: Mapping[str, Sequence[str]], numbers: set[str], room: float, sheet: Sheet
) -> dict[str, float]:
    """The columns that fit, and their widths: a number is never shortened, a text only when it must be."""
    least: dict[str, float] = {}
    wanted: dict[str, float] = {}
    for name, texts in columns.items():
        longest = max(text_width(text, SMALL) for text in texts)
        needed = (longest if name in numbers else min(longest, _LEAST_TEXT)) + _PADDING
        if least and (sum(least.values()) + needed > room or len(least) == _MOST_COLUMNS):
            break
        least[name] = needed
        wanted[name] = max(longest, text_width(sheet.say(name), SMALL * 1.15)) + _PADDING
    spare = max(0.0, room - sum(least.values()))
    most = _cap([wanted[name] - least[name] for name in least], spare)
    return {name: least[name] + min(most, wanted[name] - least[name]) for name in least}


def _cap(wishes: Sequence[float], room: float) -> float:
    """What nobody may get more of, so that all together fit: those who want little get all of it."""
    most = room
    for place, wish in enumerate(sorted(wishes)):
        most = room / (len(wishes) - place)
        if wish > most:
            return most
        room -= wish
    return max(wishes)


def _end_with_the_last_row(figure: go.Figure, sheet: Sheet) -> None:
    """A table shorter than the sheet leaves no hole between itself and the card."""
    spare = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b - sheet.plot_height
    if spare > 0:
        height = figure.layout.height
        figure.layout.height = height - spare
        figure.layout.title.y = 1 - (1 - figure.layout.title.y) * height / figure.layout.height


def _numeric(values: Values) -> bool:
    return values.dtype.kind in "iuf"


def _texts(values: Values, sheet: Sheet) -> list[str]:
    return [
        sheet.number(value) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
        for value in values.tolist()
    ]
