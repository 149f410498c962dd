"""Several measures in one figure: utility scores as bars.

The dashboard and its lessons use the sheets as JSON (`Sheet.as_dict`); other callers use the figures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from insanonym_core.figures.card import Card
from insanonym_core.figures.measure_rows import (
    ARROWS,
    draw_pinned,
    label_rows,
    low_rows_that_fit,
    tell_marks,
    texts_beside_rows,
)
from insanonym_core.figures.sheet import Sheet, figure_function
from insanonym_core.figures.text_layout import escape_markup, text_width
from insanonym_core.figures.theme import BLUE, INK, MUTED, PALE_GREY, SCREEN, SMALL, Size
from insanonym_core.registry import Entry, Measure
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    from insanonym_core.results.scores import JsonObject

_MIN_PLOT_WIDTH = 170
_MIN_CHANGE = 0.005


def measure_title(entry: Entry, sheet: Sheet) -> str:
    """The title of a measure, with an arrow if lower is better."""
    title = sheet.say(entry.title)
    if not entry.counted:
        title = sheet.say("{title} (not counted)", title=title)
    return f"{title}\u00a0{ARROWS['lower']}" if entry.better == "lower" else title


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
    measures = _those_that_fit(measures, sheet)
    if any(measure.entry.better == "lower" for measure in measures):
        sheet.notes.append(sheet.say("↓: lower is better."))
    tell_marks(sheet, pinned)
    previous_by_name = previous or {}
    values = [_value_on_scale(measure.entry, measure.score.value) for measure in measures]
    previous_values = [
        _value_on_scale(measure.entry, previous_by_name.get(measure.entry.name, math.nan))
        for measure in measures
    ]
    low = min([0.0, *(value * 1.1 for value in [*values, *previous_values] if value < 0)])
    label_rows(sheet, [measure_title(measure.entry, sheet) for measure in measures], sheet.say("score"))
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
        draw_pinned(sheet, name, marks)
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
    sheet.draft.add_trace(texts_beside_rows(row_texts, hover_texts))
    parts = 4 if sheet.plot_width >= _MIN_PLOT_WIDTH * (1.12 - low) else 2
    ticks = [tick / parts for tick in range(-parts, parts + 1) if tick / parts >= low]
    sheet.draft.update_xaxes(range=sheet.x_range, tickvals=ticks)
    sheet.draft.update_layout(barmode="overlay")
    return sheet


def _those_that_fit(measures: Sequence[Measure], sheet: Sheet) -> Sequence[Measure]:
    """The measures that a tile has room for: bars before numbers without a common scale, in their order."""
    if len(measures) <= low_rows_that_fit(sheet, lines=1):
        return measures
    room = low_rows_that_fit(sheet, lines=2)
    unscaled = [math.isnan(_value_on_scale(measure.entry, measure.score.value)) for measure in measures]
    shown = sorted(sorted(range(len(measures)), key=unscaled.__getitem__)[:room])
    more = Phrase.plural(
        "{n} more on the page “All measures”.", "{n} more on the page “All measures”.", n=len(measures) - room
    )
    sheet.notes.append(sheet.say(more))
    return [measures[place] for place in shown]


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


utility_scores = figure_function(utility_sheet)


def _value_on_scale(entry: Entry, value: float) -> float:
    """The value if its measure is bounded and it lies between −1 and 1, else NaN."""
    bounded = entry.bounds is not None and math.isfinite(entry.bounds[1])
    return value if bounded and abs(value) <= 1 else math.nan


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
