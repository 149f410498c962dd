"""Two panes of a printed map, original and release, and the cells that are drawn in them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from insanonym_core.figures.sheet import Sheet
from insanonym_core.figures.text_layout import escape_markup, text_width
from insanonym_core.figures.theme import INK, SMALL

if TYPE_CHECKING:
    from insanonym_core.results.scores import CellMap, JsonObject, Values

Range: TypeAlias = tuple[float, float]
TITLE_OF_PANE = SMALL * 1.5
_GAP = 0.03  # of the width, between two panes side by side
_MIN_BESIDE = 420  # pixels of two panes side by side
_TALLEST, _FLATTEST = {1: 0.8, 2: 1.3}, 0.4  # height of a pane as a share of its width


def add_panes(sheet: Sheet, titles: Sequence[str], x: Range, y: Range) -> tuple[str, str]:
    """Add two panes side by side, or one above the other in a narrow figure; return the ends of their axes.

    Both show the longitudes x and the latitudes y, at one scale. The right margin must be known before.
    """
    sheet.head = TITLE_OF_PANE
    sheet.title_axes("", "", text_width(f"{y[0]:.2f}", SMALL))
    across = 1 if sheet.plot_width < _MIN_BESIDE else 2
    pane_width = sheet.plot_width * (1 - _GAP * (across - 1)) / across
    x, y, shape = _in_proportion(x, y, _TALLEST[across])
    pane_height = pane_width * shape
    between = TITLE_OF_PANE + 2 * SMALL  # pixels, with the labels of the axis above
    sheet.plot_height = pane_height if across == 2 else 2 * pane_height + between
    width, height = pane_width / sheet.plot_width, pane_height / sheet.plot_height
    for number, title in enumerate(titles):
        left, top = number * (1 - width), 1.0
        if across == 1:
            left, top = 0.0, 1 - number * (pane_height + between) / sheet.plot_height
        end = "2" if number else ""
        fits = max(2, int(pane_width / 64))
        common = {"showgrid": False, "zeroline": False, "tickformat": ".2f"}
        sheet.draft.update_layout(
            **{
                f"xaxis{end}": common
                | {"range": x, "domain": (left, left + width), "anchor": f"y{end}", "nticks": fits},
                f"yaxis{end}": common
                | {"range": y, "domain": (max(0.0, top - height), top), "anchor": f"x{end}", "nticks": 5}
                | ({"showticklabels": False} if number and across == 2 else {}),
            }
        )
        _write_above(sheet, title, left, top)
    return "", "2"


def _in_proportion(x: Range, y: Range, tallest: float) -> tuple[Range, Range, float]:
    """The ranges, one of them widened where a pane would be too tall or too flat, and height over width."""
    stretch = 1 / math.cos(math.radians(sum(y) / 2))
    shape = (y[1] - y[0]) / (x[1] - x[0]) * stretch
    if shape > tallest:
        return _widened(x, shape / tallest), y, tallest
    if shape < _FLATTEST:
        return x, _widened(y, _FLATTEST / shape), _FLATTEST
    return x, y, shape


def _widened(limits: Range, times: float) -> Range:
    middle, half = sum(limits) / 2, (limits[1] - limits[0]) / 2 * times
    return middle - half, middle + half


def _write_above(sheet: Sheet, text: str, x: float, y: float) -> None:
    sheet.draft.add_annotation(
        text=escape_markup(text),
        x=x,
        y=y,
        xref="paper",
        yref="paper",
        xanchor="left",
        yanchor="bottom",
        showarrow=False,
        borderpad=0,
        font={"size": SMALL, "color": INK},
    )


def cell_grid(cells: CellMap, values: Values, end: str) -> JsonObject:
    """A trace of the cells as a grid with holes, with one of the values for each."""
    row, column = (_places(part, cells.size) for part in (cells.latitude, cells.longitude))
    grid = np.full((row.max() + 1, column.max() + 1), np.nan)
    grid[row, column] = values
    return {
        "type": "heatmap",
        "z": grid,
        "x0": float(np.min(cells.longitude)),
        "dx": cells.size,
        "y0": float(np.min(cells.latitude)),
        "dy": cells.size,
        "xaxis": f"x{end}",
        "yaxis": f"y{end}",
        "hoverongaps": False,
        "hoverinfo": "skip",
    }


def _places(centres: Values, size: float) -> Values:
    places: Values = np.round((np.asarray(centres, dtype=float) - np.min(centres)) / size).astype(int)
    return places
