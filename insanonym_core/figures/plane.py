"""Curves and clouds: two axes of numbers."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.sheet import Sheet, finite
from insanonym_core.figures.text_layout import escape_markup, shorten
from insanonym_core.figures.theme import BLUE, PAPER, SMALL, looks, see_through
from insanonym_core.scores import Cloud, Curve, Values

MOST_POINTS = 4_000
_MOST_WHOLE_TICKS = 15
_MOST_DOTS = 60
_NEAR_ZERO = 0.4


def draw_curve(curve: Curve, sheet: Sheet) -> go.Figure:
    """A line with its points; a gap where there is no number."""
    x, y = np.asarray(curve.x, dtype=float), np.asarray(curve.y, dtype=float)
    if len(finite(x)) == 0 or len(finite(y)) == 0:
        return sheet.empty()
    levels = finite(np.array(list(curve.references.values()), dtype=float)).tolist()
    places = finite(np.array(list(curve.marks.values()), dtype=float)).tolist()
    sheet.number_axes(
        sheet.say(curve.x_label), sheet.say(curve.y_label), [*x.tolist(), *places], [*y.tolist(), *levels]
    )
    if (
        0 < sheet.y_range[0] < _NEAR_ZERO * sheet.y_range[1]
    ):  # beginning elsewhere would hide how little it is
        sheet.y_range = (0.0, sheet.y_range[1])
        sheet.draft.update_yaxes(range=sheet.y_range)
    sheet.marks, sheet.levels = curve.marks, curve.references
    if (finite(x) % 1 == 0).all() and np.ptp(finite(x)) <= _MOST_WHOLE_TICKS:
        sheet.draft.update_xaxes(dtick=1)
    sheet.draft.add_trace(
        go.Scatter(
            x=x,
            y=y,
            mode="lines+markers" if len(x) <= _MOST_DOTS else "lines",
            line={"color": BLUE, "width": 2.5},
            marker={"size": 8, "line": {"color": PAPER, "width": 1}},
            cliponaxis=False,
            customdata=[f"{sheet.number(a)}: {sheet.number(b)}" for a, b in zip(x, y, strict=True)],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    return sheet.finish()


def draw_cloud(cloud: Cloud, sheet: Sheet) -> go.Figure:
    """See-through points: where many lie the colour gets strong."""
    groups = {
        name: np.array([x, y], dtype=float)[:, np.isfinite(x) & np.isfinite(y)]
        for name, (x, y) in cloud.groups.items()
    }
    everything = np.concatenate([*groups.values(), np.empty((2, 0))], axis=1)
    if everything.shape[1] == 0:
        return sheet.empty()
    sheet.number_axes(sheet.say(cloud.x_label), sheet.say(cloud.y_label), everything[0], everything[1])
    most = max(points.shape[1] for points in groups.values())
    if most > MOST_POINTS:
        sheet.notes.append(
            sheet.say("At most {shown} points of each group are shown.", shown=sheet.number(MOST_POINTS))
        )
    opacity = float(np.clip(12 / math.sqrt(min(most, MOST_POINTS)), 0.25, 0.8))
    for name, look in looks(groups).items():
        shown = sheet.say(name)
        points = _thinned(groups[name])
        sheet.draft.add_trace(
            go.Scatter(
                x=points[0],
                y=points[1],
                name=escape_markup(shorten(shown, 260, SMALL)),
                mode="markers",
                marker={
                    "symbol": look.symbol,
                    "size": 7,
                    "color": see_through(look.colour, opacity),
                    "line": {"width": 1.2 if look.symbol.endswith("open") else 0.5, "color": look.colour},
                },
                hovertemplate=f"%{{x:.3~g}}, %{{y:.3~g}}<extra>{escape_markup(shown)}</extra>",
            )
        )
        sheet.legend.append(shown)
    return sheet.finish()


def _thinned(points: Values) -> Values:
    """Evenly chosen points: a page with a hundred thousand of them would not scroll."""
    count = points.shape[1]
    return points if count <= MOST_POINTS else points[:, np.linspace(0, count - 1, MOST_POINTS).astype(int)]
