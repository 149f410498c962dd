"""The map of original and release as a figure, for print: cells of a grid, side by side on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from insanonym_core.figures.card import card_of
from insanonym_core.figures.map_layers import is_near
from insanonym_core.figures.map_panes import Range, add_panes, cell_grid
from insanonym_core.figures.maps import ALL_DELETED
from insanonym_core.figures.matrix import COLOUR_BAR_WIDTH, colour_bar
from insanonym_core.figures.places import log_ticks, needs_log_scale
from insanonym_core.figures.sheet import Sheet, figure_function, padded_range
from insanonym_core.figures.theme import SCREEN, SEQUENTIAL, Size
from insanonym_core.mobility.places import TITLES, cells_of, cells_with_min_individuals
from insanonym_core.results.scores import CellMap, Values
from insanonym_core.texts import say

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from insanonym_core.experiment import Report
    from insanonym_core.figures.card import Card

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
    near = {title: near_cells(cells) for title, cells in (("Original", original), ("Release", release))}
    shown = [cells for cells, _ in near.values() if len(cells.latitude)]
    if not shown:
        return Sheet(sheet.title, card, lang, size).show_message()
    colours, logarithm = _colours(shown)
    text = "Colour: {what} (logarithmic)." if logarithm else "Colour: {what}."
    sheet.notes.append(sheet.say(text, what=sheet.say(TITLES[_VALUE])))
    if far := sum(left_out for _, left_out in near.values()):
        sheet.notes.append(sheet.say("Cells far from the others, not shown: {cells}.", cells=far))
    sheet.right = COLOUR_BAR_WIDTH
    bar = colour_bar(sheet) | (log_ticks(colours, sheet) if logarithm else {})
    headings = [
        sheet.say(title) if len(cells.latitude) else f"{sheet.say(title)} ({sheet.say(ALL_DELETED)})"
        for title, (cells, _) in near.items()
    ]
    ends = add_panes(sheet, headings, *ranges_of(shown))
    scale = {"zmin": float(colours.min()), "zmax": float(colours.max()), "colorscale": SEQUENTIAL}
    for end, (cells, _) in zip(ends, near.values(), strict=True):
        if len(cells.latitude):
            values = np.asarray(cells.values[_VALUE], dtype=float)
            grid = cell_grid(cells, np.log10(values) if logarithm else values, end)
            sheet.draft.add_trace(grid | scale | ({"colorbar": bar} if bar else {"showscale": False}))
            bar = {}
    return sheet


def near_cells(cells: CellMap) -> tuple[CellMap, int]:
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


def ranges_of(shown: Sequence[CellMap]) -> tuple[Range, Range]:
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
