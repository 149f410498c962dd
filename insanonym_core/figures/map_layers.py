"""Cells, points of interest and paths as the layers that maps.js draws, and the legends that explain them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from insanonym_core.arrays import Bools, Floats, Ints
from insanonym_core.errors import UsageError
from insanonym_core.figures.map_page import Legend
from insanonym_core.figures.map_scale import colours_of
from insanonym_core.figures.theme import BLUE, BROWN, GREEN, INK, ORANGE, PURPLE
from insanonym_core.mobility.places import Path, Pois
from insanonym_core.scores import CellMap, PoiMap
from insanonym_core.texts import say
from insanonym_core.written import number

Layer = dict[str, Any]
Bounds = list[list[float]]

POI_COLOURS = {"home": ORANGE, "work": GREEN, "activity": PURPLE}
FAR = 20
DIGITS = 5  # about a metre

_CROWD = ("#f1f3f5", "#dfe3e8")
# Where in its cell a type of place is drawn, in cells: a stay is known by its cell alone, and the three
# must not cover each other.
_CORNERS = {"home": (-0.22, -0.25), "work": (-0.22, 0.25), "activity": (0.22, 0.0)}
_COUNTED = {
    "rows": ("row", "rows"),
    "individuals": ("individual", "individuals"),
    "original": ("row in the original", "rows in the original"),
    "release": ("row in the release", "rows in the release"),
}
_MEANING = {"rows": "rows in a cell", "individuals": "individuals in a cell"}


def counted(name: str, lang: str) -> list[str]:
    """The word for one and for several."""
    return [say(word, lang) for word in _COUNTED.get(name, (name, name))]


# --- cells ------------------------------------------------------------------------------------------


def cell_layer(cells: CellMap, value: str, breaks: Sequence[int], lang: str, *, crowd: bool = False) -> Layer:
    """Cells in columns: grid indices instead of degrees, to keep the file small. A crowd stays grey."""
    check_value(cells, value)
    numbers = {name: column for name, column in cells.values.items() if column.dtype != bool}
    colours = list(_CROWD[: len(breaks)]) if crowd else colours_of(len(breaks))
    return {
        "kind": "cells",
        "label": say("everybody" if crowd else "cells", lang),
        "size": cells.size,
        "latitude": np.rint(cells.latitude / cells.size).astype(int).tolist(),
        "longitude": np.rint(cells.longitude / cells.size).astype(int).tolist(),
        "value": value,
        "values": {name: column.tolist() for name, column in numbers.items()},
        "labels": {name: counted(name, lang) for name in numbers},
        "breaks": list(breaks),
        "colours": colours,
    }


def check_value(cells: CellMap, value: str) -> None:
    """Refuse a value that the cells do not have."""
    if value not in cells.values:
        raise UsageError(f"These cells can be coloured by {', '.join(cells.values)}; got {value!r}.")


def cell_legend(cells: Sequence[CellMap], value: str, breaks: Sequence[int], lang: str) -> Legend:
    """What each colour stands for; the last class ends at the largest number there is."""
    most = max((int(part.values[value].max(initial=0)) for part in cells), default=0)
    ends = [*(low - 1 for low in breaks[1:]), max(most, breaks[-1])]
    ranges = [
        number(low, lang) if low == high else f"{number(low, lang)}–{number(high, lang)}"
        for low, high in zip(breaks, ends, strict=True)
    ]
    return Legend(
        say(_MEANING.get(value, counted(value, lang)[1]), lang),
        [("cell", colour, text) for colour, text in zip(colours_of(len(breaks)), ranges, strict=True)],
    )


# --- points of interest -----------------------------------------------------------------------------


def poi_layers(pois: Pois | PoiMap, lang: str, size: float, least: float = 3.5) -> list[Layer]:
    """One layer for each type of place: a circle per cell, for all who have their place there.

    Nobody is named; how full a circle is says how much of the stay is left, where the data tells.
    `least`: the radius of the smallest, in pixels.
    """
    return [_poi_layer(pois, kind, lang, size) | {"least": least} for kind in kinds_of(pois)]


def kinds_of(*pois: Pois | PoiMap) -> list[str]:
    """The types of place: the usual three, and whatever else there is."""
    others = {str(kind) for part in pois for kind in np.unique(part.kind.astype(str))} - set(POI_COLOURS)
    return [*POI_COLOURS, *sorted(others)]


def _poi_layer(pois: Pois | PoiMap, kind: str, lang: str, size: float) -> Layer:
    of_kind = pois.kind == kind
    latitude, longitude = (
        np.rint(column[of_kind] / size).astype(np.int64) for column in (pois.latitude, pois.longitude)
    )
    cells, cell = np.unique(np.stack((latitude, longitude), axis=1), axis=0, return_inverse=True)
    cell = cell.reshape(-1)
    people = np.unique(pois.individual[of_kind].astype(str), return_inverse=True)[1].reshape(-1)
    pairs = np.unique(np.stack((cell, people), axis=1), axis=0)
    north, east = _CORNERS.get(kind, (0.22, 0.25))
    stays, left = _stays(pois, of_kind, cell, len(cells), lang)
    return {
        "kind": "pois",
        "label": say(kind, lang),
        "size": size,
        "colour": POI_COLOURS.get(kind, BROWN),
        # An edge of its colour shows a circle that is hardly filled; a full one needs none.
        "edge": POI_COLOURS.get(kind, BROWN) if isinstance(pois, PoiMap) else None,
        "latitude": rounded((cells[:, 0] + north) * size),
        "longitude": rounded((cells[:, 1] + east) * size),
        "individuals": np.bincount(pairs[:, 0], minlength=len(cells)).tolist(),
        "labels": {"individuals": counted("individuals", lang)},
        "stays": stays,
        "left": left,
    }


def _stays(pois: Pois | PoiMap, of_kind: Any, cell: Ints, cells: int, lang: str) -> tuple[Any, list[float]]:
    """Hours of stay in each cell with their label, and the share of them that is left."""

    def hours(seconds: Floats) -> Floats:
        return np.bincount(cell, weights=seconds[of_kind], minlength=cells) / 3600

    if isinstance(pois, Pois):
        label = [say("hour of stay", lang), say("hours of stay", lang)]
        return [[label, hours(pois.stay).round(2).tolist()]], [1] * cells
    before, after = hours(pois.stay_original), hours(pois.stay_release)
    labels = [
        [say("hour of stay in the original", lang), say("hours of stay in the original", lang)],
        [say("hour of stay in the release", lang), say("hours of stay in the release", lang)],
    ]
    left = np.minimum(1, after / np.maximum(before, 1e-9))
    return (
        [[labels[0], before.round(2).tolist()], [labels[1], after.round(2).tolist()]],
        (0.05 + 0.85 * left).round(2).tolist(),
    )


def poi_legend(kinds: Sequence[str], lang: str, title: str = "larger circle: more individuals") -> Legend:
    """The colours of the types of place."""
    return Legend(
        say(title, lang),
        [("circle", POI_COLOURS.get(kind, BROWN), say(kind, lang)) for kind in kinds],
    )


# --- one individual ---------------------------------------------------------------------------------


def path_layers(path: Path, published: Sequence[str], lang: str) -> list[Layer]:
    """The way of one individual, its first and its last row, with the ids these two are `published` under."""
    points = [list(point) for point in zip(rounded(path.latitude), rounded(path.longitude), strict=True)]
    ends = [0, len(points) - 1] if points else []
    ids = [[say("published as {id}", lang, id=one)] for one in published] or [[], []]
    texts = [
        [say(what, lang), str(path.time[place]).replace("T", " "), *shown]
        for what, place, shown in zip(("first row", "last row"), ends, ids, strict=False)
    ]
    return [
        {"kind": "path", "label": say("path", lang), "colour": BLUE, "points": points},
        {
            "kind": "ends",
            "label": say("first and last row", lang),
            "colour": INK,
            "points": [points[place] for place in ends],
            "texts": texts,
        },
    ]


def path_legend(lang: str) -> Legend:
    """The signs of a path."""
    return Legend(
        "",
        [
            ("line", BLUE, say("path", lang)),
            ("ring", INK, say("first row", lang)),
            ("circle", INK, say("last row", lang)),
            ("cell", _CROWD[0], say("cell of one individual", lang)),
            ("cell", _CROWD[1], say("of several", lang)),
        ],
    )


# --- where to look ----------------------------------------------------------------------------------


def rounded(degrees: Floats) -> list[float]:
    """Coordinates to about a metre."""
    return np.asarray(degrees, dtype=np.float64).round(DIGITS).tolist()


def bounds_of(*parts: tuple[Floats, Floats, float]) -> Bounds | None:
    """The rectangle that holds all (latitudes, longitudes, margin); none when there is no place at all."""
    filled = [part for part in parts if len(part[0])]
    if not filled:
        return None
    corners = np.array(
        [
            [lat.min() - edge, lon.min() - edge, lat.max() + edge, lon.max() + edge]
            for lat, lon, edge in filled
        ]
    )
    south, west = corners[:, :2].min(axis=0)
    north, east = corners[:, 2:].max(axis=0)
    return [rounded(np.array([south, west])), rounded(np.array([north, east]))]


def near(cells: CellMap, value: str) -> Bools:
    """Which cells a first view shows: one journey across the world must not make a city a dot.

    Far is what lies more than the span of nine tenths of the whole `value` beyond these, or FAR cells.
    """
    inside = np.ones(len(cells.latitude), dtype=bool)
    weight = np.asarray(cells.values[value], dtype=np.float64)
    if weight.sum() == 0:
        return inside
    for degrees in (cells.latitude, cells.longitude):
        order = np.argsort(degrees, kind="stable")
        share = np.cumsum(weight[order]) / weight.sum()
        low, high = (degrees[order][np.searchsorted(share, part)] for part in (0.05, 0.95))
        beyond = max(high - low, FAR * cells.size)
        inside &= (degrees >= low - beyond) & (degrees <= high + beyond)
    return inside
