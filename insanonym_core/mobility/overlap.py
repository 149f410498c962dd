"""Items (cells, times, gaps) that known and seen units of a week have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import stable_order

_MAX_PAIRS_PER_PIECE = 2_000_000
_DENSE_SPEEDUP = 24  # times faster is a multiplication in a matrix product than a pair in a list
_DENSE_COLUMNS = 512


class ItemCounts(NamedTuple):
    """How often each unit has each item; `unit` is an index into the units of the week, ascending."""

    unit: Ints
    item: Ints
    times: Ints

    def take(self, rows: Ints) -> ItemCounts:
        """Select entries."""
        return ItemCounts(self.unit[rows], self.item[rows], self.times[rows])


def common_items(
    ours: tuple[Ints, Ints], theirs: tuple[Ints, Ints], width: int, items: int
) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Join two lists of (unit, item) entries on the item; yield the matches in pieces of bounded size.

    Units ascend on both sides. Each piece holds the number of the pair (known · width + seen) and the index
    of the entry on either side.
    """
    unit, item = ours
    seen_unit, seen_item = theirs
    order, seen_order = stable_order(item, items), stable_order(seen_item, items)
    row, column, item = unit[order], seen_unit[seen_order], item[order]
    seen_in = np.bincount(seen_item, minlength=items)
    partners = seen_in[item]
    start = (np.cumsum(seen_in) - seen_in)[item]
    ends = np.cumsum(partners)
    cuts = np.searchsorted(
        ends, np.arange(_MAX_PAIRS_PER_PIECE, ends[-1] if len(ends) else 0, _MAX_PAIRS_PER_PIECE)
    )
    for entries in np.split(np.arange(len(row)), cuts):
        number = partners[entries]
        before = np.cumsum(number) - number
        partner = np.repeat(start[entries] - before, number)
        partner += np.arange(len(partner))
        pair = np.repeat(row[entries] * width, number)
        pair += column.take(partner, mode="clip")
        yield pair, np.repeat(order[entries], number), seen_order.take(partner, mode="clip")


def shared_counts(ours: ItemCounts, theirs: ItemCounts, shape: tuple[int, int], items: int) -> Floats:
    """Σ min(count, count′) over common items, for every pair of units: size of the multiset intersection.

    Counts are processed level by level (≥ 1, ≥ 2, …). Items of many units are added by a matrix product, the
    others pair by pair.
    """
    total = np.zeros(shape)
    here, there, level = ours, theirs, 1
    while True:
        holders = np.bincount(here.item, minlength=items), np.bincount(there.item, minlength=items)
        dense = holders[0] * holders[1] * _DENSE_SPEEDUP > shape[0] * shape[1]
        both = (holders[0] > 0) & (holders[1] > 0)
        here, there = (side.take(np.flatnonzero(both[side.item])) for side in (here, there))
        if not len(here.item):
            return total
        _add_dense(total, here, there, np.flatnonzero(dense))
        rare = both & ~dense
        ours, theirs = (side.take(np.flatnonzero(rare[side.item])) for side in (here, there))
        for pair, _, _ in common_items((ours.unit, ours.item), (theirs.unit, theirs.item), shape[1], items):
            total += np.bincount(pair, minlength=total.size).reshape(shape)
        level += 1
        here, there = (side.take(np.flatnonzero(side.times >= level)) for side in (here, there))


def _add_dense(total: Floats, ours: ItemCounts, theirs: ItemCounts, items: Ints) -> None:
    """Add to `total`, for each pair of units, the number of these items that both have."""
    if not len(items):
        return
    for chunk in np.split(items, range(_DENSE_COLUMNS, len(items), _DENSE_COLUMNS)):
        tables = []
        for side, units in ((ours, total.shape[0]), (theirs, total.shape[1])):
            place = np.searchsorted(chunk, side.item).clip(max=len(chunk) - 1)
            held = np.flatnonzero(chunk[place] == side.item)
            table = np.zeros((units, len(chunk)), dtype=np.float32)  # sums of ones below 2^24 are exact
            table[side.unit[held], place[held]] = 1
            tables.append(table)
        total += tables[0] @ tables[1].T
