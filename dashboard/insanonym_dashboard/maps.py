"""LinkedMaps: original | release, live. Cells change in place; where somebody looks stays where it is.

ipyleaflet, one GeoJSON layer a pane (`map_shapes` makes its shapes). No tiles unless they are asked for.
"""

from __future__ import annotations

from html import escape
from typing import Any

import ipyleaflet
import ipywidgets
import numpy as np
import traitlets

from insanonym_core.arrays import Floats
from insanonym_core.figures.map_layers import (
    Bounds,
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
from insanonym_core.figures.words import number
from insanonym_core.mobility.places import Path, Pois
from insanonym_core.scores import CellMap
from insanonym_core.texts import say
from insanonym_dashboard.map_shapes import (
    SNAP,
    Feature,
    cell_shapes,
    end_shapes,
    line_shapes,
    place_shapes,
    view_of,
)

HEIGHT = 420
WIDTH = 460  # of a pane on a laptop; a wider one shows more around
SIDES = ("original", "release")
_CROWD_BREAKS = (1, 2)
_OSM = "https://tile.openstreetmap.org/{z}/{x}/{y}.png"
_TILES = "Background: OpenStreetMap. Its server learns which places you look at."
_CREDIT = "© OpenStreetMap contributors"
_ALL_DELETED = "Nothing is left here: every row was deleted."
_PATH_DELETED = "No row of this individual is left here."


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
                zoom_snap=SNAP,
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
        centre, zoom = view_of(bounds, WIDTH, self._height)
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
            features = cell_shapes(layer, zoom, opacity)
            line, ends = path_layers(self.path[place], (), lang) if self.path else (None, None)
            features += line_shapes(line) if line else []
            for places in pois[place]:
                features += place_shapes(places, zoom, most)
            drawn.append(features + (end_shapes(ends) if ends else []))
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
