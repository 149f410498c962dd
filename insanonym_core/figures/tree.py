"""Trees: each node is a box below its parent, with a width proportional to its size."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.sheet import EDGE, Sheet
from insanonym_core.figures.text_layout import escape_markup, text_width, wrap
from insanonym_core.figures.theme import BLUE, INK, PAPER, SMALL, with_opacity
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.results.scores import Tree
from insanonym_core.texts import Phrase, label

_ROW_HEIGHT, _BRANCH_ROW_HEIGHT, _TILE_ROW_HEIGHT = 104, 84, 40
_LINE_HEIGHT = SMALL * 1.35
_PAD = 6


def draw_tree(tree: Tree, sheet: Sheet) -> go.Figure:
    """Draw a tree, the root on top; in a branch, every level takes the whole width."""
    if not tree.labels:
        return sheet.message_figure()
    depth, left, right = _branch_extents(tree) if tree.branch else _node_extents(tree)
    levels = int(depth.max()) + 1
    sheet.notes.append(
        sheet.say("Each level splits the dark box of the level above.")
        if tree.branch
        else sheet.say("Width: {what}.", what=sheet.say(tree.what))
    )
    sheet.notes.extend(_refusal_note(tree, sheet))
    sheet.left = sheet.right = EDGE
    sheet.tick_lines = 0
    sheet.plot_height = sheet.rows_height(
        levels, _BRANCH_ROW_HEIGHT if tree.branch else _ROW_HEIGHT, _TILE_ROW_HEIGHT
    )
    row_height = sheet.lay_out() / levels
    expanded = set(np.asarray(tree.parent).tolist()) if tree.branch else set()
    texts = []
    for node in range(len(tree.labels)):
        x0, x1 = left[node], right[node]
        y1 = 1 - depth[node] / levels
        y0 = y1 - 1 / levels
        pale = (0.30 if node in expanded else 0.10) if tree.branch else 0.10 + 0.10 * (depth[node] % 2)
        box = {"x0": x0, "x1": x1, "y0": y0, "y1": y1, "xref": "paper", "yref": "paper"}
        outline = {"color": PAPER, "width": 2}
        sheet.draft.add_shape(type="rect", **box, fillcolor=with_opacity(BLUE, pale), line=outline)
        text = _box_text(tree, node, (x1 - x0) * sheet.plot_width - 2 * _PAD, row_height, sheet)
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
        texts.append(_hover_text(tree, node, sheet))
    # The hover text has everything, also what does not fit into the box.
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


def _node_extents(tree: Tree) -> tuple[Ints, Floats, Floats]:
    """Depth, left and right end of each node, as shares of the root."""
    parent, size = np.asarray(tree.parent), np.asarray(tree.size, dtype=float)
    depth = np.zeros(len(parent), dtype=np.int64)
    left, filled = np.zeros(len(parent)), np.zeros(len(parent))
    for node in range(1, len(parent)):  # parents precede their children
        above = parent[node]
        depth[node] = depth[above] + 1
        left[node] = left[above] + filled[above]
        filled[above] += size[node]
    return depth, left / size[0], (left + size) / size[0]


def _branch_extents(tree: Tree) -> tuple[Ints, Floats, Floats]:
    """Depth, left and right end of each node, with every level stretched to the whole width."""
    depth, left, right = _node_extents(tree)
    for level in range(int(depth.max()) + 1):
        on_level = depth == level
        first, last = left[on_level].min(), right[on_level].max()
        left[on_level] = (left[on_level] - first) / (last - first)
        right[on_level] = (right[on_level] - first) / (last - first)
    return depth, left, right


def _refusal_note(tree: Tree, sheet: Sheet) -> list[str]:
    """Explain the notation of a refused cut by the first one in the tree; [] without any."""
    for note in (note for notes in tree.notes for note in notes):
        if isinstance(note, Phrase) and note.template == "{column}: {rows} < {k}":
            rows, k = note.values["rows"], note.values["k"]
            said = Phrase.plural(
                "“{refusal}”: refused, as one side would keep only {n:,} row.",
                "“{refusal}”: refused, as one side would keep only {n:,} rows.",
                n=rows,
                refusal=_no_line_break(f"{rows} < {k}"),
            )
            return [sheet.say(said)]
    return []


def _no_line_break(text: str) -> str:
    """Put no-break spaces around "<", so that a condition such as "age < 5" stays on one line."""
    return text.replace(" < ", "\u00a0<\u00a0")


def _hover_text(tree: Tree, node: int, sheet: Sheet) -> str:
    """Label, size and notes of a node, one per line."""
    size = f"{sheet.number(float(tree.size[node]))} {sheet.say(tree.what)}"
    lines = [label(tree.labels[node], sheet.lang), size]
    return "<br>".join(map(escape_markup, [*lines, *(label(note, sheet.lang) for note in tree.notes[node])]))


def _box_text(tree: Tree, node: int, available: float, row_height: float, sheet: Sheet) -> str:
    """Label, size and refused cuts that fit into the box; empty for a very narrow box."""
    if available < 34:
        return ""
    room = int((row_height - 2 * _PAD) / _LINE_HEIGHT) - 1
    name = _whole_lines(label(tree.labels[node], sheet.lang), available, min(3, room))
    size = f"<b>{sheet.number(float(tree.size[node]))}</b>"
    notes = _no_line_break("; ".join(label(note, sheet.lang) for note in tree.notes[node]))
    refused = _whole_lines(notes, available, room - len(name)) if name else []
    lines = [*map(escape_markup, name), size, *(f"<i>{escape_markup(line)}</i>" for line in refused if line)]
    return "<br>".join(lines)


def _whole_lines(text: str, available: float, max_lines: int) -> list[str]:
    """The lines of a text that fits; [] for one that does not: it is in the hover text alone."""
    if max_lines < 1 or any(text_width(word, SMALL) > available for word in text.split(" ")):
        return []
    lines = wrap(text, available, SMALL)
    return lines if len(lines) <= max_lines else []
