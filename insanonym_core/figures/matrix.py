"""Matrices: a heat map, with a diverging scale for values between −1 and 1."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.sheet import EDGE, Sheet, finite_values
from insanonym_core.figures.text_layout import escape_markup, shorten, text_width
from insanonym_core.figures.theme import DIVERGING, INK, MISSING, PAPER, SEQUENTIAL, SMALL
from insanonym_core.results.scores import Matrix, Values

_MAX_ANNOTATED = 12
_MIN_CELL_WIDTH = 44
_TICK_HEIGHT = 18
_CLEARLY_NEGATIVE = -0.15  # of the scale: a paler cell is read as nearly zero in either direction
_DARK = 0.6  # of the scale: white is written on it
_HALF_DASH, _DASH_WIDTH = 0.25, 1.5  # of a cell; pixels
_SHARE_FOR_LABELS = 0.25
_SHARE_FOR_VERTICAL_LABELS = 0.2
_MAX_LABEL_WIDTH = 400  # pixels; labels are repeated in the hover text of every cell
COLOUR_BAR_WIDTH = 76


def draw_matrix(matrix: Matrix, sheet: Sheet) -> go.Figure:
    """Draw a heat map, the first row on top."""
    values = np.asarray(matrix.values, dtype=float).reshape(len(matrix.rows), len(matrix.columns))
    if values.size == 0:
        return sheet.message_figure()
    sheet.right = COLOUR_BAR_WIDTH
    rows, columns = (
        [shorten(sheet.label(text), _MAX_LABEL_WIDTH, SMALL) for text in labels]
        for labels in (matrix.rows, matrix.columns)
    )
    _label_rows(rows, sheet)
    _label_columns(columns, sheet, alike=rows == columns)
    low, high = _colour_range(matrix.values)
    texts = [[sheet.number(value) for value in row] for row in values]
    annotated = max(values.shape) <= _MAX_ANNOTATED and sheet.plot_width / len(columns) >= _MIN_CELL_WIDTH
    sheet.draft.update_layout(plot_bgcolor=MISSING)
    sheet.draft.add_trace(
        go.Heatmap(
            z=values,
            x=np.arange(len(columns)),
            y=np.arange(len(rows)),
            zmin=low,
            zmax=high,
            colorscale=DIVERGING if low < 0 else SEQUENTIAL,
            colorbar=colour_bar(sheet),
            xgap=1,
            ygap=1,
            customdata=[
                [
                    (escape_markup(row), escape_markup(column), text)
                    for column, text in zip(columns, line, strict=True)
                ]
                for row, line in zip(rows, texts, strict=True)
            ],
            hovertemplate="%{customdata[0]} → %{customdata[1]}: %{customdata[2]}<extra></extra>",
        )
    )
    if annotated:
        _write_cells(values, low, high, sheet)
    elif low < 0:
        _mark_negative(values, low, sheet)
    return sheet.finish()


def colour_bar(sheet: Sheet) -> dict[str, object]:
    """Properties of a narrow colour bar right of the plot."""
    return {
        "thickness": 12,
        "outlinewidth": 0,
        "x": 1,
        "xpad": 12,
        "len": 1,
        "lenmode": "fraction",
        "ypad": 0,
        "tickfont": {"size": SMALL},
        "exponentformat": "none",
        "nticks": 6,
    }


def _colour_range(values: Values) -> tuple[float, float]:
    """Range of the colour scale: ±1 or less for small values, from zero for counts."""
    numbers = finite_values(np.asarray(values))
    largest = float(np.abs(numbers).max(initial=0.0))
    counts = np.issubdtype(np.asarray(values).dtype, np.integer)
    if largest <= 1 and not counts:
        end = 1.0 if largest >= 0.5 or largest == 0 else _round_up(largest)
        return -end, end
    low = float(numbers.min(initial=0.0))
    return (-largest, largest) if low < 0 else (0.0, largest or 1.0)


def _round_up(value: float) -> float:
    """The next 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value * (1 - 1e-9))


