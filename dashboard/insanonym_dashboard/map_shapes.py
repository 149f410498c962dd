"""The live maps' layers as GeoJSON shapes, and the view that holds them all; without widgets.

Cells of one colour are one shape: 1,500 cells are seven shapes, which a browser draws at once, where 1,500
shapes take it ten times as long.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.figures.map_layers import Bounds, Layer
from insanonym_core.figures.theme import LINE

SNAP = 0.25  # of a zoom level: a city fills its pane
_MARGIN, _TILE, _MOST_ZOOM = 16, 256, 16.0

Feature = dict[str, Any]


def _feature(kind: str, coordinates: Any, **style: Any) -> Feature:
    return {
        "type": "Feature",
        "geometry": {"type": kind, "coordinates": coordinates},
        "properties": {"style": style},
    }


def _pixels(degrees: float, zoom: float) -> float:
    return float(degrees / 360 * _TILE * 2**zoom)


def cell_shapes(layer: Layer, zoom: float, opacity: float) -> list[Feature]:
    """One shape for each colour, the darkest last: no neighbour's edge hides it."""
    values = np.asarray(layer["values"][layer["value"]])
    south, west = (np.asarray(layer[name]) - 0.5 for name in ("latitude", "longitude"))
    rings = _rings(south, west, layer["size"])
    classes: Ints = np.searchsorted(layer["breaks"], values, side="right") - 1
    # Cells wide enough have white edges; narrower ones, which would be all edge, one of their own colour.
    width = _pixels(layer["size"], zoom)
    made = []
    for number_of, colour in [(-1, None), *enumerate(layer["colours"])]:
        mine = rings[classes == number_of]
        if len(mine) == 0:
            continue
        if colour is None:  # counted, and nothing was there
            style: dict[str, Any] = {"color": LINE, "weight": 0.5, "fillOpacity": 0}
        elif width < 6:
            style = {"color": colour, "weight": max(0.5, 2 - width), "fillColor": colour}
        else:
            style = {"color": "#fff", "weight": 0.5, "fillColor": colour}
        made.append(
            _feature("MultiPolygon", mine.tolist(), **({"fillOpacity": opacity, "opacity": 1} | style))
        )
    return made


def _rings(south: Floats, west: Floats, size: float) -> Floats:
    """(cell, ring, corner, longitude and latitude) of squares given by their lower corners, in cells."""
    corners = [(west, south), (west + 1, south), (west + 1, south + 1), (west, south + 1)]
    ring = np.stack([np.stack(corner, axis=-1) for corner in corners], axis=1) * size
    return ring.round(6)[:, None]


def place_shapes(layer: Layer, zoom: float, most: int) -> list[Feature]:
    """Circles that grow with their cell, within reason: the types of place stand side by side in it."""
    widest = min(14.0, max(layer["least"] + 1, _pixels(layer["size"], zoom) / 4))
    least = max(layer["least"], widest / 3)
    edge = layer["edge"] or "#fff"
    columns = zip(layer["longitude"], layer["latitude"], layer["individuals"], layer["left"], strict=True)
    return [
        _feature(
            "Point",
            [longitude, latitude],
            radius=round(max(least, widest * math.sqrt(individuals / most)), 1),
            color=edge,
            weight=1.5 if layer["edge"] else 0.75,
            fillColor=layer["colour"],
            fillOpacity=left,
        )
        for longitude, latitude, individuals, left in columns
    ]


def line_shapes(layer: Layer) -> list[Feature]:
    """A path, faint enough for places to be seen through it; nothing where it is one point."""
    points = [point[::-1] for point in layer["points"]]
    if len(points) < 2:
        return []
    return [_feature("LineString", points, color=layer["colour"], weight=1.5, opacity=0.55, fill=False)]


def end_shapes(layer: Layer) -> list[Feature]:
    """Where a path begins, a ring, and where it ends, a smaller disc: both are seen in one place."""
    colour = layer["colour"]
    looks = ({"radius": 8, "fillColor": "#fff"}, {"radius": 4.5, "fillColor": colour})
    return [
        _feature("Point", point[::-1], color=colour, weight=2.5, fillOpacity=1, **look)
        for point, look in zip(layer["points"], looks, strict=False)
    ]


def view_of(bounds: Bounds, width: int, height: int) -> tuple[list[float], float]:
    """The centre and the largest zoom (in steps) at which all of it can be seen."""

    def northing(latitude: float) -> float:
        return math.asinh(math.tan(math.radians(latitude))) / math.tau  # of the height of the world

    (south, west), (north, east) = bounds
    low, high = northing(south), northing(north)
    spans = ((east - west) / 360, width), (high - low, height)
    zooms = [math.log2((pixels - 2 * _MARGIN) / (_TILE * span)) for span, pixels in spans if span > 0]
    zoom = math.floor(min([*zooms, _MOST_ZOOM]) / SNAP) * SNAP
    middle = math.degrees(math.atan(math.sinh((low + high) / 2 * math.tau)))
    return [middle, (west + east) / 2], max(zoom, 0.0)
