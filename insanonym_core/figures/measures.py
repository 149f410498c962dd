"""Several measures in one figure: utility scores, attacks compared with chance.

The dashboard and its lessons use the sheets as JSON (`Sheet.as_dict`); other callers use the figures.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from insanonym_core.figures.card import Card
from insanonym_core.figures.sheet import Sheet, figure_function
from insanonym_core.figures.text_layout import escape_markup, nice_ticks, text_width, wrap
from insanonym_core.figures.theme import (
    BLUE,
    INK,
    MUTED,
    ORANGE,
    PALE_GREY,
    PALE_VERMILLION,
    SCREEN,
    SMALL,
    VERMILLION,
    Size,
    looks,
)
from insanonym_core.registry import Entry, Measure
from insanonym_core.results.threats import PLAIN, Found, as_threat
from insanonym_core.texts import Phrase
from insanonym_core.texts.numbers import percent

if TYPE_CHECKING:
    from insanonym_core.results.scores import JsonObject

_ROW_HEIGHT, _TILE_ROW_HEIGHT = 34, 19
_MIN_ROW_HEIGHT = 15.5  # pixels of a row in a tile with many of them
_TILE_REST = 74  # pixels of a tile above and below its rows
_SHARE_FOR_LABELS, _SHARE_FOR_TILE_LABELS = 0.36, 0.44
_MIN_PLOT_WIDTH, _MAX_TICKS = 170, 6
_MIN_CHANGE = 0.005
_ARROWS = {"higher": "↑", "lower": "↓"}


def measure_title(entry: Entry, sheet: Sheet) -> str:
    """The title of a measure, with an arrow if lower is better."""
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
    pinned: Mapping[str, Mapping[str, float]] | None = None,
    title: str = "",
    size: Size = SCREEN,
) -> Sheet:
    """One bar per score with its value; `previous` values (by name) in grey behind, with the change.

    `pinned` settings and the data before anonymisation are marked on each row, by name. For a measure without
    an upper bound only the number is written.
    """
    sheet = Sheet(title, card, lang, size)
    sheet.title = title or sheet.say("Utility: what an analyst can still do")
    if not measures:
        return sheet.show_message()
    if any(measure.entry.better == "lower" for measure in measures):
        sheet.notes.append(sheet.say("↓: lower is better."))
    _tell_marks(sheet, pinned)
    previous_by_name = previous or {}
    values = [_value_on_scale(measure.entry, measure.score.value) for measure in measures]
    previous_values = [
        _value_on_scale(measure.entry, previous_by_name.get(measure.entry.name, math.nan))
        for measure in measures
    ]
    low = min([0.0, *(value * 1.1 for value in [*values, *previous_values] if value < 0)])
    _label_rows(sheet, [measure_title(measure.entry, sheet) for measure in measures], sheet.say("score"))
    sheet.x_range = (low, 1.12)
    rows = list(range(len(measures)))
    if any(not math.isnan(value) for value in previous_values):
        sheet.notes.append(sheet.say("Grey: the setting before."))
        sheet.draft.add_trace(
            _horizontal_bars(previous_values, rows, PALE_GREY, 0.72, sheet.say("before"), sheet)
        )
    sheet.draft.add_trace(_horizontal_bars(values, rows, BLUE, 0.44, sheet.say("now"), sheet))
    for name, others in (pinned or {}).items():
        marks = [_value_on_scale(one.entry, others.get(one.entry.name, math.nan)) for one in measures]
        _draw_pinned(sheet, name, marks)
    row_texts, hover_texts = [], []
    for measure, value, old in zip(measures, values, previous_values, strict=True):
        ends = [end for end in (value, old, 0.0) if not math.isnan(end)]
        text = sheet.number(measure.score.value, None if 0 < abs(measure.score.value) < 0.01 else 2)
        if measure.score.defined and math.isnan(value):
            text = sheet.number(measure.score.value)
            long_text = sheet.say("{value} (no common scale)", value=text)
            text = long_text if text_width(f" {long_text}", SMALL) <= sheet.plot_width else text
        text += _change_text(measure.score.value, previous_by_name.get(measure.entry.name, math.nan), sheet)
        row_texts.append((max(ends), text, INK if measure.score.defined else MUTED))
        hover_texts.append(escape_markup(measure.score.undefined_because))
    sheet.right += _overhang(row_texts, sheet)
    sheet.draft.add_trace(_texts_beside_rows(row_texts, hover_texts))
    parts = 4 if sheet.plot_width >= _MIN_PLOT_WIDTH * (1.12 - low) else 2
    ticks = [tick / parts for tick in range(-parts, parts + 1) if tick / parts >= low]
    sheet.draft.update_xaxes(range=sheet.x_range, tickvals=ticks)
    sheet.draft.update_layout(barmode="overlay")
    return sheet


def _change_text(value: float, old: float, sheet: Sheet) -> str:
    """The change of a score, empty if it rounds to zero at two decimals."""
    change = value - old
    if not math.isfinite(change) or abs(change) < _MIN_CHANGE:
        return ""
    sign = "+" if change > 0 else ""
    return f" ({sign}{sheet.number(change, 2)})"


def _overhang(row_texts: Sequence[tuple[float, str, str]], sheet: Sheet) -> float:
    """Pixels by which the texts beside the bars exceed the plot and its right margin."""
    low, high = sheet.x_range
    ends = [
        (x - low) / (high - low) * sheet.plot_width + text_width(f" {text}", SMALL)
        for x, text, _ in row_texts
    ]
    return max(0.0, max(ends) - sheet.plot_width - sheet.right + 4)


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
    shown = ranked[: _rows_that_fit(sheet)]
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
    _tell_marks(sheet, pinned)
    if len(shown) < len(ranked):
        sheet.notes.append(sheet.say("{count} weaker ones are not shown.", count=len(ranked) - len(shown)))
    _label_rows(
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
        _draw_pinned(sheet, name, [others.get(measure.entry.name, math.nan) for measure, _ in shown])
    column = [
        (sheet.x_range[1], f"<b>{text}</b>", VERMILLION) if value == best else (sheet.x_range[1], text, INK)
        for text, value in zip(texts, values, strict=True)
    ]
    sheet.draft.add_trace(_texts_beside_rows(column))
    sheet.shares_on = "x"
    ticks = nice_ticks(1.0, max_ticks=max(2, min(_MAX_TICKS, int(sheet.plot_width / 56))))
    sheet.draft.update_xaxes(
        range=sheet.x_range, tickvals=ticks, ticktext=[percent(tick, lang) for tick in ticks]
    )
    sheet.draft.update_layout(barmode="overlay")
    return sheet


def _tell_marks(sheet: Sheet, names: Iterable[str] | None) -> None:
    """Say above the figure whose values the marks are."""
    if names:
        sheet.notes.append(sheet.say("Marks: {names}.", names=", ".join(sheet.say(name) for name in names)))


def _draw_pinned(sheet: Sheet, name: str, values: Sequence[float]) -> None:
    """Mark the value of a pinned setting on each row."""
    rows = [row for row, value in enumerate(values) if not math.isnan(value)]
    title, colour = sheet.say(name), looks([name])[name].colour
    colour = colour if isinstance(name, Phrase) else ORANGE
    sheet.draft.add_trace(
        {
            "type": "scatter",
            "x": [values[row] for row in rows],
            "y": rows,
            "mode": "markers",
            "marker": {"symbol": "line-ns-open", "size": 15, "color": colour, "line": {"width": 3}},
            "customdata": [f"{escape_markup(title)}: {sheet.number(values[row], 2)}" for row in rows],
            "hovertemplate": "%{customdata}<extra></extra>",
            "showlegend": False,
        }
    )


def _rows_that_fit(sheet: Sheet) -> int:
    """How many rows a tile has room for; no limit elsewhere."""
    return max(4, int((sheet.size.height - _TILE_REST) / _TILE_ROW_HEIGHT)) if sheet.size.tile else 10**6


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


utility_scores = figure_function(utility_sheet)
attacks = figure_function(attacks_sheet)


def _texts_beside_rows(
    row_texts: Sequence[tuple[float, str, str]], hover_texts: Sequence[str] = ()
) -> JsonObject:
    """A trace with one coloured text (x, text, colour) per row; much faster than annotations."""
    return {
        "type": "scatter",
        "x": [x for x, _, _ in row_texts],
        "y": list(range(len(row_texts))),
        "text": [f" {text}" for _, text, _ in row_texts],
        "mode": "text",
        "textposition": "middle right",
        "textfont": {"size": SMALL, "color": [colour for _, _, colour in row_texts]},
        "hovertext": list(hover_texts),
        "hoverinfo": "text" if any(hover_texts) else "skip",
        "cliponaxis": False,
        "showlegend": False,
    }


def _value_on_scale(entry: Entry, value: float) -> float:
    """The value if its measure is bounded and it lies between −1 and 1, else NaN."""
    bounded = entry.bounds is not None and math.isfinite(entry.bounds[1])
    return value if bounded and abs(value) <= 1 else math.nan


def _label_rows(sheet: Sheet, labels: Sequence[str], x_title: str) -> None:
    """Label one row per measure, the first on top; a long title takes two lines."""
    available = sheet.size.width * (_SHARE_FOR_TILE_LABELS if sheet.size.tile else _SHARE_FOR_LABELS)
    max_lines = 1 if sheet.size.tile and len(labels) * 2 * _TILE_ROW_HEIGHT > sheet.size.height else 2
    lines = [_wrap_label(label, available, max_lines) for label in labels]
    sheet.title_axes(
        "" if sheet.size.tile else x_title,
        "",
        max(text_width(line, SMALL) for label_lines in lines for line in label_lines),
    )
    row = _ROW_HEIGHT if all(len(label_lines) == 1 for label_lines in lines) else _ROW_HEIGHT + 6
    many = len(labels) > _rows_that_fit(sheet)
    sheet.plot_height = sheet.rows_height(len(labels), row, _MIN_ROW_HEIGHT if many else _TILE_ROW_HEIGHT)
    sheet.draft.update_yaxes(
        tickvals=list(range(len(labels))),
        ticktext=["<br>".join(f"{escape_markup(line)} " for line in label_lines) for label_lines in lines],
        range=(len(labels) - 0.4, -0.6),
        showgrid=False,
    )


def _wrap_label(label: str, available: float, max_lines: int) -> list[str]:
    """Wrap a label to at most that many lines, keeping its arrow if it is shortened."""
    arrow = next((f"\u00a0{sign}" for sign in _ARROWS.values() if label.endswith(f"\u00a0{sign}")), "")
    lines = wrap(label.removesuffix(arrow), available - text_width(arrow, SMALL), SMALL, max_lines) or [""]
    return [*lines[:-1], lines[-1] + arrow]


def _horizontal_bars(
    values: Sequence[float], rows: list[int], colour: str, bar_width: float, name: str, sheet: Sheet
) -> JsonObject:
    """A trace of horizontal bars, zero for NaN."""
    return {
        "type": "bar",
        "x": [0.0 if math.isnan(value) else value for value in values],
        "y": rows,
        "orientation": "h",
        "width": bar_width,
        "name": name,
        "marker": {"color": colour, "line": {"width": 0}},
        "customdata": [sheet.number(value) for value in values],
        "hovertemplate": f"%{{customdata}}<extra>{name}</extra>",
    }


def _share_text(threat: Found | None, lang: str) -> str:
    """The share of a threat with its interval."""
    if threat is None or threat.interval is None:
        return percent(math.nan if threat is None else threat.share, lang)
    low, high = (percent(end, lang) for end in threat.interval)
    return f"{percent(threat.share, lang)} [{low}–{high}]"


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
