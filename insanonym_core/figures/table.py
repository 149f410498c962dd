"""Tables: the first rows, with numbers rounded and right-aligned."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.sheet import EDGE, Sheet
from insanonym_core.figures.text_layout import escape_markup, shorten, text_width, wrap
from insanonym_core.figures.theme import GRID, INK, MUTED, PAPER, SMALL
from insanonym_core.results.scores import Table, Values

MAX_ROWS = 20
_MAX_COLUMNS = 10
_ROW_HEIGHT = 27
_LINE_HEIGHT = 17  # pixels of each further line of a cell
_AROUND = 50  # pixels of a tile that its table cannot have
_EXTRA_HEIGHT = 4  # extra pixels of a row with an escaped character or one from another font
_TALL_CHARACTERS = re.compile("[<>&\u2080-\u209f]")
_PADDING, _MIN_TEXT_WIDTH = 24, 100


def draw_table(table: Table, sheet: Sheet) -> go.Figure:
    """Draw at most MAX_ROWS rows, with a note of how many are left out."""
    columns = {name: np.asarray(values) for name, values in table.columns.items()}
    rows = len(next(iter(columns.values()), ()))
    if not rows:
        return sheet.message_figure()
    texts = {name: _cell_texts(values[:MAX_ROWS], sheet) for name, values in columns.items()}
    numbers = {name for name, values in columns.items() if _is_numeric(values)}
    max_rows = _rows_that_fit(texts, numbers, sheet) if sheet.size.tile else MAX_ROWS
    if rows > max_rows:
        sheet.notes.append(
            sheet.say("The first {shown} rows; {more} more.", shown=max_rows, more=rows - max_rows)
        )
    texts = {name: column[:max_rows] for name, column in texts.items()}
    return text_table(texts, numbers, sheet)


def _rows_that_fit(columns: Mapping[str, Sequence[str]], numbers: set[str], sheet: Sheet) -> int:
    """How many rows a tile has room for below the head of the table."""
    for rows in range(len(next(iter(columns.values()))), 1, -1):
        shown = {name: texts[:rows] for name, texts in columns.items()}
        width_of = _widths(shown, numbers, sheet.size.width - 2 * EDGE, sheet)
        if _height(_cells(shown, width_of, sheet), columns, sheet) <= sheet.size.height - _AROUND:
            return rows
    return 1


def _cells(
    columns: Mapping[str, Sequence[str]], width_of: Mapping[str, float], sheet: Sheet
) -> list[list[list[str]]]:
    """The lines of each cell by column and row: a text that is too long takes three lines in a tile."""
    max_lines = 3 if sheet.size.tile else 1
    return [
        [wrap(text, pixels - _PADDING + 2, SMALL, max_lines) or [""] for text in columns[name]]
        for name, pixels in width_of.items()
    ]


def _height(cells: list[list[list[str]]], heads: Iterable[str], sheet: Sheet) -> float:
    """Pixels of a table with its head."""
    rows = list(zip(*cells, strict=True))
    lines = [[sheet.say(head) for head in heads], *([" ".join(cell) for cell in row] for row in rows)]
    tall_rows = sum(any(map(_TALL_CHARACTERS.search, line)) for line in lines)
    further_lines = sum(max(map(len, row)) - 1 for row in rows)
    return (len(rows) + 1) * _ROW_HEIGHT + tall_rows * _EXTRA_HEIGHT + further_lines * _LINE_HEIGHT + 16


def text_table(columns: Mapping[str, Sequence[str]], right_aligned: set[str], sheet: Sheet) -> go.Figure:
    """Draw columns of texts as a table, one line per row; long texts are shortened."""
    available = sheet.size.width - 2 * EDGE
    width_of = _widths(columns, right_aligned, available, sheet)
    if len(width_of) < len(columns):
        sheet.notes.append(sheet.say("Columns not shown: {more}.", more=len(columns) - len(width_of)))
    columns = {name: columns[name] for name in width_of}
    heads = [sheet.say(name) for name in columns]
    align = ["right" if name in right_aligned else "left" for name in columns]
    rows = len(next(iter(columns.values())))
    cells = _cells(columns, width_of, sheet)
    sheet.left = sheet.right = EDGE
    sheet.tick_lines, sheet.plot_height = 0, _height(cells, columns, sheet)
    sheet.draft.add_trace(
        go.Table(
            columnwidth=list(width_of.values()),
            domain={"x": [0, min(1.0, sum(width_of.values()) / available)]},
            header={
                "values": [
                    escape_markup(shorten(head, pixels - _PADDING + 2, SMALL * 1.15))
                    for pixels, head in zip(width_of.values(), heads, strict=True)
                ],
                "align": align,
                "fill": {"color": PAPER},
                "line": {"color": PAPER},
                "font": {"size": SMALL, "color": MUTED, "weight": 700},  # <b> is misplaced in enlarged tiles
                "height": _ROW_HEIGHT,
            },
            cells={
                "values": [["<br>".join(map(escape_markup, cell)) for cell in column] for column in cells],
                "align": align,
                "fill": {"color": [[(PAPER, "#f7f9fb")[row % 2] for row in range(rows)]] * len(cells)},
                "line": {"color": GRID},
                "font": {"size": SMALL, "color": INK},
                "height": _ROW_HEIGHT,
            },
        )
    )
    figure = sheet.finish()
    _shrink_to_table(figure, sheet)
    return figure


def _widths(
    columns: Mapping[str, Sequence[str]], numbers: set[str], available: float, sheet: Sheet
) -> dict[str, float]:
    """Widths of the columns that fit; texts may be shortened, numbers never."""
    minimum: dict[str, float] = {}
    preferred: dict[str, float] = {}
    for name, texts in columns.items():
        longest = max(text_width(text, SMALL) for text in texts)
        needed = (longest if name in numbers else min(longest, _MIN_TEXT_WIDTH)) + _PADDING
        if minimum and (sum(minimum.values()) + needed > available or len(minimum) == _MAX_COLUMNS):
            break
        minimum[name] = needed
        preferred[name] = max(longest, text_width(sheet.say(name), SMALL * 1.15)) + _PADDING
    spare = max(0.0, available - sum(minimum.values()))
    max_extra = _fair_limit([preferred[name] - minimum[name] for name in minimum], spare)
    return {name: minimum[name] + min(max_extra, preferred[name] - minimum[name]) for name in minimum}


def _fair_limit(requests: Sequence[float], available: float) -> float:
    """Largest limit so that the requests, each cut at the limit, fit the available width."""
    limit = available
    for index, request in enumerate(sorted(requests)):
        limit = available / (len(requests) - index)
        if request > limit:
            return limit
        available -= request
    return max(requests)


def _shrink_to_table(figure: go.Figure, sheet: Sheet) -> None:
    """Reduce the height of the figure to that of its table."""
    spare = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b - sheet.plot_height
    if spare > 0:
        height = figure.layout.height
        figure.layout.height = height - spare
        figure.layout.title.y = 1 - (1 - figure.layout.title.y) * height / figure.layout.height


def _is_numeric(values: Values) -> bool:
    return values.dtype.kind in "iuf"


def _cell_texts(values: Values, sheet: Sheet) -> list[str]:
    return [
        sheet.number(value) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
        for value in values.tolist()
    ]
