"""Curves and point clouds: figures with two numeric axes."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.bars import SHARE_TICKS, SHARES
from insanonym_core.figures.beside import THIS
from insanonym_core.figures.sheet import Sheet, finite_values
from insanonym_core.figures.text_layout import escape_markup, shorten, text_width
from insanonym_core.figures.theme import BLUE, PAPER, SMALL, looks, with_opacity
from insanonym_core.results.scores import Cloud, Curve, Values
from insanonym_core.texts.numbers import percent

MAX_POINTS = 4_000
_MAX_INTEGER_TICKS = 15
_MAX_MARKERS = 60
_EXTEND_TO_ZERO_BELOW = 0.4


def draw_curve(curve: Curve, sheet: Sheet) -> go.Figure:
    """Draw a line with markers and a gap at missing values."""
    x, y = np.asarray(curve.x, dtype=float), np.asarray(curve.y, dtype=float)
    if len(finite_values(x)) == 0 or len(finite_values(y)) == 0:
        return sheet.message_figure()
    levels = finite_values(np.array(list(curve.references.values()), dtype=float)).tolist()
    mark_values = finite_values(np.array(list(curve.marks.values()), dtype=float)).tolist()
    sheet.number_axes(
        sheet.say(curve.x_label),
        sheet.say(curve.y_label),
        [*x.tolist(), *mark_values, *(value for others, _ in curve.others.values() for value in others)],
        [*y.tolist(), *levels, *(value for _, others in curve.others.values() for value in others)],
    )
    if (
        0 < sheet.y_range[0] < _EXTEND_TO_ZERO_BELOW * sheet.y_range[1]
    ):  # a truncated axis would exaggerate differences
        sheet.y_range = (0.0, sheet.y_range[1])
        sheet.draft.update_yaxes(range=sheet.y_range)
    if curve.share:
        sheet.y_range, sheet.shares_on = SHARES, "y"
        sheet.title_axes(sheet.x_title, sheet.y_title, text_width(percent(1, sheet.lang), SMALL))
        ticktext = [percent(tick, sheet.lang) for tick in SHARE_TICKS]
        sheet.draft.update_yaxes(range=SHARES, tickvals=SHARE_TICKS, ticktext=ticktext)
    sheet.marks, sheet.levels = curve.marks, curve.references
    if (finite_values(x) % 1 == 0).all() and np.ptp(finite_values(x)) <= _MAX_INTEGER_TICKS:
        sheet.draft.update_xaxes(dtick=1)
    sheet.draft.add_trace(
        go.Scatter(
            x=x,
            y=y,
            mode="lines+markers" if len(x) <= _MAX_MARKERS else "lines",
            line={"color": BLUE, "width": 2.5},
            marker={"size": 8, "line": {"color": PAPER, "width": 1}},
            cliponaxis=False,
            customdata=[f"{sheet.number(a)}: {sheet.value(b, 'y')}" for a, b in zip(x, y, strict=True)],
            hovertemplate="%{customdata}<extra></extra>",
            name=sheet.say(THIS),
        )
    )
    _draw_others(curve, sheet)
    return sheet.finish()


def _draw_others(curve: Curve, sheet: Sheet) -> None:
    """Draw the lines of other settings, and say in the legend whose each is."""
    if not curve.others:
        return
    sheet.legend.append(sheet.say(THIS))
    look_of = looks([THIS, *curve.others])
    for name, (x, y) in curve.others.items():
        title = sheet.say(name)
        sheet.draft.add_trace(
            go.Scatter(
                x=np.asarray(x, dtype=float),
                y=np.asarray(y, dtype=float),
                mode="lines",
                line={"color": look_of[name].colour, "width": 2, "dash": look_of[name].dash},
                cliponaxis=False,
                name=escape_markup(title),
                hovertemplate=f"%{{x:.3~g}}, %{{y:.3~g}}<extra>{escape_markup(title)}</extra>",
            )
        )
        sheet.legend.append(title)


def draw_cloud(cloud: Cloud, sheet: Sheet) -> go.Figure:
    """Draw semi-transparent points, darker where many overlap."""
    groups = {
        name: np.array([x, y], dtype=float)[:, np.isfinite(x) & np.isfinite(y)]
        for name, (x, y) in cloud.groups.items()
    }
    everything = np.concatenate([*groups.values(), np.empty((2, 0))], axis=1)
    if everything.shape[1] == 0:
        return sheet.message_figure()
    sheet.number_axes(sheet.say(cloud.x_label), sheet.say(cloud.y_label), everything[0], everything[1])
    largest_group = max(points.shape[1] for points in groups.values())
    if largest_group > MAX_POINTS:
        sheet.notes.append(
            sheet.say("At most {shown} points of each group are shown.", shown=sheet.number(MAX_POINTS))
        )
    opacity = float(np.clip(12 / math.sqrt(min(largest_group, MAX_POINTS)), 0.25, 0.8))
    for name, look in looks(groups).items():
        group_title = sheet.say(name)
        points = _subsample(groups[name])
        sheet.draft.add_trace(
            go.Scatter(
                x=points[0],
                y=points[1],
                name=escape_markup(shorten(group_title, 260, SMALL)),
                mode="markers",
                marker={
                    "symbol": look.symbol,
                    "size": 7,
                    "color": with_opacity(look.colour, opacity),
                    "line": {"width": 1.2 if look.symbol.endswith("open") else 0.5, "color": look.colour},
                },
                hovertemplate=f"%{{x:.3~g}}, %{{y:.3~g}}<extra>{escape_markup(group_title)}</extra>",
            )
        )
        sheet.legend.append(group_title)
    return sheet.finish()


def _subsample(points: Values) -> Values:
    """At most MAX_POINTS evenly chosen points, to keep the page responsive."""
    count = points.shape[1]
    return points if count <= MAX_POINTS else points[:, np.linspace(0, count - 1, MAX_POINTS).astype(int)]
