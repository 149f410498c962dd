"""Bars: one value per label, or one per label and group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.reference_lines import levels_width
from insanonym_core.figures.sheet import Sheet, padded_range, zero_filled
from insanonym_core.figures.text_layout import escape_markup, shorten, text_width, wrap
from insanonym_core.figures.theme import MUTED, PAPER, SMALL, Look, looks
from insanonym_core.results.scores import Bars, Values
from insanonym_core.texts.numbers import percent

MAX_BARS = 25
_MAX_WRITTEN_VALUES = 26
_MAX_THICK_LABELS = 6  # labels with several horizontal bars, all thick enough for a number
_ROW_HEIGHT, _LINE_HEIGHT = 22, SMALL * 1.4
_TILE_ROW_HEIGHT, _TILE_REST = 18, 84  # pixels of a row in a tile; of a tile above and below its rows
_TILE_LEGEND = 32  # pixels of a legend in a tile
_SHARE_FOR_LABELS = 0.38
SHARES = (0.0, 1.1)
"""Range of an axis of shares: all of it, and room for a number beyond a whole bar."""
SHARE_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
_FEW = 4  # counts below this have a tick for each
_TEXT_GAP = 4  # pixels between two numbers side by side


def draw_bars(bars: Bars, sheet: Sheet) -> go.Figure:
    """Draw vertical bars if the labels fit below them, else horizontal ones; at most MAX_BARS labels."""
    groups = {name: np.asarray(values, dtype=float) for name, values in bars.groups.items()}
    labels = [sheet.label(text) for text in bars.labels]
    if not labels or not groups:
        return sheet.message_figure(sheet.say(bars.why_empty) if bars.why_empty else "")
    room = _max_labels(labels, groups, bool(bars.references), sheet)
    labels, groups = _that_fit(labels, groups, room, bars.lowest, sheet)
    bar_chart(sheet, labels, groups, sheet.say(bars.unit), bars.references, share=bars.share)
    return sheet.finish()


def _max_labels(labels: Sequence[str], groups: Mapping[str, Values], marked: bool, sheet: Sheet) -> int:
    """How many labels are drawn; a tile may have room for fewer horizontal bars."""
    widest = max(text_width(label, SMALL) for label in labels)
    if not sheet.size.tile or widest * len(labels) < sheet.size.width:  # short labels fit below their bars
        return MAX_BARS
    thickness = max(_TILE_ROW_HEIGHT, 11 * len(groups) + 4)
    rest = _TILE_REST + (_TILE_LEGEND if len(groups) > 1 else 0) + (_LINE_HEIGHT if marked else 0)
    return min(MAX_BARS, max(3, int((sheet.size.height - rest) / thickness)))


def _that_fit(
    labels: Sequence[str], groups: Mapping[str, Values], max_labels: int, lowest: bool, sheet: Sheet
) -> tuple[list[str], dict[str, Values]]:
    """The labels with the highest or lowest bars, in their order; a note tells how many are left out."""
    if len(labels) <= max_labels:
        return list(labels), dict(groups)
    height = np.nanmax(np.nan_to_num(np.stack(list(groups.values())), nan=-np.inf), axis=0)
    kept = np.sort(np.argsort(height if lowest else -height, kind="stable")[:max_labels])
    count = {"shown": max_labels, "more": len(labels) - max_labels}
    sheet.notes.append(
        sheet.say("The {shown} lowest; {more} more.", **count)
        if lowest
        else sheet.say("The {shown} highest; {more} more.", **count)
    )
    return [labels[index] for index in kept], {name: values[kept] for name, values in groups.items()}


def bar_chart(
    sheet: Sheet,
    labels: Sequence[str],
    groups: Mapping[str, Values],
    unit: str,
    references: Mapping[str, float],
    x_title: str = "",
    upright: bool | None = None,
    share: bool = False,
) -> None:
    """Draw bars on a sheet; `unit` is the title of the value axis, `x_title` that of the labels.

    With `share` the axis always shows 0 to 100 %.
    """
    heights = [value for values in groups.values() for value in values.tolist()]
    limits = SHARES if share else _value_range([*heights, *references.values()])
    sheet.number_axes(x_title, unit, [0], limits)
    if share:
        sheet.title_axes(x_title, unit, text_width(percent(1, sheet.lang), SMALL))
    sheet.y_range, sheet.levels = limits, references
    upright = labels_fit_below(labels, sheet) if upright is None else upright
    slots, axis = len(labels), "y" if upright else "x"
    sheet.shares_on = axis if share else ""
    if upright:
        _label_below(labels, sheet)
        sheet.x_range = (-0.6, slots - 0.4)
        sheet.draft.update_yaxes(range=limits, title={"text": unit})
        sheet.draft.update_xaxes(showgrid=False)
    else:
        thin = slots > _MAX_THICK_LABELS or len(groups) == 1
        sheet.plot_height = sheet.rows_height(
            slots,
            max(_ROW_HEIGHT, (11 if thin else 18) * len(groups) + 6),
            max(_TILE_ROW_HEIGHT, 11 * len(groups) + 4),
        )
        _label_beside(labels, sheet, unit)
        sheet.x_range, sheet.marks, sheet.levels = limits, references, {}
        sheet.y_range = (slots - 0.4, -0.6)
        sheet.draft.update_yaxes(range=sheet.y_range, showgrid=False)
        sheet.draft.update_xaxes(separatethousands=True)
    sheet.draft.update_xaxes(range=sheet.x_range)
    update_values = sheet.draft.update_yaxes if upright else sheet.draft.update_xaxes
    if max(heights) < _FEW and all(float(height).is_integer() for height in heights):
        update_values(dtick=1)  # there is no half of a row
    if share:
        update_values(tickvals=SHARE_TICKS, ticktext=[percent(tick, sheet.lang) for tick in SHARE_TICKS])
    look_of = looks(groups)
    gap = {1: 0.8, 2: 0.65, 3: 0.5}.get(slots, 0.35 if slots < 10 else 0.25)
    gap *= 0.6 if len(groups) > 1 and slots <= 3 else 1  # room for two numbers side by side
    sheet.draft.update_layout(bargap=gap, bargroupgap=0.05)
    texts_of = {name: [sheet.value(value, axis) for value in values] for name, values in groups.items()}
    widest = max(text_width(text, SMALL) for texts in texts_of.values() for text in texts)
    available = (slot_width(labels, sheet) + 2) * (1 - gap if len(groups) > 1 else 1) / len(groups)
    thick = slots <= _MAX_THICK_LABELS and not sheet.size.tile
    fits = widest + _TEXT_GAP <= available if upright else len(groups) == 1 or thick
    values_written = slots * len(groups) <= _MAX_WRITTEN_VALUES and fits
    for number, (name, values) in enumerate(groups.items()):
        texts = texts_of[name]
        group_title = sheet.say(name)
        sheet.draft.add_trace(
            go.Bar(
                name=escape_markup(shorten(group_title, 260, SMALL)),
                uid=f"group{number}",  # patterns are named by it: a random one would change the file
                x=np.arange(slots) if upright else zero_filled(values),
                y=zero_filled(values) if upright else np.arange(slots),
                orientation="v" if upright else "h",
                marker=_marker(look_of[name], patterned=len(groups) > 1 and not sheet.size.tile),
                text=texts if values_written else None,
                textposition="outside",
                textangle=0,
                textfont={"size": SMALL},
                constraintext="none",
                cliponaxis=False,
                customdata=[(escape_markup(label), text) for label, text in zip(labels, texts, strict=True)],
                hovertemplate="%{customdata[0]}: %{customdata[1]}"
                + f"<extra>{escape_markup(group_title)}</extra>",
            )
        )
        sheet.legend.append(group_title)
    if limits[0] < 0:
        zero = {"color": MUTED, "width": 1}
        if upright:
            sheet.draft.add_hline(y=0, line=zero)
        else:
            sheet.draft.add_vline(x=0, line=zero)


def _marker(look: Look, patterned: bool) -> dict[str, object]:
    """The fill of bars, with a pattern where groups must be told apart in grey."""
    pattern = {"shape": look.pattern, "fgcolor": PAPER, "bgcolor": look.colour, "size": 7, "solidity": 0.3}
    fill: dict[str, object] = {"color": look.colour, "line": {"width": 0}}
    return fill | ({"pattern": pattern} if patterned and look.pattern else {})


def _value_range(values: Sequence[float]) -> tuple[float, float]:
    """Range of the value axis: includes zero and room for the number beyond the longest bar."""
    low, high = padded_range([0.0, *values], share=0.12)
    return (low if low < 0 else 0.0), (high if high > 0 else 1.0)


def slot_width(labels: Sequence[str], sheet: Sheet) -> float:
    """Pixels available for a label below its bar."""
    return (sheet.plot_width - levels_width(sheet)) / len(labels) - 6


def labels_fit_below(labels: Sequence[str], sheet: Sheet) -> bool:
    """Whether every label fits below its bar in two lines without breaking a word."""
    slot = slot_width(labels, sheet)
    return all(
        len(wrap(label, slot, SMALL)) <= 2
        and all(text_width(word, SMALL) <= slot for word in label.split(" "))
        for label in labels
    )


def _label_below(labels: Sequence[str], sheet: Sheet) -> None:
    """Write the labels below vertical bars, wrapped to the width of their slot."""
    slot = slot_width(labels, sheet)
    lines = [wrap(label, slot, SMALL) for label in labels]
    sheet.tick_lines = max(1, *map(len, lines))
    texts = ["<br>".join(map(escape_markup, label_lines)) for label_lines in lines]
    sheet.draft.update_xaxes(tickvals=list(range(len(labels))), ticktext=texts, tickangle=0)


def _label_beside(labels: Sequence[str], sheet: Sheet, unit: str) -> None:
    """Write the labels left of horizontal bars, the first on top; the label axis gets no title.

    With few bars, labels may take up to three lines.
    """
    available = sheet.size.width * _SHARE_FOR_LABELS
    height = max(sheet.plot_height, sheet.size.height - _TILE_REST) if sheet.size.tile else sheet.plot_height
    max_lines = max(1, min(3, int(height / len(labels) / _LINE_HEIGHT)))
    lines = [
        wrap(label, available, SMALL, max_lines=max_lines)
        if max_lines > 1 and all(text_width(word, SMALL) <= available for word in label.split(" "))
        else [shorten(label, available, SMALL)]
        for label in labels
    ]
    sheet.title_axes(unit, "", max(text_width(line, SMALL) for label_lines in lines for line in label_lines))
    sheet.draft.update_yaxes(
        tickvals=list(range(len(labels))),
        ticktext=["<br>".join(f"{escape_markup(line)} " for line in label_lines) for label_lines in lines],
    )
