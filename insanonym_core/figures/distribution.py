"""Distributions: bars for one group, outlines for several, labelled classes when the edges are uneven."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from insanonym_core.figures.bars import bar_chart, fits_below, slot_width
from insanonym_core.figures.sheet import Sheet, drawable
from insanonym_core.figures.theme import SMALL, looks, see_through
from insanonym_core.figures.words import plain, shorten, width
from insanonym_core.scores import Distribution, Values
from insanonym_core.texts import Phrase
from insanonym_core.written import NARROW_SPACE

_LEGEND_NAME = 150
_ENDLESS = 10_000.0  # a last class that reaches so many times further than it begins has no end worth naming


def draw_distribution(evidence: Distribution, sheet: Sheet) -> go.Figure:
    """How many fall between the edges."""
    edges = np.asarray(evidence.edges, dtype=float)
    counts = {name: np.asarray(values, dtype=float) for name, values in evidence.counts.items()}
    if len(edges) < 2 or not counts:
        return sheet.empty()
    if _uneven(edges):
        _classes(edges, counts, evidence, sheet)
        return sheet.finish()
    heights = [value for values in counts.values() for value in values.tolist()]
    sheet.number_axes(sheet.say(evidence.unit), sheet.say(evidence.what), [], [0, *heights])
    air = (edges[-1] - edges[0]) * 0.02 or 0.5
    sheet.x_range = (float(edges[0] - air), float(edges[-1] + air))
    sheet.draft.update_xaxes(range=sheet.x_range, showgrid=len(counts) > 1)
    medians = _medians(evidence) if len(counts) > 1 else {}
    sheet.marks = {name: value for name, value in evidence.marks.items() if name not in medians}
    if len(counts) == 1:
        _one(edges, counts, sheet)
    else:
        _several(edges, counts, {group: evidence.marks[name] for name, group in medians.items()}, sheet)
    return sheet.finish()


def _uneven(edges: Values) -> bool:
    steps = np.diff(edges)
    return not np.isfinite(edges).all() or not np.allclose(steps, steps[0], rtol=1e-3)


def _classes(edges: Values, counts: dict[str, Values], evidence: Distribution, sheet: Sheet) -> None:
    """A bar for each class; the edges stand between the bars when the classes' names are too long."""
    labels = class_labels(edges, sheet)
    sheet.number_axes("", sheet.say(evidence.what), [], [0, *np.concatenate(list(counts.values()))])
    room = slot_width(labels, sheet)
    labels = [label if width(label, SMALL) <= room else label.replace("–", "– ") for label in labels]
    bar_chart(sheet, labels, counts, sheet.say(evidence.what), {}, sheet.say(evidence.unit), upright=True)
    if not fits_below(labels, sheet):
        texts = [sheet.number(edge) for edge in edges[:-1]]
        texts.append("" if labels[-1].startswith("≥") else sheet.number(edges[-1]))
        every = int(np.ceil(max(width(text, SMALL) + 8 for text in texts) * len(edges) / sheet.plot_width))
        places = (np.arange(len(edges)) - 0.5)[::every].tolist()
        sheet.draft.update_xaxes(tickvals=places, ticktext=texts[::every])
        sheet.tick_lines = 1
    sheet.marks = {name: value for name, value in evidence.marks.items() if np.isfinite(value)}
    sheet.places = {name: _place(edges, value) for name, value in sheet.marks.items()}


def class_labels(edges: Values, sheet: Sheet) -> list[str]:
    """Each class in words. Whole edges from 1 count things: 3–4 then says more than 3–5."""
    counted = edges[0] >= 1 and all(not np.isfinite(edge) or float(edge).is_integer() for edge in edges)
    labels = []
    for place, (low, high) in enumerate(pairwise(edges.tolist())):
        last = place == len(edges) - 2
        if last and (not np.isfinite(high) or high >= _ENDLESS or high > 100 * max(low, 1e-9)):
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


def _place(edges: Values, value: float) -> float:
    """Where a value stands on the axis of classes: class i reaches from i − ½ to i + ½."""
    inside = int(np.clip(np.searchsorted(edges, value, "right") - 1, 0, len(edges) - 2))
    return inside - 0.5 if value == edges[inside] else float(inside)


def _medians(evidence: Distribution) -> dict[str, str]:
    """The marks that are the median of a group, and whose: the legend tells them, no line crosses it."""
    return {
        name: str(name.values["group"])
        for name, value in evidence.marks.items()
        if isinstance(name, Phrase)
        and name.template == "median, {group}"
        and name.values["group"] in evidence.counts
        and np.isfinite(value)
    }


def _hover(edges: Values, values: Values, sheet: Sheet) -> list[str]:
    """The ends of each bin and its value; bins around whole numbers hold just these."""
    whole = (edges % 1 == 0.5).all()
    limits = [(low + 0.5, high - 0.5) if whole else (low, high) for low, high in pairwise(edges.tolist())]
    ends = [
        sheet.number(low) if low == high else f"{sheet.number(low)} – {sheet.number(high)}"
        for low, high in limits
    ]
    return [f"{end}: {sheet.number(value)}" for end, value in zip(ends, values.tolist(), strict=True)]


def _one(edges: Values, counts: dict[str, Values], sheet: Sheet) -> None:
    ((name, values),) = counts.items()
    sheet.draft.add_trace(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=drawable(values),
            width=np.diff(edges) * 0.94,
            name=plain(sheet.say(name)),
            marker={"color": looks(counts)[name].colour, "line": {"width": 0}},
            customdata=_hover(edges, values, sheet),
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _several(edges: Values, counts: dict[str, Values], medians: Mapping[str, float], sheet: Sheet) -> None:
    """Outlines, lightly filled: where they lie over each other both can be seen."""
    for name, look in looks(counts).items():
        values = drawable(counts[name])
        shown = sheet.say(name)
        if name in medians:
            line = {"color": look.colour, "width": 1.5, "dash": look.dash}
            sheet.draft.add_vline(x=medians[name], line=line)
            shown = sheet.say(
                "{group} (median {value})",
                group=shorten(shown, _LEGEND_NAME, SMALL),
                value=sheet.number(medians[name]),
            )
        sheet.draft.add_trace(
            go.Scatter(
                x=np.concatenate((edges[:1], edges)),
                y=np.concatenate(([0.0], values, [0.0])),
                name=plain(shorten(shown, 260, SMALL)),
                mode="lines",
                line={"shape": "hv", "color": look.colour, "width": 2, "dash": look.dash},
                fill="tozeroy",
                fillcolor=see_through(look.colour, 0.18 if len(counts) == 2 else 0.1),
                customdata=["", *_hover(edges, counts[name], sheet), ""],
                hovertemplate=f"%{{customdata}}<extra>{plain(shown)}</extra>",
            )
        )
        sheet.legend.append(shown)
