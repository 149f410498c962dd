"""The trade-off figure: privacy against utility of several settings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from insanonym_core.figures.card import Card
from insanonym_core.figures.defence_plane import curve_labels_width, draw_defence_curves, set_axes
from insanonym_core.figures.label_placement import LEADER_SHARE, Box, needs_leader, place_labels
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
    with_opacity,
)
from insanonym_core.results.headlines import defence

_MAX_FRONT_LABELS = 8
_MAX_LABEL_WIDTH = 280
_MIN_LEGEND_WIDTH = 260
_RING_RADIUS = 6.0


@dataclass(frozen=True)
class FrontPoint:
    """One setting of a series: mean, minimum and maximum of privacy and utility over the seeds."""

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
    """Index of the point, returned by click events."""
    hollow: bool = False
    """Whether identities may be hidden but locations are not."""

    @property
    def defined(self) -> bool:
        """Whether privacy and utility are finite."""
        return math.isfinite(self.privacy) and math.isfinite(self.utility)

    @property
    def utility_values(self) -> list[float]:
        """Finite values among mean, minimum and maximum of utility."""
        return [v for v in (self.utility, self.utility_low, self.utility_high) if math.isfinite(v)]

    @property
    def privacy_values(self) -> list[float]:
        """Finite values among mean, minimum and maximum of privacy."""
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
    """Draw privacy (y) against utility (x) with the Pareto front and curves of equal defence.

    `privacy` and `utility` are the formulas in the axis titles, `reason` why the ringed point is suggested.
    """
    sheet = Sheet(title, card, lang, size)
    sheet.title = title or sheet.say("Privacy against utility")
    defined = [point for point in points if point.defined]
    if reason and any(point.chosen for point in points):
        sheet.notes.append(sheet.say("Ring: {reason}.", reason=reason.rstrip(".")))
    elif reason:
        sheet.notes.append(f"{reason[:1].upper()}{reason[1:].rstrip('.')}.")
    if len(defined) < len(points):
        sheet.notes.append(
            sheet.say("Left out, without a number: {count}.", count=len(points) - len(defined))
        )
    if not defined:
        return sheet.message_figure()
    axis_names = [sheet.say("Utility"), sheet.say("Privacy")]
    x_title, y_title = (
        f"{head} ({how})" if how else head for head, how in zip(axis_names, (utility, privacy), strict=True)
    )
    ticks = set_axes(
        sheet, [v for p in defined for v in p.utility_values], [v for p in defined for v in p.privacy_values]
    )
    sheet.title_axes(x_title, y_title, ticks)
    sheet.right += curve_labels_width(sheet)
    sheet.plot_height = 160 if size.tile else 260
    sheet.notes.append(sheet.say("Thin curves: equal defence (utility × privacy), its value at their end."))
    if any(point.hollow for point in defined):
        sheet.notes.append(sheet.say("Hollow: who is who may be hidden, where somebody was is not."))
    _draw_front(defined, sheet)
    look_of = looks(dict.fromkeys(point.series for point in defined))
    max_name_width = max(_MIN_LEGEND_WIDTH, 0.6 * size.width / len(look_of))
    for series, look in look_of.items():
        _draw_series(
            series, [point for point in defined if point.series == series], look, sheet, max_name_width
        )
    for point in defined:
        if point.chosen:
            _draw_ring(point, sheet)
    plot_height = sheet.lay_out()
    trace_count, draft = len(sheet.draft.traces), sheet.draft
    reserved = draw_defence_curves(sheet, plot_height)
    draft.traces = [
        *draft.traces[trace_count:],
        *draft.traces[:trace_count],
    ]  # draw the curves below everything else
    _draw_labels(defined, sheet, plot_height, reserved)
    return draft.figure()


def _draw_front(points: Sequence[FrontPoint], sheet: Sheet) -> None:
    """Draw the Pareto front as a staircase."""
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


def _draw_series(
    name: str, points: Sequence[FrontPoint], look: Look, sheet: Sheet, max_name_width: float
) -> None:
    """Draw the points of a series with error bars over the seeds."""
    title = sheet.say(name)
    pale = with_opacity(look.colour, 0.35)
    sheet.draft.add_trace(
        go.Scatter(
            x=[point.utility for point in points],
            y=[point.privacy for point in points],
            name=escape_markup(shorten(title, max_name_width, SMALL)),
            mode="lines+markers",
            line={"color": with_opacity(look.colour, 0.55), "width": 1.6},
            marker={
                "symbol": [f"{look.symbol}-open" if point.hollow else look.symbol for point in points],
                "size": 10,
                "color": look.colour,
                "line": {
                    "width": [2 if point.hollow else 1 for point in points],
                    "color": [look.colour if point.hollow else PAPER for point in points],
                },
            },
            error_x=_seed_range([(p.utility_low, p.utility, p.utility_high) for p in points], pale),
            error_y=_seed_range([(p.privacy_low, p.privacy, p.privacy_high) for p in points], pale),
            customdata=[[_hover_text(point, sheet), point.number] for point in points],
            hovertemplate=f"%{{customdata[0]}}<extra>{escape_markup(title)}</extra>",
            cliponaxis=False,
        )
    )
    sheet.legend.append(title)


def _seed_range(ends: Sequence[tuple[float, float, float]], colour: str) -> dict[str, object]:
    """Error bars from the minimum to the maximum over the seeds; zero where unknown."""
    return {
        "type": "data",
        "array": [max(0.0, high - mean) if math.isfinite(high) else 0.0 for _, mean, high in ends],
        "arrayminus": [max(0.0, mean - low) if math.isfinite(low) else 0.0 for low, mean, _ in ends],
        "color": colour,
        "thickness": 4,
        "width": 0,
    }


def _hover_text(point: FrontPoint, sheet: Sheet) -> str:
    """Label, utility, privacy and defence of a point."""
    return sheet.say(
        "{label}<br>utility {utility}, privacy {privacy}, defence {defence}",
        label=escape_markup(point.label),
        utility=sheet.number(point.utility, 2),
        privacy=sheet.number(point.privacy, 2),
        defence=sheet.number(point.defence, 2),
    )


def _draw_ring(point: FrontPoint, sheet: Sheet) -> None:
    """Draw a ring around the suggested point."""
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


def highlight_point(figure: go.Figure, utility: float, privacy: float) -> None:
    """Draw a grey halo behind the point that the user has selected."""
    halo = go.Scatter(
        x=[utility],
        y=[privacy],
        mode="markers",
        marker={"symbol": "circle", "size": 28, "color": with_opacity(INK, 0.22), "line": {"width": 0}},
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
    )
    figure.add_trace(halo)
    figure.data = [figure.data[-1], *figure.data[:-1]]


def _draw_labels(
    points: Sequence[FrontPoint], sheet: Sheet, plot_height: float, reserved: Sequence[Box]
) -> None:
    """Label, where there is room, the suggested point, the ends of each series and a short front."""
    front_points = [point for point in points if point.on_front]
    labelled = [point for point in points if point.chosen]
    for series in dict.fromkeys(point.series for point in points):
        series_points = [point for point in points if point.series == series]
        labelled += [series_points[0], series_points[-1]]
    labelled += front_points if len(front_points) <= _MAX_FRONT_LABELS else []
    max_width = min(_MAX_LABEL_WIDTH, 0.35 * sheet.plot_width)
    names = {point: shorten(point.label, max_width, SMALL) for point in labelled}
    offsets = place_labels(
        {point: _pixel_position(point, sheet, plot_height) for point in points},
        {point: text_width(name, SMALL * (1.12 if point.chosen else 1)) for point, name in names.items()},
        {point: _RING_RADIUS for point in labelled if point.chosen},
        (sheet.plot_width, plot_height),
        reserved,
    )
    for point, (dx, dy) in offsets.items():
        _write_label(point, names[point], dx, dy, sheet)


def _write_label(point: FrontPoint, text: str, dx: float, dy: float, sheet: Sheet) -> None:
    """Write the label of a point at an offset in pixels, with a leader line if it is far away."""
    if needs_leader(dy):  # a leader line from the label to its point
        sheet.draft.add_annotation(
            x=point.utility,
            y=point.privacy,
            ax=dx,
            ay=-dy * LEADER_SHARE,
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
        bgcolor=with_opacity(PAPER, 0.75),
        font={"size": SMALL, "color": INK if point.chosen else MUTED},
    )


def _pixel_position(point: FrontPoint, sheet: Sheet, plot_height: float) -> tuple[float, float]:
    """Position of a point in pixels from the lower left corner of the plot."""
    (x_low, x_high), (y_low, y_high) = sheet.x_range, sheet.y_range
    return (
        (point.utility - x_low) / (x_high - x_low) * sheet.plot_width,
        (point.privacy - y_low) / (y_high - y_low) * plot_height,
    )
