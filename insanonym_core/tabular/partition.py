"""Cutting a table into groups: median cuts, attribute by attribute, until no cut is allowed.

A cut is allowed only if both sides keep at least k rows, and whatever else is asked of groups; of the allowed
cuts the one nearest the median by rank is taken, ties to the lower. All nodes of a level are cut together, so
that the cost per row does not depend on how many groups there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import renumber, stable_order, starts_of_runs
from insanonym_core.tabular.limits import Limits
from insanonym_core.tabular.searched_cuts import CutSearch
from insanonym_core.tabular.table import MISSING, Column


class Level(NamedTuple):
    """One level of cuts: rows with their node, child (2·node, 2·node + 1), which children are leaves, and for
    each node the attributes in the order in which they were tried."""

    rows: Ints
    node: Ints
    child: Ints
    leaf: Bools
    order: Ints


def partition(
    columns: Sequence[Column],
    limits: Limits,
    choice: str,
    stop: str,
    generator: np.random.Generator,
    watch: Callable[[Level], None] | None = None,
) -> tuple[Ints, int]:
    """Return the group of each row and the number of groups; `choice` is best, widest or random.

    `stop="source"` is the literal rule of the source, for the lesson that shows it fail: always cut at the
    median, and continue only while both halves have more than k rows. `watch` is called with each level.
    """
    if stop == "both" and (choice == "best" or limits.counted):
        levels = _searched_levels(columns, limits, choice, generator)
    else:
        levels = _sorted_levels(columns, limits.k, choice, stop, generator)
    group = np.zeros(len(columns[0].codes), dtype=np.int64)
    groups = 0
    for level in levels:
        if watch is not None:
            watch(level)
        finished = level.leaf[level.child]
        leaves, label = renumber(level.child[finished], len(level.leaf))
        group[level.rows[finished]] = label + groups
        groups += len(leaves)
    return group, groups


def _sorted_levels(
    columns: Sequence[Column], k: int, choice: str, stop: str, generator: np.random.Generator
) -> Iterator[Level]:
    """Yield the levels of cuts that k alone decides, each with one sort per attempt."""
    codes = np.stack([column.codes for column in columns])
    rows: Ints = np.arange(codes.shape[1])
    node: Ints = np.zeros(len(rows), dtype=np.int64)
    while len(rows):
        # Rows are sorted by node; nodes are numbered from 0 without gaps.
        sizes = np.bincount(node)
        order = _attribute_order(columns, codes, rows, sizes, choice, generator)
        if stop == "source":
            child, done = _cut_literally(codes, rows, node, sizes, order, k)
        else:
            child, done = _cut_where_allowed(codes, rows, node, sizes, order, k)
        yield Level(rows, node, child, done, order)
        going_on = ~done[child]
        rows, child = rows[going_on], child[going_on]
        by_node = stable_order(child, 2 * len(sizes))
        rows = rows[by_node]
        node = renumber(child[by_node], 2 * len(sizes))[1]


def _searched_levels(
    columns: Sequence[Column], limits: Limits, choice: str, generator: np.random.Generator
) -> Iterator[Level]:
    """Yield the levels of cuts that are searched: for the least loss, or within the limits of the groups."""
    search = CutSearch(columns, limits)
    codes = search.codes.T
    compare = choice == "best"
    while len(search.start):
        rows, node = search.rows_by_node()
        sizes = search.end - search.start
        if compare:
            order: Ints = np.tile(np.arange(len(columns)), (len(sizes), 1))
        else:
            order = _attribute_order(columns, codes, rows, sizes, choice, generator)
        right, leaf, order = search.cut(order, compare)
        done = np.zeros(2 * len(sizes), dtype=bool)
        done[0::2] = leaf
        yield Level(rows, node, 2 * node + right[rows], done, order)


def _attribute_order(
    columns: Sequence[Column],
    codes: Ints,
    rows: Ints,
    sizes: Ints,
    choice: str,
    generator: np.random.Generator,
) -> Ints:
    """Return for each node the order in which to try the attributes."""
    if choice == "random":
        return generator.random((len(sizes), len(columns))).argsort(axis=1)
    starts = np.cumsum(sizes) - sizes
    widths = np.stack(
        [_normalised_width(column, codes[place, rows], starts) for place, column in enumerate(columns)]
    )
    return np.argsort(-widths.T, axis=1, kind="stable")


def _normalised_width(column: Column, code: Ints, starts: Ints) -> Floats:
    """Return the range of the values of each node, as a share of the range of the column."""
    numbers = column.numbers()
    if len(numbers) < 2:
        return np.zeros(len(starts))
    value = numbers[np.maximum(code, 0)]
    lowest = np.minimum.reduceat(np.where(code == MISSING, np.inf, value), starts)
    highest = np.maximum.reduceat(np.where(code == MISSING, -np.inf, value), starts)
    return np.maximum(highest - lowest, 0) / (numbers[-1] - numbers[0])


def _cut_where_allowed(
    codes: Ints, rows: Ints, node: Ints, sizes: Ints, order: Ints, k: int
) -> tuple[Ints, Bools]:
    """Cut each node where allowed; return each row's child (2·node or 2·node + 1) and which are leaves."""
    child = 2 * node
    done = np.zeros(2 * len(sizes), dtype=bool)
    waiting = sizes >= 2 * k
    width = int(codes.max()) + 2
    done[0::2] = ~waiting
    for attempt in range(order.shape[1]):
        if not waiting.any():
            break
        mine = np.flatnonzero(waiting[node])
        code = codes[order[node[mine], attempt], rows[mine]]
        by_value = _by_node_and_value(node[mine], code, len(sizes), width)
        mine, code = mine[by_value], code[by_value]
        _, size, rank = _ranks(node[mine])
        new_value = np.flatnonzero((code[1:] != code[:-1]) & (rank[1:] > 0)) + 1
        left = rank[new_value]
        total = np.repeat(size, size)[new_value]
        allowed = (left >= k) & (total - left >= k)
        cut = _nearest_to_median(node[mine][new_value][allowed], left[allowed], total[allowed], len(sizes))
        right = rank >= cut[node[mine]]
        child[mine[right]] += 1
        waiting &= cut == _NO_CUT
    done[0::2] |= waiting
    return child, done


