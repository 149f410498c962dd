"""A self-contained page with one or two Leaflet maps: it makes no network requests.

The dashboard shows the same maps, live: maps.js draws both, from the same data (`live`).

folium writes the maps. Its links to servers are replaced by Leaflet from the XStatic-Leaflet wheel, its
random ids by fixed ones, so that the same data gives the same bytes. The page holds the data once as JSON, in
columns (`data_json`), and maps.js draws it: folium would pass every value through its template engine, which
would execute a pseudonym such as '{{ … }}'.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import folium
from branca.element import Figure
from folium.map import Layer
from folium.template import Template
from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from insanonym_core.figures import theme
from insanonym_core.texts import say

if TYPE_CHECKING:
    from insanonym_core.results.scores import JsonObject

MANY_SHAPES = 2_000  # above this, cells are drawn on a canvas, without one element per cell
_LEAFLET = "xstatic/pkg/leaflet/data/"
_LIVE_SHAPES = -1  # always a canvas: cells change while a slider moves
_OSM = "https://tile.openstreetmap.org/{z}/{x}/{y}.png"
_CREDIT = '© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a>'
_TILES_WARNING = "Background: OpenStreetMap. Its server learns which places you look at."


@dataclass(frozen=True)
class Pane:
    """One map: headings, layers as maps.js reads them, and the text `nothing` shown if it is empty."""

    name: str
    heading: str
    subheading: str
    layers: Sequence[JsonObject]
    nothing: str = ""


@dataclass(frozen=True)
class Legend:
    """A title and entries (CSS class of the symbol, colour, meaning)."""

    title: str
    entries: Sequence[tuple[str, str, str]] = field(default=())


def _read_leaflet(name: str) -> bytes:
    return Path(str(distribution("XStatic-Leaflet").locate_file(_LEAFLET + name))).read_bytes()


def _data_uri(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


@cache
def leaflet() -> tuple[str, str]:
    """Leaflet's script and style sheet, with the images embedded in the style sheet."""
    script = re.sub(r"//# sourceMappingURL=.*", "", _read_leaflet("leaflet.js").decode())
    sheet = re.sub(
        r"url\((images/[\w.-]+)\)",
        lambda image: f"url({_data_uri('image/png', _read_leaflet(image[1]))})",
        _read_leaflet("leaflet.css").decode(),
    )
    return script, sheet


@cache
def read_asset(name: str) -> Markup:
    """Content of a file of this package, to insert into the page unescaped."""
    return Markup((files(__package__) / name).read_text(encoding="utf-8"))  # noqa: S704


@cache
def _environment() -> Environment:
    return Environment(loader=PackageLoader(__package__, "."), autoescape=True, trim_blocks=True)


def _with_id(element: Any, name: str) -> Any:  # Any: an element of folium, which has no types
    """Give a folium element a fixed id instead of a random one; returns the element."""
    element._id = name
    return element


class _Map(folium.Map):
    """A folium map with Leaflet embedded and a fixed id."""

    def __init__(self, name: str, *, tiles: bool) -> None:
        super().__init__(tiles=None, zoom_control=False)
        script, sheet = (part.encode() for part in leaflet())
        self.default_js = [("leaflet", _data_uri("text/javascript", script))]
        self.default_css = [("leaflet_css", _data_uri("text/css", sheet))]
        _with_id(self, name)
        if tiles:
            layer = folium.TileLayer(_OSM, attr=_CREDIT, name="OpenStreetMap", overlay=True)
            self.add_child(_with_id(layer, f"{name}_tiles"))


class _DrawnLayer(Layer):
    """A layer that maps.js draws, given by its pane and number in the page's data."""

    _template = Template(
        "{% macro script(this, kwargs) %}"
        "var {{ this.get_name() }} = insanonym.draw({{ this._parent.get_name() }}, {{ this.place|tojson }});"
        "{% endmacro %}"
    )

    def __init__(self, label: str, pane: str, number: int) -> None:
        super().__init__(name=label, overlay=True)
        self._name = "Layer"
        self.place = [pane, number]
        _with_id(self, f"{pane}_{number}")


def _folium_map(pane: Pane, tiles: bool) -> folium.Map:
    """The folium map of a pane with its layers and layer control."""
    folium_map = _Map(pane.name, tiles=tiles)
    for number, layer in enumerate(pane.layers):
        folium_map.add_child(_DrawnLayer(layer["label"], pane.name, number))
    folium_map.add_child(_with_id(folium.LayerControl(collapsed=False), pane.name))
    return folium_map


class MapPage(Figure):
    """One or two linked maps with headings, a legend and a recipe card; displayed by notebooks."""

    def __init__(
        self,
        title: str,
        panes: Sequence[Pane],
        legends: Sequence[Legend],
        bounds: list[list[float]] | None,
        *,
        lang: str = "en",
        tiles: bool = False,
        outside: int = 0,
    ) -> None:
        super().__init__(title=title)
        _with_id(self, "page")
        self._template = _environment().get_template("maps.html")
        self.lang, self.panes, self.legends = lang, panes, legends
        self.outside = (
            say("Cells far outside this first view: {cells}. Zoom out to see them.", lang, cells=outside)
            if outside
            else ""
        )
        self.warning = say(_TILES_WARNING, lang) if tiles else ""
        self.look = {name.lower(): getattr(theme, name) for name in ("INK", "MUTED", "LINE", "FAMILY")}
        for pane in panes:
            self.add_child(_folium_map(pane, tiles))
        self._data = {
            "lang": lang,
            "bounds": bounds,
            "manyShapes": MANY_SHAPES,
            "tiles": tiles,
            "texts": {"zoomIn": say("Zoom in", lang), "zoomOut": say("Zoom out", lang)},
            "panes": {pane.name: pane.layers for pane in panes},
        }

    def render(self, **kwargs: object) -> str:
        """The page as HTML, with the text `card` below it; repeated calls give the same result."""
        for part in (self.html, self.script):  # folium would append to its previous output
            part._children.clear()
        return super().render(**kwargs)

    def live(self) -> JsonObject:
        """Data for maps.js in the dashboard: layers, headings, legends and the optional background."""
        legends = _environment().get_template("map_legends.html").render(legends=self.legends)
        headings = [(pane.heading, pane.subheading, pane.nothing) for pane in self.panes]
        background = {"url": _OSM, "said": f"{escape(say(_TILES_WARNING, self.lang))} {_CREDIT}"}
        return self._data | {
            "manyShapes": _LIVE_SHAPES,
            "legends": legends,
            "headings": headings,
            "background": background,
        }

    @property
    def data_json(self) -> Markup:
        """The data as JSON, escaped for use inside a script element."""
        text = json.dumps(self._data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        for sign in "<>&":
            text = text.replace(sign, f"\\u{ord(sign):04x}")
        return Markup(text)  # noqa: S704

    @property
    def javascript(self) -> Markup:
        """The script of the page."""
        return read_asset("maps.js")

    @property
    def style(self) -> Markup:
        """The style sheets of the maps and of the page."""
        return read_asset("maps.css") + read_asset("map_page.css")

    @property
    def head(self) -> Markup:
        """The head elements that folium generates."""
        return Markup(self.header.render())  # noqa: S704

    @property
    def maps_script(self) -> Markup:
        """The script that folium generates."""
        return Markup(self.script.render())  # noqa: S704
