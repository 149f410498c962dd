"""The map of original and release as a figure, for print: cells of a grid, side by side on one scale."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from insanonym_core.figures.card import card_of
from insanonym_core.figures.map_layers import is_near
from insanonym_core.figures.matrix import COLOUR_BAR_WIDTH, colour_bar
from insanonym_core.figures.places import log_ticks, needs_log_scale
from insanonym_core.figures.sheet import Sheet, figure_function, padded_range
from insanonym_core.figures.text_layout import escape_markup, text_width
from insanonym_core.figures.theme import INK, SCREEN, SEQUENTIAL, SMALL, Size
from insanonym_core.mobility.places import TITLES, cells_of, cells_with_min_individuals
from insanonym_core.results.scores import CellMap, Values
from insanonym_core.texts import say

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from insanonym_core.experiment import Report
    from insanonym_core.figures.card import Card

_GAP = 0.03  # of the width, between two panes side by side
_MIN_BESIDE = 420  # pixels of two panes side by side
_TITLE_OF_PANE = SMALL * 1.5
_VALUE = "rows"


def map_sheet(
    original: CellMap,
    release: CellMap,
    *,
    note: str = "",
    card: Card | None = None,
    lang: str = "en",
    size: Size = SCREEN,
) -> Sheet:
    """Original beside release, or above it where the figure is narrow: the same cells and scale of colours.

    Cells far from all others are left out, and a note says how many.
    """
    sheet = Sheet("", card, lang, replace(size, height=0), plot_height=0)
    sheet.title = sheet.say("Map: original and release")
    sheet.notes += [note] if note else []
    near = {title: _near(cells) for title, cells in (("Original", original), ("Release", release))}
    shown = [cells for cells, _ in near.values() if len(cells.latitude)]
    if not shown:
        return Sheet(sheet.title, card, lang, size).show_message()
    colours, logarithm = _colours(shown)
    text = "Colour: {what} (logarithmic)." if logarithm else "Colour: {what}."
    sheet.notes.append(sheet.say(text, what=sheet.say(TITLES[_VALUE])))
    if far := sum(left_out for _, left_out in near.values()):
        sheet.notes.append(sheet.say("Cells far from the others, not shown: {cells}.", cells=far))
    x, y = _ranges(shown)
    sheet.right, sheet.head = COLOUR_BAR_WIDTH, _TITLE_OF_PANE
    sheet.title_axes("", "", text_width(f"{y[0]:.2f}", SMALL))
    across = 1 if sheet.plot_width < _MIN_BESIDE else 2
    pane_width = sheet.plot_width * (1 - _GAP * (across - 1)) / across
    shape = (y[1] - y[0]) / (x[1] - x[0]) / math.cos(math.radians(sum(y) / 2))
    pane_height = min(pane_width * shape, 1.3 * pane_width)
    between = _TITLE_OF_PANE + 2 * SMALL  # pixels, with the labels of the axis above
    sheet.plot_height = pane_height if across == 2 else 2 * pane_height + between
    bar = colour_bar(sheet) | (log_ticks(colours, sheet) if logarithm else {})
    for number, (title, (cells, _)) in enumerate(near.items()):
        left, top = number * (1 - pane_width / sheet.plot_width), 1.0
        if across == 1:
            left, top = 0.0, 1 - number * (pane_height + between) / sheet.plot_height
        width, height = pane_width / sheet.plot_width, pane_height / sheet.plot_height
        end = "2" if number else ""
        fits = max(2, int(pane_width / 64))
        common = {"showgrid": False, "tickformat": ".2f"}
        sheet.draft.update_layout(
            **{
                f"xaxis{end}": common
                | {"range": x, "domain": (left, left + width), "anchor": f"y{end}", "nticks": fits},
                f"yaxis{end}": common
                | {"range": y, "domain": (max(0.0, top - height), top), "anchor": f"x{end}", "nticks": 5}
                | ({"showticklabels": False} if number and across == 2 else {}),
            }
        )
        empty = (
            "" if len(cells.latitude) else f" ({sheet.say('Nothing is left here: every row was deleted.')})"
        )
        _write_above(sheet, sheet.say(title) + empty, left, top)
        if len(cells.latitude):
            limits = float(colours.min()), float(colours.max())
            sheet.draft.add_trace(_heatmap(cells, logarithm, limits, bar, end))
            bar = {}
    return sheet


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


def _near(cells: CellMap) -> tuple[CellMap, int]:
    """The cells that a map shows at first, and how many others there are."""
    if len(cells.latitude) == 0:
        return cells, 0
    inside = is_near(cells, _VALUE)
    values = {name: np.asarray(column)[inside] for name, column in cells.values.items()}
    near = replace(cells, latitude=cells.latitude[inside], longitude=cells.longitude[inside], values=values)
    return near, int((~inside).sum())


def _colours(shown: list[CellMap]) -> tuple[Values, bool]:
    """The values of all cells as they are coloured, and whether by their logarithm."""
    values = np.concatenate([np.asarray(cells.values[_VALUE], dtype=float) for cells in shown])
    logarithm = needs_log_scale(values)
    return (np.log10(values) if logarithm else values), logarithm


def _ranges(shown: list[CellMap]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Longitudes and latitudes that hold every cell."""
    half = shown[0].size / 2
    longitude, latitude = (
        np.concatenate([np.asarray(part, dtype=float) for part in parts])
        for parts in (
            [cells.longitude for cells in shown],
            [cells.latitude for cells in shown],
        )
    )
    return (
        padded_range([longitude.min() - half, longitude.max() + half], 0.02),
        padded_range([latitude.min() - half, latitude.max() + half], 0.02),
    )


def _heatmap(
    cells: CellMap, logarithm: bool, limits: tuple[float, float], bar: dict[str, object], end: str
) -> dict[str, object]:
    """The cells as a grid with holes."""
    values = np.asarray(cells.values[_VALUE], dtype=float)
    row, column = (_places(part, cells.size) for part in (cells.latitude, cells.longitude))
    grid = np.full((row.max() + 1, column.max() + 1), np.nan)
    grid[row, column] = np.log10(values) if logarithm else values
    return {
        "type": "heatmap",
        "z": grid,
        "x0": float(np.min(cells.longitude)),
        "dx": cells.size,
        "y0": float(np.min(cells.latitude)),
        "dy": cells.size,
        "xaxis": f"x{end}",
        "yaxis": f"y{end}",
        "zmin": limits[0],
        "zmax": limits[1],
        "hoverongaps": False,
        "hoverinfo": "skip",
        "colorscale": SEQUENTIAL,
        **({"colorbar": bar} if bar else {"showscale": False}),
    }


def _places(centres: Values, size: float) -> Values:
    places: Values = np.round((np.asarray(centres, dtype=float) - np.min(centres)) / size).astype(int)
    return places


map_figure = figure_function(map_sheet)


def report_map(report: Report, lang: str, size: Size) -> go.Figure:
    """The map of a report: cells that few individuals visit are not shown."""
    fewest = report.recipe.min_holders
    original, release = (
        cells_with_min_individuals(cells_of(track), fewest)
        for track in (report.release.original, report.release.release)
    )
    note = say("Cells with fewer than {fewest} individuals are not shown.", lang, fewest=fewest)
    return map_figure(original, release, note=note, card=card_of(report), lang=lang, size=size)
