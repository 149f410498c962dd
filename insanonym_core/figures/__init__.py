"""Plotly figures of results: one type of figure per class of evidence, one style for screen and print.

Importing this package loads no plotting library: it comes with the first figure that is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from insanonym_core.figures.card import Card
from insanonym_core.figures.theme import PRINT, SCREEN, Size

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from insanonym_core.results.scores import Evidence

__all__ = ["PRINT", "SCREEN", "Card", "Size", "draw"]


def draw(
    evidence: Evidence, *, card: Card | None = None, lang: str = "en", size: Size = SCREEN, note: str = ""
) -> go.Figure:
    """Draw one piece of evidence; its class decides the type of figure. `note` is said above it."""
    from insanonym_core.figures.dispatch import draw_evidence

    return draw_evidence(evidence, card=card, lang=lang, size=size, note=note)
