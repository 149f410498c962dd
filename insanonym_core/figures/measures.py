"""Several measures in one figure: utility scores, attacks beside chance.

The dashboard and its lessons redraw these as plain JSON (`Sheet.plain`); everybody else gets figures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from insanonym_core.figures.card import Card
from insanonym_core.figures.sheet import Sheet, finished
from insanonym_core.figures.text_layout import escape_markup, nice_ticks, text_width, wrap
from insanonym_core.figures.theme import (
    BLUE,
    INK,
    MUTED,
    PALE_GREY,
    PALE_VERMILLION,
    SCREEN,
    SMALL,
    VERMILLION,
    Size,
)
from insanonym_core.registry import Entry, Measure
from insanonym_core.threats import PLAIN, Found, as_threat
from insanonym_core.written import percent

_ROW = 34
_SHARE_FOR_LABELS = 0.36
_LEAST_PLOT, _MOST_TICKS = 170, 6
_LEAST_CHANGE = 0.005
_ARROWS = {"higher": "↑", "lower": "↓"}


def titled(entry: Entry, sheet: Sheet) -> str:
    """The title of a measure with an arrow to its good end, where that is not up."""
    title = sheet.say(entry.title)
    if not entry.counted:
        title = sheet.say("{title} (not counted)", title=title)
    return f"{title}\u00a0{_ARROWS['lower']}" if entry.better == "lower" else title


def utility_sheet(
    measures: Sequence[Measure],
    *,
    card: Card | None = None,
    lang: str = "en",
    previous: Mapping[str, float] | None = None,
    title: str = "",
    size: Size = SCREEN,
) -> Sheet:
    """A bar for each score with its number; `previous` (by name) stands behind in grey, the change beside.

    A measure without an upper bound has no place on the common scale: its number alone is written.
    """
    sheet = Sheet(title, card, lang, size)
    sheet.title = title or sheet.say("Utility: what an analyst can still do")
    if not measures:
        return sheet.nothing()
    if any(measure.entry.better == "lower" for measure in measures):
        sheet.notes.append(sheet.say("↓: lower is better."))
    before = previous or {}
    shown = [_on_scale(measure.entry, measure.score.value) for measure in measures]
    earlier = [_on_scale(measure.entry, before.get(measure.entry.name, math.nan)) for measure in measures]
    low = min([0.0, *(value * 1.1 for value in [*shown, *earlier] if value < 0)])
    _rows(sheet, [titled(measure.entry, sheet) for measure in measures], sheet.say("score"))
    sheet.x_range = (low, 1.12)
    places = list(range(len(measures)))
    if any(not math.isnan(value) for value in earlier):
        sheet.notes.append(sheet.say("Grey: before."))
        sheet.draft.add_trace(_lying(earlier, places, PALE_GREY, 0.72, sheet.say("before"), sheet))
    sheet.draft.add_trace(_lying(shown, places, BLUE, 0.44, sheet.say("now"), sheet))
    told, why = [], []
    for measure, value, old in zip(measures, shown, earlier, strict=True):
        ends = [end for end in (value, old, 0.0) if not math.isnan(end)]
        text = sheet.number(measure.score.value, None if 0 < abs(measure.score.value) < 0.01 else 2)
        if measure.score.defined and math.isnan(value):
            text = sheet.number(measure.score.value)
            longer = sheet.say("{value} (no common scale)", value=text)
            text = longer if text_width(f" {longer}", SMALL) <= sheet.plot_width else text
        text += _change(measure.score.value, before.get(measure.entry.name, math.nan), sheet)
        told.append((max(ends), text, INK if measure.score.defined else MUTED))
        why.append(escape_markup(measure.score.undefined_because))
    sheet.right += _overhang(told, sheet)
    sheet.draft.add_trace(_beside_rows(told, why))
    parts = 4 if sheet.plot_width >= _LEAST_PLOT * (1.12 - low) else 2
    ticks = [tick / parts for tick in range(-parts, parts + 1) if tick / parts >= low]
    sheet.draft.update_xaxes(range=sheet.x_range, tickvals=ticks)
    sheet.draft.update_layout(barmode="overlay")
    return sheet


def _change(value: float, old: float, sheet: Sheet) -> str:
    """By how much a score rose or fell, where that shows in two decimals."""
    change = value - old
    if not math.isfinite(change) or abs(change) < _LEAST_CHANGE:
        return ""
    sign = "+" if change > 0 else ""
    return f" ({sign}{sheet.number(change, 2)})"


def _overhang(told: Sequence[tuple[float, str, str]], sheet: Sheet) -> float:
    """How many pixels the texts beside the bars reach beyond the plot, and its margin, at most."""
    low, high = sheet.x_range
    ends = [
        (place - low) / (high - low) * sheet.plot_width + text_width(f" {text}", SMALL)
        for place, text, _ in told
    ]
    return max(0.0, max(ends) - sheet.plot_width - sheet.right + 4)


def attacks_sheet(
    measures: Sequence[Measure],
    *,
    card: Card | None = None,
    lang: str = "en",
    title: str = "",
    size: Size = SCREEN,
) -> Sheet:
    """Whom each attack re-identifies, with its interval, beside chance; numbers have their own column."""
    sheet = Sheet(title, card, lang, size)
    sheet.title = title or sheet.say("Attacks: how many are re-identified")
    if not measures:
        return sheet.nothing()
    threats = [as_threat(measure, PLAIN) for measure in measures]
    values = [math.nan if one is None else one.share for one in threats]
    best = max((value for value in values if not math.isnan(value)), default=math.nan)
    chances = [math.nan if one is None else one.chance or math.nan for one in threats]
    intervals = [(one and one.interval) or (value, value) for one, value in zip(threats, values, strict=True)]
    told = [_found(one, lang) for one in threats]
    sheet.notes.append(sheet.say("Bars: 95 % intervals; dark: the strongest attack."))
    _rows(sheet, [sheet.say(measure.entry.title) for measure in measures], sheet.say("share re-identified"))
    texts = told
    if sheet.plot_width - max(text_width(text, SMALL * 1.12) for text in told) < _LEAST_PLOT:
        texts = [percent(value, lang) for value in values]  # the interval is drawn, and told on hover
    sheet.right += max(text_width(text, SMALL * 1.12) for text in texts)  # the strongest in bold
    reach = [end for end in [*values, *chances, *(high for _, high in intervals)] if not math.isnan(end)]
    end = min(1.03, max(reach, default=1.0) * 1.08 or 1.0)
    sheet.x_range = (-0.03 * end, end)  # a dot at zero stays clear of its name
    _whiskers(sheet, values, intervals, best, told)
    _chance(sheet, chances)
    column = [
        (sheet.x_range[1], f"<b>{text}</b>", VERMILLION) if value == best else (sheet.x_range[1], text, INK)
        for text, value in zip(texts, values, strict=True)
    ]
    sheet.draft.add_trace(_beside_rows(column))
    sheet.in_percent = True
    ticks = nice_ticks(sheet.x_range[1], max_ticks=max(2, min(_MOST_TICKS, int(sheet.plot_width / 56))))
    sheet.draft.update_xaxes(
        range=sheet.x_range, tickvals=ticks, ticktext=[percent(tick, lang) for tick in ticks]
    )
    return sheet


utility_scores = finished(utility_sheet)
attacks = finished(attacks_sheet)


def _beside_rows(told: Sequence[tuple[float, str, str]], why: Sequence[str] = ()) -> dict[str, Any]:
    """A text right of a place in each row, in its colour: one trace; annotations take a browser long."""
    return {
        "type": "scatter",
        "x": [place for place, _, _ in told],
        "y": list(range(len(told))),
        "text": [f" {text}" for _, text, _ in told],
        "mode": "text",
        "textposition": "middle right",
        "textfont": {"size": SMALL, "color": [colour for _, _, colour in told]},
        "hovertext": list(why),
        "hoverinfo": "text" if any(why) else "skip",
        "cliponaxis": False,
        "showlegend": False,
    }


def _on_scale(entry: Entry, value: float) -> float:
    """The value if it is bounded and lies between −1 and 1, where the bars stand."""
    bounded = entry.bounds is not None and math.isfinite(entry.bounds[1])
    return value if bounded and abs(value) <= 1 else math.nan


def _rows(sheet: Sheet, labels: Sequence[str], x_title: str) -> None:
    """One row per measure, the first on top; a long name takes two lines."""
    room = sheet.size.width * _SHARE_FOR_LABELS
    lines = [_in_lines(label, room) for label in labels]
    sheet.title_axes(x_title, "", max(text_width(line, SMALL) for some in lines for line in some))
    row = _ROW if all(len(some) == 1 for some in lines) else _ROW + 6
    sheet.plot_height = max(sheet.plot_height, row * len(labels))
    sheet.draft.update_yaxes(
        tickvals=list(range(len(labels))),
        ticktext=["<br>".join(f"{escape_markup(line)} " for line in some) for some in lines],
        range=(len(labels) - 0.4, -0.6),
        showgrid=False,
    )


def _in_lines(label: str, room: float) -> list[str]:
    """At most two lines; the arrow stays when the rest is shortened."""
    arrow = next((f"\u00a0{sign}" for sign in _ARROWS.values() if label.endswith(f"\u00a0{sign}")), "")
    lines = wrap(label.removesuffix(arrow), room - text_width(arrow, SMALL), SMALL, max_lines=2) or [""]
    return [*lines[:-1], lines[-1] + arrow]


def _lying(
    values: Sequence[float], places: list[int], colour: str, wide: float, name: str, sheet: Sheet
) -> dict[str, Any]:
    return {
        "type": "bar",
        "x": [0.0 if math.isnan(value) else value for value in values],
        "y": places,
        "orientation": "h",
        "width": wide,
        "name": name,
        "marker": {"color": colour, "line": {"width": 0}},
        "customdata": [sheet.number(value) for value in values],
        "hovertemplate": f"%{{customdata}}<extra>{name}</extra>",
    }


def _found(threat: Found | None, lang: str) -> str:
    """The share with its interval, as one text."""
    if threat is None or threat.interval is None:
        return percent(math.nan if threat is None else threat.share, lang)
    low, high = (percent(end, lang) for end in threat.interval)
    return f"{percent(threat.share, lang)} [{low}–{high}]"


def _whiskers(
    sheet: Sheet,
    values: Sequence[float],
    intervals: Sequence[tuple[float, float]],
    best: float,
    texts: Sequence[str],
) -> None:
    rows = list(zip(range(len(values)), values, intervals, texts, strict=True))
    for colour, dark in ((PALE_VERMILLION, False), (VERMILLION, True)):
        some = [row for row in rows if not math.isnan(row[1]) and (row[1] == best) is dark]
        if not some:
            continue
        sheet.draft.add_trace(
            {
                "type": "scatter",
                "x": [value for _, value, _, _ in some],
                "y": [place for place, _, _, _ in some],
                "customdata": [text for _, _, _, text in some],
                "mode": "markers",
                "error_x": {
                    "type": "data",
                    "array": [max(0.0, high - value) for _, value, (_, high), _ in some],
                    "arrayminus": [max(0.0, value - low) for _, value, (low, _), _ in some],
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


def _chance(sheet: Sheet, chances: Sequence[float]) -> None:
    """One dashed line where chance is the same for all, else a mark in each row."""
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
