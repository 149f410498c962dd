"""Plot: a plotly figure on the page, redrawn in place.

plotly's own FigureWidget brings 5 MB of script with every figure and compares figures property by property.
Here a figure is one message of JSON, plot.js hands it to `Plotly.react`, and plotly.js comes to a page once:
the dashboard's server gives it to the page, which keeps it; anywhere else (JupyterLab) the first figure asks
for it through one widget that all figures share.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import plotly
import traitlets
from plotly.utils import PlotlyJSONEncoder

from insanonym_core.figures.theme import SHOWS_INDIVIDUALS

if TYPE_CHECKING:
    import plotly.graph_objects as go

PLOTLY_JS = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"


class _Library(anywidget.AnyWidget):
    """plotly.js, shared by all figures of a kernel."""

    _esm = "export default {}"

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.on_msg(self._asked)

    def _asked(self, _: Any, asked: Any, __: Any) -> None:
        if asked == "plotly":
            self.send("plotly", [PLOTLY_JS.read_bytes()])


@cache
def _library() -> _Library:
    return _Library()


def _as_bytes(figure: dict[str, Any], _: Any) -> bytes:
    """JSON as a binary part of the message: nothing is escaped twice."""
    return json.dumps(figure, cls=PlotlyJSONEncoder, separators=(",", ":")).encode()


class Plot(anywidget.AnyWidget):
    """A figure as wide as the place it stands in; its height, fonts and colours are its own.

    On the page its element has the class `insanonym-plot`, and `data-drawn` counts the finished redraws.
    """

    _esm = Path(__file__).parent / "plot.js"

    figure = traitlets.Dict().tag(sync=True, to_json=_as_bytes)
    """{"data": […], "layout": {…}}; numbers may be plotly's base64 arrays. Empty: nothing is drawn."""
    label = traitlets.Unicode().tag(sync=True)
    """What a screen reader says, and the name of a saved picture."""
    clicked = traitlets.Dict().tag(sync=True)
    """The point last clicked: curveNumber, pointIndex, customdata, x, y; `count` tells two clicks apart."""
    width = traitlets.Int(0).tag(sync=True)
    """How wide the figure stands on the page, in pixels; 0 before anybody has seen it."""
    height = traitlets.Int(0).tag(sync=True)
    """How high its tile is, in pixels; 0 where it does not stand in a tile. In a tile that is opened to the
    whole area both are divided by the factor by which plot.js enlarges the figure."""
    library = traitlets.Unicode().tag(sync=True)

    @traitlets.default("library")
    def _shared(self) -> str:
        # Made while the first state of this figure is put together, so the page knows the library first.
        return str(_library().model_id)

    @property
    def shows_individuals(self) -> bool:
        """Whether single people may be seen in the figure that is drawn."""
        meta = (self.figure.get("layout") or {}).get("meta") or {}
        return bool(meta.get(SHOWS_INDIVIDUALS))

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.exporter: Callable[[], Any] | None = None
        """Draws the figure with its title and recipe, to be saved; without it, it is saved as it stands."""
        self.on_msg(self._asked)

    def _asked(self, _: Any, asked: Any, __: Any) -> None:
        if isinstance(asked, dict) and asked.get("export") in ("svg", "png"):
            self.save(asked["export"])

    def save(self, kind: str) -> None:
        """Save the figure through the page as svg or png, if it is visible."""
        figure = self.exporter() if self.exporter is not None else None
        if figure is None:
            self.send({"save": kind})
            return
        drawn = figure if isinstance(figure, dict) else figure.to_dict()
        self.send({"save": kind}, [_as_bytes(drawn, None)])

    def show(self, figure: go.Figure | dict[str, Any], of: str = "") -> None:
        """Draw this figure where the last one stood; zoom stays while the figures are `of` the same data."""
        drawn = figure if isinstance(figure, dict) else figure.to_dict()
        drawn["layout"]["uirevision"] = of or "kept"
        self.figure = drawn
