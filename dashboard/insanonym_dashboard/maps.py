"""LinkedMaps: original | release, live. Cells change in place; where somebody looks stays where it is.

ipyleaflet, one GeoJSON layer a pane. Cells of one colour are one shape: 1,500 cells are seven shapes, which
a browser draws at once, where 1,500 shapes take it ten times as long. No tiles unless they are asked for.
"""

from __future__ import annotations

import math
from html import escape
from typing import Any

import ipyleaflet
import ipywidgets
import numpy as np
import traitlets

from insanonym_core.arrays import Floats, Ints
from insanonym_core.figures.map_layers import (
    Bounds,
    Layer,
    bounds_of,
    cell_layer,
    cell_legend,
    check_value,
    counted,
    kinds_of,
    near,
    path_layers,
    path_legend,
    poi_layers,
    poi_legend,
)
from insanonym_core.figures.map_page import Legend
from insanonym_core.figures.map_scale import breaks_of
from insanonym_core.figures.theme import LINE
from insanonym_core.figures.words import number
from insanonym_core.mobility.places import Path, Pois
from insanonym_core.scores import CellMap
from insanonym_core.texts import say

HEIGHT = 420
WIDTH = 460  # of a pane on a laptop; a wider one shows more around
SIDES = ("original", "release")
_MARGIN, _TILE, _MOST_ZOOM = 16, 256, 16.0
_SNAP = 0.25  # of a zoom level: a city fills its pane
_CROWD_BREAKS = (1, 2)
_OSM = "https://tile.openstreetmap.org/{z}/{x}/{y}.png"
_TILES = "Background: OpenStreetMap. Its server learns which places you look at."
_CREDIT = "© OpenStreetMap contributors"
_ALL_DELETED = "Nothing is left here: every row was deleted."
_PATH_DELETED = "No row of this individual is left here."

Feature = dict[str, Any]


class _Shapes(ipyleaflet.GeoJSON):  # type: ignore[misc]
    """Shapes that only show: the mouse is the map's, and no hover is told to the kernel."""

    interactive = traitlets.Bool(False).tag(sync=True, o=True)
    smooth_factor = traitlets.Float(0).tag(sync=True, o=True)


