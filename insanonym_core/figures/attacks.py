"""Attacks compared with chance: what share of the people each re-identifies, the strongest first."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from insanonym_core.figures.card import Card
from insanonym_core.figures.measure_rows import (
    draw_pinned,
    label_rows,
    rows_that_fit,
    tell_marks,
    texts_beside_rows,
)
from insanonym_core.figures.sheet import Sheet, figure_function
from insanonym_core.figures.text_layout import nice_ticks, text_width
from insanonym_core.figures.theme import (
    DARK_VERMILLION,
    INK,
    MUTED,
    PALE_VERMILLION,
    SCREEN,
    SMALL,
    VERMILLION,
    Size,
)
from insanonym_core.registry import Measure
from insanonym_core.results.threats import PLAIN, Found, as_threat
from insanonym_core.texts.numbers import percent

_MIN_PLOT_WIDTH, _MAX_TICKS = 170, 6


def attacks_sheet(
    measures: Sequence[Measure],
    *,
    card: Card | None = None,
    lang: str = "en",
    pinned: Mapping[str, Mapping[str, float]] | None = None,
    title: str = "",
    size: Size = SCREEN,
) -> Sheet:
    """Share that each attack re-identifies, with its interval and chance, the strongest first.

    The axis always shows 0 to 100 %. A tile that is too low for all leaves out the weakest. `pinned` settings
    are marked by their name on each row.
    """
    sheet = Sheet(title, card, lang, size)
    sheet.title = title or sheet.say("Attacks: how many are re-identified")
    if not measures:
        return sheet.show_message()
    found = [(measure, as_threat(measure, PLAIN)) for measure in measures]
    ranked = sorted(found, key=lambda one: -math.inf if one[1] is None else one[1].share, reverse=True)
    shown = ranked[: rows_that_fit(sheet)]
    threats = [threat for _, threat in shown]
    values = [math.nan if threat is None else threat.share for threat in threats]
    best = max((value for value in values if not math.isnan(value)), default=math.nan)
    chances = [math.nan if threat is None else threat.chance or math.nan for threat in threats]
    intervals = [
        (threat and threat.interval) or (value, value) for threat, value in zip(threats, values, strict=True)
    ]
    full_texts = [_share_text(threat, lang) for threat in threats]
    if not size.tile:
        sheet.notes.append(sheet.say("Bars: 95 % intervals; dark: the strongest attack."))
    tell_marks(sheet, pinned)
    if len(shown) < len(ranked):
        sheet.notes.append(sheet.say("{count} weaker ones are not shown.", count=len(ranked) - len(shown)))
    label_rows(
        sheet, [sheet.say(measure.entry.title) for measure, _ in shown], sheet.say("share re-identified")
    )
    texts = full_texts
    if sheet.plot_width - max(text_width(text, SMALL * 1.12) for text in full_texts) < _MIN_PLOT_WIDTH:
        texts = [percent(value, lang) for value in values]  # the interval is drawn and in the hover text
    sheet.right += max(text_width(text, SMALL * 1.12) for text in texts)  # the strongest in bold
    sheet.x_range = (-0.02, 1.02)  # keeps a dot at zero away from its label
    _draw_distance_to_chance(sheet, values, chances)
    _draw_intervals(sheet, values, intervals, best, full_texts)
    _draw_chance(sheet, chances)
    for name, others in (pinned or {}).items():
        draw_pinned(sheet, name, [others.get(measure.entry.name, math.nan) for measure, _ in shown])
    column = [
        (sheet.x_range[1], f"<b>{text}</b>", DARK_VERMILLION)
        if value == best
        else (sheet.x_range[1], text, INK)
        for text, value in zip(texts, values, strict=True)
    ]
    sheet.draft.add_trace(texts_beside_rows(column))
    sheet.shares_on = "x"
    ticks = nice_ticks(1.0, max_ticks=max(2, min(_MAX_TICKS, int(sheet.plot_width / 56))))
    sheet.draft.update_xaxes(
        range=sheet.x_range, tickvals=ticks, ticktext=[percent(tick, lang) for tick in ticks]
    )
    sheet.draft.update_layout(barmode="overlay")
    return sheet


def _share_text(threat: Found | None, lang: str) -> str:
    """The share of a threat with its interval."""
    if threat is None or threat.interval is None:
        return percent(math.nan if threat is None else threat.share, lang)
    low, high = (percent(end, lang) for end in threat.interval)
    return f"{percent(threat.share, lang)} [{low}–{high}]"


def _draw_distance_to_chance(sheet: Sheet, values: Sequence[float], chances: Sequence[float]) -> None:
    """Draw a pale bar from chance to the share of each attack."""
    bases = [0.0 if math.isnan(chance) else chance for chance in chances]
    sheet.draft.add_trace(
        {
            "type": "bar",
            "orientation": "h",
            "y": list(range(len(values))),
            "base": bases,
            "x": [
                0.0 if math.isnan(value) else value - base for value, base in zip(values, bases, strict=True)
            ],
            "width": 0.34,
            "marker": {"color": PALE_VERMILLION, "line": {"width": 0}},
            "hoverinfo": "skip",
            "showlegend": False,
        }
    )


def _draw_intervals(
    sheet: Sheet,
    values: Sequence[float],
    intervals: Sequence[tuple[float, float]],
    best: float,
    texts: Sequence[str],
) -> None:
    """Draw a dot with its interval per attack, the strongest attack in a darker colour."""
    rows = list(zip(range(len(values)), values, intervals, texts, strict=True))
    for colour, dark in ((PALE_VERMILLION, False), (VERMILLION, True)):
        selected = [row for row in rows if not math.isnan(row[1]) and (row[1] == best) is dark]
        if not selected:
            continue
        sheet.draft.add_trace(
            {
                "type": "scatter",
                "x": [value for _, value, _, _ in selected],
                "y": [index for index, _, _, _ in selected],
                "customdata": [text for _, _, _, text in selected],
                "mode": "markers",
                "error_x": {
                    "type": "data",
                    "array": [max(0.0, high - value) for _, value, (_, high), _ in selected],
                    "arrayminus": [max(0.0, value - low) for _, value, (low, _), _ in selected],
                    "color": colour,
                    "thickness": 3,
                    "width": 6,
                },
                "marker": {"size": 13, "color": colour, "line": {"width": 1, "color": VERMILLION}},
                "cliponaxis": False,
                "showlegend": False,
                "hovertemplate": "%{customdata}<extra></extra>",
            }
        )


def _draw_chance(sheet: Sheet, chances: Sequence[float]) -> None:
    """Draw chance: one dashed line if it is the same for all attacks, else a marker per row."""
    known = {chance for chance in chances if not math.isnan(chance)}
    if len(known) == 1:
        sheet.marks = {"chance": known.pop()}
        return
    if known:
        sheet.notes.append(sheet.say("Grey marks: chance."))
        sheet.draft.add_trace(
            {
                "type": "scatter",
                "x": list(chances),
                "y": list(range(len(chances))),
                "mode": "markers",
                "marker": {"symbol": "line-ns-open", "size": 20, "color": MUTED, "line": {"width": 2}},
                "showlegend": False,
                "name": sheet.say("chance"),
                "hovertemplate": "%{x:.2~%}<extra>%{fullData.name}</extra>",
            }
        )


attacks = figure_function(attacks_sheet)
