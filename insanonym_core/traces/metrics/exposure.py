"""Privacy of published traces: unique and small traces, and differencing with a second table."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from insanonym_core.parameters import Range
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Distribution, Score, Table
from insanonym_core.results.threats import INFERENCE, SINGLING_OUT, Threat
from insanonym_core.texts import Phrase
from insanonym_core.traces.disclosure import Disclosure
from insanonym_core.traces.known_counts import known_counts, known_ranges
from insanonym_core.traces.mask import rare_items
from insanonym_core.traces.release import TraceRelease

_EDGES = np.array([1, 2, 3, 5, 10, 20, 50, 100, 1000, 10**9])
_BY_BOTH = "Masked counts that both tables fix together"
_BY_THE_MASK = "Masked counts that the mask itself gives away"
_MAX_TABLE_ROWS = 50
_MAX_BARS = 10


def tells_sums(release: TraceRelease) -> bool:
    """Whether sums of small counts stay out of reports: protected tables could be subtracted from them."""
    return release.protected is not None


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
def alone_share(release: TraceRelease) -> Score:
    """The share of individuals whose trace nobody else has; it can be found by their path, masked or not."""
    counts = release.counted.counts
    sizes, _ = np.histogram(counts, _EDGES)
    return Score(
        float((counts == 1).sum()) / release.traces.individuals,
        (
            Distribution(
                "Traces by how many individuals left them",
                "traces",
                "individuals",
                _EDGES,
                {"traces": sizes},
                shows_individuals=tells_sums(release),
            ),
        ),
        {"traces": len(counts), "individuals": release.traces.individuals},
    )


@metrics.add(
    "small_traces",
    data="traces",
    family="privacy",
    title="People in small traces with a known count",
    better="lower",
    bounds=(0, 1),
    order=4,
    formula="individuals in traces of few people whose exact count is known / individuals",
    threat=Threat(SINGLING_OUT, "{share} of the individuals have a rare trace whose exact count is known"),
)
def small_traces(
    release: TraceRelease, *, small: Annotated[int, Range(2, 1000, whole=True, unit="individuals")] = 10
) -> Score:
    """The share of individuals in a trace of few people whose exact count a reader of the table can derive.

    The count is known if it is published, if the mask leaves it one value (below 2 that is 1), or if it
    follows from the number of all individuals and a second table without the prefix.
    """
    few = known = 0
    exact = known_counts(release)
    for trace, count in zip(release.counted.traces, release.counted.counts.tolist(), strict=True):
        if count < small:
            few += count
            known += count if trace in exact else 0
    people = release.traces.individuals
    bars = Bars(
        Phrase("Individuals in traces of fewer than {small} people", small=small),
        "individuals",
        (Phrase("exact count known"), Phrase("exact count hidden"), Phrase("larger traces")),
        np.array([known, few - known, people - few]),
        shows_individuals=tells_sums(release),
    )
    details = {"known": known, "individuals": people}
    return Score(
        known / people, (bars,), details if tells_sums(release) else {**details, "in_small_traces": few}
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
    threat=Threat(INFERENCE, "{share} of the masked counts become known with a second table"),
)
def pinned(release: TraceRelease) -> Score:
    """How many masked counts become known when the table without the prefix is published too.

    Below a threshold of 2 a masked count can only be 1: it is known without a second table, and counts.
    """
    differencing = release.together
    if differencing is None:
        return Score.undefined("without a prefix there is no second table to subtract")
    if differencing.masked == 0:
        return Score(0.0, (), {"masked": 0, "narrowed": 0, "people_pinned": 0, "pinned_by_the_mask": 0})
    fixed, people = differencing.pinned, differencing.people_pinned
    pinned_counts = [disclosure for disclosure in differencing.disclosures if disclosure.pinned]
    if by_mask := _pinned_by_mask(release):
        pinned_counts, fixed, people = by_mask, len(by_mask), release.masked.singular_individuals
    pinned_counts = pinned_counts[:_MAX_TABLE_ROWS]
    table = Table(
        _BY_THE_MASK if by_mask else _BY_BOTH,
        {
            "table": np.array([disclosure.table for disclosure in pinned_counts], dtype=object),
            "published": np.array([disclosure.published for disclosure in pinned_counts], dtype=object),
            "true count": np.array([disclosure.low for disclosure in pinned_counts]),
            "trace": np.array([" → ".join(disclosure.trace) for disclosure in pinned_counts], dtype=object),
        },
        shows_individuals=True,
    )
    bars = Bars(
        "Masked counts that other tables narrow",
        "counts",
        tuple(map(Phrase, ("masked", "narrowed", "pinned by the mask itself" if by_mask else "pinned"))),
        np.array([differencing.masked, differencing.narrowed, fixed]),
        shows_individuals=False,
    )
    return Score(
        fixed / differencing.masked,
        (bars, table),
        {
            "masked": differencing.masked,
            "narrowed": differencing.narrowed,
            "people_pinned": people,
            "pinned_by_the_mask": len(by_mask),
        },
    )


def _pinned_by_mask(release: TraceRelease) -> list[Disclosure]:
    """Return all masked counts that the mask leaves a single value: below a threshold of 2, that is 1."""
    return [
        Disclosure(name, trace, published, 1, 1)
        for name, table in release.labelled().items()
        for trace, published, alone in zip(
            table.traces, table.published(), (table.masked & (table.high == 1)).tolist(), strict=True
        )
        if alone
    ]


@metrics.add(
    "values_left",
    data="traces",
    family="privacy",
    title="Values that a masked count can have",
    better="higher",
    bounds=(1, np.inf),
    order=5,
    formula="fewest values of a masked count of any table, all tables and the individuals known",
)
def values_left(release: TraceRelease) -> Score:
    """How many values the most exposed masked count can still have for a reader who subtracts all tables.

    The reader has the tables with each prefix and the one without, and knows how many individuals there are.
    """
    ranges = known_ranges(release)
    left = np.concatenate([(high - low + 1)[table.masked] for table, low, high in ranges])
    if not len(left):
        return Score.undefined("no count is masked")
    edges = np.array([1, 2, 3, 4, 5, 10, 20, 50, 100, 10**9])
    counts, _ = np.histogram(left, edges)
    found = Distribution(
        "Masked counts by how many values they can have",
        "masked counts",
        "values",
        edges,
        {"masked counts": counts},
        shows_individuals=False,
    )
    return Score(float(left.min()), (found,), {"masked": len(left), "pinned": int((left == 1).sum())})


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
    """The share of steps that are so rare that one of them identifies a trace."""
    items = rare_items(release.counted, release.traces.individuals + 1)
    rare = sum(item.min_individuals < k for item in items)
    bars = Bars(
        "Rarest steps",
        "individuals",
        tuple(item.item for item in items[:_MAX_BARS]),
        np.array([item.min_individuals for item in items[:_MAX_BARS]]),
        references={"k": float(k)},
        lowest=True,
        shows_individuals=True,
    )
    return Score(rare / len(items), (bars,), {"rare": rare, "items": len(items)})
