"""The picture this product exists for: privacy against utility, over a parameter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from insanonym_core.figures.card import Card
from insanonym_core.figures.defence_plane import curve_labels_width, draw_defence_curves, set_axes
from insanonym_core.figures.label_placement import LEADER, Box, beside, needs_leader
from insanonym_core.figures.sheet import Sheet
from insanonym_core.figures.text_layout import escape_markup, shorten, text_width
from insanonym_core.figures.theme import (
    INK,
    MUTED,
    PAPER,
    SCREEN,
    SMALL,
    Look,
    Size,
    looks,
    see_through,
)
from insanonym_core.headlines import defence

_FEW = 8
_LABEL = 210
_NAME = 260
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
    number: int = -1
    """Its place among the points, which comes back when it is clicked."""
    hollow: bool = False
    """Whether it hides who is who and still shows where somebody was."""

    @property
    def defined(self) -> bool:
        """Whether it has a place in the plane."""
        return math.isfinite(self.privacy) and math.isfinite(self.utility)

    @property
    def across(self) -> list[float]:
        """Its utility, and between which values the seeds lie."""
        return [v for v in (self.utility, self.utility_low, self.utility_high) if math.isfinite(v)]

    @property
    def up(self) -> list[float]:
        """Its privacy, and between which values the seeds lie."""
        return [v for v in (self.privacy, self.privacy_low, self.privacy_high) if math.isfinite(v)]

    @property
    def defence(self) -> float:
        """Utility × privacy."""
        return defence(self.utility, self.privacy)


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
    if reason and any(point.chosen for point in points):
        sheet.notes.append(sheet.say("Ring: {reason}.", reason=reason.rstrip(".")))
    elif reason:
        sheet.notes.append(f"{reason[:1].upper()}{reason[1:].rstrip('.')}.")
    if len(known) < len(points):
        sheet.notes.append(sheet.say("Left out, without a number: {count}.", count=len(points) - len(known)))
    if not known:
        return sheet.empty()
    heads = [sheet.say("Utility"), sheet.say("Privacy")]
    x_title, y_title = (
        f"{head} ({how})" if how else head for head, how in zip(heads, (utility, privacy), strict=True)
    )
    ticks = set_axes(sheet, [v for p in known for v in p.across], [v for p in known for v in p.up])
    sheet.title_axes(x_title, y_title, ticks)
    sheet.right += curve_labels_width(sheet)
    sheet.plot_height = 260
    sheet.notes.append(sheet.say("Thin curves: equal defence (utility × privacy), its value at their end."))
    if any(point.hollow for point in known):
        sheet.notes.append(sheet.say("Hollow: who is who may be hidden, where somebody was is not."))
    _steps(known, sheet)
    found = looks(dict.fromkeys(point.series for point in known))
    most = max(_NAME, 0.6 * size.width / len(found))
    for series, look in found.items():
        _series(series, [point for point in known if point.series == series], look, sheet, most)
    for point in known:
        if point.chosen:
            _ring(point, sheet)
    high = sheet.lay_out()
    drawn, draft = len(sheet.draft.traces), sheet.draft
    taken = draw_defence_curves(sheet, high)
    draft.traces = [*draft.traces[drawn:], *draft.traces[:drawn]]  # the curves behind everything
    _label(known, sheet, high, taken)
    return draft.figure()


def _steps(points: Sequence[FrontPoint], sheet: Sheet) -> None:
    """The Pareto front: nothing measured lies above and right of the stairs."""
    best = sorted((point for point in points if point.on_front), key=lambda point: point.utility)
    if not best:
        return
    name = sheet.say("Pareto front")
    sheet.draft.add_trace(
        go.Scatter(
            x=[sheet.x_range[0], *(point.utility for point in best), best[-1].utility],
            y=[best[0].privacy, *(point.privacy for point in best), sheet.y_range[0]],
            mode="lines",
            line={"shape": "vh", "color": INK, "width": 1.4, "dash": "dot"},
            name=name,
            hoverinfo="skip",
        )
    )
    sheet.legend.append(name)


def _series(name: str, points: Sequence[FrontPoint], look: Look, sheet: Sheet, most: float) -> None:
    shown = sheet.say(name)
    pale = see_through(look.colour, 0.35)
    sheet.draft.add_trace(
        go.Scatter(
            x=[point.utility for point in points],
            y=[point.privacy for point in points],
            name=escape_markup(shorten(shown, most, SMALL)),
            mode="lines+markers",
            line={"color": see_through(look.colour, 0.55), "width": 1.6},
            marker={
                "symbol": [f"{look.symbol}-open" if point.hollow else look.symbol for point in points],
                "size": 10,
                "color": look.colour,
                "line": {
                    "width": [2 if point.hollow else 1 for point in points],
                    "color": [look.colour if point.hollow else PAPER for point in points],
                },
            },
            error_x=_band([(p.utility_low, p.utility, p.utility_high) for p in points], pale),
            error_y=_band([(p.privacy_low, p.privacy, p.privacy_high) for p in points], pale),
            customdata=[[_told(point, sheet), point.number] for point in points],
            hovertemplate=f"%{{customdata[0]}}<extra>{escape_markup(shown)}</extra>",
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
        label=escape_markup(point.label),
        utility=sheet.number(point.utility, 2),
        privacy=sheet.number(point.privacy, 2),
        defence=sheet.number(point.defence, 2),
    )


def _ring(point: FrontPoint, sheet: Sheet) -> None:
    sheet.draft.add_trace(
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


def mark(figure: go.Figure, utility: float, privacy: float) -> None:
    """A grey halo behind the point that somebody has selected: the ring is for the suggested one."""
    halo = go.Scatter(
        x=[utility],
        y=[privacy],
        mode="markers",
        marker={"symbol": "circle", "size": 28, "color": see_through(INK, 0.22), "line": {"width": 0}},
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
    )
    figure.add_trace(halo)
    figure.data = [figure.data[-1], *figure.data[:-1]]


def _label(points: Sequence[FrontPoint], sheet: Sheet, high: float, taken: Sequence[Box]) -> None:
    """Names beside points where there is room: the suggested one, the ends of each series, a short front."""
    front_points = [point for point in points if point.on_front]
    wanted = [point for point in points if point.chosen]
    for series in dict.fromkeys(point.series for point in points):
        own = [point for point in points if point.series == series]
        wanted += [own[0], own[-1]]
    wanted += front_points if len(front_points) <= _FEW else []
    most = min(_LABEL, 0.45 * sheet.plot_width)
    names = {point: shorten(point.label, most, SMALL) for point in wanted}
    found = beside(
        {point: _pixels(point, sheet, high) for point in points},
        {point: text_width(name, SMALL * (1.12 if point.chosen else 1)) for point, name in names.items()},
        {point: _RING for point in wanted if point.chosen},
        (sheet.plot_width, high),
        taken,
    )
    for point, (dx, dy) in found.items():
        _write(point, names[point], dx, dy, sheet)


def _write(point: FrontPoint, text: str, dx: float, dy: float, sheet: Sheet) -> None:
    if needs_leader(dy):  # a thin line leads from the name to its point
        sheet.draft.add_annotation(
            x=point.utility,
            y=point.privacy,
            ax=dx,
            ay=-dy * LEADER,
            text="",
            arrowhead=0,
            arrowwidth=1,
            arrowcolor=MUTED,
            standoff=6,
        )
    sheet.draft.add_annotation(
        x=point.utility,
        y=point.privacy,
        text=f"<b>{escape_markup(text)}</b>" if point.chosen else escape_markup(text),
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
