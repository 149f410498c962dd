"""Widths of figures on paper and on a slide.

A figure is laid out in pixels and printed at a width in millimetres: no text of it may be smaller than 7
points there. That decides how many pixels a width has, for the smallest text is `theme.SMALL` pixels high.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from insanonym_core.errors import UsageError, brief, choices
from insanonym_core.figures.theme import PRINT, SMALL, Size

POINTS_PER_MILLIMETRE = 72 / 25.4
MIN_POINTS = 7
"""The smallest text that journals take."""

CAPTION = ".caption.txt"
LATEX, WORD = "figures.tex", "figures-word.html"


@dataclass(frozen=True)
class PrintWidth:
    """A width in millimetres, and the size in pixels at which a figure of that width is laid out."""

    name: str
    millimetres: float
    size: Size

    @property
    def smallest_text(self) -> float:
        """The height of the smallest text on paper, in points."""
        return SMALL * self.millimetres * POINTS_PER_MILLIMETRE / self.size.width

    def layout(self, *, title: bool = True, card: bool = True) -> Size:
        """The size of a figure with or without its title and its recipe card."""
        return replace(self.size, titled=title, carded=card)


COLUMN = PrintWidth("85mm", 85, Size(440, 300))
PAGE = PrintWidth("170mm", 170, PRINT)
SLIDE = PrintWidth("slide", 320, Size(760, 400))  # 16:9 is 338.7 mm wide: this leaves a margin
WIDTHS = {width.name: width for width in (COLUMN, PAGE, SLIDE)}


def print_width(name: str) -> PrintWidth:
    """The width of that name, such as 85mm."""
    if name not in WIDTHS:
        raise UsageError(
            "The width of a figure must be {widths}, got {name}.", widths=choices(WIDTHS), name=brief(name)
        )
    return WIDTHS[name]
