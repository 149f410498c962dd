"""The picture this product exists for: privacy against utility, over a parameter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.card import Card
from insanonym_core.figures.sheet import Sheet
from insanonym_core.figures.spots import beside
from insanonym_core.figures.theme import (
    INK,
    LINE,
    MUTED,
    PAPER,
    SCREEN,
    SMALL,
    Look,
    Size,
    looks,
    see_through,
)
from insanonym_core.figures.words import plain, shorten, width

_FEW = 8
_LABEL = 210
_NEAR = 14
_RING = 6.0


@dataclass(frozen=True)
class FrontPoint:
    """One setting of one series: its mean over the seeds, and between which values the seeds lie."""

    series: str
    label: str
    privacy: float
    utility: float
    privacy_low: float = math.nan
    privacy_high: float = math.nan
    utility_low: float = math.nan
    utility_high: float = math.nan
    on_front: bool = False
    chosen: bool = False

    @property
    def defined(self) -> bool:
        """Whether it has a place in the plane."""
        return math.isfinite(self.privacy) and math.isfinite(self.utility)

    @property
    def defence(self) -> float:
        """Utility × privacy."""
        return self.utility * self.privacy


def front(
    points: Sequence[FrontPoint],
    *,
    title: str = "",
    privacy: str = "",
    utility: str = "",
    reason: str = "",
    card: Card | None = None,
    lang: str = "en",
    size: Size = SCREEN,
) -> go.Figure:
    """Privacy upwards, utility to the right; `privacy` and `utility` say what is measured, `reason` why the
    ringed point is suggested."""
    sheet = Sheet(title, card, lang, size)
    sheet.title = title or sheet.say("Privacy against utility")
    known = [point for point in points if point.defined]
    if reason:
        sheet.notes.append(sheet.say("Ring: {reason}.", reason=reason.rstrip(".")))
    if len(known) < len(points):
        sheet.notes.append(sheet.say("Left out, without a number: {count}.", count=len(points) - len(known)))
    if not known:
        return sheet.empty()
    heads = [sheet.say("Utility"), sheet.say("Privacy")]
    x_title, y_title = (
        f"{head} ({how})" if how else head for head, how in zip(heads, (utility, privacy), strict=True)
    )
    sheet.number_axes(x_title, y_title, [], [])
    sheet.right += width("0.9", SMALL) + 6
    sheet.x_range = _limits([point.utility for point in known])
    sheet.y_range = _limits([point.privacy for point in known])
    sheet.figure.update_xaxes(range=sheet.x_range, dtick=0.2)
    sheet.figure.update_yaxes(range=sheet.y_range, dtick=0.2)
    sheet.plot_height = 260
    _equal_defence(sheet)
    _steps(known, sheet)
    for series, look in looks(dict.fromkeys(point.series for point in known)).items():
        _series(series, [point for point in known if point.series == series], look, sheet)
    for point in known:
        if point.chosen:
            _ring(point, sheet)
    figure = sheet.finish()
    _label(known, sheet)
    return figure


def _limits(values: Sequence[float]) -> tuple[float, float]:
    """From 0 to 1, and further only where points lie outside."""
    return min(0.0, min(values) - 0.04), max(1.0, max(values)) + 0.03


def _equal_defence(sheet: Sheet) -> None:
    """Where utility × privacy is the same: along such a curve nothing is won."""
    x_end, y_end = sheet.x_range[1], sheet.y_range[1]
    for tenth in range(1, 10):
        level = tenth / 10
        x = np.linspace(level / y_end, x_end, 60)
        sheet.figure.add_trace(
            go.Scatter(
                x=x,
                y=level / x,
                mode="lines",
                line={"color": LINE, "width": 1},
                hoverinfo="skip",
                showlegend=False,
            )
        )
        sheet.figure.add_annotation(
            x=1,
            xref="paper",
            y=level / x_end,
            text=sheet.number(level),
            xanchor="left",
            xshift=3,
            showarrow=False,
            font={"size": SMALL, "color": MUTED},
        )
    sheet.notes.append(sheet.say("Thin curves: equal defence (utility × privacy), its value at the right."))


def _steps(points: Sequence[FrontPoint], sheet: Sheet) -> None:
    """The Pareto front: nothing measured lies above and right of the stairs."""
    best = sorted((point for point in points if point.on_front), key=lambda point: point.utility)
    if not best:
        return
    name = sheet.say("Pareto front")
    sheet.figure.add_trace(
        go.Scatter(
            x=[0.0, *(point.utility for point in best), best[-1].utility],
            y=[best[0].privacy, *(point.privacy for point in best), 0.0],
            mode="lines",
            line={"shape": "vh", "color": INK, "width": 1.4, "dash": "dot"},
            name=name,
            hoverinfo="skip",
        )
    )
    sheet.legend.append(name)


def _series(name: str, points: Sequence[FrontPoint], look: Look, sheet: Sheet) -> None:
    shown = sheet.say(name)
    pale = see_through(look.colour, 0.35)
    sheet.figure.add_trace(
        go.Scatter(
            x=[point.utility for point in points],
            y=[point.privacy for point in points],
            name=plain(shorten(shown, 260, SMALL)),
            mode="lines+markers",
            line={"color": see_through(look.colour, 0.55), "width": 1.6},
            marker={
                "symbol": look.symbol,
                "size": 10,
                "color": look.colour,
                "line": {"width": 1, "color": PAPER},
            },
            error_x=_band([(p.utility_low, p.utility, p.utility_high) for p in points], pale),
            error_y=_band([(p.privacy_low, p.privacy, p.privacy_high) for p in points], pale),
            customdata=[_told(point, sheet) for point in points],
            hovertemplate=f"%{{customdata}}<extra>{plain(shown)}</extra>",
            cliponaxis=False,
        )
    )
    sheet.legend.append(shown)


def _band(ends: Sequence[tuple[float, float, float]], colour: str) -> dict[str, object]:
    """Whiskers from the lowest to the highest seed; none where that is not known."""
    return {
        "type": "data",
        "array": [max(0.0, high - mean) if math.isfinite(high) else 0.0 for _, mean, high in ends],
        "arrayminus": [max(0.0, mean - low) if math.isfinite(low) else 0.0 for low, mean, _ in ends],
        "color": colour,
        "thickness": 4,
        "width": 0,
    }


def _told(point: FrontPoint, sheet: Sheet) -> str:
    return sheet.say(
        "{label}<br>utility {utility}, privacy {privacy}, defence {defence}",
        label=plain(point.label),
        utility=sheet.number(point.utility, 2),
        privacy=sheet.number(point.privacy, 2),
        defence=sheet.number(point.defence, 2),
    )


def _ring(point: FrontPoint, sheet: Sheet) -> None:
    sheet.figure.add_trace(
        go.Scatter(
            x=[point.utility],
            y=[point.privacy],
            mode="markers",
            marker={"symbol": "circle-open", "size": 22, "color": INK, "line": {"width": 2.4}},
            hoverinfo="skip",
            showlegend=False,
            cliponaxis=False,
        )
    )


def _label(points: Sequence[FrontPoint], sheet: Sheet) -> None:
    """Names beside points where there is room: the suggested one, the ends of each series, a short front."""
    front_points = [point for point in points if point.on_front]
    wanted = [point for point in points if point.chosen]
    for series in dict.fromkeys(point.series for point in points):
        own = [point for point in points if point.series == series]
        wanted += [own[0], own[-1]]
    wanted += front_points if len(front_points) <= _FEW else []
    layout = sheet.figure.layout
    high = layout.height - layout.margin.t - layout.margin.b
    names = {point: shorten(point.label, _LABEL, SMALL) for point in wanted}
    found = beside(
        {point: _pixels(point, sheet, high) for point in points},
        {point: width(name, SMALL) for point, name in names.items()},
        {point: _RING for point in wanted if point.chosen},
        (sheet.plot_width, high),
    )
    for point, (dx, dy) in found.items():
        _write(point, names[point], dx, dy, sheet)


def _write(point: FrontPoint, text: str, dx: float, dy: float, sheet: Sheet) -> None:
    if abs(dy) > _NEAR:  # a thin line leads from the name to its point
        sheet.figure.add_annotation(
            x=point.utility,
            y=point.privacy,
            ax=dx,
            ay=-dy * 0.8,
            text="",
            arrowhead=0,
            arrowwidth=1,
            arrowcolor=MUTED,
            standoff=6,
        )
    sheet.figure.add_annotation(
        x=point.utility,
        y=point.privacy,
        text=f"<b>{plain(text)}</b>" if point.chosen else plain(text),
        xanchor="left" if dx > 0 else "right",
        xshift=dx,
        yshift=dy,
        showarrow=False,
        borderpad=0,
        bgcolor=see_through(PAPER, 0.75),
        font={"size": SMALL, "color": INK if point.chosen else MUTED},
    )


def _pixels(point: FrontPoint, sheet: Sheet, high: float) -> tuple[float, float]:
    (x_low, x_high), (y_low, y_high) = sheet.x_range, sheet.y_range
    return (
        (point.utility - x_low) / (x_high - x_low) * sheet.plot_width,
        (point.privacy - y_low) / (y_high - y_low) * high,
    )
