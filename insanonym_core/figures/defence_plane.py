"""The plane of privacy and utility: how far its axes reach, and where the defence is equal."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.sheet import Sheet
from insanonym_core.figures.theme import LINE, MUTED, PAPER, SMALL, see_through
from insanonym_core.figures.words import nice_ticks, width

_WHOLE, _LEAST, _AIR, _TOP = 0.5, 0.05, 0.25, 0.03
_CURVES, _LABEL = 9, SMALL * 1.3
Range = tuple[float, float]


def limits(values: Sequence[float]) -> Range:
    """From 0 to 1 and further where points lie outside; nearer where they fill less than half of that."""
    low, high = min(values), max(values)
    if low == high or high - low > _WHOLE:
        return min(0.0, low - 0.04), max(1.0, high) + _TOP
    air = max(_AIR * (high - low), (_LEAST - (high - low)) / 2)
    top = high + air if high > 1 else min(high + air, 1 + min(_TOP, air / 2))
    return (0.0 if 0 <= low <= 2 * air else low - air), top


def set_axes(sheet: Sheet, utility: Sequence[float], privacy: Sequence[float]) -> float:
    """The ranges of both axes, and how wide the numbers of the upward one are.

    Where an axis does not begin at 0 or ends early, a note says so.
    """
    sheet.x_range, sheet.y_range = limits(utility), limits(privacy)
    cut = []
    for name, (low, high) in (("Utility", sheet.x_range), ("Privacy", sheet.y_range)):
        if low > 0 or high < 1:
            ends = f"{sheet.number(max(low, 0.0), 2)}–{sheet.number(min(high, 1.0), 2)}"
            cut.append(f"{sheet.say(name).lower()} {ends}")
    if cut:
        sheet.notes.append(sheet.say("Enlarged: {axes} of 0–1.", axes=", ".join(cut)))
    for axis, (low, high) in (("xaxis", sheet.x_range), ("yaxis", sheet.y_range)):
        sheet.draft.update_layout(**{axis: {"range": (low, high), "dtick": _step(high - low, 6)}})
    low, high = sheet.y_range
    places = max(1, math.ceil(-math.log10(_step(high - low, 6))))
    return width(sheet.number(low if low < 0 else 1.0, places), SMALL)


def equal_defence(sheet: Sheet, high: float) -> list[tuple[float, float, float, float]]:
    """Curves where utility × privacy is the same: along one nothing is won.

    Their values stand at their ends: at the right, or inside above the foot where a curve leaves there. Given
    back are the boxes of the latter, in pixels of a plot that is `high` pixels high.
    """
    (x_low, x_end), (y_low, y_end) = sheet.x_range, sheet.y_range
    boxes: list[tuple[float, float, float, float]] = []
    free = math.inf
    for level in reversed(_levels(sheet)):
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
        at = (level / x_end - y_low) / (y_end - y_low) * high
        if at >= 0:
            if at <= free:
                free = at - _LABEL
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
            place = (level / y_low - x_low) / (x_end - x_low) * sheet.plot_width
            box = (place - width(text, SMALL), 2.0, place + 4, _LABEL + 2)
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
                    bgcolor=see_through(PAPER, 0.75),
                    name="level",
                )
    return boxes


def widest(sheet: Sheet) -> float:
    """How many pixels the values of the curves take at the right."""
    return max((width(sheet.number(level), SMALL) for level in _levels(sheet)), default=0.0) + 6


def _levels(sheet: Sheet) -> list[float]:
    """Round values between the corners of the plane, no more than nine."""
    low = max(0.0, sheet.x_range[0]) * max(0.0, sheet.y_range[0])
    high = min(sheet.x_range[1], 1.0) * min(sheet.y_range[1], 1.0)
    step = _step(high - low, _CURVES)
    first = math.floor(low / step) + 1
    found = [round(step * place, 10) for place in range(first, math.ceil(high / step))]
    return [level for level in found if level > 0]


def _step(span: float, most: int) -> float:
    return nice_ticks(span, most + 1)[1]
