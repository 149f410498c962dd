"""Cells, points of interest and paths as the layers that maps.js draws, and the legends that explain them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from insanonym_core.errors import UsageError, brief
from insanonym_core.figures.map_page import Legend
from insanonym_core.figures.map_scale import class_colours
from insanonym_core.figures.theme import BLUE, BROWN, GREEN, INK, ORANGE, PURPLE
from insanonym_core.mobility.places import Path, Pois
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.results.scores import CellMap, PoiMap
from insanonym_core.texts import say
from insanonym_core.texts.numbers import number

Layer: TypeAlias = dict[str, Any]  # Any: JSON for maps.js
Bounds = list[list[float]]

POI_COLOURS = {"home": ORANGE, "work": GREEN, "activity": PURPLE}
FAR_CELLS = 20
COORDINATE_DIGITS = 5  # about a metre

_CROWD_COLOURS = ("#f1f3f5", "#dfe3e8")
# Offset of each type of place inside its cell, as a share of the cell: only the cell of a stay is known, and
# the three types must not overlap.
_OFFSET_IN_CELL = {"home": (-0.22, -0.25), "work": (-0.22, 0.25), "activity": (0.22, 0.0)}
_COUNT_WORDS = {
    "rows": ("row", "rows"),
    "individuals": ("individual", "individuals"),
    "original": ("row in the original", "rows in the original"),
    "release": ("row in the release", "rows in the release"),
}
_LEGEND_TITLES = {"rows": "rows in a cell", "individuals": "individuals in a cell"}


def count_words(name: str, lang: str) -> list[str]:
    """Singular and plural of what a value counts."""
    return [say(word, lang) for word in _COUNT_WORDS.get(name, (name, name))]


# --- cells ------------------------------------------------------------------------------------------


def cell_layer(cells: CellMap, value: str, breaks: Sequence[int], lang: str, *, crowd: bool = False) -> Layer:
    """Layer of cells, as grid indices rather than degrees to keep the file small; grey for a `crowd`."""
    check_value(cells, value)
    numbers = {name: column for name, column in cells.values.items() if column.dtype != bool}
    colours = list(_CROWD_COLOURS[: len(breaks)]) if crowd else class_colours(len(breaks))
    return {
        "kind": "cells",
        "label": say("everybody" if crowd else "cells", lang),
        "size": cells.size,
        "latitude": np.rint(cells.latitude / cells.size).astype(int).tolist(),
        "longitude": np.rint(cells.longitude / cells.size).astype(int).tolist(),
        "value": value,
        "values": {name: column.tolist() for name, column in numbers.items()},
        "labels": {name: count_words(name, lang) for name in numbers},
        "breaks": list(breaks),
        "colours": colours,
    }


def check_value(cells: CellMap, value: str) -> None:
    """Raise a UsageError if the cells have no such value."""
    if value not in cells.values:
        raise UsageError(
            "These cells can be coloured by {values}, got {value}.",
            values=", ".join(cells.values),
            value=brief(value),
        )


def cell_legend(cells: Sequence[CellMap], value: str, breaks: Sequence[int], lang: str) -> Legend:
    """Legend of the colour classes; the last class ends at the largest value."""
    largest = max((int(part.values[value].max(initial=0)) for part in cells), default=0)
    ends = [*(low - 1 for low in breaks[1:]), max(largest, breaks[-1])]
    ranges = [
        number(low, lang) if low == high else f"{number(low, lang)}–{number(high, lang)}"
        for low, high in zip(breaks, ends, strict=True)
    ]
    return Legend(
        say(_LEGEND_TITLES.get(value, count_words(value, lang)[1]), lang),
        [("cell", colour, text) for colour, text in zip(class_colours(len(breaks)), ranges, strict=True)],
    )


# --- points of interest -----------------------------------------------------------------------------


def poi_layers(
    pois: Pois | PoiMap,
    lang: str,
    size: float,
    min_radius: float = 3.5,
    kinds: Sequence[str] | None = None,
) -> list[Layer]:
    """One layer per type of place, with one circle per cell for all individuals who have a place there.

    Individuals are not named. The opacity of a circle is the share of the stay that is left, if known.
    `min_radius` is the radius of the smallest circle, in pixels; `kinds` are the types, all by default.
    """
    shown = poi_kinds(pois) if kinds is None else kinds
    return [_poi_layer(pois, kind, lang, size) | {"least": min_radius} for kind in shown]


def poi_kinds(*pois: Pois | PoiMap) -> list[str]:
    """Types of place: home, work and activity, then any others in the data."""
    others = {str(kind) for part in pois for kind in np.unique(part.kind.astype(str))} - set(POI_COLOURS)
    return [*POI_COLOURS, *sorted(others)]


def _poi_layer(pois: Pois | PoiMap, kind: str, lang: str, size: float) -> Layer:
    """Layer of one type of place: a circle per cell with its individuals and hours of stay."""
    of_kind = pois.kind == kind
    latitude, longitude = (
        np.rint(column[of_kind] / size).astype(np.int64) for column in (pois.latitude, pois.longitude)
    )
    cells, cell = np.unique(np.stack((latitude, longitude), axis=1), axis=0, return_inverse=True)
    cell = cell.reshape(-1)
    people = np.unique(pois.individual[of_kind].astype(str), return_inverse=True)[1].reshape(-1)
    pairs = np.unique(np.stack((cell, people), axis=1), axis=0)
    north, east = _OFFSET_IN_CELL.get(kind, (0.22, 0.25))
    stays, kept_share = _stay_hours(pois, of_kind, cell, len(cells), lang)
    return {
        "kind": "pois",
        "label": say(kind, lang),
        "size": size,
        "colour": POI_COLOURS.get(kind, BROWN),
        # A nearly transparent circle needs an edge to be visible.
        "edge": POI_COLOURS.get(kind, BROWN) if isinstance(pois, PoiMap) else None,
        "latitude": round_coordinates((cells[:, 0] + north) * size),
        "longitude": round_coordinates((cells[:, 1] + east) * size),
        "individuals": np.bincount(pairs[:, 0], minlength=len(cells)).tolist(),
        "labels": {"individuals": count_words("individuals", lang)},
        "stays": stays,
        "left": kept_share,
    }


def _stay_hours(
    pois: Pois | PoiMap, of_kind: Bools, cell: Ints, cell_count: int, lang: str
) -> tuple[list[list[object]], list[float]]:
    """Hours of stay in each cell with their label, and the opacity for the share that is left."""

    def hours(seconds: Floats) -> Floats:
        return np.bincount(cell, weights=seconds[of_kind], minlength=cell_count) / 3600

    if isinstance(pois, Pois):
        label = [say("hour of stay", lang), say("hours of stay", lang)]
        return [[label, hours(pois.stay).round(2).tolist()]], [1] * cell_count
    before, after = hours(pois.stay_original), hours(pois.stay_release)
    labels = [
        [say("hour of stay in the original", lang), say("hours of stay in the original", lang)],
        [say("hour of stay in the release", lang), say("hours of stay in the release", lang)],
    ]
    kept_share = np.minimum(1, after / np.maximum(before, 1e-9))
    return (
        [[labels[0], before.round(2).tolist()], [labels[1], after.round(2).tolist()]],
        (0.05 + 0.85 * kept_share).round(2).tolist(),
    )


def poi_legend(kinds: Sequence[str], lang: str, title: str = "larger circle: more individuals") -> Legend:
    """Legend of the types of place."""
    return Legend(
        say(title, lang),
        [("circle", POI_COLOURS.get(kind, BROWN), say(kind, lang)) for kind in kinds],
    )


# --- one individual ---------------------------------------------------------------------------------


def path_layers(path: Path, published: Sequence[str], lang: str) -> list[Layer]:
    """Layers of the path of one individual and of its first and last row, with their `published` ids."""
    points = [
        list(point)
        for point in zip(round_coordinates(path.latitude), round_coordinates(path.longitude), strict=True)
    ]
    ends = [0, len(points) - 1] if points else []
    ids = [[say("published as {id}", lang, id=token)] for token in published] or [[], []]
    texts = [
        [say(what, lang), str(path.time[index]).replace("T", " "), *id_texts]
        for what, index, id_texts in zip(("first row", "last row"), ends, ids, strict=False)
    ]
    return [
        {"kind": "path", "label": say("path", lang), "colour": BLUE, "points": points},
        {
            "kind": "ends",
            "label": say("first and last row", lang),
            "colour": INK,
            "points": [points[index] for index in ends],
            "texts": texts,
        },
    ]


def path_legend(lang: str) -> Legend:
    """Legend of a path."""
    return Legend(
        "",
        [
            ("line", BLUE, say("path", lang)),
            ("ring", INK, say("first row", lang)),
            ("circle", INK, say("last row", lang)),
            ("cell", _CROWD_COLOURS[0], say("cell of one individual", lang)),
            ("cell", _CROWD_COLOURS[1], say("of several", lang)),
        ],
    )


# --- where to look ----------------------------------------------------------------------------------


def round_coordinates(degrees: Floats) -> list[float]:
    """Round coordinates to about a metre."""
    return np.asarray(degrees, dtype=np.float64).round(COORDINATE_DIGITS).tolist()


def bounding_box(*parts: tuple[Floats, Floats, float]) -> Bounds | None:
    """Smallest rectangle around all parts (latitudes, longitudes, margin); None without any point."""
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
    return [round_coordinates(np.array([south, west])), round_coordinates(np.array([north, east]))]


def is_near(cells: CellMap, value: str) -> Bools:
    """Mask of the cells inside the initial view, which ignores far outliers.

    In each direction the view covers the central 90 % of `value`, plus a margin of the same span or of
    FAR_CELLS cells if that is larger.
    """
    inside = np.ones(len(cells.latitude), dtype=bool)
    weight = np.asarray(cells.values[value], dtype=np.float64)
    if weight.sum() == 0:
        return inside
    for degrees in (cells.latitude, cells.longitude):
        order = np.argsort(degrees, kind="stable")
        share = np.cumsum(weight[order]) / weight.sum()
        low, high = (degrees[order][np.searchsorted(share, part)] for part in (0.05, 0.95))
        margin = max(high - low, FAR_CELLS * cells.size)
        inside &= (degrees >= low - margin) & (degrees <= high + margin)
    return inside