class LinkedMaps(ipywidgets.VBox):  # type: ignore[misc]
    """Two maps that move together, with headings and a legend; `update` shows other data.

    On the page the panes have the classes `insanonym-map-original` and `insanonym-map-release`.
    """

    def __init__(self, *, height: int = HEIGHT, lang: str = "en") -> None:
        nothing = {"type": "FeatureCollection", "features": []}  # a layer without data has no view at all
        self._shapes = tuple(_Shapes(data=nothing, point_style={"radius": 3}) for _ in SIDES)
        self._zooms = ipyleaflet.ZoomControl(position="topleft")
        self.maps = tuple(
            ipyleaflet.Map(
                layers=(shapes,),
                controls=(self._zooms, ipyleaflet.ScaleControl(position="bottomleft", imperial=False))
                if side == "original"
                else (),
                basemap={},
                zoom_control=False,
                attribution_control=False,
                scroll_wheel_zoom=True,
                zoom_snap=_SNAP,
                zoom_delta=0.5,
                layout={"height": f"{height}px", "min_width": "0", "width": "100%"},
            )
            for side, shapes in zip(SIDES, self._shapes, strict=True)
        )
        for side, pane in zip(SIDES, self.maps, strict=True):
            pane.add_class(f"insanonym-map-{side}")
        self._links = [
            ipywidgets.jslink(*((pane, name) for pane in self.maps)) for name in ("center", "zoom")
        ]
        self._headings = tuple(ipywidgets.HTML() for _ in SIDES)
        self._legend, self._told = ipywidgets.HTML(), ipywidgets.HTML()
        self._height, self._lang, self._fitted = height, lang, False
        self._shown: _Shown | None = None
        self._tiles: tuple[Any, ...] = ()
        panes = [
            ipywidgets.VBox([heading, pane], layout={"flex": "1 1 0", "min_width": "0"})
            for heading, pane in zip(self._headings, self.maps, strict=True)
        ]
        super().__init__([self._legend, ipywidgets.HBox(panes), self._told])
        self.add_class("insanonym-maps")
        for pane in self.maps:
            pane.on_interaction(self._pointed)
        self.maps[0].observe(self._redraw, "zoom")

    def __repr__(self) -> str:  # ipywidgets' own writes out every shape, and a notebook asks for it
        return "LinkedMaps()"

    # --- what is shown ------------------------------------------------------------------------------

    def update(
        self,
        original: CellMap,
        release: CellMap,
        pois: tuple[Pois, Pois] | None = None,
        path: tuple[Path, Path] | None = None,
        *,
        value: str = "rows",
        lang: str = "en",
    ) -> None:
        """Show these cells, coloured by `value` on one scale, with the places and the paths of each side.

        With a path the cells step back: everybody's, in grey. The first data choose the view, later ones
        leave it where it is (`fit` chooses again).
        """
        for cells in (original, release):
            check_value(cells, value)
        self._lang, self._shown = lang, _Shown((original, release), pois, path, value)
        if not self._fitted:
            self.fit()
        with self.hold_sync():
            self._redraw()
        self._say()

    def forget(self) -> None:
        """Other data: the next update chooses the view again."""
        self._fitted = False

    def fit(self) -> None:
        """Look at all there is, but for single cells far away."""
        bounds = self._shown.bounds() if self._shown else None
        if bounds is None:
            return
        self._fitted = True
        centre, zoom = _view(bounds, WIDTH, self._height)
        for pane in self.maps:
            pane.center, pane.zoom = centre, zoom

    @property
    def tiles(self) -> bool:
        """Whether a background is asked of OpenStreetMap."""
        return bool(self._tiles)

    @tiles.setter
    def tiles(self, wanted: bool) -> None:
        if wanted == self.tiles:
            return
        self._tiles = tuple(ipyleaflet.TileLayer(url=_OSM, max_zoom=19) for _ in SIDES) if wanted else ()
        self._say()  # before anything is asked of anybody
        for place, (pane, shapes) in enumerate(zip(self.maps, self._shapes, strict=True)):
            pane.layers = (*self._tiles[place : place + 1], shapes)
        self._redraw()

    # --- how ----------------------------------------------------------------------------------------

    def _redraw(self, _: Any = None) -> None:
        if self._shown is None:
            return
        drawn = self._shown.features(self._lang, self.maps[0].zoom, 0.65 if self.tiles else 1.0)
        for shapes, features in zip(self._shapes, drawn, strict=True):
            shapes.data = {"type": "FeatureCollection", "features": features}

    def _say(self) -> None:
        lang, shown = self._lang, self._shown
        if shown is None:
            return
        for place, side in enumerate(SIDES):
            said = escape(shown.said(place, lang))
            self._headings[place].value = f"<h3>{say(side.capitalize(), lang)} <small>{said}</small></h3>"
        tiles = f"<p>{escape(say(_TILES, lang))} {_CREDIT}</p>" if self.tiles else ""
        self._legend.value = "".join(map(_legend_html, shown.legends(lang))) + tiles
        self._told.value = "<p>&nbsp;</p>"
        self._zooms.zoom_in_title, self._zooms.zoom_out_title = say("Zoom in", lang), say("Zoom out", lang)

    def _pointed(self, **event: Any) -> None:
        if event.get("type") == "click" and self._shown is not None:
            latitude, longitude = event["coordinates"]
            told = self._shown.at(latitude, longitude, self._lang)
            self._told.value = f"<p aria-live='polite'>{told or '&nbsp;'}</p>"


