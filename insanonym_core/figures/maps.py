"""Maps to save and hand on: cells, points of interest, original | release, one individual followed.

One HTML file each, which asks nobody for anything. There is no background unless it is asked for: whoever
serves map tiles learns where the people in the data live.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from insanonym_core.figures.map_layers import (
    Bounds,
    Layer,
    bounds_of,
    cell_layer,
    cell_legend,
    check_value,
    kinds_of,
    near,
    path_layers,
    path_legend,
    poi_layers,
    poi_legend,
)
from insanonym_core.figures.map_page import MapPage, Pane
from insanonym_core.figures.map_scale import breaks_of
from insanonym_core.mobility.places import TITLES, Pois, cells_of, path_of, pois_of, rows_of
from insanonym_core.mobility.track import Track
from insanonym_core.output import writing
from insanonym_core.scores import CellMap, PoiMap
from insanonym_core.texts import say
from insanonym_core.written import number

__all__ = ["MapPage", "cell_map", "follow", "poi_map", "save_map", "side_by_side"]

Shown = TypeVar("Shown", CellMap, Track)

_ALL_DELETED = "Nothing is left here: every row was deleted."
_NO_POI = "Nobody stays anywhere within the hours of home, work or activity."
_ALL_MINE_DELETED = "No row of this individual is left here."
_PALER = "larger circle: more individuals · paler: less of their stay is left"


def cell_map(cells: CellMap, value: str = "rows", lang: str = "en", *, tiles: bool = False) -> MapPage:
    """The cells, coloured by one of their values."""
    check_value(cells, value)
    breaks = breaks_of([cells], value)
    pane = Pane(
        "cells",
        say(TITLES.get(value, cells.title), lang),
        _said_of(cells, lang),
        [cell_layer(cells, value, breaks, lang)],
        "" if len(cells.latitude) else say(_ALL_DELETED, lang),
    )
    legends = [cell_legend([cells], value, breaks, lang)]
    bounds, outside = _view([cells], value)
    return MapPage(say("Cells", lang), [pane], legends, bounds, lang=lang, tiles=tiles, outside=outside)


def poi_map(pois: Pois | PoiMap, lang: str = "en", *, decimals: int = 2, tiles: bool = False) -> MapPage:
    """The points of interest by type, a circle per cell. `decimals`: the grid of a score's PoiMap."""
    size = _size_of(pois, decimals)
    some = len(pois.latitude) > 0
    pane = Pane(
        "pois",
        say(pois.title, lang),
        "",
        poi_layers(pois, lang, size),
        "" if some else say(_NO_POI, lang),
    )
    legend = poi_legend(kinds_of(pois), lang, *([_PALER] if isinstance(pois, PoiMap) else []))
    bounds = bounds_of((pois.latitude, pois.longitude, size / 2))
    return MapPage(say("Points of interest", lang), [pane], [legend], bounds, lang=lang, tiles=tiles)


def side_by_side(
    original: CellMap,
    release: CellMap,
    pois: tuple[Pois, Pois] | None = None,
    *,
    value: str = "rows",
    lang: str = "en",
    tiles: bool = False,
) -> MapPage:
    """Original | release, on one scale of colours, with the `pois` of each; the panes move together."""
    for cells in (original, release):
        check_value(cells, value)
    breaks = breaks_of([original, release], value)
    panes = []
    for place, (name, heading, cells) in enumerate(_sides(original, release)):
        layers = [cell_layer(cells, value, breaks, lang)]
        if pois:
            layers += poi_layers(pois[place], lang, pois[place].size, least=2.5)
        nothing = "" if len(cells.latitude) else say(_ALL_DELETED, lang)
        panes.append(Pane(name, say(heading, lang), _said_of(cells, lang), layers, nothing))
    legends = [cell_legend([original, release], value, breaks, lang)]
    if pois:
        legends.append(poi_legend(kinds_of(*pois), lang))
    title = say("Cells and points of interest" if pois else "Cells", lang)
    bounds, outside = _view([original, release], value)
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
    """One individual in the tracks of a pair: path, places, first and last row, before everybody's cells.

    The page names nobody, unless `named`: then the id stands in the title, and published ids at both ends.
    """
    panes, around = [], []
    for name, heading, track in _sides(original, release):
        path = path_of(track, individual)
        mine = pois_of(track, decimals=decimals).of_individual(individual)
        crowd = cells_of(track, decimals, by="individuals")
        layers: list[Layer] = [cell_layer(crowd, "individuals", [1, 2], lang, crowd=True)]
        layers += path_layers(path, _published(track, individual) if named else [], lang)
        layers += poi_layers(mine, lang, mine.size)
        rows = len(rows_of(track, individual))
        said = say("{rows} rows", lang, rows=number(rows, lang))
        nothing = "" if rows else say(_ALL_MINE_DELETED, lang)
        panes.append(Pane(name, say(heading, lang), said, layers, nothing))
        around += [
            (path.latitude, path.longitude, 0.0),
            (mine.latitude, mine.longitude, mine.size / 2),
        ]
    title = (
        say("Individual {name}, followed", lang, name=individual)
        if named
        else say("One individual, followed", lang)
    )
    legends = [path_legend(lang), poi_legend(kinds_of(), lang, "")]
    return MapPage(title, panes, legends, bounds_of(*around), lang=lang, tiles=tiles)


def save_map(page: MapPage, path: Path | str, force: bool = False, *, card: str = "") -> None:
    """Write a map as one HTML file that needs nothing else, with the text of its recipe card below it."""
    with writing(Path(path), force=force) as beside:
        beside.write_text(page.render(card=card), encoding="utf-8", newline="\n")


def _sides(original: Shown, release: Shown) -> Sequence[tuple[str, str, Shown]]:
    return ("original", "Original", original), ("release", "Release", release)


def _said_of(cells: CellMap, lang: str) -> str:
    """How much there is, where it is counted."""
    if len(cells.latitude) == 0:
        return ""
    if "rows" not in cells.values:
        return say("{cells} cells", lang, cells=number(len(cells.latitude), lang))
    return say(
        "{rows} rows in {cells} cells",
        lang,
        rows=number(int(cells.values["rows"].sum()), lang),
        cells=number(len(cells.latitude), lang),
    )


def _published(track: Track, individual: str) -> list[str]:
    """The ids under which the first and the last row of an individual are published."""
    rows = rows_of(track, individual)
    return [track.tokens[track.kept.token[row]] for row in rows[[0, -1]]] if len(rows) else []


def _size_of(pois: Pois | PoiMap, decimals: int) -> float:
    return pois.size if isinstance(pois, Pois) else 10.0**-decimals


def _view(maps: Sequence[CellMap], value: str) -> tuple[Bounds | None, int]:
    """Where to look first, and how many cells are not there."""
    shown = [(cells, near(cells, value)) for cells in maps]
    bounds = bounds_of(*((cells.latitude[at], cells.longitude[at], cells.size / 2) for cells, at in shown))
    return bounds, sum(int((~at).sum()) for _, at in shown)
