"""Colours, sizes and plotly template; the palette is colour-blind-safe (after Okabe and Ito)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import plotly.graph_objects as go

INK, MUTED, LINE, GRID, PAPER = "#1f2933", "#667085", "#c5cbd3", "#e9ecf0", "#ffffff"
BASELINE = "#475467"  # chance, references: dashed
NEUTRAL = "#8296ad"  # originals
BLUE = "#0072b2"  # releases, avatars
ORANGE, GREEN, VERMILLION, PURPLE, SKY, BROWN = (
    "#e69f00",
    "#009e73",
    "#d55e00",
    "#b8609a",
    "#56b4e9",
    "#7f5f2a",
)
DARK_GREEN, DARK_VERMILLION, DARK_ORANGE = "#00795a", "#b34700", "#8a5a00"  # for text: contrast 5 and more
PALE_VERMILLION, PALE_GREY, MISSING = "#f0b78f", "#e3e7ec", "#f1f3f5"
FAMILY = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', Arial, sans-serif"
TEXT, SMALL, TITLE = 14, 13, 19

SEQUENTIAL = ((0.0, "#e8f1f9"), (0.35, "#8cc3e6"), (0.7, BLUE), (1.0, "#06304f"))
DIVERGING = ((0.0, "#9c3d00"), (0.25, "#e8935a"), (0.5, "#f7f7f7"), (0.75, "#5fa5cf"), (1.0, "#00507e"))


@dataclass(frozen=True)
class Size:
    """Size of a figure in pixels: a fixed width and a minimum height.

    A figure in a `tile` of the dashboard is no higher than its tile where that is possible, and the tile
    shows its title and recipe. `titled` and `carded` say whether any other figure has its title and its
    recipe card in it: in a journal they are in the caption.
    """

    width: int
    height: int
    tile: bool = False
    titled: bool = True
    carded: bool = True


SHOWS_INDIVIDUALS = (
    "shows_individuals"  # key in the metadata of a figure: whether it shows single individuals
)
SCREEN = Size(1000, 560)
PRINT = Size(642, 400)  # 170 mm at 96 pixels an inch: 13 pixels are then nearly 10 points on paper


@dataclass(frozen=True)
class Look:
    """Style of a group: colour, dash, symbol and pattern, so that colour is never the only difference.

    Printed in grey, two groups still differ by one of the others.
    """

    colour: str
    dash: str = "solid"
    symbol: str = "circle"
    pattern: str = ""


_LOOKS = (
    Look(BLUE, "solid", "circle"),
    Look(ORANGE, "dash", "square", "\\"),
    Look(GREEN, "dashdot", "diamond", "x"),
    Look(PURPLE, "dot", "triangle-up", "."),
    Look(VERMILLION, "longdash", "x", "-"),
    Look(SKY, "longdashdot", "cross", "|"),
    Look(BROWN, "8px,2px,2px,2px,2px,2px", "star", "+"),
)
_ORIGINAL = Look(NEUTRAL, "4px,2px", "circle-open", "/")
_RELEASE = _LOOKS[0]
_BASELINE = Look(BASELINE, "dot", "x-thin-open")
_LOOK_BY_NAME = {
    **dict.fromkeys(("original", "originals", "before", "before anonymisation"), _ORIGINAL),
    **dict.fromkeys(("release", "released", "published", "avatars", "after", "this setting"), _RELEASE),
    **dict.fromkeys(("chance", "baseline", "random"), _BASELINE),
}


def looks(groups: Iterable[str]) -> dict[str, Look]:
    """A style per group: fixed for known names, else the next unused one, repeating after seven."""
    names = list(groups)
    look_of = {name: _LOOK_BY_NAME[name.lower()] for name in names if name.lower() in _LOOK_BY_NAME}
    free = [look for look in _LOOKS if look not in look_of.values()] or list(_LOOKS)
    unnamed = [name for name in names if name not in look_of]
    look_of |= {name: free[index % len(free)] for index, name in enumerate(unnamed)}
    return look_of


def with_opacity(colour: str, opacity: float) -> str:
    """A hex colour as rgba() with an opacity."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"


@cache
def template() -> go.layout.Template:
    """The plotly template of all figures."""
    import plotly.graph_objects as go

    axis = {
        "gridcolor": GRID,
        "gridwidth": 1,
        "linecolor": LINE,
        "zeroline": False,
        "ticks": "",
        "ticklabelstandoff": 4,
        "tickfont": {"size": SMALL, "color": INK},
        "title": {"font": {"size": TEXT, "color": INK}, "standoff": 10},
        "exponentformat": "none",  # 120000 rather than 120k; the thousands separator depends on the language
        # The sheet sets the margins; plotly would measure every label at each redraw.
        "automargin": False,
        "ticklabeloverflow": "allow",
    }
    return go.layout.Template(
        layout={
            "font": {"family": FAMILY, "size": TEXT, "color": INK},
            "paper_bgcolor": PAPER,
            "plot_bgcolor": PAPER,
            "xaxis": axis,
            "yaxis": axis | {"separatethousands": True},  # not on the x axis, where 2015 may be a year
            "colorway": [look.colour for look in _LOOKS],
            "hoverlabel": {"font": {"family": FAMILY, "size": SMALL}, "align": "left"},
            "legend": {"font": {"size": SMALL}, "bgcolor": "rgba(0,0,0,0)"},
            "bargap": 0.3,
        }
    )
