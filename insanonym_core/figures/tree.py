"""Trees: each node a box below its parent, as wide as it is large; what was refused stands in the box."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.sheet import EDGE, Sheet
from insanonym_core.figures.theme import BLUE, INK, PAPER, SMALL, see_through
from insanonym_core.figures.words import plain, wrap
from insanonym_core.scores import Tree
from insanonym_core.texts import label

_ROW = 92
_LINE = SMALL * 1.35
_PAD = 6


def draw_tree(tree: Tree, sheet: Sheet) -> go.Figure:
    """The root on top; widths are shares of its size."""
    if not tree.labels:
        return sheet.empty()
    parent, size = np.asarray(tree.parent), np.asarray(tree.size, dtype=float)
    depth = np.zeros(len(parent), dtype=int)
    left = np.zeros(len(parent))
    filled = np.zeros(len(parent))
    for place in range(1, len(parent)):  # parents stand before their children
        above = parent[place]
        depth[place] = depth[above] + 1
        left[place] = left[above] + filled[above]
        filled[above] += size[place]
    sheet.notes.append(sheet.say("Width: {what}.", what=sheet.say(tree.what)))
    sheet.left = sheet.right = EDGE
    sheet.tick_lines = 0
    levels = int(depth.max()) + 1
    sheet.plot_height = max(sheet.plot_height, levels * _ROW)
    figure = sheet.finish()
    whole = size[0]
    shapes, notes = [], []
    for place in range(len(parent)):
        x0, x1 = left[place] / whole, (left[place] + size[place]) / whole
        y1 = 1 - depth[place] / levels
        y0 = y1 - 1 / levels
        pale = 0.10 + 0.10 * (depth[place] % 2)
        shapes.append(
            {
                "type": "rect",
                "xref": "paper",
                "yref": "paper",
                "x0": x0,
                "x1": x1,
                "y0": y0,
                "y1": y1,
                "fillcolor": see_through(BLUE, pale),
                "line": {"color": PAPER, "width": 2},
            }
        )
        text = _written(tree, place, (x1 - x0) * sheet.plot_width - 2 * _PAD, sheet)
        if text:
            notes.append(
                {
                    "x": (x0 + x1) / 2,
                    "y": (y0 + y1) / 2,
                    "xref": "paper",
                    "yref": "paper",
                    "text": text,
                    "xanchor": "center",
                    "yanchor": "middle",
                    "showarrow": False,
                    "font": {"size": SMALL, "color": INK},
                }
            )
    figure.update_layout(
        shapes=[*figure.layout.shapes, *shapes], annotations=[*figure.layout.annotations, *notes]
    )
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return figure


def _written(tree: Tree, place: int, room: float, sheet: Sheet) -> str:
    """Label, size and refused cuts, as many lines as the box has room for; nothing in a sliver."""
    if room < 34:
        return ""
    name = wrap(label(tree.labels[place], sheet.lang), room, SMALL, most=2)
    size = f"<b>{sheet.number(float(tree.size[place]))}</b>"
    spare = int((_ROW - 2 * _PAD) / _LINE) - len(name) - 1
    refused: list[str] = (
        wrap("; ".join(label(one, sheet.lang) for one in tree.notes[place]), room, SMALL, most=spare)
        if spare > 0
        else []
    )
    lines = [*map(plain, name), size, *(f"<i>{plain(line)}</i>" for line in refused if line)]
    return "<br>".join(lines)
