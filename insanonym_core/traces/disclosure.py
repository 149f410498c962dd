"""Differencing: what two published tables of traces reveal together.

One table has a first step more (the type of bac). Every trace of the other is then the sum of the traces with
that tail: y = x₁ + … + xₙ. An absent trace counts 0, an exact count is itself, a masked one lies between 1
and threshold − 1. Each x stands in one sum only, so the sums do not constrain each other, and within one sum
of whole numbers the bounds

    x_i from L − Σ high of the others to U − Σ low of the others,   y from Σ low to Σ high

(each cut with what was published: y in [L, U]) are attained, with every value between them: nothing narrower
can be deduced.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.numeric.arrays import Bools, Ints
from insanonym_core.traces.table import Trace, TraceTable

Label = Literal["A", "B"]


@dataclass(frozen=True)
class Disclosure:
    """A masked count of table A or B that the other table narrows to low … high."""

    table: Label
    trace: Trace
    published: str
    low: int
    high: int

    @property
    def pinned(self) -> bool:
        """Whether the true count is known."""
        return self.low == self.high


@dataclass(frozen=True)
class DifferencingResult:
    """What the masked counts of two tables still hide.

    `disclosures`: the narrowest first. `prefixed`: the table with a first step more. `masked`: how many
    counts are masked in both tables; `narrowed`: how many of them the other table narrows at all; `pinned`:
    how many to one value. `people_pinned` leave a trace whose count is pinned, `people` (fewest, most) one
    that is disclosed; both tables are about the same people, and everybody counts once.
    """

    disclosures: tuple[Disclosure, ...]
    prefixed: Label
    masked: int
    narrowed: int
    pinned: int
    people_pinned: int
    people: tuple[int, int]
    width: int

    def to_frame(self) -> pd.DataFrame:
        """The disclosures as columns: table, published, low, high, step_1, …."""
        steps = max((len(disclosure.trace) for disclosure in self.disclosures), default=0)
        return pd.DataFrame(
            [
                (one.table, one.published, one.low, one.high, *one.trace, *[None] * (steps - len(one.trace)))
                for one in self.disclosures
            ],
            columns=["table", "published", "low", "high", *(f"step_{step + 1}" for step in range(steps))],
        )


def differencing(
    table_a: TraceTable, table_b: TraceTable, threshold: int | None = None, width: int = 2
) -> DifferencingResult:
    """Find the masked counts that two tables, one with the prefix and one without, reveal together.

    Counts below `threshold` are taken as masked (without one: those known as masked). A count is disclosed
    when the other table narrows its range, and to one with high − low ≤ `width`; 0 lists only pinned ones.
    """
    if isinstance(width, bool) or not isinstance(width, int | np.integer) or width < 0:
        raise UsageError("'width' must be a whole number of 0 or more, got {width}.", width=brief(width))
    table_a, table_b = table_a.assume_masked(threshold), table_b.assume_masked(threshold)
    labels: tuple[Label, Label] = ("A", "B") if _max_length(table_a) > _max_length(table_b) else ("B", "A")
    parts, totals = (table_a, table_b) if labels[0] == "A" else (table_b, table_a)
    sums = _Sums(*parts.ranges(), *totals.ranges(), _match_totals(parts, totals, labels))
    if not sums.possible():
        raise DataError(
            "The two tables do not come from the same data, or are masked below different "
            "thresholds: the traces with the prefix do not add up to those without it. Give two "
            "tables of the same data."
        )
    solved = (sums.part_ranges(), sums.total_ranges())
    narrowed, close, pinned = [], [], []
    for table, (low, high) in zip((parts, totals), solved, strict=True):
        published_low, published_high = table.ranges()
        narrow = table.masked & ((low > published_low) | (high < published_high))
        narrowed.append(narrow)
        close.append(narrow & (high - low <= width))
        pinned.append(narrow & (high == low))
    disclosures = [
        Disclosure(label, table.traces[row], published_counts[row], int(low[row]), int(high[row]))
        for label, table, published_counts, (low, high), rows in zip(
            labels, (parts, totals), (parts.published(), totals.published()), solved, close, strict=True
        )
        for row in np.flatnonzero(rows).tolist()
    ]
    return DifferencingResult(
        tuple(sorted(disclosures, key=lambda one: (one.high - one.low, one.low, one.table, one.trace))),
        prefixed=labels[0],
        masked=int(np.count_nonzero(parts.masked) + np.count_nonzero(totals.masked)),
        narrowed=sum(int(np.count_nonzero(rows)) for rows in narrowed),
        pinned=sum(int(np.count_nonzero(rows)) for rows in pinned),
        people_pinned=sums.people(*pinned)[0],
        people=sums.people(*close),
        width=int(width),
    )


def _max_length(table: TraceTable) -> int:
    return max(map(len, table.traces), default=0)


def _match_totals(parts: TraceTable, totals: TraceTable, labels: tuple[Label, Label]) -> Ints:
    """Return for each trace with the prefix the row of the same trace without it."""
    rows = {trace: row for row, trace in enumerate(totals.traces)}
    total_row = np.array([rows.get(trace[1:], -1) for trace in parts.traces], dtype=np.int64)
    unmatched_parts = int(np.count_nonzero(total_row < 0))
    unmatched_totals = len(rows) - len(set(total_row[total_row >= 0].tolist()))
    if unmatched_parts or unmatched_totals:
        with_it, without = labels
        raise DataError(
            "The two tables do not come from the same data: {with_it} must be {without} with one "
            "step (the prefix) put first, but {unmatched_parts} of the {parts} traces of "
            "{with_it} have no counterpart in {without}, and {unmatched_totals} of the {totals} "
            "traces of {without} none in {with_it}.",
            with_it=with_it,
            without=without,
            unmatched_parts=unmatched_parts,
            parts=len(parts),
            unmatched_totals=unmatched_totals,
            totals=len(totals),
        )
    return total_row


@dataclass(frozen=True, eq=False)
class _Sums:
    """Parts in [low, high] that add up to totals in [total_low, total_high].

    `total` is the row of the total that each part adds to.
    """

    low: Ints
    high: Ints
    total_low: Ints
    total_high: Ints
    total: Ints

    def _sum_parts(self, values: Ints) -> Ints:
        """Sum values of the parts for each total."""
        sums = np.zeros(len(self.total_low), dtype=np.int64)
        np.add.at(sums, self.total, values)
        return sums

    def total_ranges(self) -> tuple[Ints, Ints]:
        """Return the lowest and highest possible value of each total."""
        return np.maximum(self.total_low, self._sum_parts(self.low)), np.minimum(
            self.total_high, self._sum_parts(self.high)
        )

    def possible(self) -> bool:
        """Whether the bounds have a solution."""
        low, high = self.total_ranges()
        return bool((low <= high).all())

    def part_ranges(self) -> tuple[Ints, Ints]:
        """Return the lowest and highest possible value of each part."""
        others_low = self._sum_parts(self.low)[self.total] - self.low
        others_high = self._sum_parts(self.high)[self.total] - self.high
        return (
            np.maximum(self.low, self.total_low[self.total] - others_high),
            np.minimum(self.high, self.total_high[self.total] - others_low),
        )

    def people(self, parts: Bools, totals: Bools) -> tuple[int, int]:
        """Return the lowest and highest number of people in the selected parts and totals, each counted once.

        A selected total includes all its parts; otherwise its selected parts are bounded by the total minus
        its other parts.
        """
        inside, outside = (
            [self._sum_parts(np.where(rows, values, 0)) for values in (self.low, self.high)]
            for rows in (parts, ~parts)
        )
        all_low, all_high = self.total_ranges()
        lowest = np.where(totals, all_low, np.maximum(inside[0], self.total_low - outside[1]))
        highest = np.where(totals, all_high, np.minimum(inside[1], self.total_high - outside[0]))
        return int(lowest.sum()), int(highest.sum())
