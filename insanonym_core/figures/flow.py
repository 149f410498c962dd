"""Flows: ribbons from sources to targets, the strongest ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.sheet import EDGE, Sheet
from insanonym_core.figures.theme import BLUE, INK, NEUTRAL, SMALL, see_through
from insanonym_core.figures.words import plain, shorten
from insanonym_core.scores import Flow

MOST = 25
_NODE_HEIGHT = 26
_SHARE_FOR_LABELS = 0.25

Link = tuple[str, str, float]


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
    starts = [(source, 0) for source, _, _ in strongest]
    ends = [(target, 1 if apart else 0) for _, target, _ in strongest]
    nodes = list(dict.fromkeys([*starts, *ends]))
    place = {node: number for number, node in enumerate(nodes)}
    sheet.left = sheet.right = EDGE
    sheet.tick_lines = 0
    sheet.plot_height = max(sheet.plot_height, _NODE_HEIGHT * max(len(set(starts)), len(set(ends))))
    sheet.figure.add_trace(
        go.Sankey(
            arrangement="snap",
            node={
                "label": [
                    plain(shorten(name, sheet.size.width * _SHARE_FOR_LABELS, SMALL)) for name, _ in nodes
                ],
                "customdata": [plain(name) for name, _ in nodes],
                "color": [NEUTRAL if node in starts else BLUE for node in nodes],
                "pad": 14,
                "thickness": 14,
                "line": {"width": 0},
                "hovertemplate": "%{customdata}: %{value}<extra></extra>",
            },
            link={
                "source": [place[node] for node in starts],
                "target": [place[node] for node in ends],
                "value": [count for _, _, count in strongest],
                "color": see_through(BLUE, 0.22),
                "customdata": [
                    f"{plain(source)} → {plain(target)}: {sheet.number(count)}"
                    for source, target, count in strongest
                ],
                "hovertemplate": "%{customdata}<extra></extra>",
            },
            textfont={"size": SMALL, "color": INK},
            valueformat=",",
        )
    )
    return sheet.finish()


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
