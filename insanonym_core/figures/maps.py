"""Maps as HTML files: cells, points of interest, original beside release, one individual.

Each is self-contained. There is no background map by default: the server of the tiles would learn where the
individuals in the data live.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from insanonym_core.figures.map_layers import (
    Bounds,
    Layer,
    bounding_box,
    cell_layer,
    cell_legend,
    check_value,
    is_near,
    path_layers,
    path_legend,
    poi_kinds,
    poi_layers,
    poi_legend,
)
from insanonym_core.figures.map_page import MapPage, Pane
from insanonym_core.figures.map_scale import class_breaks
from insanonym_core.io.output import writing
from insanonym_core.mobility.places import TITLES, Pois, cells_of, path_of, pois_of, rows_of
from insanonym_core.mobility.track import Track
from insanonym_core.recipe_texts import quantity
from insanonym_core.results.scores import CellMap, PoiMap
from insanonym_core.texts import Phrase, say

__all__ = ["MapPage", "cell_map", "follow", "poi_map", "save_map", "side_by_side"]

MapData = TypeVar("MapData", CellMap, Track)

ALL_DELETED = "Nothing is left here: every row was deleted."
_NO_POI = "Nobody stays anywhere within the hours of home, work or activity."
INDIVIDUAL_DELETED = "No row of this individual is left here."
_KEPT_SHARE_TITLE = "larger circle: more individuals · paler: less of their stay is left"


def cell_map(cells: CellMap, value: str = "rows", lang: str = "en", *, tiles: bool = False) -> MapPage:
    """Map of the cells, coloured by one of their values."""
    check_value(cells, value)
    breaks = class_breaks([cells], value)
    pane = Pane(
        "cells",
        say(TITLES.get(value, cells.title), lang),
        _cells_summary(cells, lang),
        [cell_layer(cells, value, breaks, lang)],
        "" if len(cells.latitude) else say(ALL_DELETED, lang),
    )
    legends = [cell_legend([cells], value, breaks, lang)]
    bounds, outside = _initial_view([cells], value)
    return MapPage(say("Cells", lang), [pane], legends, bounds, lang=lang, tiles=tiles, outside=outside)


def poi_map(pois: Pois | PoiMap, lang: str = "en", *, decimals: int = 2, tiles: bool = False) -> MapPage:
    """Map of points of interest by type, one circle per cell; `decimals` is the grid of a PoiMap."""
    size = _cell_size(pois, decimals)
    has_pois = len(pois.latitude) > 0
    pane = Pane(
        "pois",
        say(pois.title, lang),
        "",
        poi_layers(pois, lang, size),
        "" if has_pois else say(_NO_POI, lang),
    )
    legend = poi_legend(poi_kinds(pois), lang, *([_KEPT_SHARE_TITLE] if isinstance(pois, PoiMap) else []))
    bounds = bounding_box((pois.latitude, pois.longitude, size / 2))
    return MapPage(say("Points of interest", lang), [pane], [legend], bounds, lang=lang, tiles=tiles)


def side_by_side(
    original: CellMap,
    release: CellMap,
    pois: tuple[Pois, Pois] | None = None,
    *,
    kinds: Sequence[str] | None = None,
    value: str = "rows",
    lang: str = "en",
    tiles: bool = False,
) -> MapPage:
    """Original beside release, on one colour scale, with the `pois` of each; the panes move together.

    `kinds` are the types of places to show, all of them by default.
    """
    for cells in (original, release):
        check_value(cells, value)
    breaks = class_breaks([original, release], value)
    panes = []
    for index, (name, heading, cells) in enumerate(_sides(original, release)):
        layers = [cell_layer(cells, value, breaks, lang)]
        if pois:
            layers += poi_layers(pois[index], lang, pois[index].size, 2.5, kinds)
        nothing = "" if len(cells.latitude) else say(ALL_DELETED, lang)
        panes.append(Pane(name, say(heading, lang), _cells_summary(cells, lang), layers, nothing))
    legends = [cell_legend([original, release], value, breaks, lang)]
    if pois:
        legends.append(poi_legend(poi_kinds(*pois) if kinds is None else kinds, lang))
    title = say("Cells and points of interest" if pois else "Cells", lang)
    bounds, outside = _initial_view([original, release], value)
    return MapPage(title, panes, legends, bounds, lang=lang, tiles=tiles, outside=outside)


def follow(
    original: Track,
    release: Track,
    individual: str,
    lang: str = "en",
    *,
    named: bool = False,
    decimals: int = 2,
    tiles: bool = False,
) -> MapPage:
    """Map of one individual before and after: path, places, first and last row, over the cells of all.

    With `named`, the title shows the id of the individual and the two ends show the published ids.
    """
    panes, extents = [], []
    for name, heading, track in _sides(original, release):
        path = path_of(track, individual)
        own_pois = pois_of(track, decimals=decimals).of_individual(individual)
        crowd = cells_of(track, decimals, by="individuals")
        layers: list[Layer] = [cell_layer(crowd, "individuals", [1, 2], lang, crowd=True)]
        layers += path_layers(path, _end_tokens(track, individual) if named else [], lang)
        layers += poi_layers(own_pois, lang, own_pois.size)
        rows = len(rows_of(track, individual))
        subheading = say(quantity(rows, "rows"), lang)
        nothing = "" if rows else say(INDIVIDUAL_DELETED, lang)
        panes.append(Pane(name, say(heading, lang), subheading, layers, nothing))
        extents += [
            (path.latitude, path.longitude, 0.0),
            (own_pois.latitude, own_pois.longitude, own_pois.size / 2),
        ]
    title = (
        say("Individual {name}, followed", lang, name=individual)
        if named
        else say("One individual, followed", lang)
    )
    legends = [path_legend(lang), poi_legend(poi_kinds(), lang, "")]
    return MapPage(title, panes, legends, bounding_box(*extents), lang=lang, tiles=tiles)


def save_map(page: MapPage, path: Path | str, force: bool = False, *, card: str = "") -> None:
    """Write a map as a self-contained HTML file, with the text `card` below it."""
    with writing(Path(path), force=force) as temporary:
        temporary.write_text(page.render(card=card), encoding="utf-8", newline="\n")


def _sides(original: MapData, release: MapData) -> Sequence[tuple[str, str, MapData]]:
    return ("original", "Original", original), ("release", "Release", release)


def _cells_summary(cells: CellMap, lang: str) -> str:
    """Number of rows, if known, and of cells."""
    if len(cells.latitude) == 0:
        return ""
    if "rows" not in cells.values:
        return say(quantity(len(cells.latitude), "cells"), lang)
    rows, places = quantity(int(cells.values["rows"].sum()), "rows"), quantity(len(cells.latitude), "cells")
    return say(Phrase("{rows} in {cells}", rows=rows, cells=places), lang)


def _end_tokens(track: Track, individual: str) -> list[str]:
    """Published ids of the first and the last row of an individual."""
    rows = rows_of(track, individual)
    return [track.tokens[track.kept.token[row]] for row in rows[[0, -1]]] if len(rows) else []


def _cell_size(pois: Pois | PoiMap, decimals: int) -> float:
    return pois.size if isinstance(pois, Pois) else 10.0**-decimals


def _initial_view(maps: Sequence[CellMap], value: str) -> tuple[Bounds | None, int]:
    """Bounds of the initial view, and the number of cells outside it."""
    visible = [(cells, is_near(cells, value)) for cells in maps]
    bounds = bounding_box(
        *((cells.latitude[inside], cells.longitude[inside], cells.size / 2) for cells, inside in visible)
    )
    return bounds, sum(int((~inside).sum()) for _, inside in visible)
