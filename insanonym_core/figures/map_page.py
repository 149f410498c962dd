"""A page with one or two Leaflet maps that asks nobody for anything: all it needs is inside it.

The dashboard shows the same maps, live: maps.js draws both, from the same data (`live`).

folium writes the maps. Its links to servers are replaced by Leaflet itself, from the XStatic-Leaflet wheel,
its random names by our own, so that the same data gives the same bytes. The data stands once in the page as
JSON, in columns (`shown`), and maps.js draws it: folium would put every value through its template engine,
where a pseudonym such as '{{ … }}' is a program.
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
from typing import Any

import folium
from branca.element import Figure
from folium.map import Layer
from folium.template import Template
from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from insanonym_core.figures import theme
from insanonym_core.texts import say

MANY_SHAPES = 2_000  # from here on the browser draws cells on a canvas, which has no shapes to point at
_LEAFLET = "xstatic/pkg/leaflet/data/"
_LIVE_SHAPES = -1  # always a canvas: while a slider moves, cells come and go
_OSM = "https://tile.openstreetmap.org/{z}/{x}/{y}.png"
_CREDIT = '© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a>'
_TILES = "Background: OpenStreetMap. Its server learns which places you look at."


@dataclass(frozen=True)
class Pane:
    """One map: its headings, its layers (as maps.js reads them), what to say when there is nothing."""

    name: str
    heading: str
    subheading: str
    layers: Sequence[dict[str, Any]]
    nothing: str = ""


@dataclass(frozen=True)
class Legend:
    """A title and its entries: (how the sign looks as CSS class, its colour, what it means)."""

    title: str
    entries: Sequence[tuple[str, str, str]] = field(default=())


def _read(name: str) -> bytes:
    return Path(str(distribution("XStatic-Leaflet").locate_file(_LEAFLET + name))).read_bytes()


def _data_uri(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


@cache
def leaflet() -> tuple[str, str]:
    """Leaflet's script and style sheet, the sheet's images inside it."""
    script = re.sub(r"//# sourceMappingURL=.*", "", _read("leaflet.js").decode())
    sheet = re.sub(
        r"url\((images/[\w.-]+)\)",
        lambda image: f"url({_data_uri('image/png', _read(image[1]))})",
        _read("leaflet.css").decode(),
    )
    return script, sheet


@cache
def own(name: str) -> Markup:
    """One of our files, which stands in the page as it is."""
    return Markup((files(__package__) / name).read_text(encoding="utf-8"))  # noqa: S704


@cache
def _environment() -> Environment:
    return Environment(loader=PackageLoader(__package__, "."), autoescape=True, trim_blocks=True)


def _called(element: Any, name: str) -> Any:
    """The element under a name of ours: a variable in the page, the same every time."""
    element._id = name
    return element


class _Map(folium.Map):
    def __init__(self, name: str, *, tiles: bool) -> None:
        super().__init__(tiles=None, zoom_control=False)
        script, sheet = (part.encode() for part in leaflet())
        self.default_js = [("leaflet", _data_uri("text/javascript", script))]
        self.default_css = [("leaflet_css", _data_uri("text/css", sheet))]
        _called(self, name)
        if tiles:
            layer = folium.TileLayer(_OSM, attr=_CREDIT, name="OpenStreetMap", overlay=True)
            self.add_child(_called(layer, f"{name}_tiles"))


class _DrawnLayer(Layer):
    """A layer that maps.js draws from its place in the page's data."""

    _template = Template(
        "{% macro script(this, kwargs) %}"
        "var {{ this.get_name() }} = insanonym.draw({{ this._parent.get_name() }}, {{ this.place|tojson }});"
        "{% endmacro %}"
    )

    def __init__(self, label: str, pane: str, number: int) -> None:
        super().__init__(name=label, overlay=True)
        self._name = "Layer"
        self.place = [pane, number]
        _called(self, f"{pane}_{number}")


def _map_of(pane: Pane, tiles: bool) -> folium.Map:
    made = _Map(pane.name, tiles=tiles)
    for number, layer in enumerate(pane.layers):
        made.add_child(_DrawnLayer(layer["label"], pane.name, number))
    made.add_child(_called(folium.LayerControl(collapsed=False), pane.name))
    return made


class MapPage(Figure):
    """One or two linked maps with headings, a legend and a card; `save` writes it, a notebook shows it."""

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
        _called(self, "page")
        self._template = _environment().get_template("maps.html")
        self.lang, self.panes, self.legends = lang, panes, legends
        self.outside = (
            say("Cells far outside this first view: {cells}. Zoom out to see them.", lang, cells=outside)
            if outside
            else ""
        )
        self.warning = say(_TILES, lang) if tiles else ""
        self.look = {name.lower(): getattr(theme, name) for name in ("INK", "MUTED", "LINE", "FAMILY")}
        for pane in panes:
            self.add_child(_map_of(pane, tiles))
        self._shown = {
            "lang": lang,
            "bounds": bounds,
            "manyShapes": MANY_SHAPES,
            "tiles": tiles,
            "texts": {"zoomIn": say("Zoom in", lang), "zoomOut": say("Zoom out", lang)},
            "panes": {pane.name: pane.layers for pane in panes},
        }

    def render(self, **kwargs: Any) -> str:
        """The page as HTML; `card` is the text below it. As often as one likes: the same every time."""
        for part in (self.html, self.script):  # folium adds to what it wrote before
            part._children.clear()
        return super().render(**kwargs)

    def live(self) -> dict[str, Any]:
        """What a live map shows, for maps.js: the data, the texts around it, a background to ask for."""
        legends = _environment().get_template("map_legends.html").render(legends=self.legends)
        headings = [(pane.heading, pane.subheading, pane.nothing) for pane in self.panes]
        background = {"url": _OSM, "said": f"{escape(say(_TILES, self.lang))} {_CREDIT}"}
        return self._shown | {
            "manyShapes": _LIVE_SHAPES,
            "legends": legends,
            "headings": headings,
            "background": background,
        }

    @property
    def shown(self) -> Markup:
        """The data as JSON that cannot end the script it stands in."""
        written = json.dumps(self._shown, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        for sign in "<>&":
            written = written.replace(sign, f"\\u{ord(sign):04x}")
        return Markup(written)  # noqa: S704

    @property
    def javascript(self) -> Markup:
        """What the page does."""
        return own("maps.js")

    @property
    def style(self) -> Markup:
        """How the page looks, and the maps on it."""
        return own("maps.css") + own("map_page.css")

    @property
    def head(self) -> Markup:
        """folium's part of the head."""
        return Markup(self.header.render())  # noqa: S704

    @property
    def script_of_maps(self) -> Markup:
        """folium's part of the script."""
        return Markup(self.script.render())  # noqa: S704
