"""Mask counts too small to be published, and find rare items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from insanonym_core.errors import UsageError, brief
from insanonym_core.traces.build import Traces
from insanonym_core.traces.table import Style, TraceTable, check_threshold, count_traces


@dataclass(frozen=True)
class Masked:
    """A table ready to publish, and how much of it is singular (below the threshold) or rounded.

    The numbers of individuals are for the publisher: printed beside the table, they are one more sum to
    subtract from.
    """

    table: TraceTable
    threshold: int
    singular_traces: int
    singular_individuals: int
    counted_traces: int
    counted_individuals: int
    rounded_traces: int = 0
    rounded_individuals: int = 0


def mask_small_counts(table: TraceTable, threshold: int = 10, style: Style = "one") -> Masked:
    """Mask counts below the threshold as 1 (as in the source) or as "<10".

    Masked rows come last, sorted by their texts: sorting by true counts would reveal them.
    """
    check_threshold(threshold)
    if style not in ("one", "less"):
        raise UsageError("'style' must be one or less, got {style}.", style=brief(style))
    if table.threshold is not None:
        raise UsageError(
            "The table is masked already, below {threshold}: mask the table with all counts.",
            threshold=table.threshold,
        )
    small = table.counts < threshold
    return Masked(
        TraceTable.from_counts(table.traces, table.counts, small, int(threshold), style),
        int(threshold),
        singular_traces=int(np.count_nonzero(small)),
        singular_individuals=int(table.counts[small].sum()),
        counted_traces=int(np.count_nonzero(~small)),
        counted_individuals=int(table.counts[~small].sum()),
    )


@dataclass(frozen=True)
class RareItem:
    """An item, the lowest and highest possible number of its individuals, and the number of its traces."""

    item: str
    min_individuals: int
    max_individuals: int
    traces: int


def rare_items(traces: Traces | TraceTable, k: int = 5) -> tuple[RareItem, ...]:
    """Return the items (prefixes included) of fewer than k individuals, the rarest first.

    An individual counts once, however often the item occurs in the trace. In a masked table a count lies
    between 1 and threshold − 1: the item is listed when its lowest possible number is below k, and it is rare
    for certain only when `max_individuals` is below k too.
    """
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise UsageError("'k' must be a whole number of 1 or more, got {k}.", k=brief(k))
    counts_by_item = _individuals_by_item(traces if isinstance(traces, TraceTable) else count_traces(traces))
    rare = [RareItem(item, *numbers) for item, numbers in counts_by_item.items() if numbers[0] < k]
    return tuple(sorted(rare, key=lambda one: (one.min_individuals, one.max_individuals, one.item)))


def _individuals_by_item(table: TraceTable) -> Mapping[str, tuple[int, int, int]]:
    """Return for each item its lowest and highest number of individuals, and its number of traces."""
    low, high = table.ranges()
    counts_by_item: dict[str, tuple[int, int, int]] = {}
    for trace, lowest, highest in zip(table.traces, low.tolist(), high.tolist(), strict=True):
        for item in set(trace):
            before = counts_by_item.get(item, (0, 0, 0))
            counts_by_item[item] = (before[0] + lowest, before[1] + highest, before[2] + 1)
    return counts_by_item
