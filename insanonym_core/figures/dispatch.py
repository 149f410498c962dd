"""Choose the drawing function by the class of the evidence, whatever score it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go

from insanonym_core.figures.bars import draw_bars
from insanonym_core.figures.card import Card
from insanonym_core.figures.distribution import draw_distribution
from insanonym_core.figures.flow import draw_flow
from insanonym_core.figures.matrix import draw_matrix
from insanonym_core.figures.places import draw_cells, draw_pois
from insanonym_core.figures.plane import draw_cloud, draw_curve
from insanonym_core.figures.sheet import Sheet
from insanonym_core.figures.table import draw_table
from insanonym_core.figures.theme import SCREEN, SHOWS_INDIVIDUALS, Size
from insanonym_core.figures.tree import draw_tree
from insanonym_core.results.scores import (
    Bars,
    CellMap,
    Cloud,
    Curve,
    Distribution,
    Evidence,
    Flow,
    Matrix,
    PoiMap,
    Table,
    Tree,
    may_be_handed_over,
)

BUILDERS: dict[type, Callable[[Any, Sheet], go.Figure]] = {  # Any: each drawer takes its own evidence
    Distribution: draw_distribution,
    Bars: draw_bars,
    Matrix: draw_matrix,
    Table: draw_table,
    CellMap: draw_cells,
    PoiMap: draw_pois,
    Curve: draw_curve,
    Cloud: draw_cloud,
    Flow: draw_flow,
    Tree: draw_tree,
}


def draw_evidence(
    evidence: Evidence, *, card: Card | None = None, lang: str = "en", size: Size = SCREEN, note: str = ""
) -> go.Figure:
    """Draw one piece of evidence, with a note above it."""
    for kind in type(evidence).__mro__:
        if kind in BUILDERS:
            sheet = Sheet("", card, lang, size)
            sheet.title = sheet.say(evidence.title)
            sheet.notes += [note] if note else []
            figure = BUILDERS[kind](evidence, sheet)
            # Keep the card and language that the sheet has set.
            figure.layout.meta = {
                **(figure.layout.meta or {}),
                SHOWS_INDIVIDUALS: not may_be_handed_over(evidence),
            }
            return figure
    known = ", ".join(kind.__name__ for kind in BUILDERS)
    raise TypeError(f"There is no figure for {type(evidence).__name__}: evidence is one of {known}.")
