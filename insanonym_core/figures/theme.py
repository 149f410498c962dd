"""One calm look: a colour-blind-safe palette (after Okabe and Ito) whose colours keep their meaning."""

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
PALE_VERMILLION, PALE_GREY, MISSING = "#f0b78f", "#e3e7ec", "#f1f3f5"
FAMILY = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', Arial, sans-serif"
TEXT, SMALL, TITLE = 14, 13, 19

SEQUENTIAL = ((0.0, "#e8f1f9"), (0.35, "#8cc3e6"), (0.7, BLUE), (1.0, "#06304f"))
DIVERGING = ((0.0, "#9c3d00"), (0.25, "#e8935a"), (0.5, "#f7f7f7"), (0.75, "#5fa5cf"), (1.0, "#00507e"))


@dataclass(frozen=True)
class Size:
    """Pixels of a figure: the width holds, the height may grow with what has to be shown."""

    width: int
    height: int


SHOWS_INDIVIDUALS = "shows_individuals"  # in the meta data of a figure: whether people may be seen in it
SCREEN = Size(1000, 560)
PRINT = Size(642, 400)  # 170 mm at 96 pixels an inch: 13 pixels are then nearly 10 points on paper


@dataclass(frozen=True)
class Look:
    """How a group is drawn: never by its colour alone."""

    colour: str
    dash: str = "solid"
    symbol: str = "circle"


_OTHERS = (
    Look(BLUE, "solid", "circle"),
    Look(ORANGE, "dash", "square"),
    Look(GREEN, "dashdot", "diamond"),
    Look(PURPLE, "dot", "triangle-up"),
    Look(VERMILLION, "longdash", "x"),
    Look(SKY, "solid", "cross"),
    Look(BROWN, "dash", "star"),
)
_ORIGINAL = Look(NEUTRAL, "solid", "circle-open")
_RELEASE = _OTHERS[0]
_BASELINE = Look(BASELINE, "dot", "x-thin-open")
_MEANT = {
    **dict.fromkeys(("original", "originals", "before"), _ORIGINAL),
    **dict.fromkeys(("release", "released", "published", "avatars", "after"), _RELEASE),
    **dict.fromkeys(("chance", "baseline", "random"), _BASELINE),
}


def looks(groups: Iterable[str]) -> dict[str, Look]:
    """A look for each group: what its name means, or the next free one; the seven come round again."""
    names = list(groups)
    chosen = {name: _MEANT[name.lower()] for name in names if name.lower() in _MEANT}
    free = [look for look in _OTHERS if look not in chosen.values()] or list(_OTHERS)
    others = [name for name in names if name not in chosen]
    chosen |= {name: free[place % len(free)] for place, name in enumerate(others)}
    return chosen


def see_through(colour: str, share: float) -> str:
    """A colour with an opacity."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share:g})"


@cache
def template() -> go.layout.Template:
    """What all figures share."""
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
        "exponentformat": "none",  # 120000 rather than 120k; a thousands sign comes with the language
        # Margins are laid out by the sheet, which knows where the recipe card stands: plotly, which would
        # measure every label at each redraw, need not see to it that they fit.
        "automargin": False,
        "ticklabeloverflow": "allow",
    }
    return go.layout.Template(
        layout={
            "font": {"family": FAMILY, "size": TEXT, "color": INK},
            "paper_bgcolor": PAPER,
            "plot_bgcolor": PAPER,
            "xaxis": axis,
            "yaxis": axis | {"separatethousands": True},  # but 2015 on an x axis may be a year
            "colorway": [look.colour for look in _OTHERS],
            "hoverlabel": {"font": {"family": FAMILY, "size": SMALL}, "align": "left"},
            "legend": {"font": {"size": SMALL}, "bgcolor": "rgba(0,0,0,0)"},
            "bargap": 0.3,
        }
    )
