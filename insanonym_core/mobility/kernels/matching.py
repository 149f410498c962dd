"""Matching of lowest total cost: scipy's linear_sum_assignment on whole costs, ties included."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.runtime.compiled import compiled

_VECTOR = 16  # rows of a table are padded to a multiple, for loops without a remainder


class Width(NamedTuple):
    """Integers that costs and distances are computed with.

    Numbers of the matching stay below `limit`, of which `unreached` holds at least three and a half.
    """

    dtype: type[np.integer]
    limit: int
    unreached: int


# Twice as many numbers of 32 bits are computed at once.
NARROW, WIDE = Width(np.uint32, 2**30, 2**32 - 1), Width(np.int64, 2**59, 2**62)
MAX_NARROW_RANGE = 2**31  # of costs in a row; above, a matching hardly stays within NARROW


@compiled
def whole_costs(costs: Floats, scale: float, limit: int, max_cost: float, kind: Ints) -> tuple[Ints, int]:
    """Rounded costs · scale (half to even) minus the lowest of the row, at most `limit`; their range.

    `kind` is an empty array of the type wanted. The range is -1 if a cost is not below `max_cost`, or NaN.
    """
    rows, columns = costs.shape
    whole = np.empty(columns, dtype=np.int64)
    table = np.empty((rows, -(-columns // _VECTOR) * _VECTOR), dtype=kind.dtype)
    table[:, columns:] = limit
    widest, outside = 0, 0
    for row in range(rows):
        for column in range(columns):
            rounded = np.rint(costs[row, column] * scale)
            outside += not abs(rounded) < max_cost
            whole[column] = np.int64(rounded)
        lowest, highest = whole[0], whole[0]
        for column in range(columns):
            lowest, highest = min(lowest, whole[column]), max(highest, whole[column])
        for column in range(columns):
            table[row, column] = min(whole[column] - lowest, limit)
        widest = max(widest, highest - lowest)
    return table, -1 if outside else widest


@compiled
def _relax(distance: Ints, costs: Ints, row: int, price: Ints, start: int) -> int:
    """Lower distances to start + cost + price through a row where that is less; return the lowest."""
    shortest = distance[0]
    for column in range(len(distance)):
        # ufuncs, because operators of numba compute with 64 bits
        through = np.add(np.add(costs[row, column], price[column]), start)
        nearest = np.minimum(distance[column], through)
        distance[column] = nearest
        shortest = np.minimum(shortest, nearest)
    return shortest


@compiled
def _highest_rank(distance: Ints, shortest: int, rank: Ints) -> int:
    """Highest rank among the columns at the shortest distance."""
    highest = np.int32(-1)
    for column in range(len(distance)):
        own = rank[column]
        highest = max(highest, own if distance[column] == shortest else np.int32(-1))
    return int(highest)


@compiled
def min_cost_columns(costs: Ints, order: Ints, limit: int, unreached: int) -> Ints:
    """Column of each row in the matching of lowest total cost; empty if numbers reached `limit`.

    Costs come from `whole_costs`, with at most as many rows as columns; `order` is the order of the columns
    that ties depend on. Rows are added one by one, each along a shortest augmenting path. `waiting` lists the
    columns not yet on a path; the last one replaces the one that is reached. Ties between columns go to the
    last free one of the list, else to the first, as in scipy: the one of highest rank.

    A reached column stays out of the search by `limit` more on its price. No other number may reach `limit`,
    so that none of their sums overflows, and none is lower than it should be because `whole_costs` cut it.
    """
    rows, width = costs.shape
    columns = len(order)
    row_dual, price = np.zeros(rows, dtype=np.int64), np.zeros(width, dtype=costs.dtype)
    price[columns:] = limit
    column_of, row_of = np.full(rows, -1), np.full(columns, -1)
    distance, start, rank = np.empty_like(price), np.empty_like(price[:1]), np.full(width, np.int32(-1))
    waiting, first_rank = order[::-1].copy(), np.empty(columns, dtype=np.int64)
    for place in range(columns):
        first_rank[order[place]] = 1 + place
        rank[order[place]] = 2 * columns - place
    # Of each step: the row, what its distances begin with, the column reached, its place, length and price.
    row_at, start_at = np.empty(columns, dtype=np.int64), np.empty(columns, dtype=np.int64)
    column_at, place_at = np.empty(columns, dtype=np.int64), np.empty(columns, dtype=np.int64)
    length_at, price_at = np.empty(columns, dtype=np.int64), np.empty(columns, dtype=np.int64)
    for new in range(rows):
        distance[:] = unreached
        length, row, step, lowest_start = np.int64(0), new, 0, np.int64(0)
        while True:
            row_at[step], start_at[step] = row, length - row_dual[row]
            start[0], lowest_start = start_at[step], min(lowest_start, start_at[step])
            shortest = _relax(distance, costs, row, price, start[0])
            length = np.int64(shortest)
            highest = _highest_rank(distance, shortest, rank)
            if length - lowest_start >= limit:
                return column_of[:0]
            place = highest - columns - 1 if highest > columns else columns - highest
            column = waiting[place]
            column_at[step], place_at[step], length_at[step] = column, place, length
            price_at[step] = price[column]
            row = row_of[column]
            if row < 0:
                break
            distance[column], price[column] = unreached, price_at[step] + limit
            last = waiting[columns - 1 - step]
            waiting[place] = last
            rank[last] = columns + 1 + place if row_of[last] < 0 else columns - place
            step += 1
        # Undo the changes of this search, and update the duals of the rows and columns reached.
        row_dual[new] += length
        for back in range(step, -1, -1):
            past, further = column_at[back], length - length_at[back]
            if back < step:
                row_dual[row_at[back + 1]] += further
                last = waiting[place_at[back]]
                waiting[place_at[back]] = past
                rank[last] = 2 * columns - back if row_of[last] < 0 else back + 1
            if price_at[back] + further >= limit:
                return column_of[:0]
            price[past] = price_at[back] + further
        rank[column] = first_rank[column]
        # The path goes back from the free column: each column was first reached at its length by some row.
        while True:
            before = 0
            while start_at[before] + np.int64(costs[row_at[before], column]) + price_at[step] != length:
                before += 1
            row = row_at[before]
            row_of[column] = row
            column_of[row], column = column, column_of[row]
            if row == new:
                break
            step = before - 1
            length = length_at[step]
    return column_of
