"""Axes of the privacy-utility plane, and its curves of equal defence."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.sheet import Sheet
from insanonym_core.figures.text_layout import nice_ticks, text_width
from insanonym_core.figures.theme import LINE, MUTED, PAPER, SMALL, with_opacity

_FULL_RANGE_ABOVE, _MIN_SPAN, _PADDING, _TOP_PADDING = 0.5, 0.05, 0.25, 0.03
_MAX_CURVES, _LABEL_HEIGHT = 9, SMALL * 1.3
Range = tuple[float, float]


def axis_range(values: Sequence[float]) -> Range:
    """Range of an axis: 0 to 1, extended to points outside, enlarged if they span less than half of it."""
    low, high = min(values), max(values)
    if low == high or high - low > _FULL_RANGE_ABOVE:
        return min(0.0, low - 0.04), max(1.0, high) + _TOP_PADDING
    padding = max(_PADDING * (high - low), (_MIN_SPAN - (high - low)) / 2)
    top = high + padding if high > 1 else min(high + padding, 1 + min(_TOP_PADDING, padding / 2))
    return (0.0 if 0 <= low <= 2 * padding else low - padding), top


def set_axes(sheet: Sheet, utility: Sequence[float], privacy: Sequence[float]) -> float:
    """Set the ranges of both axes; return the width in pixels of the y tick labels.

    A note names the axes that do not show all of 0 to 1; in a tile, both always do: a point that moves there
    moves on the same plane.
    """
    whole = [0.0, 1.0] if sheet.size.tile else []
    sheet.x_range, sheet.y_range = axis_range([*utility, *whole]), axis_range([*privacy, *whole])
    enlarged = []
    for name, (low, high) in (("Utility", sheet.x_range), ("Privacy", sheet.y_range)):
        if low > 0 or high < 1:
            ends = f"{sheet.number(max(low, 0.0), 2)}–{sheet.number(min(high, 1.0), 2)}"
            enlarged.append(f"{sheet.say(name).lower()} {ends}")
    if enlarged:
        sheet.notes.append(sheet.say("Enlarged: {axes} of 0–1.", axes=", ".join(enlarged)))
    for axis, (low, high) in (("xaxis", sheet.x_range), ("yaxis", sheet.y_range)):
        sheet.draft.update_layout(**{axis: {"range": (low, high), "dtick": _tick_step(high - low, 6)}})
    low, high = sheet.y_range
    decimals = max(1, math.ceil(-math.log10(_tick_step(high - low, 6))))
    return text_width(sheet.number(low if low < 0 else 1.0, decimals), SMALL)


def draw_defence_curves(sheet: Sheet, plot_height: float) -> list[tuple[float, float, float, float]]:
    """Draw curves of equal utility × privacy, labelled with their value.

    A label is placed at the right end of its curve, or inside the plot if the curve leaves at the bottom.
    Returns the boxes of the labels inside, in pixels, for a plot `plot_height` pixels high.
    """
    (x_low, x_end), (y_low, y_end) = sheet.x_range, sheet.y_range
    boxes: list[tuple[float, float, float, float]] = []
    next_free = math.inf
    for level in reversed(_curve_levels(sheet)):
        x = np.linspace(max(level / y_end, x_low), x_end, 80)
        inside = level / x >= y_low
        sheet.draft.add_trace(
            go.Scatter(
                x=x[inside],
                y=(level / x)[inside],
                mode="lines",
                line={"color": LINE, "width": 1},
                hoverinfo="skip",
                showlegend=False,
            )
        )
        text = sheet.number(level)
        font = {"size": SMALL, "color": MUTED}
        label_y = (level / x_end - y_low) / (y_end - y_low) * plot_height
        if label_y >= 0:
            if label_y <= next_free:
                next_free = label_y - _LABEL_HEIGHT
                sheet.draft.add_annotation(
                    x=1,
                    xref="paper",
                    y=level / x_end,
                    text=text,
                    xanchor="left",
                    xshift=3,
                    showarrow=False,
                    font=font,
                )
        else:
            label_x = (level / y_low - x_low) / (x_end - x_low) * sheet.plot_width
            box = (label_x - text_width(text, SMALL), 2.0, label_x + 4, _LABEL_HEIGHT + 2)
            if box[0] >= 0 and not any(box[0] < other[2] and other[0] < box[2] for other in boxes):
                boxes.append(box)
                sheet.draft.add_annotation(
                    x=level / y_low,
                    y=y_low,
                    text=text,
                    xanchor="right",
                    yanchor="bottom",
                    xshift=-3,
                    showarrow=False,
                    font=font,
                    borderpad=0,
                    bgcolor=with_opacity(PAPER, 0.75),
                    name="level",
                )
    return boxes


def curve_labels_width(sheet: Sheet) -> float:
    """Pixels needed right of the plot for the values of the curves."""
    return max((text_width(sheet.number(level), SMALL) for level in _curve_levels(sheet)), default=0.0) + 6


def _curve_levels(sheet: Sheet) -> list[float]:
    """Round values of utility × privacy inside the plane, at most _MAX_CURVES."""
    low = max(0.0, sheet.x_range[0]) * max(0.0, sheet.y_range[0])
    high = min(sheet.x_range[1], 1.0) * min(sheet.y_range[1], 1.0)
    step = _tick_step(high - low, _MAX_CURVES)
    first = math.floor(low / step) + 1
    levels = [round(step * multiple, 10) for multiple in range(first, math.ceil(high / step))]
    return [level for level in levels if level > 0]


def _tick_step(span: float, max_ticks: int) -> float:
    return nice_ticks(span, max_ticks + 1)[1]
