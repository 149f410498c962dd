"""LinkedMaps: live maps of original and release. Cells are updated in place; the view does not move.

What a saved map shows, drawn by the same script. Leaflet (150 kB) comes with the widget, from the same wheel:
no server is asked for it, in JupyterLab neither. No tiles unless they are asked for.
"""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

from insanonym_core.figures.map_page import leaflet, read_asset
from insanonym_core.figures.maps import MapPage

_SCRIPT, _SHEET = leaflet()
# Whatever module loader the page may have, Leaflet does not see it.
_LEAFLET = f"const L = ((exports, module, define) => {{ {_SCRIPT}\nreturn exports; }})({{}}, {{}});"
_OURS = (Path(__file__).parent / "maps.js").read_text(encoding="utf-8")


class LinkedMaps(anywidget.AnyWidget):
    """Two maps that move together, with headings and a legend; `update` shows other data.

    On the page the panes have the classes `insanonym-map-original` and `insanonym-map-release`.
    """

    _esm = "\n".join((_LEAFLET, read_asset("maps.js"), _OURS))
    _css = "\n".join((_SHEET, read_asset("maps.css")))

    shown = traitlets.Dict().tag(sync=True)
    """What a MapPage of two panes shows (`MapPage.live`); nothing at first."""
    tiles = traitlets.Bool(False).tag(sync=True)
    """Whether a background is asked of OpenStreetMap; the page says so first."""
    views = traitlets.Int(0).tag(sync=True)
    """How often a view was asked for: the page looks at all there is when this has grown."""
    height = traitlets.Int(420).tag(sync=True)
    """Of a pane, in pixels."""
    _forgotten = False

    def __repr__(self) -> str:  # ipywidgets' own writes out every cell, and a notebook asks for it
        return "LinkedMaps()"

    def update(self, page: MapPage) -> None:
        """Show what this page of original | release shows.

        The first data choose the view, later ones leave it where it is (`fit` chooses again).
        """
        with self.hold_sync():
            self.shown = page.live()
            self.views += self._forgotten
        self._forgotten = False

    def forget(self) -> None:
        """Reset the view at the next update, because the data changed."""
        self._forgotten = True

    def fit(self) -> None:
        """Zoom to all cells except outliers."""
        self.views += 1
