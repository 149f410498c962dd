"""Masked counts of a published table of traces that can be derived from other known numbers."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from insanonym_core.traces.release import TraceRelease
from insanonym_core.traces.table import Trace


class _Group(NamedTuple):
    """Masked traces with bounds on the sum of their counts: one trace of the second table, or all."""

    traces: list[Trace]
    low: int
    high: int


def known_counts(release: TraceRelease) -> frozenset[Trace]:
    """Return the traces whose exact count a reader can derive.

    The count is published, or the mask leaves one possible value, or it follows from the total number of
    individuals (stated in a report) and the second table without the prefix, if there is one.
    """
    table, max_masked = release.published, release.masked.threshold - 1
    known = {trace for trace, masked in zip(table.traces, table.masked.tolist(), strict=True) if not masked}
    groups = _groups(release, max_masked)
    true_counts = _true_counts(release)
    masked_people = sum(true_counts[trace] for group in groups for trace in group.traces)
    lowest, highest = sum(group.low for group in groups), sum(group.high for group in groups)
    for group in groups:
        low = max(group.low, masked_people - (highest - group.high))
        high = min(group.high, masked_people - (lowest - group.low))
        others = len(group.traces) - 1
        if max(1, low - others * max_masked) == min(max_masked, high - others):
            known.update(group.traces)
    return frozenset(known)


def _groups(release: TraceRelease, max_masked: int) -> list[_Group]:
    """Group the masked traces by their trace in the second table (one group without it), with bounds."""
    table, true_counts = release.published, _true_counts(release)
    masked: dict[Trace, list[Trace]] = defaultdict(list)
    exact: dict[Trace, int] = defaultdict(int)
    for trace, hidden in zip(table.traces, table.masked.tolist(), strict=True):
        group = trace[1:] if release.second else ()
        if hidden:
            masked[group].append(trace)
        else:
            exact[group] += true_counts[trace]
    second = _second_counts(release)
    groups = []
    for name, traces in masked.items():
        low, high = len(traces), len(traces) * max_masked
        if name in second:  # its sum is published in the second table
            low = high = second[name] - exact[name]
        elif release.second:
            high = min(high, max_masked)
        groups.append(_Group(traces, low, high))
    return groups


def _true_counts(release: TraceRelease) -> dict[Trace, int]:
    return dict(zip(release.counted.traces, release.counted.counts.tolist(), strict=True))


def _second_counts(release: TraceRelease) -> dict[Trace, int]:
    """Return the unmasked counts of the second table."""
    if release.second is None:
        return {}
    table = release.second.table
    return {
        trace: int(count)
        for trace, count, masked in zip(
            table.traces, table.counts.tolist(), table.masked.tolist(), strict=True
        )
        if not masked
    }
