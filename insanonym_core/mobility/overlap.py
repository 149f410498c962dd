"""What known and seen units of a week have in common: cells, hours, times, gaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.grouping import stable_order

_PIECE = 2_000_000
_DENSE = 24  # a multiplication inside a matrix product costs this much less than a pair in a list
_DENSE_COLUMNS = 512


class Counted(NamedTuple):
    """How often each unit has each item; `unit` is a place among the units of the week and ascends."""

    unit: Ints
    item: Ints
    times: Ints

    def take(self, rows: Ints) -> Counted:
        """Some of the entries."""
        return Counted(self.unit[rows], self.item[rows], self.times[rows])


def common_items(
    ours: tuple[Ints, Ints], theirs: tuple[Ints, Ints], width: int, items: int
) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Every (known, seen) pair on every item that both have, in pieces of bounded size, item by item.

    Either side gives the unit and the item of its entries, units in ascending order. Yields the number of the
    pair (known · width + seen) and the entry of either side.
    """
    unit, item = ours
    seen_unit, seen_item = theirs
    order, seen_order = stable_order(item, items), stable_order(seen_item, items)
    row, column, item = unit[order], seen_unit[seen_order], item[order]
    seen_in = np.bincount(seen_item, minlength=items)
    partners = seen_in[item]
    start = (np.cumsum(seen_in) - seen_in)[item]
    ends = np.cumsum(partners)
    cuts = np.searchsorted(ends, np.arange(_PIECE, ends[-1] if len(ends) else 0, _PIECE))
    for some in np.split(np.arange(len(row)), cuts):
        number = partners[some]
        before = np.cumsum(number) - number
        partner = np.repeat(start[some] - before, number)
        partner += np.arange(len(partner))
        pair = np.repeat(row[some] * width, number)
        pair += column.take(partner, mode="clip")
        yield pair, np.repeat(order[some], number), seen_order.take(partner, mode="clip")


def shared_counts(ours: Counted, theirs: Counted, shape: tuple[int, int], items: int) -> Floats:
    """Σ min(count, count′) over the items that both have, for every pair of units: multisets in common.

    A count of 3 is three items of count 1. Items that many units have are summed up by a matrix product,
    the others pair by pair.
    """
    total = np.zeros(shape)
    here, there, level = ours, theirs, 1
    while True:
        holders = np.bincount(here.item, minlength=items), np.bincount(there.item, minlength=items)
        dense = holders[0] * holders[1] * _DENSE > shape[0] * shape[1]
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


def _add_dense(total: Floats, ours: Counted, theirs: Counted, items: Ints) -> None:
    """Add one for every item of these that both units have."""
    if not len(items):
        return
    for some in np.split(items, range(_DENSE_COLUMNS, len(items), _DENSE_COLUMNS)):
        tables = []
        for side, units in ((ours, total.shape[0]), (theirs, total.shape[1])):
            place = np.searchsorted(some, side.item).clip(max=len(some) - 1)
            held = np.flatnonzero(some[place] == side.item)
            table = np.zeros((units, len(some)), dtype=np.float32)  # sums of ones below 2^24 are exact
            table[side.unit[held], place[held]] = 1
            tables.append(table)
        total += tables[0] @ tables[1].T
