"""Flows: ribbons from sources to targets, the strongest ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.sheet import EDGE, Sheet
from insanonym_core.figures.theme import BLUE, INK, NEUTRAL, PAPER, SMALL, see_through
from insanonym_core.figures.words import plain, wrap
from insanonym_core.scores import Flow

MOST = 25
_NEAR, _AIR = 3, 5  # pixels from a node to its label, from there to the next node
_LINE, _LEAST, _NARROW = SMALL * 1.35, 12, 100
_ZERO = 0.0001  # plotly takes a place of exactly 0 for none

Link = tuple[str, str, float]
Node = tuple[str, int]
Ribbon = tuple[Node, Node, float]


def draw_flow(flow: Flow, sheet: Sheet) -> go.Figure:
    """A name that is both source and target is one place in between, unless ribbons would run in circles."""
    links = [
        (source, target, float(count))
        for source, target, count in zip(
            flow.source, flow.target, np.asarray(flow.count).tolist(), strict=True
        )
        if np.isfinite(count) and count > 0
    ]
    if not links:
        return sheet.empty()
    strongest = sorted(links, key=lambda link: -link[2])[:MOST]
    if len(links) > MOST:
        rest = sum(link[2] for link in links) - sum(link[2] for link in strongest)
        sheet.notes.append(
            sheet.say(
                "The {shown} strongest of {all} flows; the others carry {rest} {what}.",
                shown=MOST,
                all=sheet.number(len(links)),
                rest=sheet.number(rest),
                what=sheet.say(flow.what),
            )
        )
    else:
        sheet.notes.append(sheet.say("Width: {what}.", what=sheet.say(flow.what)))
    apart = _runs_in_circles(strongest)
    ends = [((source, 0), (target, 1 if apart else 0), count) for source, target, count in strongest]
    nodes = list(dict.fromkeys([*(one for one, _, _ in ends), *(other for _, other, _ in ends)]))
    number = {node: place for place, node in enumerate(nodes)}
    sheet.left = sheet.right = EDGE
    sheet.tick_lines = 0
    columns = _columns(ends)
    slot = sheet.plot_width / len(columns)
    thick, font, most = (14, SMALL, 2) if slot > _NARROW else (8, SMALL - 1, 3)
    room = slot - thick - _NEAR - _AIR
    labels = {node: wrap(node[0], room, font, most=most) for node in nodes}
    pad = _LINE * max(map(len, labels.values()))
    sheet.foot = pad / 2  # the label of the last node may reach below it
    sheet.plot_height = max(sheet.plot_height, (pad + _LEAST) * max(map(len, columns)))
    figure = sheet.finish()
    inside = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    places = _places(columns, ends, pad / inside)
    starts = {one for one, _, _ in ends}
    step = (sheet.plot_width - room - _NEAR - thick) / max(1, len(columns) - 1) / sheet.plot_width
    left = {node: depth * step for depth, column in enumerate(columns) for node in column}
    figure.add_trace(
        go.Sankey(
            arrangement="fixed",
            node={
                "x": [max(_ZERO, left[node] + thick / 2 / sheet.plot_width) for node in nodes],
                "y": [max(_ZERO, places[node]) for node in nodes],
                "label": [""] * len(nodes),
                "align": "left",
                "customdata": [plain(name) for name, _ in nodes],
                "color": [NEUTRAL if node in starts else BLUE for node in nodes],
                "pad": pad,
                "thickness": thick,
                "line": {"width": 0},
                "hovertemplate": "%{customdata}: %{value}<extra></extra>",
            },
            link={
                "source": [number[one] for one, _, _ in ends],
                "target": [number[other] for _, other, _ in ends],
                "value": [count for _, _, count in ends],
                "color": see_through(BLUE, 0.22),
                "customdata": [
                    f"{plain(source)} → {plain(target)}: {sheet.number(count)}"
                    for source, target, count in strongest
                ],
                "hovertemplate": "%{customdata}<extra></extra>",
            },
            valueformat=",",
        )
    )
    for node in nodes:
        figure.add_annotation(
            name="node",
            text="<br>".join(map(plain, labels[node])),
            x=left[node],
            xref="paper",
            xshift=thick + _NEAR,
            xanchor="left",
            y=1 - places[node],
            yref="paper",
            yanchor="middle",
            align="left",
            showarrow=False,
            borderpad=1,
            bgcolor=see_through(PAPER, 0.78),  # a ribbon ends at a label and goes on behind it
            font={"size": font, "color": INK},
        )
    return figure


def _columns(links: Sequence[Ribbon]) -> list[list[Node]]:
    """Nodes by the longest way from one that nothing leads to; in a column near those they come from."""
    depth: dict[Node, int] = {node: 0 for link in links for node in link[:2]}
    for _ in depth:
        for one, other, _ in links:
            depth[other] = max(depth[other], depth[one] + 1)
    carried = _carried(links)
    columns: list[list[Node]] = [[] for _ in range(max(depth.values()) + 1)]
    for node in sorted(depth, key=lambda node: -carried[node]):
        columns[depth[node]].append(node)
    order: dict[Node, float] = {}
    for column in columns:
        middle = {
            node: sum(order[one] * count for one, other, count in links if other == node) for node in column
        }
        taken = {node: sum(count for _, other, count in links if other == node) or 1.0 for node in column}
        column.sort(key=lambda node: middle[node] / taken[node])
        order |= {node: place / len(column) for place, node in enumerate(column)}
    return columns


def _carried(links: Sequence[Ribbon]) -> dict[Node, float]:
    """How much goes through each node: what comes in or what leaves, whichever is more."""
    into: dict[Node, float] = {}
    out: dict[Node, float] = {}
    for one, other, count in links:
        out[one] = out.get(one, 0.0) + count
        into[other] = into.get(other, 0.0) + count
    return {node: max(into.get(node, 0.0), out.get(node, 0.0)) for node in into | out}


def _places(columns: Sequence[Sequence[Node]], links: Sequence[Ribbon], pad: float) -> dict[Node, float]:
    """The middle of each node from the top, as shares of the height; scaled as plotly scales its nodes."""
    carried = _carried(links)
    scale = min((1 - pad * (len(column) - 1)) / sum(carried[node] for node in column) for column in columns)
    places = {}
    for column in columns:
        free = 1 - pad * (len(column) - 1) - scale * sum(carried[node] for node in column)
        top = min(free / 2, pad / 2)
        for node in column:
            places[node] = top + scale * carried[node] / 2
            top += scale * carried[node] + pad
    return places


def _runs_in_circles(links: Sequence[Link]) -> bool:
    """Whether somebody comes back to a place: a drawing from left to right cannot show that."""
    left = {(source, target) for source, target, _ in links}
    while left:
        targets = {target for _, target in left}
        starting = {link for link in left if link[0] not in targets}
        if not starting:
            return True
        left -= starting
    return False