def _by_node_and_value(node: Ints, code: Ints, nodes: int, width: int) -> Ints:
    """Return the order of the rows by node, then by value."""
    return stable_order(node * width + (code + 1), nodes * width)


_NO_CUT = np.iinfo(np.int64).max


def _nearest_to_median(node: Ints, left: Ints, total: Ints, nodes: int) -> Ints:
    """Return how many rows of each node go left: the allowed cut nearest the median, ties to the lower."""
    cut = np.full(nodes, _NO_CUT, dtype=np.int64)
    if len(node) == 0:
        return cut
    best = np.lexsort((left, np.abs(2 * left - total), node))
    first = best[starts_of_runs(node[best])]
    cut[node[first]] = left[first]
    return cut


def _ranks(sorted_node: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the start and size of each run of equal nodes, and each row's rank in its run."""
    start = starts_of_runs(sorted_node)
    size = np.diff(np.append(start, len(sorted_node)))
    return start, size, np.arange(len(sorted_node)) - np.repeat(start, size)


def _cut_literally(
    codes: Ints, rows: Ints, node: Ints, sizes: Ints, order: Ints, k: int
) -> tuple[Ints, Bools]:
    """Cut by the source's rule: values up to the median left, others right; leaves unless both exceed k."""
    code = codes[order[node, 0], rows]
    by_value = _by_node_and_value(node, code, len(sizes), int(codes.max()) + 2)
    start, _, _ = _ranks(node[by_value])
    median = code[by_value][start + (sizes - 1) // 2]
    child = 2 * node + (code > median[node])
    halves = np.bincount(child, minlength=2 * len(sizes))
    both_longer = (halves[0::2] > k) & (halves[1::2] > k)
    return child, np.repeat(~both_longer, 2)
