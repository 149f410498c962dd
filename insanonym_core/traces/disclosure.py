"""What two published tables of traces give away together.

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

from insanonym_core.arrays import Bools, Ints
from insanonym_core.errors import DataError, UsageError
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
    """Which masked counts two tables, one with the prefix and one without, pin down together.

    Counts below `threshold` are taken as masked (without one: those known as masked). A count is disclosed
    when the other table narrows its range, and to one with high − low ≤ `width`; 0 lists only pinned ones.
    """
    if isinstance(width, bool) or not isinstance(width, int | np.integer) or width < 0:
        raise UsageError(f"'width' must be a whole number of 0 or more, got {width!r}.")
    table_a, table_b = table_a.assume_masked(threshold), table_b.assume_masked(threshold)
    labels: tuple[Label, Label] = ("A", "B") if _longest(table_a) > _longest(table_b) else ("B", "A")
    parts, totals = (table_a, table_b) if labels[0] == "A" else (table_b, table_a)
    sums = _Sums(*parts.ranges(), *totals.ranges(), _sum_of_each(parts, totals, labels))
    if not sums.possible():
        raise DataError(
            "The two tables do not come from the same data: traces with the prefix do not add up to those "
            "without (or counts below another threshold are masked)."
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


def _longest(table: TraceTable) -> int:
    return max(map(len, table.traces), default=0)


def _sum_of_each(parts: TraceTable, totals: TraceTable, labels: tuple[Label, Label]) -> Ints:
    """For each trace with the prefix the row of its sum: the trace without."""
    rows = {trace: row for row, trace in enumerate(totals.traces)}
    total_row = np.array([rows.get(trace[1:], -1) for trace in parts.traces], dtype=np.int64)
    unmatched_parts = int(np.count_nonzero(total_row < 0))
    unmatched_totals = len(rows) - len(set(total_row[total_row >= 0].tolist()))
    if unmatched_parts or unmatched_totals:
        with_it, without = labels
        raise DataError(
            f"The two tables do not come from the same data: {with_it} must be {without} with one step (the "
            f"prefix) put first, but {unmatched_parts} of the {len(parts)} traces of {with_it} have no "
            f"counterpart in {without}, and {unmatched_totals} of the {len(totals)} traces of {without} none "
            f"in {with_it}."
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

    def _added(self, values: Ints) -> Ints:
        sums = np.zeros(len(self.total_low), dtype=np.int64)
        np.add.at(sums, self.total, values)
        return sums

    def total_ranges(self) -> tuple[Ints, Ints]:
        """What each total can be."""
        return np.maximum(self.total_low, self._added(self.low)), np.minimum(
            self.total_high, self._added(self.high)
        )

    def possible(self) -> bool:
        """Whether there is a solution at all."""
        low, high = self.total_ranges()
        return bool((low <= high).all())

    def part_ranges(self) -> tuple[Ints, Ints]:
        """What each part can be."""
        others_low = self._added(self.low)[self.total] - self.low
        others_high = self._added(self.high)[self.total] - self.high
        return (
            np.maximum(self.low, self.total_low[self.total] - others_high),
            np.minimum(self.high, self.total_high[self.total] - others_low),
        )

    def people(self, parts: Bools, totals: Bools) -> tuple[int, int]:
        """The fewest and most people behind some parts and totals, each counted once.

        Where the total is among them it holds all its parts; elsewhere the parts named are one summand, the
        others another.
        """
        inside, outside = (
            [self._added(np.where(rows, values, 0)) for values in (self.low, self.high)]
            for rows in (parts, ~parts)
        )
        all_low, all_high = self.total_ranges()
        lowest = np.where(totals, all_low, np.maximum(inside[0], self.total_low - outside[1]))
        highest = np.where(totals, all_high, np.minimum(inside[1], self.total_high - outside[0]))
        return int(lowest.sum()), int(highest.sum())
