"""Cells and points of interest as plots of longitude and latitude, without a background map."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.matrix import COLOUR_BAR_WIDTH, colour_bar
from insanonym_core.figures.sheet import Sheet, finite_values, padded_range
from insanonym_core.figures.text_layout import escape_markup
from insanonym_core.figures.theme import GREEN, ORANGE, PAPER, PURPLE, SEQUENTIAL, Look, looks
from insanonym_core.results.scores import CellMap, PoiMap, Values

Place = tuple[object, float, float]  # individual, latitude, longitude

_MAX_GRID_CELLS = 600
_SKEW_RATIO = 20  # ratio of maximum to median above which the scale is logarithmic
LOOK_BY_KIND = {
    "home": Look(ORANGE, symbol="square"),
    "work": Look(GREEN, symbol="diamond"),
    "activity": Look(PURPLE, symbol="circle"),
}


def draw_cells(cells: CellMap, sheet: Sheet) -> go.Figure:
    """Draw the cells as squares coloured by their first value; the hover text has all values."""
    latitude, longitude = np.asarray(cells.latitude, dtype=float), np.asarray(cells.longitude, dtype=float)
    if len(latitude) == 0 or not cells.values:
        return sheet.message_figure()
    first, values = next((name, np.asarray(values, dtype=float)) for name, values in cells.values.items())
    sheet.right = COLOUR_BAR_WIDTH
    _axes(latitude, longitude, cells.size, sheet)
    title = sheet.say(first)
    logarithm = needs_log_scale(values)
    sheet.notes.append(
        sheet.say("Colour: {what} (logarithmic).", what=title)
        if logarithm
        else sheet.say("Colour: {what}.", what=title)
    )
    texts = [
        "<br>".join(
            f"{escape_markup(sheet.say(name))}: {sheet.number(float(column[cell]))}"
            for name, column in cells.values.items()
        )
        for cell in range(len(latitude))
    ]
    colours = np.log10(np.where(values > 0, values, np.nan)) if logarithm else values
    column = np.round((longitude - longitude.min()) / cells.size).astype(int)
    row = np.round((latitude - latitude.min()) / cells.size).astype(int)
    across = max(int(column.max()), int(row.max())) + 1
    bar = colour_bar(sheet) | (log_ticks(colours, sheet) if logarithm else {})
    if across <= _MAX_GRID_CELLS:
        grid = np.full((row.max() + 1, column.max() + 1), np.nan)
        hover_grid = np.full(grid.shape, "", dtype=object)
        grid[row, column], hover_grid[row, column] = colours, texts
        trace = go.Heatmap(
            z=grid,
            x0=longitude.min(),
            dx=cells.size,
            y0=latitude.min(),
            dy=cells.size,
            customdata=hover_grid,
            hoverongaps=False,
            xgap=0.6 if across < 120 else 0,
            ygap=0.6 if across < 120 else 0,
            colorscale=SEQUENTIAL,
            colorbar=bar,
        )
    else:  # the grid would be large and mostly empty
        marker = {"symbol": "square", "size": 4, "color": colours, "colorscale": SEQUENTIAL, "colorbar": bar}
        trace = go.Scatter(x=longitude, y=latitude, mode="markers", marker=marker, customdata=texts)
    trace.hovertemplate = "%{customdata}<extra></extra>"
    sheet.draft.add_trace(trace)
    return sheet.finish()


def draw_pois(pois: PoiMap, sheet: Sheet) -> go.Figure:
    """Draw one marker per place and type, hollow if more than half of the stay is lost.

    The figure does not show whose place it is.
    """
    stays: dict[str, dict[Place, list[float]]] = {}
    columns = (
        pois.kind,
        pois.individual,
        pois.latitude,
        pois.longitude,
        pois.stay_original,
        pois.stay_release,
    )
    for kind, individual, y, x, before, after in zip(
        *(np.asarray(column).tolist() for column in columns), strict=True
    ):
        total = stays.setdefault(str(kind), {}).setdefault((individual, y, x), [0.0, 0.0])
        total[0] += before
        total[1] += after
    if not stays:
        return sheet.message_figure()
    _axes(np.asarray(pois.latitude), np.asarray(pois.longitude), 0.0, sheet)
    sheet.notes.append(sheet.say("Hollow: more than half of the stay is gone in the release."))
    look_of = {**looks(stays), **LOOK_BY_KIND}
    order = [kind for kind in {**LOOK_BY_KIND, **look_of} if kind in stays]
    for kind in reversed(order):  # homes are drawn last, on top of the many activities
        lost = {place: times for place, times in stays[kind].items() if times[1] < times[0] / 2}
        kept = {place: times for place, times in stays[kind].items() if place not in lost}
        sheet.legend.append(sheet.say(kind))
        rank = 1 + order.index(kind)
        for subset, hollow in ((lost, True), (kept, False)):
            if subset:
                markers = _poi_markers(kind, subset, look_of[kind], hollow, sheet)
                sheet.draft.add_trace(markers.update(showlegend=not hollow or not kept, legendrank=rank))
    return sheet.finish()


def _poi_markers(
    kind: str, stays: dict[Place, list[float]], look: Look, hollow: bool, sheet: Sheet
) -> go.Scatter:
    """A trace of the places of one type."""
    title = escape_markup(sheet.say(kind))
    return go.Scatter(
        x=[x for _, _, x in stays],
        y=[y for _, y, _ in stays],
        name=title,
        legendgroup=kind,
        mode="markers",
        marker={
            "symbol": look.symbol,
            "size": 9,
            "color": PAPER if hollow else look.colour,
            "line": {"width": 1.6 if hollow else 1, "color": look.colour if hollow else PAPER},
        },
        customdata=[
            sheet.say(
                "stay {before} h, in the release {after} h",
                before=sheet.number(before / 3600, 1),
                after=sheet.number(after / 3600, 1),
            )
            for before, after in stays.values()
        ],
        hovertemplate=f"%{{customdata}}<extra>{title}</extra>",
    )


def _axes(latitude: Values, longitude: Values, size: float, sheet: Sheet) -> None:
    """Set the axes with the same number of pixels per kilometre in both directions."""
    half = size / 2
    x, y = (
        padded_range([*(longitude - half), *(longitude + half)]),
        padded_range([*(latitude - half), *(latitude + half)]),
    )
    sheet.number_axes(sheet.say("longitude"), sheet.say("latitude"), x, y)
    middle = float(np.mean(finite_values(latitude))) if len(finite_values(latitude)) else 0.0
    sheet.draft.update_yaxes(scaleanchor="x", scaleratio=1 / max(0.01, math.cos(math.radians(middle))))


def needs_log_scale(values: Values) -> bool:
    """Whether the largest value is far above the median."""
    positive = values[np.isfinite(values) & (values > 0)]
    return len(positive) > 0 and not (values < 0).any() and positive.max() > _SKEW_RATIO * np.median(positive)


def log_ticks(colours: Values, sheet: Sheet) -> dict[str, object]:
    """Tick labels of a logarithmic colour bar: powers of ten."""
    exponents = finite_values(colours)
    powers = range(math.ceil(exponents.min() - 1e-9), math.floor(exponents.max() + 1e-9) + 1)
    return {"tickvals": list(powers), "ticktext": [sheet.number(10.0**power) for power in powers]}
