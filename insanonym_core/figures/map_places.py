"""Maps for print of where people stay, and of one individual, over the cells of all: original and release."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from insanonym_core.figures.card import Card, card_of
from insanonym_core.figures.map_figure import near_cells, ranges_of, report_map
from insanonym_core.figures.map_layers import Layer, poi_kinds, poi_layers
from insanonym_core.figures.map_panes import Range, add_panes, cell_grid
from insanonym_core.figures.maps import ALL_DELETED, INDIVIDUAL_DELETED
from insanonym_core.figures.places import LOOK_BY_KIND
from insanonym_core.figures.sheet import Sheet, padded_range
from insanonym_core.figures.theme import BLUE, INK, PAPER, PURPLE, Look, Size
from insanonym_core.mobility.places import (
    Path,
    Pois,
    cells_of,
    cells_with_min_individuals,
    path_of,
    pois_of,
)
from insanonym_core.numeric.arrays import Floats
from insanonym_core.texts import Phrase, say

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from insanonym_core.experiment import Report
    from insanonym_core.mobility.track import Track
    from insanonym_core.results.scores import CellMap, JsonObject

_CROWD = "#dfe3e8"
_SMALLEST, _LARGEST = 5, 16  # diameter of a place in pixels
_HEADINGS = ("Original", "Release")


def maps_of(report: Report) -> Iterator[tuple[str, Phrase, Callable[[Report, str, Size], go.Figure | None]]]:
    """Name, title and drawer of each map of a report that has something to show."""
    yield "map", Phrase("Map: original and release"), report_map
    if any(layer["individuals"] for side in _shared_places(report, "en") for layer in side):
        yield "map-of-places", Phrase("Map: home, work and activity"), report_places


def _shared_places(report: Report, lang: str) -> list[list[Layer]]:
    """Of both sides, the places that enough individuals share."""
    fewest = report.recipe.min_holders
    return [_shared(poi_layers(pois, lang, pois.size), fewest) for pois in map(pois_of, _tracks(report))]


def report_places(report: Report, lang: str, size: Size) -> go.Figure:
    """Cells where people live, work or are active: only those that enough of them share."""
    fewest = report.recipe.min_holders
    tracks = _tracks(report)
    layers = _shared_places(report, lang)
    sheet = _sheet(say("Map: home, work and activity", lang), card_of(report), lang, size)
    sheet.notes.append(
        say("Places and cells of fewer than {fewest} individuals are not shown.", lang, fewest=fewest)
    )
    sheet.notes.append(say("Larger: more individuals.", lang))
    crowd = [near_cells(cells_with_min_individuals(cells_of(track), fewest))[0] for track in tracks]
    shown = [cells for cells in crowd if len(cells.latitude)]
    headings = [
        sheet.say(heading) if len(cells.latitude) else f"{sheet.say(heading)} ({sheet.say(ALL_DELETED)})"
        for heading, cells in zip(_HEADINGS, crowd, strict=True)
    ]
    sheet.legend += [sheet.say(kind) for kind in poi_kinds()]
    ends = add_panes(sheet, headings, *ranges_of(shown))
    most = max(max(layer["individuals"], default=1) for side in layers for layer in side)
    for end, cells, side in zip(ends, crowd, layers, strict=True):
        _add_crowd(sheet, cells, end)
        _add_places(sheet, side, most, end)
    return sheet.finish()


def individual_map(report: Report, individual: str, lang: str, size: Size) -> go.Figure:
    """The path and the places of one individual, who is not named; not to be shared.

    Of the others only cells are shown that enough of them visit.
    """
    fewest = report.recipe.min_holders
    sheet = _sheet(say("One individual, followed", lang), card_of(report), lang, size)
    tracks = _tracks(report)
    paths = [path_of(track, individual) for track in tracks]
    pois = [pois_of(track).of_individual(individual) for track in tracks]
    headings = [
        sheet.say(heading)
        if len(path.latitude)
        else f"{sheet.say(heading)} ({sheet.say(INDIVIDUAL_DELETED)})"
        for heading, path in zip(_HEADINGS, paths, strict=True)
    ]
    sheet.notes.append(sheet.say("Grey: cells of {fewest} individuals or more.", fewest=fewest))
    sheet.legend += [sheet.say(name) for name in ("path", "first row", "last row", *poi_kinds())]
    ends = add_panes(sheet, headings, *_around(paths, pois))
    for end, track, path, own in zip(ends, tracks, paths, pois, strict=True):
        _add_crowd(sheet, cells_with_min_individuals(cells_of(track), fewest), end)
        _add_path(sheet, path, end)
        _add_places(sheet, poi_layers(own, lang, own.size), 1, end)
    return sheet.finish()


def _tracks(report: Report) -> tuple[Track, Track]:
    return report.release.original, report.release.release


def _sheet(title: str, card: Card, lang: str, size: Size) -> Sheet:
    return Sheet(title, card, lang, replace(size, height=0), plot_height=0)


def _shared(layers: Sequence[Layer], fewest: int) -> list[Layer]:
    """The layers with the places that at least so many individuals share."""
    kept = []
    for layer in layers:
        enough = [place for place, number in enumerate(layer["individuals"]) if number >= fewest]
        columns = ("latitude", "longitude", "individuals")
        kept.append(layer | {name: [layer[name][place] for place in enough] for name in columns})
    return kept


def _around(paths: Sequence[Path], pois: Sequence[Pois]) -> tuple[Range, Range]:
    """Longitudes and latitudes that hold all paths and places."""
    half = pois[0].size / 2
    longitude, latitude = (
        np.concatenate([np.asarray(getattr(one, name), dtype=float) for one in (*paths, *pois)])
        for name in ("longitude", "latitude")
    )
    if len(longitude) == 0:
        return (-half, half), (-half, half)
    return (
        padded_range([longitude.min() - half, longitude.max() + half]),
        padded_range([latitude.min() - half, latitude.max() + half]),
    )


def _add_crowd(sheet: Sheet, cells: CellMap, end: str) -> None:
    """The cells of all, in one grey."""
    if len(cells.latitude):
        grid = cell_grid(cells, np.ones(len(cells.latitude)), end)
        sheet.draft.add_trace(grid | {"colorscale": [[0, _CROWD], [1, _CROWD]], "showscale": False})


def _add_places(sheet: Sheet, layers: Sequence[Layer], most: int, end: str) -> None:
    """A marker for each place, of a symbol by type and larger the more individuals have it."""
    for layer, kind in zip(layers, poi_kinds(), strict=True):
        look = LOOK_BY_KIND.get(kind, Look(PURPLE))
        share = np.sqrt(np.asarray(layer["individuals"], dtype=float) / most)
        marker = {
            "symbol": look.symbol,
            "color": look.colour,
            "size": (_SMALLEST + (_LARGEST - _SMALLEST) * share) if most > 1 else 9,
            "line": {"width": 1, "color": PAPER},
        }
        _add(
            sheet, sheet.say(kind), layer["longitude"], layer["latitude"], end, mode="markers", marker=marker
        )


def _add_path(sheet: Sheet, path: Path, end: str) -> None:
    """The path with its first row as a ring and its last as a dot."""
    line = {"width": 1, "color": BLUE}
    _add(sheet, sheet.say("path"), path.longitude, path.latitude, end, mode="lines", line=line, opacity=0.7)
    for what, rows, colour in (("first row", slice(0, 1), PAPER), ("last row", slice(-1, None), INK)):
        marker = {"symbol": "circle", "size": 8, "color": colour, "line": {"width": 1.6, "color": INK}}
        x, y = path.longitude[rows], path.latitude[rows]
        _add(sheet, sheet.say(what), x, y, end, mode="markers", marker=marker)


def _add(
    sheet: Sheet,
    name: str,
    x: Sequence[float] | Floats,
    y: Sequence[float] | Floats,
    end: str,
    **more: object,
) -> None:
    """A scatter of one pane; the legend has each name once, from the first pane."""
    trace: JsonObject = {
        "type": "scatter",
        "name": name,
        "showlegend": not end,
        "x": [*map(float, x)] or [None],
        "y": [*map(float, y)] or [None],
        "xaxis": f"x{end}",
        "yaxis": f"y{end}",
        "hoverinfo": "skip",
        **more,
    }
    sheet.draft.add_trace(trace)
