"""Flows: a Sankey diagram of the strongest links from sources to targets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.sheet import EDGE, Sheet
from insanonym_core.figures.text_layout import escape_markup, wrap
from insanonym_core.figures.theme import BLUE, INK, NEUTRAL, PAPER, SMALL, with_opacity
from insanonym_core.results.scores import Flow

MAX_FLOWS, _MAX_TILE_FLOWS = 25, 12
_LABEL_GAP, _NODE_GAP = 3, 5  # pixels between a node and its label, and between the label and the next node
_LINE_HEIGHT, _MIN_NODE_HEIGHT, _NARROW_COLUMN = SMALL * 1.35, 12, 100
_TILE_REST = 56  # pixels of a tile above and below the plot
_MIN_POSITION = 0.0001  # plotly treats a position of exactly 0 as missing

Link = tuple[str, str, float]
Node = tuple[str, int]
Ribbon = tuple[Node, Node, float]


def draw_flow(flow: Flow, sheet: Sheet) -> go.Figure:
    """Draw the strongest links; a name that is source and target is one node unless links form a cycle."""
    links = [
        (source, target, float(count))
        for source, target, count in zip(
            flow.source, flow.target, np.asarray(flow.count).tolist(), strict=True
        )
        if np.isfinite(count) and count > 0
    ]
    if not links:
        return sheet.message_figure()
    ranked = sorted(links, key=lambda link: -link[2])
    max_flows = _flows_that_fit(ranked, sheet) if sheet.size.tile else MAX_FLOWS
    strongest = ranked[:max_flows]
    if len(links) > max_flows:
        rest = sum(link[2] for link in links) - sum(link[2] for link in strongest)
        sheet.notes.append(
            sheet.say(
                "The {shown} strongest of {all} flows; the others carry {rest} {what}.",
                shown=max_flows,
                all=sheet.number(len(links)),
                rest=sheet.number(rest),
                what=sheet.say(flow.what),
            )
        )
    else:
        sheet.notes.append(sheet.say("Width: {what}.", what=sheet.say(flow.what)))
    ribbons = _ribbons_of(strongest)
    nodes = list(dict.fromkeys([*(start for start, _, _ in ribbons), *(end for _, end, _ in ribbons)]))
    index_of = {node: index for index, node in enumerate(nodes)}
    sheet.left = sheet.right = EDGE
    sheet.tick_lines = 0
    columns = _assign_columns(ribbons)
    column_width = sheet.plot_width / len(columns)
    wide = column_width > _NARROW_COLUMN
    thickness, max_lines = (14, 2) if wide else (8, 3)
    font = SMALL - 1 if sheet.size.tile and not wide else SMALL  # in print every text has the same least size
    label_width = column_width - thickness - _LABEL_GAP - _NODE_GAP
    labels = {node: wrap(node[0], label_width, font, max_lines=max_lines) for node in nodes}
    pad = _LINE_HEIGHT * max(map(len, labels.values()))
    sheet.foot = pad / 2  # the label of the last node may reach below it
    sheet.plot_height = max(sheet.plot_height, (pad + _MIN_NODE_HEIGHT) * max(map(len, columns)))
    figure = sheet.finish()
    plot_height = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    positions = _node_positions(columns, ribbons, pad / plot_height)
    starts = {start for start, _, _ in ribbons}
    step = (
        (sheet.plot_width - label_width - _LABEL_GAP - thickness)
        / max(1, len(columns) - 1)
        / sheet.plot_width
    )
    left = {node: depth * step for depth, column in enumerate(columns) for node in column}
    figure.add_trace(
        go.Sankey(
            arrangement="fixed",
            node={
                "x": [max(_MIN_POSITION, left[node] + thickness / 2 / sheet.plot_width) for node in nodes],
                "y": [max(_MIN_POSITION, positions[node]) for node in nodes],
                "label": [""] * len(nodes),
                "align": "left",
                "customdata": [escape_markup(name) for name, _ in nodes],
                "color": [NEUTRAL if node in starts else BLUE for node in nodes],
                "pad": pad,
                "thickness": thickness,
                "line": {"width": 0},
                "hovertemplate": "%{customdata}: %{value}<extra></extra>",
            },
            link={
                "source": [index_of[start] for start, _, _ in ribbons],
                "target": [index_of[end] for _, end, _ in ribbons],
                "value": [count for _, _, count in ribbons],
                "color": with_opacity(BLUE, 0.22),
                "customdata": [
                    f"{escape_markup(source)} → {escape_markup(target)}: {sheet.number(count)}"
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
            text="<br>".join(map(escape_markup, labels[node])),
            x=left[node],
            xref="paper",
            xshift=thickness + _LABEL_GAP,
            xanchor="left",
            y=1 - positions[node],
            yref="paper",
            yanchor="middle",
            align="left",
            showarrow=False,
            borderpad=1,
            bgcolor=with_opacity(PAPER, 0.78),  # keeps the label readable over a ribbon
            font={"size": font, "color": INK},
        )
    return figure


def _assign_columns(links: Sequence[Ribbon]) -> list[list[Node]]:
    """Assign nodes to columns by their longest path from a source; order each column by its origins."""
    depth: dict[Node, int] = {node: 0 for link in links for node in link[:2]}
    for _ in depth:
        for source, target, _ in links:
            depth[target] = max(depth[target], depth[source] + 1)
    throughput = _throughput(links)
    columns: list[list[Node]] = [[] for _ in range(max(depth.values()) + 1)]
    for node in sorted(depth, key=lambda node: -throughput[node]):
        columns[depth[node]].append(node)
    order: dict[Node, float] = {}
    for column in columns:
        middle = {
            node: sum(order[source] * count for source, target, count in links if target == node)
            for node in column
        }
        inflow = {node: sum(count for _, target, count in links if target == node) or 1.0 for node in column}
        column.sort(key=lambda node: middle[node] / inflow[node])
        order |= {node: index / len(column) for index, node in enumerate(column)}
    return columns


def _throughput(links: Sequence[Ribbon]) -> dict[Node, float]:
    """The larger of inflow and outflow of each node."""
    inflow: dict[Node, float] = {}
    outflow: dict[Node, float] = {}
    for source, target, count in links:
        outflow[source] = outflow.get(source, 0.0) + count
        inflow[target] = inflow.get(target, 0.0) + count
    return {node: max(inflow.get(node, 0.0), outflow.get(node, 0.0)) for node in inflow | outflow}


def _node_positions(
    columns: Sequence[Sequence[Node]], links: Sequence[Ribbon], pad: float
) -> dict[Node, float]:
    """Centre of each node as a share of the height from the top, with the scale that plotly uses."""
    throughput = _throughput(links)
    scale = min(
        (1 - pad * (len(column) - 1)) / sum(throughput[node] for node in column) for column in columns
    )
    positions = {}
    for column in columns:
        free = 1 - pad * (len(column) - 1) - scale * sum(throughput[node] for node in column)
        top = min(free / 2, pad / 2)
        for node in column:
            positions[node] = top + scale * throughput[node] / 2
            top += scale * throughput[node] + pad
    return positions


def _ribbons_of(links: Sequence[Link]) -> list[Ribbon]:
    """The links between nodes; where they form a cycle, targets are nodes of their own."""
    cyclic = _has_cycle(links)
    return [((source, 0), (target, 1 if cyclic else 0), count) for source, target, count in links]


def _flows_that_fit(ranked: Sequence[Link], sheet: Sheet) -> int:
    """How many of the strongest links a tile is high enough for: each node may have a label of two lines."""
    most = int((sheet.size.height - _TILE_REST) / (2 * _LINE_HEIGHT + _MIN_NODE_HEIGHT))
    for count in range(_MAX_TILE_FLOWS, 2, -1):
        if max(map(len, _assign_columns(_ribbons_of(ranked[:count])))) <= most:
            return count
    return 2


def _has_cycle(links: Sequence[Link]) -> bool:
    """Whether the links form a cycle, which a diagram from left to right cannot show."""
    remaining = {(source, target) for source, target, _ in links}
    while remaining:
        targets = {target for _, target in remaining}
        starting = {link for link in remaining if link[0] not in targets}
        if not starting:
            return True
        remaining -= starting
    return False
