"""Privacy of published traces: who stands alone, and what a second table takes back."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from insanonym_core.parameters import Range
from insanonym_core.registry import metrics
from insanonym_core.scores import Bars, Distribution, Score, Table
from insanonym_core.texts import Phrase
from insanonym_core.traces.mask import rare_items
from insanonym_core.traces.release import TraceRelease

_EDGES = np.array([1, 2, 3, 5, 10, 20, 50, 100, 1000, 10**9])
_MOST_SHOWN = 50


@metrics.add(
    "alone",
    data="traces",
    family="privacy",
    title="People alone in their trace",
    better="lower",
    bounds=(0, 1),
    order=1,
    formula="individuals whose trace nobody else left / individuals",
)
def alone(release: TraceRelease) -> Score:
    """Whoever knows such a person's path finds it in the table, whether its count is masked or not."""
    counts = release.counted.counts
    sizes, _ = np.histogram(counts, _EDGES)
    return Score(
        float((counts == 1).sum()) / release.traces.individuals,
        (
            Distribution(
                "Traces by how many individuals left them", "traces", "individuals", _EDGES, {"traces": sizes}
            ),
        ),
        {"traces": len(counts), "individuals": release.traces.individuals},
    )


@metrics.add(
    "pinned",
    data="traces",
    family="privacy",
    title="Masked counts pinned by a second table",
    better="lower",
    bounds=(0, 1),
    order=2,
    formula="masked counts that the tables with and without prefix fix together / masked counts",
)
def pinned(release: TraceRelease) -> Score:
    """How many masked counts become known when the table without the prefix is published too."""
    found = release.together
    if found is None:
        return Score.undefined("without a prefix there is no second table to subtract")
    if found.masked == 0:
        return Score(0.0, (), {"masked": 0, "narrowed": 0, "people_pinned": 0})
    known = [one for one in found.disclosures if one.pinned][:_MOST_SHOWN]
    shown = Table(
        "Masked counts that both tables fix together",
        {
            "table": np.array([one.table for one in known], dtype=object),
            "published": np.array([one.published for one in known], dtype=object),
            "true count": np.array([one.low for one in known]),
            "trace": np.array([" → ".join(one.trace) for one in known], dtype=object),
        },
        individual=True,
    )
    bars = Bars(
        "Masked counts",
        "counts",
        tuple(map(Phrase, ("masked", "narrowed", "pinned"))),
        np.array([found.masked, found.narrowed, found.pinned]),
    )
    return Score(
        found.pinned / found.masked,
        (bars, shown),
        {"masked": found.masked, "narrowed": found.narrowed, "people_pinned": found.people_pinned},
    )


@metrics.add(
    "rare_items",
    data="traces",
    family="privacy",
    title="Rare steps",
    better="lower",
    bounds=(0, 1),
    order=3,
    formula="items that concern fewer than k individuals / items",
)
def rare_items_share(
    release: TraceRelease, *, k: Annotated[int, Range(2, 1000, whole=True, unit="individuals")] = 5
) -> Score:
    """Steps so rare that they give a trace away by themselves."""
    rare = rare_items(release.counted, k)
    shown = Table(
        "Rarest steps",
        {
            "item": np.array([one.item for one in rare[:_MOST_SHOWN]], dtype=object),
            "individuals": np.array([one.fewest for one in rare[:_MOST_SHOWN]]),
        },
        individual=True,
    )
    items = {item for trace in release.counted.traces for item in trace}
    return Score(len(rare) / len(items), (shown,), {"rare": len(rare), "items": len(items)})
