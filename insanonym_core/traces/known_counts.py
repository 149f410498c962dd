"""Counts of published tables of traces that can be derived from each other and the number of individuals."""

from __future__ import annotations

import numpy as np

from insanonym_core.numeric.arrays import Ints
from insanonym_core.traces.linked import link
from insanonym_core.traces.release import TraceRelease
from insanonym_core.traces.table import Trace, TraceTable


def known_ranges(release: TraceRelease) -> list[tuple[TraceTable, Ints, Ints]]:
    """Return each table with the lowest and highest value that its counts can have; the published one first.

    Known are all tables and the total number of individuals, which a report states.
    """
    tables = list(release.labelled().values())
    if release.second is None:
        ranges = link(tables[0], (), release.traces.individuals).ranges()
        return [(tables[0], *ranges[0])]
    first, plain, *others = tables
    linked = link(plain, [first, *others], release.traces.individuals)
    plain_range, first_range, *other_ranges = linked.ranges()
    ordered = [first_range, plain_range, *other_ranges]
    return [(table, low, high) for table, (low, high) in zip(tables, ordered, strict=True)]


def known_counts(release: TraceRelease) -> frozenset[Trace]:
    """Return the traces whose exact count a reader of all tables can derive."""
    table, low, high = known_ranges(release)[0]
    return frozenset(table.traces[row] for row in np.flatnonzero(low == high).tolist())
