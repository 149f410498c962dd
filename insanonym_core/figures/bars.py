"""Bars: one value per label, or one per label and group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.labelled import levels_width
from insanonym_core.figures.sheet import Sheet, drawable, span
from insanonym_core.figures.theme import MUTED, SMALL, looks
from insanonym_core.figures.words import plain, shorten, width, wrap
from insanonym_core.scores import Bars, Values

MOST = 25
_MOST_WRITTEN = 26
_MOST_THICK = 6  # labels with several lying bars each, all thick enough for a number at the end
_ROW, _LINE = 22, SMALL * 1.4
_SHARE_FOR_LABELS = 0.38
_APART = 4  # pixels between two numbers side by side


def draw_bars(bars: Bars, sheet: Sheet) -> go.Figure:
    """Upright when the labels fit below, lying otherwise; the highest when there are too many."""
    groups = {name: np.asarray(values, dtype=float) for name, values in bars.groups.items()}
    labels = [sheet.label(text) for text in bars.labels]
    if not labels or not groups:
        return sheet.empty(sheet.say(bars.why_empty) if bars.why_empty else "")
    if len(labels) > MOST:
        height = np.nanmax(np.nan_to_num(np.stack(list(groups.values())), nan=-np.inf), axis=0)
        kept = np.sort(np.argsort(-height, kind="stable")[:MOST])
        sheet.notes.append(
            sheet.say("The {shown} highest; {more} more.", shown=MOST, more=len(labels) - MOST)
        )
        labels = [labels[place] for place in kept]
        groups = {name: values[kept] for name, values in groups.items()}
    bar_chart(sheet, labels, groups, sheet.say(bars.unit), bars.references)
    return sheet.finish()


def bar_chart(
    sheet: Sheet,
    labels: Sequence[str],
    groups: Mapping[str, Values],
    unit: str,
    references: Mapping[str, float],
    x_title: str = "",
    upright: bool | None = None,
) -> None:
    """Draw bars on a sheet; `unit` names their length, `x_title` what the labels are."""
    heights = [value for values in groups.values() for value in values.tolist()]
    limits = _limits([*heights, *references.values()])
    sheet.number_axes(x_title, unit, [0], limits)
    sheet.y_range, sheet.levels = limits, references
    upright = fits_below(labels, sheet) if upright is None else upright
    slots = len(labels)
    if upright:
        _label_below(labels, sheet)
        sheet.x_range = (-0.6, slots - 0.4)
        sheet.draft.update_yaxes(range=limits, title={"text": unit})
        sheet.draft.update_xaxes(showgrid=False)
    else:
        thin = slots > _MOST_THICK or len(groups) == 1
        sheet.plot_height = max(sheet.plot_height, slots * max(_ROW, (11 if thin else 18) * len(groups) + 6))
        _label_beside(labels, sheet, unit)
        sheet.x_range, sheet.marks, sheet.levels = limits, references, {}
        sheet.y_range = (slots - 0.4, -0.6)
        sheet.draft.update_yaxes(range=sheet.y_range, showgrid=False)
        sheet.draft.update_xaxes(separatethousands=True)
    sheet.draft.update_xaxes(range=sheet.x_range)
    named = looks(groups)
    gap = {1: 0.8, 2: 0.65, 3: 0.5}.get(slots, 0.35 if slots < 10 else 0.25)
    gap *= 0.6 if len(groups) > 1 and slots <= 3 else 1  # room for two numbers side by side
    sheet.draft.update_layout(bargap=gap, bargroupgap=0.05)
    texts_of = {name: [sheet.number(value) for value in values] for name, values in groups.items()}
    widest = max(width(text, SMALL) for texts in texts_of.values() for text in texts)
    room = (slot_width(labels, sheet) + 2) * (1 - gap if len(groups) > 1 else 1) / len(groups)
    fits = widest + _APART <= room if upright else len(groups) == 1 or slots <= _MOST_THICK
    written = slots * len(groups) <= _MOST_WRITTEN and fits
    for name, values in groups.items():
        texts = texts_of[name]
        shown = sheet.say(name)
        sheet.draft.add_trace(
            go.Bar(
                name=plain(shorten(shown, 260, SMALL)),
                x=np.arange(slots) if upright else drawable(values),
                y=drawable(values) if upright else np.arange(slots),
                orientation="v" if upright else "h",
                marker={"color": named[name].colour, "line": {"width": 0}},
                text=texts if written else None,
                textposition="outside",
                textangle=0,
                textfont={"size": SMALL},
                constraintext="none",
                cliponaxis=False,
                customdata=[(plain(label), text) for label, text in zip(labels, texts, strict=True)],
                hovertemplate="%{customdata[0]}: %{customdata[1]}" + f"<extra>{plain(shown)}</extra>",
            )
        )
        sheet.legend.append(shown)
    if limits[0] < 0:
        zero = {"color": MUTED, "width": 1}
        if upright:
            sheet.draft.add_hline(y=0, line=zero)
        else:
            sheet.draft.add_vline(x=0, line=zero)


def _limits(values: Sequence[float]) -> tuple[float, float]:
    """From zero, with room for the number written at the end of the longest bar."""
    low, high = span([0.0, *values], share=0.12)
    return (low if low < 0 else 0.0), (high if high > 0 else 1.0)


def slot_width(labels: Sequence[str], sheet: Sheet) -> float:
    """How many pixels a label may take below its bar."""
    return (sheet.plot_width - levels_width(sheet)) / len(labels) - 6


def fits_below(labels: Sequence[str], sheet: Sheet) -> bool:
    """Whether every label fits below its bar in two lines, no word broken."""
    slot = slot_width(labels, sheet)
    return all(
        len(wrap(label, slot, SMALL)) <= 2 and all(width(word, SMALL) <= slot for word in label.split(" "))
        for label in labels
    )


def _label_below(labels: Sequence[str], sheet: Sheet) -> None:
    slot = slot_width(labels, sheet)
    lines = [wrap(label, slot, SMALL) for label in labels]
    sheet.tick_lines = max(1, *map(len, lines))
    texts = ["<br>".join(map(plain, some)) for some in lines]
    sheet.draft.update_xaxes(tickvals=list(range(len(labels))), ticktext=texts, tickangle=0)


def _label_beside(labels: Sequence[str], sheet: Sheet, unit: str) -> None:
    """Labels at the left, the first on top; what names the labels has no room and is told by the title.

    Few bars leave room for labels of up to three lines.
    """
    room = sheet.size.width * _SHARE_FOR_LABELS
    most = max(1, min(3, int(sheet.plot_height / len(labels) / _LINE)))
    lines = [
        wrap(label, room, SMALL, most=most)
        if most > 1 and all(width(word, SMALL) <= room for word in label.split(" "))
        else [shorten(label, room, SMALL)]
        for label in labels
    ]
    sheet.title_axes(unit, "", max(width(line, SMALL) for some in lines for line in some))
    sheet.draft.update_yaxes(
        tickvals=list(range(len(labels))),
        ticktext=["<br>".join(f"{plain(line)} " for line in some) for some in lines],
    )