class _Shown:
    """What a pair of maps shows, and how it is drawn."""

    def __init__(
        self,
        cells: tuple[CellMap, CellMap],
        pois: tuple[Pois, Pois] | None,
        path: tuple[Path, Path] | None,
        value: str,
    ) -> None:
        self.cells, self.pois, self.path = cells, pois, path
        self.value = "individuals" if path else value
        self.breaks = list(_CROWD_BREAKS) if path else breaks_of(cells, self.value)

    def bounds(self) -> Bounds | None:
        """Where there is something to see: of one individual, where they were."""
        parts: list[tuple[Floats, Floats, float]] = []
        for path in self.path or ():
            parts.append((path.latitude, path.longitude, self.cells[0].size))
        for cells in self.cells if not self.path else ():
            close = near(cells, self.value)
            parts.append((cells.latitude[close], cells.longitude[close], cells.size / 2))
        return bounds_of(*parts)

    def features(self, lang: str, zoom: float, opacity: float) -> list[list[Feature]]:
        """Of each side: cells, path, places, ends of the path, from the ground up."""
        pois = [poi_layers(one, lang, one.size, least=2.5) for one in self.pois or ()] or [[], []]
        most = max((max(layer["individuals"], default=1) for part in pois for layer in part), default=1)
        drawn = []
        for place, cells in enumerate(self.cells):
            layer = cell_layer(cells, self.value, self.breaks, lang, crowd=self.path is not None)
            features = _cells(layer, zoom, opacity)
            line, ends = path_layers(self.path[place], (), lang) if self.path else (None, None)
            features += _line(line) if line else []
            for places in pois[place]:
                features += _places(places, zoom, most)
            drawn.append(features + (_ends(ends) if ends else []))
        return drawn

    def legends(self, lang: str) -> list[Legend]:
        """What the colours mean."""
        ground = path_legend(lang) if self.path else cell_legend(self.cells, self.value, self.breaks, lang)
        places = [poi_legend(kinds_of(*self.pois), lang)] if self.pois else []
        return [ground, *places]

    def said(self, place: int, lang: str) -> str:
        """How much there is on one side."""
        cells = self.cells[place]
        if self.path and len(self.path[place].time) == 0:
            return say(_PATH_DELETED, lang)
        if len(cells.latitude) == 0:
            return say(_ALL_DELETED, lang)
        rows = number(int(cells.values["rows"].sum()), lang)
        return say("{rows} rows in {cells} cells", lang, rows=rows, cells=number(len(cells.latitude), lang))

    def at(self, latitude: float, longitude: float, lang: str) -> str:
        """What the cell at a place holds on both sides, as HTML; nothing when it is empty on both."""
        parts = []
        for side, cells in zip(SIDES, self.cells, strict=True):
            row = np.rint(cells.latitude / cells.size) == round(latitude / cells.size)
            at = np.flatnonzero(
                row & (np.rint(cells.longitude / cells.size) == round(longitude / cells.size))
            )
            values = {name: int(column[at].sum()) for name, column in cells.values.items()}
            numbers = [_count(value, name, lang) for name, value in values.items()]
            parts.append((any(values.values()), f"{say(side.capitalize(), lang)}: {' · '.join(numbers)}"))
        return " &emsp; ".join(text for _, text in parts) if any(some for some, _ in parts) else ""


def _count(value: int, name: str, lang: str) -> str:
    one, many = counted(name, lang)
    return (
        f"<b>{number(value, lang)}</b> {escape(one if value == 1 or (lang == 'fr' and value < 2) else many)}"
    )


def _legend_html(legend: Legend) -> str:
    entries = "".join(
        f'<span><i class="{sign}" style="--colour:{colour}"></i>{escape(text)}</span>'
        for sign, colour, text in legend.entries
    )
    return f'<div class="insanonym-legend"><b>{escape(legend.title)}</b>{entries}</div>'


# --- shapes -----------------------------------------------------------------------------------------


def _feature(kind: str, coordinates: Any, **style: Any) -> Feature:
    return {
        "type": "Feature",
        "geometry": {"type": kind, "coordinates": coordinates},
        "properties": {"style": style},
    }


def _pixels(degrees: float, zoom: float) -> float:
    return float(degrees / 360 * _TILE * 2**zoom)


def _cells(layer: Layer, zoom: float, opacity: float) -> list[Feature]:
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


def _places(layer: Layer, zoom: float, most: int) -> list[Feature]:
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


def _line(layer: Layer) -> list[Feature]:
    points = [point[::-1] for point in layer["points"]]
    if len(points) < 2:
        return []
    return [_feature("LineString", points, color=layer["colour"], weight=1.5, opacity=0.55, fill=False)]


def _ends(layer: Layer) -> list[Feature]:
    colour = layer["colour"]
    looks = ({"radius": 8, "fillColor": "#fff"}, {"radius": 4.5, "fillColor": colour})
    return [
        _feature("Point", point[::-1], color=colour, weight=2.5, fillOpacity=1, **look)
        for point, look in zip(layer["points"], looks, strict=False)
    ]


def _view(bounds: Bounds, width: int, height: int) -> tuple[list[float], float]:
    """The centre and the largest zoom (in steps) at which all of it can be seen."""

    def northing(latitude: float) -> float:
        return math.asinh(math.tan(math.radians(latitude))) / math.tau  # of the height of the world

    (south, west), (north, east) = bounds
    low, high = northing(south), northing(north)
    spans = ((east - west) / 360, width), (high - low, height)
    zooms = [math.log2((pixels - 2 * _MARGIN) / (_TILE * span)) for span, pixels in spans if span > 0]
    zoom = math.floor(min([*zooms, _MOST_ZOOM]) / _SNAP) * _SNAP
    middle = math.degrees(math.atan(math.sinh((low + high) / 2 * math.tau)))
    return [middle, (west + east) / 2], max(zoom, 0.0)