def _label_rows(rows: Sequence[str], sheet: Sheet) -> None:
    """Label the rows, skipping some if there are too many."""
    short = [shorten(label, sheet.size.width * _SHARE_FOR_LABELS, SMALL) for label in rows]
    sheet.left = EDGE + max(text_width(label, SMALL) for label in short) + 10
    if not sheet.size.tile:
        sheet.plot_height = max(sheet.plot_height, min(len(rows), 40) * _TICK_HEIGHT)
    tick_step = math.ceil(len(rows) * _TICK_HEIGHT / max(sheet.plot_height, sheet.size.height * 0.55))
    ticks = list(range(0, len(rows), tick_step))
    sheet.draft.update_yaxes(
        tickvals=ticks,
        ticktext=[f"{escape_markup(short[tick])} " for tick in ticks],
        range=(len(rows) - 0.5, -0.5),
        showgrid=False,
    )


def _label_columns(columns: Sequence[str], sheet: Sheet, alike: bool) -> None:
    """Label the columns horizontally if they fit, else vertically, skipping some if needed.

    In a tile, vertical labels that are shortened or take too much of its height are left out where they are
    `alike` those of the rows.
    """
    slot = sheet.plot_width / len(columns)
    longest = max(text_width(label, SMALL) for label in columns)
    horizontal = longest + 6 <= slot or longest <= 3 * SMALL
    max_width = sheet.size.width * 0.2
    short = list(columns) if horizontal else [shorten(label, max_width, SMALL) for label in columns]
    tick_step = max(1, math.ceil((longest + 6 if horizontal else _TICK_HEIGHT) / slot))
    ticks = list(range(0, len(columns), tick_step))
    if not horizontal:
        height = max(text_width(label, SMALL) for label in short) - _TICK_HEIGHT + 8
        too_long = height > _SHARE_FOR_VERTICAL_LABELS * sheet.size.height or short != list(columns)
        if sheet.size.tile and alike and too_long:
            sheet.notes.append(sheet.say("Columns: in the order of the rows."))
            ticks, height, sheet.tick_lines = [], 0.0, 0
        sheet.foot = height
    sheet.draft.update_xaxes(
        tickvals=ticks,
        ticktext=[escape_markup(short[tick]) for tick in ticks],
        tickangle=0 if horizontal else -90,
        range=(-0.5, len(columns) - 0.5),
        showgrid=False,
    )


def _mark_negative(values: Values, low: float, sheet: Sheet) -> None:
    """Mark clearly negative cells with a dash: both ends of the scale are dark, and equal in grey.

    The dashes of a colour are one line with gaps, which is drawn at once for any number of cells.
    """
    rows, columns = np.nonzero(values < _CLEARLY_NEGATIVE * abs(low))
    if len(rows) == 0:
        return
    sheet.notes.append(sheet.say("− : negative."))
    dark = values[rows, columns] < -_DARK * abs(low)
    for colour, marked in ((INK, ~dark), (PAPER, dark)):
        if not marked.any():
            continue
        middle = columns[marked].astype(float)
        ends = np.stack([middle - _HALF_DASH, middle + _HALF_DASH, np.full(len(middle), np.nan)], axis=1)
        sheet.draft.add_trace(
            {
                "type": "scatter",
                "x": ends.ravel(),
                "y": np.repeat(rows[marked], 3),
                "mode": "lines",
                "connectgaps": False,
                "line": {"width": _DASH_WIDTH, "color": colour},
                "hoverinfo": "skip",
                "showlegend": False,
            }
        )


def _write_cells(values: Values, low: float, high: float, sheet: Sheet) -> None:
    """Write the rounded numbers into their cells, in white on dark colours."""
    decimals = 2 if high <= 1 else None
    for row, column in np.ndindex(values.shape):
        value = float(values[row, column])
        intensity = abs(value) / high if low < 0 else value / high
        sheet.draft.add_annotation(
            x=column,
            y=row,
            text=sheet.number(value, decimals),
            showarrow=False,
            font={"size": SMALL, "color": PAPER if intensity > _DARK else INK},
        )
