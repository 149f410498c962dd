"""Histograms: bars for one group, outlines for several, one labelled bar per bin if bins are uneven."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.bars import bar_chart, labels_fit_below, slot_width
from insanonym_core.figures.sheet import Sheet, zero_filled
from insanonym_core.figures.text_layout import escape_markup, shorten, text_width
from insanonym_core.figures.theme import SMALL, looks, with_opacity
from insanonym_core.results.scores import Distribution, Values
from insanonym_core.texts import NARROW_SPACE, Phrase

_MAX_LEGEND_NAME_WIDTH = 150
_OPEN_ENDED_FROM = 10_000.0  # a last class with such an upper edge is labelled as open-ended


def draw_distribution(evidence: Distribution, sheet: Sheet) -> go.Figure:
    """Draw a histogram for one group, outlines for several, one labelled bar per bin for uneven edges."""
    edges = np.asarray(evidence.edges, dtype=float)
    counts = {name: np.asarray(values, dtype=float) for name, values in evidence.counts.items()}
    if len(edges) < 2 or not counts:
        return sheet.message_figure()
    if _has_uneven_edges(edges):
        _draw_classes(edges, counts, evidence, sheet)
        return sheet.finish()
    heights = [value for values in counts.values() for value in values.tolist()]
    sheet.number_axes(sheet.say(evidence.unit), sheet.say(evidence.what), [], [0, *heights])
    padding = (edges[-1] - edges[0]) * 0.02 or 0.5
    sheet.x_range = (float(edges[0] - padding), float(edges[-1] + padding))
    sheet.draft.update_xaxes(range=sheet.x_range, showgrid=len(counts) > 1)
    medians = _group_medians(evidence) if len(counts) > 1 else {}
    sheet.marks = {name: value for name, value in evidence.marks.items() if name not in medians}
    if len(counts) == 1:
        _draw_histogram(edges, counts, sheet)
    else:
        _draw_outlines(edges, counts, {group: evidence.marks[name] for name, group in medians.items()}, sheet)
    return sheet.finish()


def _has_uneven_edges(edges: Values) -> bool:
    steps = np.diff(edges)
    return not np.isfinite(edges).all() or not np.allclose(steps, steps[0], rtol=1e-3)


def _draw_classes(edges: Values, counts: dict[str, Values], evidence: Distribution, sheet: Sheet) -> None:
    """Draw a bar per class; label the edges between the bars if the class labels are too long."""
    labels = class_labels(edges, sheet)
    sheet.number_axes("", sheet.say(evidence.what), [], [0, *np.concatenate(list(counts.values()))])
    available = slot_width(labels, sheet)
    labels = [
        label if text_width(label, SMALL) <= available else label.replace("–", "– ") for label in labels
    ]
    bar_chart(sheet, labels, counts, sheet.say(evidence.what), {}, sheet.say(evidence.unit), upright=True)
    if not labels_fit_below(labels, sheet):
        texts = [sheet.number(edge) for edge in edges[:-1]]
        texts.append("" if labels[-1].startswith("≥") else sheet.number(edges[-1]))
        tick_step = int(
            np.ceil(max(text_width(text, SMALL) + 8 for text in texts) * len(edges) / sheet.plot_width)
        )
        tick_positions = (np.arange(len(edges)) - 0.5)[::tick_step].tolist()
        sheet.draft.update_xaxes(tickvals=tick_positions, ticktext=texts[::tick_step])
        sheet.tick_lines = 1
    sheet.marks = {name: value for name, value in evidence.marks.items() if np.isfinite(value)}
    sheet.places = {name: _class_position(edges, value) for name, value in sheet.marks.items()}


def class_labels(edges: Values, sheet: Sheet) -> list[str]:
    """Label of each class. Integer edges from 1 are counts: the class [3, 5) is then labelled 3–4."""
    counted = edges[0] >= 1 and all(not np.isfinite(edge) or float(edge).is_integer() for edge in edges)
    labels = []
    for index, (low, high) in enumerate(pairwise(edges.tolist())):
        last = index == len(edges) - 2
        if last and (not np.isfinite(high) or high >= _OPEN_ENDED_FROM or high > 100 * max(low, 1e-9)):
            labels.append(f"≥{NARROW_SPACE}{sheet.number(low)}")
        elif not np.isfinite(low):
            labels.append(f"< {sheet.number(high)}")
        elif counted and not last:
            labels.append(
                sheet.number(low) if high - low == 1 else f"{sheet.number(low)}–{sheet.number(high - 1)}"
            )
        else:
            labels.append(f"{sheet.number(low)}–{sheet.number(high)}")
    return labels


def _class_position(edges: Values, value: float) -> float:
    """Position of a value on the axis of classes, where class i covers i − ½ to i + ½."""
    inside = int(np.clip(np.searchsorted(edges, value, "right") - 1, 0, len(edges) - 2))
    return inside - 0.5 if value == edges[inside] else float(inside)


def _group_medians(evidence: Distribution) -> dict[str, str]:
    """Map the marks that are medians of a group to that group: the legend shows them instead of a label."""
    return {
        name: str(name.values["group"])
        for name, value in evidence.marks.items()
        if isinstance(name, Phrase)
        and name.template == "median, {group}"
        and name.values["group"] in evidence.counts
        and np.isfinite(value)
    }


def _hover_texts(edges: Values, values: Values, sheet: Sheet) -> list[str]:
    """Hover text of each bin: its ends and value; bins centred on integers show the integers."""
    whole = (edges % 1 == 0.5).all()
    limits = [(low + 0.5, high - 0.5) if whole else (low, high) for low, high in pairwise(edges.tolist())]
    ends = [
        sheet.number(low) if low == high else f"{sheet.number(low)} – {sheet.number(high)}"
        for low, high in limits
    ]
    return [f"{end}: {sheet.number(value)}" for end, value in zip(ends, values.tolist(), strict=True)]


def _draw_histogram(edges: Values, counts: dict[str, Values], sheet: Sheet) -> None:
    """Draw the bars of a single group."""
    ((name, values),) = counts.items()
    sheet.draft.add_trace(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=zero_filled(values),
            width=np.diff(edges) * 0.94,
            name=escape_markup(sheet.say(name)),
            marker={"color": looks(counts)[name].colour, "line": {"width": 0}},
            customdata=_hover_texts(edges, values, sheet),
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _draw_outlines(
    edges: Values, counts: dict[str, Values], medians: Mapping[str, float], sheet: Sheet
) -> None:
    """Draw one lightly filled outline per group, so that overlapping groups stay visible."""
    for name, look in looks(counts).items():
        values = zero_filled(counts[name])
        group_title = sheet.say(name)
        if name in medians:
            line = {"color": look.colour, "width": 1.5, "dash": look.dash}
            sheet.draft.add_vline(x=medians[name], line=line)
            group_title = sheet.say(
                "{group} (median {value})",
                group=shorten(group_title, _MAX_LEGEND_NAME_WIDTH, SMALL),
                value=sheet.number(medians[name]),
            )
        sheet.draft.add_trace(
            go.Scatter(
                x=np.concatenate((edges[:1], edges)),
                y=np.concatenate(([0.0], values, [0.0])),
                name=escape_markup(shorten(group_title, 260, SMALL)),
                mode="lines",
                line={"shape": "hv", "color": look.colour, "width": 2, "dash": look.dash},
                fill="tozeroy",
                fillcolor=with_opacity(look.colour, 0.18 if len(counts) == 2 else 0.1),
                customdata=["", *_hover_texts(edges, counts[name], sheet), ""],
                hovertemplate=f"%{{customdata}}<extra>{escape_markup(group_title)}</extra>",
            )
        )
        sheet.legend.append(group_title)
