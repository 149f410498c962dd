"""Differencing: what published tables of traces reveal together.

One table has no prefix; each other one has a first step more (the type of bac), and its traces add up to
those without it. Which values each count can still have is worked out in `traces.linked`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.numeric.arrays import Bools
from insanonym_core.traces.linked import Linked, link, plain_rows
from insanonym_core.traces.table import Trace, TraceTable


@dataclass(frozen=True)
class Disclosure:
    """A masked count of a table (A, B, …) that the other tables narrow to low … high."""

    table: str
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
    """What the masked counts of published tables still hide.

    `disclosures`: the narrowest first. `prefixed`: the tables with a first step more. `masked`: how many
    counts are masked in all tables; `narrowed`: how many of them the other tables narrow at all; `pinned`:
    how many to one value. At least `people_pinned` leave a trace whose count is pinned, `people` (fewest,
    most) one that is disclosed; all tables are about the same people, and everybody counts once.
    """

    disclosures: tuple[Disclosure, ...]
    prefixed: tuple[str, ...]
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
    if _max_length(table_a) > _max_length(table_b):
        return subtract({"B": table_b}, {"A": table_a}, width)
    return subtract({"A": table_a}, {"B": table_b}, width)


def subtract(
    plain: Mapping[str, TraceTable], prefixed: Mapping[str, TraceTable], width: int
) -> DifferencingResult:
    """Find what the table without a prefix and those with one reveal together, each under its label."""
    (plain_label, totals), labels = next(iter(plain.items())), (*plain, *prefixed)
    for label, parts in prefixed.items():
        _refuse_other_data(parts, totals, label, plain_label)
    tables = (totals, *prefixed.values())
    linked = link(totals, tuple(prefixed.values()))
    if not linked.possible():
        raise DataError(
            "The two tables do not come from the same data, or are masked below different "
            "thresholds: the traces with the prefix do not add up to those without it. Give two "
            "tables of the same data."
        )
    narrowed, close, pinned = [], [], []
    disclosures = []
    for label, table, (low, high) in zip(labels, tables, linked.ranges(), strict=True):
        published_low, published_high = table.ranges()
        narrow = table.masked & ((low > published_low) | (high < published_high))
        narrowed.append(narrow)
        close.append(narrow & (high - low <= width))
        pinned.append(narrow & (high == low))
        published = table.published()
        disclosures += [
            Disclosure(label, table.traces[row], published[row], int(low[row]), int(high[row]))
            for row in np.flatnonzero(close[-1]).tolist()
        ]
    return DifferencingResult(
        tuple(sorted(disclosures, key=lambda one: (one.high - one.low, one.low, one.table, one.trace))),
        prefixed=tuple(prefixed),
        masked=sum(int(np.count_nonzero(table.masked)) for table in tables),
        narrowed=sum(int(np.count_nonzero(rows)) for rows in narrowed),
        pinned=sum(int(np.count_nonzero(rows)) for rows in pinned),
        people_pinned=_people(linked, pinned)[0],
        people=_people(linked, close),
        width=int(width),
    )


def _max_length(table: TraceTable) -> int:
    return max(map(len, table.traces), default=0)


def _refuse_other_data(parts: TraceTable, totals: TraceTable, with_it: str, without: str) -> None:
    """Refuse tables of which one is not the other with a step put first."""
    (total_row,) = plain_rows([parts], totals)[1]
    unmatched_parts = int(np.count_nonzero(total_row < 0))
    unmatched_totals = len(totals) - len(set(total_row[total_row >= 0].tolist()))
    if unmatched_parts or unmatched_totals:
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


def _people(linked: Linked, selected: Sequence[Bools]) -> tuple[int, int]:
    """Return the lowest and highest number of people in the selected counts, each counted once.

    A selected plain count includes all its parts; otherwise the selected parts of each table are bounded by
    the plain count minus the other parts. Those of several tables may be the same people, or not.
    """
    (totals, *parts), size = selected, len(linked.low)
    low, high = linked.from_parts()
    lowest, highest = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    for counts, rows in zip(linked.parts, parts, strict=True):
        inside, outside = (
            [counts.sums(np.where(chosen, values, 0), size) for values in (counts.low, counts.high)]
            for chosen in (rows, ~rows)
        )
        lowest = np.maximum(lowest, np.maximum(inside[0], low - outside[1]))
        highest = highest + np.minimum(inside[1], high - outside[0])
    lowest, highest = np.where(totals, low, lowest), np.where(totals, high, np.minimum(highest, high))
    return int(lowest.sum()), int(highest.sum())
