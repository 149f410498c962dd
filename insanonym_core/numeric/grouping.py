"""Counting without group-by: codes are packed into one integer, then counted or sorted.

That is where the speed comes from: one int64 sort or one bincount instead of a hash table of tuples.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from insanonym_core.numeric.arrays import Bools, Floats, Ints

LARGEST_KEY = 2**62
SMALL_TABLE = 1_000_000
LARGE_TABLE = 2**26
PIECE = 1_000_000  # rows


def pieces(rows: int, step: int | None = None) -> Iterator[slice]:
    """Rows some at a time, a million if nothing else is asked for.

    Arrays of that size are given back and used again; larger ones are new memory from the system each time,
    which costs more than the arithmetic done in them.
    """
    step = step or PIECE
    for start in range(0, rows, step):
        yield slice(start, min(start + step, rows))


def combine(*columns: tuple[Ints, int]) -> Ints:
    """One int64 per row that orders and tells apart like the tuple of its codes.

    Each column comes with its size: its codes lie in [0, size). When the product of the sizes does not
    fit, what has been packed so far is renumbered first, which keeps the order.
    """
    (first, size), *rest = columns
    key = first.astype(np.int64)
    for codes, width in rest:
        if size * max(width, 1) > LARGEST_KEY:
            distinct, key = np.unique(key, return_inverse=True)
            size = len(distinct)
        key = key * width + codes
        size *= max(width, 1)
    return key


def affordable(size: int, rows: int) -> bool:
    """Whether a look-up table of this size costs less than sorting the rows."""
    return size <= max(SMALL_TABLE, min(4 * rows, LARGE_TABLE))


def renumber(codes: Ints, size: int) -> tuple[Ints, Ints]:
    """The codes in [0, size) that occur, and each row's place among them: np.unique without a sort."""
    if not affordable(size, len(codes)):
        return np.unique(codes, return_inverse=True)
    present = np.zeros(size, dtype=bool)
    present[codes] = True
    return np.flatnonzero(present), (np.cumsum(present, dtype=np.int32) - 1)[codes]


@dataclass(frozen=True, eq=False)
class PairCounts:
    """How many rows each occurring (group, item) has; sorted by group, then item."""

    group: Ints
    item: Ints
    count: Ints


def sum_by_group(group: Ints, values: Ints | Floats | Bools, groups: int = 0) -> Floats:
    """The sum of the values in each group: numpy's bincount, whose declared type is that of counts."""
    sums: Floats = np.bincount(group, values, minlength=groups).astype(np.float64, copy=False)
    return sums


