"""Utility of published traces: individuals, rows and traces with exact counts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from insanonym_core.numeric.holders import min_holders
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Flow, Score
from insanonym_core.texts import Phrase
from insanonym_core.traces.release import TraceRelease
from insanonym_core.traces.table import TraceTable

_MAX_TRACES = 40


@metrics.add(
    "counted",
    data="traces",
    family="utility",
    title="Individuals counted exactly",
    better="higher",
    bounds=(0, 1),
    ideal=1.0,
    order=10,
    formula="individuals whose trace has an exact count / individuals before any cleaning",
)
def counted(release: TraceRelease) -> Score:
    """The share of individuals who are neither deleted by cleaning nor masked, nor counted as a range."""
    masked = release.masked
    # Told apart they would be two sums to subtract from.
    label = Phrase("masked") if release.protected is None else Phrase("masked or counted as a range")
    hidden = masked.singular_individuals + masked.rounded_individuals
    lost = release.individuals_before - release.traces.individuals
    bars = Bars(
        "Individuals counted exactly, masked, deleted",
        "individuals",
        (Phrase("counted exactly"), label, Phrase("deleted")),
        np.array([masked.counted_individuals, hidden, lost]),
        shows_individuals=False,
    )
    return Score(
        masked.counted_individuals / release.individuals_before,
        (bars, frequent_traces(release.published, min_holders(release.masked.threshold))),
        {
            "counted": masked.counted_individuals,
            "masked": hidden,
            "deleted": lost,
        },
    )


@metrics.add(
    "rows_kept",
    data="traces",
    family="utility",
    title="Rows kept by the cleaning",
    better="higher",
    bounds=(0, 1),
    ideal=1.0,
    order=11,
    formula="rows after cleaning / rows",
)
def rows_kept(release: TraceRelease) -> Score:
    """The share of the rows that the cleaning left."""
    counts = np.array([release.rows, release.rows_before - release.rows])
    return Score(
        release.rows / release.rows_before,
        (
            Bars(
                "Rows kept and deleted",
                "rows",
                (Phrase("kept"), Phrase("deleted")),
                counts,
                shows_individuals=False,
            ),
        ),
    )


@metrics.add(
    "traces_counted",
    data="traces",
    family="utility",
    title="Traces counted exactly",
    better="higher",
    bounds=(0, 1),
    ideal=1.0,
    order=12,
    formula="different traces with an exact count / different traces",
)
def traces_counted(release: TraceRelease) -> Score:
    """The share of different traces that are published with their exact count."""
    masked = release.masked
    return Score(masked.counted_traces / max(1, len(release.published)))


def frequent_traces(table: TraceTable, min_count: int) -> Flow:
    """Draw the flow between steps of the most frequent traces, without masked and rare ones."""
    flows: dict[tuple[str, str], int] = {}
    exact = [
        (trace, int(count))
        for trace, count, exact in zip(table.traces, table.counts.tolist(), table.exact.tolist(), strict=True)
        if exact and count >= min_count
    ][:_MAX_TRACES]
    for trace, count in exact:
        named = [f"{place}. {step}" for place, step in enumerate(trace, start=1)]
        for step, next_step in pairwise(named):
            flows[step, next_step] = flows.get((step, next_step), 0) + count
    return Flow(
        "The most frequent traces",
        "individuals",
        tuple(step for step, _ in flows),
        tuple(next_step for _, next_step in flows),
        np.array(list(flows.values()), dtype=np.int64),
        shows_individuals=False,
    )
