"""What published tables of traces say together: the range that each count can still have.

One table is *plain*: its traces have no prefix. Each other table has its own first step (the type of bac, the
school), and its traces with one tail are the *parts* of that plain trace: y = x₁ + … + xₙ, once per table.
All plain counts add up to the number of individuals, where that is known. A plain table that is not
published has any counts.

These sums form a tree: no two of them share more than one count, and the tables with a prefix meet in y only.
So bounds that go up the tree and down again are attained, with every whole number between them, and nothing
narrower can be deduced:

    y from the largest of its lower bounds to the smallest of its upper ones: as published, Σ low to Σ high of
    each table, individuals − Σ high to individuals − Σ low of the other plain counts
    x_i from low(y) − Σ high of the other parts to high(y) − Σ low of the other parts, cut with what is
    published
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from insanonym_core.numeric.arrays import Ints
from insanonym_core.traces.table import Trace, TraceTable

NO_LIMIT = 10**15
"""More than the individuals of any data: the highest count of a table that is not published."""


@dataclass(frozen=True, eq=False)
class Counts:
    """Counts of a table, from `low` to `high`; `total` is the row of the plain trace that each adds to."""

    low: Ints
    high: Ints
    total: Ints

    def sums(self, values: Ints, totals: int) -> Ints:
        """Add values up for each plain trace."""
        found = np.zeros(totals, dtype=np.int64)
        np.add.at(found, self.total, values)
        return found


@dataclass(frozen=True, eq=False)
class Linked:
    """Plain counts in [low, high], the parts of each other table, and how many individuals there are."""

    low: Ints
    high: Ints
    parts: tuple[Counts, ...]
    people: int | None = None

    def from_parts(self) -> tuple[Ints, Ints]:
        """Return the range of each plain count, from what is published of it and of its parts."""
        low, high, size = self.low, self.high, len(self.low)
        for counts in self.parts:
            low = np.maximum(low, counts.sums(counts.low, size))
            high = np.minimum(high, counts.sums(counts.high, size))
        return low, high

    def plain_ranges(self) -> tuple[Ints, Ints]:
        """Return the range of each plain count."""
        low, high = self.from_parts()
        if self.people is None:
            return low, high
        return (
            np.maximum(low, self.people - (high.sum() - high)),
            np.minimum(high, self.people - (low.sum() - low)),
        )

    def ranges(self) -> list[tuple[Ints, Ints]]:
        """Return the ranges of the plain counts, then those of the parts of each table."""
        plain_low, plain_high = self.plain_ranges()
        found = [(plain_low, plain_high)]
        for counts in self.parts:
            others_low = counts.sums(counts.low, len(self.low))[counts.total] - counts.low
            others_high = counts.sums(counts.high, len(self.low))[counts.total] - counts.high
            found.append(
                (
                    np.maximum(counts.low, plain_low[counts.total] - others_high),
                    np.minimum(counts.high, plain_high[counts.total] - others_low),
                )
            )
        return found

    def possible(self) -> bool:
        """Whether any counts agree with all that is published."""
        low, high = self.plain_ranges()
        return bool((low <= high).all())


def plain_rows(tables: Iterable[TraceTable], plain: TraceTable | None) -> tuple[list[Trace], list[Ints]]:
    """Return the plain traces, and the row of each trace's tail in them for each table; −1 where it has none.

    Without a plain table these are all tails.
    """
    tables = list(tables)
    if plain is not None:
        traces = list(plain.traces)
    else:
        traces = list(dict.fromkeys(trace[1:] for table in tables for trace in table.traces))
    row = {trace: place for place, trace in enumerate(traces)}
    rows: list[Ints] = []
    for table in tables:
        rows.append(np.array([row.get(trace[1:], -1) for trace in table.traces], dtype=np.int64))
    return traces, rows


def link(plain: TraceTable | None, prefixed: Sequence[TraceTable], people: int | None = None) -> Linked:
    """Link tables of the same individuals, each prefixed one with its own first step."""
    traces, rows = plain_rows(prefixed, plain)
    size = len(traces)
    any_count: tuple[Ints, Ints] = (np.ones(size, dtype=np.int64), np.full(size, NO_LIMIT))
    low, high = any_count if plain is None else plain.ranges()
    parts = [Counts(*table.ranges(), total) for table, total in zip(prefixed, rows, strict=True)]
    return Linked(low, high, tuple(parts), people)
