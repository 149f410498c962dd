"""Protect tables of traces that are published together: no masked count can be worked out by subtraction.

Counts are published as coarser ranges until a reader who adds and subtracts all tables, and knows how many
individuals there are, leaves every masked count at least `values` possible values. Ranges come from one
ladder, so that where they begin tells nothing: below the threshold t, a multiple of t up to the next one,
then of 2t, 4t, …. With t = 10, 27 is published as 27, "20 to 29", "20 to 39", "<40"; 3 as "<10", "<20", ….

The price of a protection is individuals × steps up the ladder. The tables fall apart into one group per plain
trace; each is repaired by the steps that gain the most values for the least price, then steps that turn out
not to be needed are taken back. What groups tell each other (all plain counts add up to the number of
individuals) is repaired last.

What this does not hide: that a trace exists; and who knows this procedure may rule out counts for which it
would have published other ranges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.numeric.arrays import Ints
from insanonym_core.traces.linked import Linked, link, plain_rows
from insanonym_core.traces.mask import Masked
from insanonym_core.traces.protection_group import Cell, Group, bounds
from insanonym_core.traces.table import TraceTable, check_threshold

_CANDIDATES = 12  # cheapest groups that are tried when the number of individuals gives a count away


@dataclass(frozen=True, eq=False)
class Protected:
    """Tables to publish together, under the names they came with, and what protection cost.

    `values`: the fewest values that a masked count still can have (None: no count is masked). `raised` counts
    of all tables, of `individuals` together (an individual counts once in each table), are published as a
    coarser range than the threshold alone would leave; `price` is their sum of individuals × steps.
    """

    tables: Mapping[str, Masked]
    values: int | None
    raised: int
    individuals: int
    price: int


def protect(
    plain: Mapping[str, TraceTable],
    prefixed: Mapping[str, TraceTable] | None = None,
    threshold: int = 10,
    values: int = 3,
) -> Protected:
    """Protect tables with true counts: one without a prefix (or none), and any number with a first step more.

    Every masked count is left at least `values` possible values; where that cannot be, because there are
    too few people, `values` of the result says how many are left.
    """
    check_threshold(threshold)
    if isinstance(values, bool) or not isinstance(values, int | np.integer) or values < 2:
        raise UsageError("'values' must be a whole number of 2 or more, got {values}.", values=brief(values))
    prefixed = prefixed or {}
    if len(plain) > 1 or not (plain or prefixed):
        raise UsageError(
            "Protecting needs at most one table without a prefix, and one table at least: got {plain} "
            "without and {prefixed} with one.",
            plain=len(plain),
            prefixed=len(prefixed),
        )
    people = _check_same_people([*plain.values(), *prefixed.values()])
    base = next(iter(plain.values()), None)
    tables = [*plain.values(), *prefixed.values()]
    groups = _groups(base, list(prefixed.values()), threshold)
    _repair(groups, values, people)
    chosen = [np.zeros(len(table), dtype=np.int64) for table in tables]
    for group in groups:
        for cell in group.cells:
            chosen[cell.table if base is not None else cell.table - 1][cell.row] = cell.level
    names = [*plain, *prefixed]
    masked = {
        name: ranged(table, levels, threshold)
        for name, table, levels in zip(names, tables, chosen, strict=True)
    }
    published = [one.table for one in masked.values()]
    steps = [
        np.where((table.counts < threshold) & (levels > 0), levels - 1, levels)
        for table, levels in zip(tables, chosen, strict=True)
    ]
    linked = link(published[0] if plain else None, published[len(plain) :], people)
    return Protected(
        masked,
        fewest_values(linked, published, bool(plain)),
        raised=sum(int(np.count_nonzero(step)) for step in steps),
        individuals=sum(int(table.counts[step > 0].sum()) for table, step in zip(tables, steps, strict=True)),
        price=sum(int((table.counts * step).sum()) for table, step in zip(tables, steps, strict=True)),
    )


def ranged(table: TraceTable, levels: Ints, threshold: int) -> Masked:
    """Publish each count on its step of the ladder."""
    spans = [
        bounds(count, level, threshold) for count, level in zip(table.counts.tolist(), levels, strict=True)
    ]
    low, high = (np.array(values, dtype=np.int64) for values in zip(*spans, strict=True))
    masked, exact = low < threshold, low == high
    counted = exact & ~masked
    return Masked(
        TraceTable.from_counts(table.traces, low, masked, int(threshold), "less", high),
        int(threshold),
        singular_traces=int(np.count_nonzero(masked)),
        singular_individuals=int(table.counts[masked].sum()),
        counted_traces=int(np.count_nonzero(counted)),
        counted_individuals=int(table.counts[counted].sum()),
        rounded_traces=int(np.count_nonzero(~masked & ~exact)),
        rounded_individuals=int(table.counts[~masked & ~exact].sum()),
    )


def fewest_values(linked: Linked, tables: Sequence[TraceTable], plain: bool) -> int | None:
    """Return the fewest values that a masked count of linked tables can have; None if no count is masked."""
    ranges = linked.ranges()[0 if plain else 1 :]
    fewest = [
        int((high - low)[table.masked].min()) + 1
        for table, (low, high) in zip(tables, ranges, strict=True)
        if table.masked.any()
    ]
    return min(fewest, default=None)


def _check_same_people(tables: Sequence[TraceTable]) -> int:
    """Return how many individuals the tables are about; they must have true counts, and be about the same."""
    if any(not table.exact.all() for table in tables):
        raise UsageError("Tables are protected from their true counts: give them before any count is masked.")
    totals = {int(table.counts.sum()) for table in tables}
    if len(totals) > 1:
        raise DataError(
            "The tables are not about the same individuals: their counts add up to {totals}. Count them from "
            "the same rows.",
            totals=", ".join(f"{total:,}" for total in sorted(totals)),
        )
    return totals.pop()


def _groups(base: TraceTable | None, prefixed: Sequence[TraceTable], threshold: int) -> list[Group]:
    """Sort the counts of all tables by their plain trace; table 0 is the plain one."""
    traces, rows = plain_rows(prefixed, base)
    cells: list[list[Cell]] = [[] for _ in traces]
    if base is not None:
        for row, count in enumerate(base.counts.tolist()):
            cells[row].append(Cell(0, row, count, threshold))
    for place, (table, totals) in enumerate(zip(prefixed, rows, strict=True), start=1):
        sums = np.zeros(len(traces), dtype=np.int64)
        np.add.at(sums, totals, table.counts)
        if (totals < 0).any() or (base is not None and (sums != base.counts).any()):
            raise DataError(
                "The tables do not belong together: without its first step, every table must have the "
                "traces and counts of the one without a prefix. Count them from the same rows."
            )
        for row, (count, total) in enumerate(zip(table.counts.tolist(), totals.tolist(), strict=True)):
            cells[total].append(Cell(place, row, count, threshold))
    return [Group(some, len(prefixed)) for some in cells]


def _repair(groups: list[Group], values: int, people: int) -> None:
    """Raise counts until all groups are protected, alone and then with the number of individuals known."""
    top = max(1, int(people).bit_length() + 1)
    for group in groups:
        group.protect(values, top)
    changed: list[Group] = []
    while worst := _missing(groups, values, people):
        repaired = _repair_once(groups, values, people, worst, top)
        if repaired is None:
            break
        changed.append(repaired)
    for group in dict.fromkeys(changed):
        group.descend(values, lambda: _missing(groups, values, people) <= worst)


def _missing(groups: list[Group], values: int, people: int) -> int:
    """How many values masked counts lack when the number of individuals is known."""
    spans = [group.span() for group in groups]
    low, high = sum(span[0] for span in spans), sum(span[1] for span in spans)
    room = min(people - low, high - people)
    missing = 0
    for group, (own_low, own_high) in zip(groups, spans, strict=True):
        if own_high - own_low > room and group.masks():
            missing += group.missing(values, (people - (high - own_high), people - (low - own_low)))
    return missing


def _repair_once(groups: list[Group], values: int, people: int, worst: int, top: int) -> Group | None:
    """Raise one group so that most values are gained for the price; None when nothing is left to raise."""
    below = _lacks_room_below(groups, people)
    wider = [group for group in groups if group.room_left(top, below=below)]
    cheap = sorted(wider, key=lambda group: group.price_of_room() / group.room_left(top, below=below))
    cheap = cheap[:_CANDIDATES]
    best: tuple[float, Group, list[int]] | None = None
    for group in cheap:
        before, price = group.levels(), group.price()
        for levels in group.widened(values, top):
            group.set(levels)
            gain = worst - _missing(groups, values, people)
            rate = gain / max(1, group.price() - price)
            if gain > 0 and (best is None or rate > best[0]):
                best = rate, group, levels
        group.set(before)
    if best is not None:
        best[1].set(best[2])
        return best[1]
    for group in cheap:  # none is enough alone: make room in the cheapest, and look again
        before, room = group.levels(), group.room_left(top, below=below)
        for levels in group.widened(values, top):
            group.set(levels)
            if group.room_left(top, below=below) < room:
                return group
            group.set(before)
    return None


def _lacks_room_below(groups: list[Group], people: int) -> bool:
    """Whether it is lower ranges that are too narrow, for the number of individuals."""
    spans = [group.span() for group in groups]
    return people - sum(span[0] for span in spans) <= sum(span[1] for span in spans) - people
