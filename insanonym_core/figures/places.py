"""Cells and points of interest in longitude and latitude, without a map server behind them."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.matrix import BAR_ROOM, colour_bar
from insanonym_core.figures.sheet import Sheet, finite, span
from insanonym_core.figures.text_layout import escape_markup
from insanonym_core.figures.theme import GREEN, ORANGE, PAPER, PURPLE, SEQUENTIAL, Look, looks
from insanonym_core.scores import CellMap, PoiMap, Values

Place = tuple[object, float, float]  # whose, latitude, longitude

_MOST_CELLS_ACROSS = 600
_SKEWED = 20  # a highest value so many times the middle one hides all others on a linear scale
_KINDS = {
    "home": Look(ORANGE, symbol="square"),
    "work": Look(GREEN, symbol="diamond"),
    "activity": Look(PURPLE, symbol="circle"),
}


def draw_cells(cells: CellMap, sheet: Sheet) -> go.Figure:
    """The cells as squares, coloured by the first of their values; the others stand in the hover text."""
    latitude, longitude = np.asarray(cells.latitude, dtype=float), np.asarray(cells.longitude, dtype=float)
    if len(latitude) == 0 or not cells.values:
        return sheet.empty()
    first, values = next((name, np.asarray(values, dtype=float)) for name, values in cells.values.items())
    sheet.right = BAR_ROOM
    _axes(latitude, longitude, cells.size, sheet)
    shown = sheet.say(first)
    logarithm = _wants_logarithm(values)
    sheet.notes.append(
        sheet.say("Colour: {what} (logarithmic).", what=shown)
        if logarithm
        else sheet.say("Colour: {what}.", what=shown)
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
    bar = colour_bar(sheet) | (_log_ticks(colours, sheet) if logarithm else {})
    if across <= _MOST_CELLS_ACROSS:
        grid = np.full((row.max() + 1, column.max() + 1), np.nan)
        words = np.full(grid.shape, "", dtype=object)
        grid[row, column], words[row, column] = colours, texts
        trace = go.Heatmap(
            z=grid,
            x0=longitude.min(),
            dx=cells.size,
            y0=latitude.min(),
            dy=cells.size,
            customdata=words,
            hoverongaps=False,
            xgap=0.6 if across < 120 else 0,
            ygap=0.6 if across < 120 else 0,
            colorscale=SEQUENTIAL,
            colorbar=bar,
        )
    else:  # far-flung cells: a grid of all places in between would be mostly empty
        marker = {"symbol": "square", "size": 4, "color": colours, "colorscale": SEQUENTIAL, "colorbar": bar}
        trace = go.Scatter(x=longitude, y=latitude, mode="markers", marker=marker, customdata=texts)
    trace.hovertemplate = "%{customdata}<extra></extra>"
    sheet.draft.add_trace(trace)
    return sheet.finish()


def draw_pois(pois: PoiMap, sheet: Sheet) -> go.Figure:
    """One sign per place and type: full where at least half of the stay is left, hollow where it is lost.

    Whose place it is stays out of the picture, which may be shown around.
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
    for kind, who, y, x, before, after in zip(
        *(np.asarray(column).tolist() for column in columns), strict=True
    ):
        total = stays.setdefault(str(kind), {}).setdefault((who, y, x), [0.0, 0.0])
        total[0] += before
        total[1] += after
    if not stays:
        return sheet.empty()
    _axes(np.asarray(pois.latitude), np.asarray(pois.longitude), 0.0, sheet)
    sheet.notes.append(sheet.say("Hollow: more than half of the stay is gone in the release."))
    named = {**looks(stays), **_KINDS}
    order = [kind for kind in {**_KINDS, **named} if kind in stays]
    for kind in reversed(order):  # the many activities below, homes on top
        lost = {place: times for place, times in stays[kind].items() if times[1] < times[0] / 2}
        kept = {place: times for place, times in stays[kind].items() if place not in lost}
        sheet.legend.append(sheet.say(kind))
        rank = 1 + order.index(kind)
        for some, hollow in ((lost, True), (kept, False)):
            if some:
                signs = _signs(kind, some, named[kind], hollow, sheet)
                sheet.draft.add_trace(signs.update(showlegend=not hollow or not kept, legendrank=rank))
    return sheet.finish()


def _signs(kind: str, stays: dict[Place, list[float]], look: Look, hollow: bool, sheet: Sheet) -> go.Scatter:
    shown = escape_markup(sheet.say(kind))
    return go.Scatter(
        x=[x for _, _, x in stays],
        y=[y for _, y, _ in stays],
        name=shown,
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
        hovertemplate=f"%{{customdata}}<extra>{shown}</extra>",
    )


def _axes(latitude: Values, longitude: Values, size: float, sheet: Sheet) -> None:
    """As many pixels a kilometre upwards as sideways."""
    half = size / 2
    x, y = span([*(longitude - half), *(longitude + half)]), span([*(latitude - half), *(latitude + half)])
    sheet.number_axes(sheet.say("longitude"), sheet.say("latitude"), x, y)
    middle = float(np.mean(finite(latitude))) if len(finite(latitude)) else 0.0
    sheet.draft.update_yaxes(scaleanchor="x", scaleratio=1 / max(0.01, math.cos(math.radians(middle))))


def _wants_logarithm(values: Values) -> bool:
    above = values[np.isfinite(values) & (values > 0)]
    return len(above) > 0 and not (values < 0).any() and above.max() > _SKEWED * np.median(above)


def _log_ticks(colours: Values, sheet: Sheet) -> dict[str, object]:
    """Powers of ten on the colour bar, under their own names."""
    found = finite(colours)
    powers = range(math.ceil(found.min() - 1e-9), math.floor(found.max() + 1e-9) + 1)
    return {"tickvals": list(powers), "ticktext": [sheet.number(10.0**power) for power in powers]}
