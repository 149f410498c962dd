"""The plane of one recipe: every setting that was tried as a point of privacy against utility."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from insanonym_core.figures.card import Card
from insanonym_core.figures.sheet import Sheet
from insanonym_core.figures.text_layout import escape_markup, text_width
from insanonym_core.figures.theme import (
    BLUE,
    DARK_GREEN,
    DARK_ORANGE,
    GREEN,
    LINE,
    MUTED,
    ORANGE,
    SCREEN,
    SMALL,
    Size,
    with_opacity,
)
from insanonym_core.figures.trail_points import FOUND, Background, FoundPoint, Spread, TrailPoint
from insanonym_core.results.headlines import defence
from insanonym_core.results.scores import JsonObject

_LEVELS = (0.1, 0.25, 0.5, 0.75)
_MARGIN = 0.03  # of the axes beyond 0 and 1, so that points at the ends are seen whole
_LABEL_LEFT_FROM = 0.75  # of the utility axis: further right a label would be cut
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def trail_sheet(
    points: Sequence[TrailPoint],
    current: TrailPoint | None,
    *,
    at_most: bool = False,
    spread: Spread | None = None,
    background: Background | None = None,
    card: Card | None = None,
    lang: str = "en",
    size: Size = SCREEN,
) -> Sheet:
    """Draw the settings that were tried, joined in their order; both axes always show 0 to 1.

    `current` is ringed. `at_most`: its privacy may still fall, because attacks are being computed.
    """
    sheet = Sheet("", card, lang, size)
    sheet.title = sheet.say("Where you are")
    _set_axes(sheet)
    _draw_levels(sheet)
    if background is not None:
        _draw_background(background, sheet)
    if background is not None and background.best is not None:
        _draw_best(background.best, sheet)
    known = [point for point in points if point.defined]
    _draw_joins(known, sheet)
    _draw_points([point for point in known if not point.letter], sheet)
    _draw_pins([point for point in known if point.letter], sheet)
    if current is not None and current.defined:
        if spread is not None:
            _draw_spread(spread, current, sheet)
        _draw_current(current, at_most, sheet)
    if any(point.hollow for point in (*known, *([current] if current else []))):
        sheet.notes.append(sheet.say("Hollow: who is who may be hidden, where somebody was is not."))
    return sheet


def _set_axes(sheet: Sheet) -> None:
    sheet.x_range = sheet.y_range = (-_MARGIN, 1 + _MARGIN)
    labels = [sheet.number(tick, 1) for tick in _TICKS]
    sheet.title_axes(
        sheet.say("Utility"), sheet.say("Privacy"), max(text_width(one, SMALL) for one in labels)
    )
    sheet.right += text_width(sheet.number(max(_LEVELS), 2), SMALL)
    axis = {"range": sheet.x_range, "tickvals": list(_TICKS), "ticktext": labels}
    sheet.draft.update_xaxes(**axis)
    sheet.draft.update_yaxes(**axis)


def _draw_levels(sheet: Sheet) -> None:
    """Draw curves of equal defence with their value at the right."""
    for level in _LEVELS:
        x = [level + (1 - level) * place / 40 for place in range(41)]
        sheet.draft.add_trace(
            _scatter(x, [level / one for one in x], mode="lines", line={"color": LINE, "width": 1})
        )
        sheet.draft.add_annotation(
            x=1 + _MARGIN,
            y=level,
            text=sheet.number(level),
            xanchor="left",
            showarrow=False,
            font={"size": SMALL, "color": MUTED},
        )


def _draw_background(background: Background, sheet: Sheet) -> None:
    if background.points:
        sheet.draft.add_trace(
            _scatter(
                [one.utility for one in background.points],
                [one.privacy for one in background.points],
                mode="markers",
                marker={"size": 6, "color": with_opacity(GREEN, 0.35)},
                **_found_hover(background.points),
            )
        )
    if background.front:
        best = sorted(background.front)
        sheet.draft.add_trace(
            _scatter(
                [x for x, _ in best],
                [y for _, y in best],
                mode="lines+markers",
                line={"color": GREEN, "width": 2},
                marker={"size": 7, "color": GREEN},
            )
        )


def _draw_best(best: FoundPoint, sheet: Sheet) -> None:
    """Draw a ring around what a search has found."""
    sheet.draft.add_trace(
        _scatter(
            [best.utility],
            [best.privacy],
            mode="markers+text",
            text=[f" {sheet.say('best found')}"],
            textposition="middle right" if best.utility < _LABEL_LEFT_FROM else "middle left",
            textfont={"size": SMALL, "color": DARK_GREEN},
            marker={
                "size": 16,
                "symbol": "circle-open-dot",
                "color": GREEN,
                "line": {"width": 2.5, "color": GREEN},
            },
            **_found_hover([best]),
        )
    )


def _found_hover(points: Sequence[FoundPoint]) -> JsonObject:
    return {
        "customdata": [[escape_markup(one.label), FOUND, one.number] for one in points],
        "hovertemplate": "%{customdata[0]}<extra></extra>",
        "hoverinfo": "text",
    }


def _draw_joins(points: Sequence[TrailPoint], sheet: Sheet) -> None:
    """Draw a line from each setting to the one before it."""
    place_of = {point.number: point for point in points}
    x: list[float | None] = []
    y: list[float | None] = []
    for point in points:
        before = place_of.get(point.parent)
        if before is not None:
            x += [before.utility, point.utility, None]
            y += [before.privacy, point.privacy, None]
    if x:
        sheet.draft.add_trace(
            _scatter(x, y, mode="lines", line={"color": with_opacity(MUTED, 0.6), "width": 1.2})
        )


def _draw_points(points: Sequence[TrailPoint], sheet: Sheet) -> None:
    if points:
        sheet.draft.add_trace(
            _scatter(
                [point.utility for point in points],
                [point.privacy for point in points],
                mode="markers",
                marker={
                    "size": 9,
                    "symbol": ["circle-open" if point.hollow else "circle" for point in points],
                    "color": MUTED,
                    "line": {"width": 1.5, "color": MUTED},
                },
                **_hover(points, sheet),
            )
        )


def _draw_pins(points: Sequence[TrailPoint], sheet: Sheet) -> None:
    if points:
        sheet.draft.add_trace(
            _scatter(
                [point.utility for point in points],
                [point.privacy for point in points],
                mode="markers+text",
                text=[f" ★ {point.letter}" for point in points],
                textposition="middle right",
                textfont={"size": SMALL, "color": DARK_ORANGE},
                marker={
                    "size": 12,
                    "symbol": ["circle-open" if point.hollow else "circle" for point in points],
                    "color": ORANGE,
                    "line": {"width": 2, "color": ORANGE},
                },
                cliponaxis=False,
                **_hover(points, sheet),
            )
        )


def _draw_spread(spread: Spread, current: TrailPoint, sheet: Sheet) -> None:
    """Draw a thin cross from the lowest to the highest value over fresh draws."""
    line = {"color": with_opacity(BLUE, 0.7), "width": 1.2}
    sheet.draft.add_trace(
        _scatter(list(spread.utility), [current.privacy] * 2, mode="lines", line=line),
    )
    sheet.draft.add_trace(_scatter([current.utility] * 2, list(spread.privacy), mode="lines", line=line))


def _draw_current(point: TrailPoint, at_most: bool, sheet: Sheet) -> None:
    """Draw the current setting with a ring, open while its privacy may still fall."""
    for size, symbol, width in (
        (20, "circle-open", 2.5),
        (11, "circle-open" if point.hollow else "circle", 2),
    ):
        sheet.draft.add_trace(
            _scatter(
                [point.utility],
                [point.privacy],
                mode="markers",
                cliponaxis=False,
                marker={
                    "size": size,
                    "symbol": symbol,
                    "color": with_opacity(BLUE, 0.45) if at_most else BLUE,
                    "line": {"width": width, "color": BLUE},
                },
                **_hover([point], sheet),
            )
        )


def _hover(points: Sequence[TrailPoint], sheet: Sheet) -> JsonObject:
    texts = [
        sheet.say(
            "{label}<br>utility {utility}, privacy {privacy}, defence {defence}",
            label=escape_markup(point.label),
            utility=sheet.number(point.utility, 2),
            privacy=sheet.number(point.privacy, 2),
            defence=sheet.number(defence(point.utility, point.privacy), 2),
        )
        for point in points
    ]
    return {
        "customdata": [[text, point.number] for text, point in zip(texts, points, strict=True)],
        "hovertemplate": "%{customdata[0]}<extra></extra>",
        "hoverinfo": "text",
    }


def _scatter(
    x: Sequence[float | None],
    y: Sequence[float | None],
    **properties: Any,  # Any: properties of plotly
) -> JsonObject:
    """A trace without an entry in the legend; without hover text unless it has one."""
    return {"type": "scatter", "x": x, "y": y, "showlegend": False, "hoverinfo": "skip", **properties}
