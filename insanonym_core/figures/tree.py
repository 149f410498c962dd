"""Trees: each node a box below its parent, as wide as it is large; what was refused stands in the box."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from insanonym_core.arrays import Floats, Ints
from insanonym_core.figures.sheet import EDGE, Sheet
from insanonym_core.figures.text_layout import escape_markup, wrap
from insanonym_core.figures.theme import BLUE, INK, PAPER, SMALL, see_through
from insanonym_core.scores import Tree
from insanonym_core.texts import Phrase, label

_ROW, _LOW_ROW = 104, 84
_LINE = SMALL * 1.35
_PAD = 6


def draw_tree(tree: Tree, sheet: Sheet) -> go.Figure:
    """The root on top; widths are shares of its size, or in a branch of what the level above left open."""
    if not tree.labels:
        return sheet.empty()
    depth, left, right = _branch(tree) if tree.branch else _shares(tree)
    levels = int(depth.max()) + 1
    sheet.notes.append(
        sheet.say("Each level is what became of the dark box above.")
        if tree.branch
        else sheet.say("Width: {what}.", what=sheet.say(tree.what))
    )
    sheet.notes.extend(_explained(tree, sheet))
    sheet.left = sheet.right = EDGE
    sheet.tick_lines = 0
    sheet.plot_height = max(sheet.plot_height, levels * (_LOW_ROW if tree.branch else _ROW))
    row = sheet.lay_out() / levels
    going_on = set(np.asarray(tree.parent).tolist()) if tree.branch else set()
    texts = []
    for place in range(len(tree.labels)):
        x0, x1 = left[place], right[place]
        y1 = 1 - depth[place] / levels
        y0 = y1 - 1 / levels
        pale = (0.30 if place in going_on else 0.10) if tree.branch else 0.10 + 0.10 * (depth[place] % 2)
        box = {"x0": x0, "x1": x1, "y0": y0, "y1": y1, "xref": "paper", "yref": "paper"}
        outline = {"color": PAPER, "width": 2}
        sheet.draft.add_shape(type="rect", **box, fillcolor=see_through(BLUE, pale), line=outline)
        text = _written(tree, place, (x1 - x0) * sheet.plot_width - 2 * _PAD, row, sheet)
        if text:
            sheet.draft.add_annotation(
                x=(x0 + x1) / 2,
                y=(y0 + y1) / 2,
                xref="paper",
                yref="paper",
                text=text,
                xanchor="center",
                yanchor="middle",
                showarrow=False,
                font={"size": SMALL, "color": INK},
            )
        texts.append(_told(tree, place, sheet))
    # What has no room in its box is told where a mouse rests on it.
    sheet.draft.add_trace(
        go.Scatter(
            x=(left + right) / 2,
            y=1 - (depth + 0.5) / levels,
            mode="markers",
            marker={"opacity": 0, "size": 24},
            hovertext=texts,
            hovertemplate="%{hovertext}<extra></extra>",
            showlegend=False,
        )
    )
    sheet.draft.update_xaxes(visible=False, range=(0, 1))
    sheet.draft.update_yaxes(visible=False, range=(0, 1))
    return sheet.draft.figure()


def _shares(tree: Tree) -> tuple[Ints, Floats, Floats]:
    """Depth, left and right end of each node: below its parent, beside what stands there already."""
    parent, size = np.asarray(tree.parent), np.asarray(tree.size, dtype=float)
    depth = np.zeros(len(parent), dtype=np.int64)
    left, filled = np.zeros(len(parent)), np.zeros(len(parent))
    for place in range(1, len(parent)):  # parents stand before their children
        above = parent[place]
        depth[place] = depth[above] + 1
        left[place] = left[above] + filled[above]
        filled[above] += size[place]
    return depth, left / size[0], (left + size) / size[0]


def _branch(tree: Tree) -> tuple[Ints, Floats, Floats]:
    """The same, with every level over the whole width."""
    depth, left, right = _shares(tree)
    for level in range(int(depth.max()) + 1):
        some = depth == level
        first, last = left[some].min(), right[some].max()
        left[some] = (left[some] - first) / (last - first)
        right[some] = (right[some] - first) / (last - first)
    return depth, left, right


def _explained(tree: Tree, sheet: Sheet) -> list[str]:
    """What a refusal means, by one of those in the tree."""
    said = "“{refusal}”: refused, as one side would keep only {rows} rows."
    for note in (note for notes in tree.notes for note in notes):
        if isinstance(note, Phrase) and note.template == "{column}: {rows} < {k}":
            rows, k = note.values["rows"], note.values["k"]
            return [sheet.say(said, refusal=_together(f"{rows} < {k}"), rows=rows)]
    return []


def _together(text: str) -> str:
    """4 < 5 on one line."""
    return text.replace(" < ", "\u00a0<\u00a0")


def _told(tree: Tree, place: int, sheet: Sheet) -> str:
    """All of a node's texts, a line each."""
    size = f"{sheet.number(float(tree.size[place]))} {sheet.say(tree.what)}"
    lines = [label(tree.labels[place], sheet.lang), size]
    return "<br>".join(map(escape_markup, [*lines, *(label(note, sheet.lang) for note in tree.notes[place])]))


def _written(tree: Tree, place: int, room: float, row: float, sheet: Sheet) -> str:
    """Label, size and refused cuts, as many lines as the box has room for; nothing in a sliver."""
    if room < 34:
        return ""
    name = wrap(label(tree.labels[place], sheet.lang), room, SMALL, max_lines=2)
    size = f"<b>{sheet.number(float(tree.size[place]))}</b>"
    spare = int((row - 2 * _PAD) / _LINE) - len(name) - 1
    refused: list[str] = (
        wrap(
            _together("; ".join(label(one, sheet.lang) for one in tree.notes[place])),
            room,
            SMALL,
            max_lines=spare,
        )
        if spare > 0
        else []
    )
    lines = [*map(escape_markup, name), size, *(f"<i>{escape_markup(line)}</i>" for line in refused if line)]
    return "<br>".join(lines)