def count_pairs(group: Ints, groups: int, item: Ints, items: int) -> PairCounts:
    """Count rows by (group, item): a table of all pairs when it is small, a sort otherwise.

    Consecutive rows are often equal, as people stay in one place: such runs are collapsed before counting.
    """
    starts = starts_of_runs(group, item)
    rows = lengths_of_runs(starts, len(group))
    group, item = group[starts], item[starts]
    size, width = groups * items, max(items, 1)
    if affordable(size, len(group)):
        table = sum_by_group(group.astype(np.int64) * items + item, rows, size)
        occurring = np.flatnonzero(table)
        return PairCounts(occurring // width, occurring % width, table[occurring].astype(np.int64))
    key = combine((group, groups), (item, items))
    order = stable_order(key, size)
    starts = starts_of_runs(key[order])
    first, count = order[starts], np.add.reduceat(rows[order], starts)
    # Read from the rows, not from the key: past 2^62 the key is renumbered and no longer tells.
    return PairCounts(group[first].astype(np.int64), item[first].astype(np.int64), count)


def stable_order(key: Ints, size: int) -> Ints:
    """np.argsort(key, kind="stable") of keys in [0, size): by 16 bits at a time where that is enough.

    numpy sorts 16-bit integers by their digits, in one pass; two such passes beat one sort of 64 bits.
    """
    if size > 2**32:
        return np.argsort(key, kind="stable")
    order = np.argsort((key & 0xFFFF).astype(np.uint16), kind="stable")
    if size <= 2**16:
        return order
    return order[np.argsort((key >> 16).astype(np.uint16)[order], kind="stable")]


def lexical_order(columns: Sequence[tuple[Ints, int]]) -> Ints:
    """The rows sorted by the first column, then by the second …; each with its size, codes from 0."""
    order = np.arange(len(columns[0][0]))
    for codes, size in reversed(columns):
        order = order[stable_order(codes[order], size)]
    return order


def rows_and_columns(table: Bools) -> tuple[Ints, Ints]:
    """Where a table is true, row by row: np.nonzero in a third of the time when little is."""
    height, width = table.shape
    found = np.flatnonzero(table)
    ends = np.searchsorted(found, np.arange(height + 1) * width)
    row = np.repeat(np.arange(height), np.diff(ends))
    return row, found - row * width


def starts_of_runs(*sorted_columns: Ints | Floats) -> Ints:
    """Where a new combination of values begins in columns that stand in sorted order."""
    length = len(sorted_columns[0])
    if length == 0:
        return np.zeros(0, dtype=np.int64)
    new = np.zeros(length, dtype=bool)
    new[0] = True
    for column in sorted_columns:
        new[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(new)


def lengths_of_runs(starts: Ints, rows: int) -> Ints:
    """How many of the rows each run has."""
    return np.diff(np.append(starts, rows))


def ends_of_groups(group: Ints, groups: int) -> Ints:
    """Where the rows of each group end in rows that stand by group; the first number is 0."""
    return np.concatenate(([0], np.cumsum(np.bincount(group, minlength=groups))))


def rows_of_groups(ends: Ints, chosen: Ints) -> tuple[Ints, Ints]:
    """The rows of some groups, and the place among these of the group of each."""
    length = ends[chosen + 1] - ends[chosen]
    place = np.repeat(np.arange(len(chosen)), length)
    first = ends[chosen] - (np.cumsum(length) - length)
    return np.repeat(first, length) + np.arange(len(place)), place


def largest_of_runs(values: Ints | Floats, *sorted_columns: Ints) -> Ints:
    """The first row with the largest value of each run of equal columns."""
    starts = starts_of_runs(*sorted_columns)
    if len(starts) == 0:
        return starts
    largest = np.maximum.reduceat(values, starts)
    rows = np.flatnonzero(values == np.repeat(largest, lengths_of_runs(starts, len(values))))
    return rows[starts_of_runs(*(column[rows] for column in sorted_columns))]


def joint_keys(first: Sequence[Ints], second: Sequence[Ints]) -> tuple[Ints, Ints]:
    """One integer key per row of each table, comparable between the two and in the order of the columns."""
    columns = [np.concatenate(both) for both in zip(first, second, strict=True)]
    if len(columns[0]) == 0:
        return columns[0], columns[0]
    lowest = [int(column.min()) for column in columns]
    key = combine(
        *((column - low, int(column.max()) - low + 1) for column, low in zip(columns, lowest, strict=True))
    )
    return key[: len(first[0])], key[len(first[0]) :]


def joint_codes(first: Sequence[Ints], second: Sequence[Ints]) -> tuple[Ints, Ints, int]:
    """Factorise the rows of two tables into shared codes from 0; return both, and the number of codes."""
    keys = joint_keys(first, second)
    every, code = np.unique(np.concatenate(keys), return_inverse=True)
    return code[: len(keys[0])], code[len(keys[0]) :], len(every)


def positions_in(keys: Ints, wanted: Ints) -> Ints:
    """For each wanted key its place in the sorted, distinct `keys`; -1 where it is absent."""
    if len(keys) == 0:
        return np.full(len(wanted), -1, dtype=np.int64)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, place, -1)


def expanded(low: Ints, high: Ints, values: Ints) -> tuple[Ints, Ints]:
    """Pairs (i, value) for every value in the i-th stretch low … high of `values`."""
    length = high - low
    owner = np.repeat(np.arange(len(low)), length)
    place = np.arange(len(owner)) - np.repeat(np.cumsum(length) - length, length) + np.repeat(low, length)
    return owner, values[place]
