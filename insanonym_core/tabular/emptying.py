"""Which cells to empty so that every combination is shared by k rows: greedy local suppression."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from insanonym_core.numeric.arrays import Bools, Ints
from insanonym_core.numeric.grouping import combine


def emptied_cells(codes: Sequence[Ints], k: int) -> Bools:
    """Return which cells of which row are emptied; an empty cell is equal to empty cells only.

    Rows whose combination k rows share stay as they are. For the others, first one cell is emptied where that
    makes k rows alike, the largest class first, then two cells, and so on. What is left joins a class that
    fits it, or takes rows of other classes with it.
    """
    columns = np.stack(codes, axis=1).astype(np.int64) + 1
    rows, width = columns.shape
    emptied = np.zeros((rows, width), dtype=bool)
    waiting = _sizes(columns, emptied) < k
    for number in range(1, width):
        while _empty(columns, emptied, waiting, number, k):
            pass
        if not waiting.any():
            return emptied
    _join_or_take_along(columns, emptied, np.flatnonzero(waiting), k)
    return emptied


def _classes(columns: Ints, emptied: Bools) -> Ints:
    """Number the rows by what is published of them."""
    shown = np.where(emptied, 0, columns + 1)
    key = combine(*((column, int(column.max(initial=0)) + 1) for column in shown.T))
    return np.unique(key, return_inverse=True)[1]


def _sizes(columns: Ints, emptied: Bools) -> Ints:
    """Return for each row how many rows look like it."""
    number = _classes(columns, emptied)
    return np.bincount(number)[number]


def _empty(columns: Ints, emptied: Bools, waiting: Bools, number: int, k: int) -> bool:
    """Empty so many cells of waiting rows where k rows then look alike; return whether there were any."""
    found = sorted(
        _candidates(columns, emptied, waiting, number, k),
        key=lambda one: (-len(one[1]), one[0], tuple(np.delete(columns[one[1][0]], one[0]).tolist())),
    )
    accepted = False
    for pattern, rows, others in found:
        left = rows[waiting[rows]]
        if len(left) and len(left) + others >= k:
            emptied[left[:, None], np.array(pattern)] = True
            waiting[left] = False
            accepted = True
    return accepted


def _candidates(
    columns: Ints, emptied: Bools, waiting: Bools, number: int, k: int
) -> Iterator[tuple[tuple[int, ...], Ints, int]]:
    """Yield classes of k rows: the columns to empty, the waiting rows, and how many are there already."""
    width = columns.shape[1]
    rows = np.flatnonzero(waiting)
    if len(rows) == 0:
        return
    for pattern in combinations(range(width), number):
        shown = [place for place in range(width) if place not in pattern]
        here = emptied[:, pattern].all(axis=1) & ~emptied[:, shown].any(axis=1)
        both = np.concatenate([rows, np.flatnonzero(here & ~waiting)])
        key = combine(*((columns[both, place], int(columns[:, place].max()) + 1) for place in shown))
        _, code = np.unique(key, return_inverse=True)
        ours, all_rows = np.bincount(code[: len(rows)], minlength=code.max() + 1), np.bincount(code)
        order = np.argsort(code[: len(rows)], kind="stable")
        ends = np.cumsum(ours)
        for one in np.flatnonzero((all_rows >= k) & (ours > 0)).tolist():
            members = rows[order[ends[one] - ours[one] : ends[one]]]
            yield pattern, members, int(all_rows[one] - ours[one])


def _join_or_take_along(columns: Ints, emptied: Bools, left: Ints, k: int) -> None:
    """Let the last rows be empty altogether; if they are fewer than k, rows of other classes become so, too.

    Before that, each joins a class whose values it has, if there is one: the one with the fewest empty cells.
    """
    width, alone = columns.shape[1], []
    patterns = np.unique(emptied[emptied.any(axis=1)], axis=0)
    patterns = patterns[np.argsort(patterns.sum(axis=1), kind="stable")]
    done = np.ones(len(columns), dtype=bool)
    done[left] = False
    for row in left.tolist():
        for pattern in patterns:
            same = (columns[:, ~pattern] == columns[row, ~pattern]).all(axis=1)
            if (same & done & (emptied == pattern).all(axis=1)).any():
                emptied[row] = pattern
                break
        else:
            alone.append(row)
    if not alone:
        return
    emptied[alone] = True
    everything = emptied.all(axis=1)
    while everything.sum() < k:
        number = _classes(columns, emptied)
        size = np.bincount(number)[number]
        cost = width - emptied.sum(axis=1)
        spare = np.flatnonzero(~everything & (size > k))
        if len(spare):  # one row of a class that has more than k
            row = spare[np.lexsort((number[spare], cost[spare]))[0]]
            emptied[row] = True
        else:
            others = np.flatnonzero(~everything)
            cheapest = others[np.lexsort((number[others], (cost * size)[others]))[0]]
            emptied[number == number[cheapest]] = True
        everything = emptied.all(axis=1)
