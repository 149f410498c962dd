"""Compiled loops of the attacks over all pairs of an individual and a token.

Each replaces numpy or scipy code and returns the same numbers (`nearness` to 15 digits, before costs are
rounded to billionths). `compiled.run_compiled_or` decides when they are used.
"""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.mobility.compiled import compiled
from insanonym_core.mobility.geometry import EARTH_RADIUS_KM

BLOCK = 64  # columns per block; the lowest cost of each block is stored, so that few blocks are searched
_INFINITY = 2**60
_INVERSE_SQUARED_DIAMETER = 1 / (2 * EARTH_RADIUS_KM) ** 2  # of the earth, in km
MAX_SERIES_KM = 0.1 * 2 * EARTH_RADIUS_KM  # chord length up to which the series below is exact
# arcsin(x) / x as a polynomial in x², highest power first: unlike arcsin, it is vectorised.
_ARCSIN_COEFFICIENTS = (
    135135 / 9676800,
    10395 / 599040,
    945 / 42240,
    105 / 3456,
    15 / 336,
    3 / 40,
    1 / 6,
    1.0,
)


@compiled
def integer_blocks(table: Floats, unit: int) -> Ints:
    """Costs as integers times `unit`, shaped rows × blocks × BLOCK; the last block is padded with 0."""
    rows, columns = table.shape
    blocks = (columns + BLOCK - 1) // BLOCK
    costs = np.zeros((rows, blocks, BLOCK), dtype=np.int64)
    flat = costs.reshape(rows, blocks * BLOCK)
    for row in range(rows):
        for column in range(columns):
            flat[row, column] = np.int64(table[row, column]) * unit
    return costs


@compiled
def _relax_row(costs: Ints, row: int, start: int, column_dual: Ints, distance: Ints, lowest: Ints) -> int:
    """Relax the distances to all columns through a row; return their minimum (`lowest`: of each block)."""
    shortest = _INFINITY
    for block in range(len(lowest)):
        block_lowest = _INFINITY
        for place in range(BLOCK):
            candidate = start + costs[row, block, place] - column_dual[block, place]
            candidate = min(candidate, distance[block, place])
            distance[block, place] = candidate
            block_lowest = min(block_lowest, candidate)
        lowest[block] = block_lowest
        shortest = min(shortest, block_lowest)
    return shortest


@compiled
def _next_column_rank(distance: Ints, limit: int, lowest: Ints, rank: Ints) -> int:
    """Highest rank among the columns whose distance is at most `limit`."""
    highest = -1
    for block in range(len(lowest)):
        if lowest[block] <= limit:
            for place in range(BLOCK):
                candidate = rank[block, place] if distance[block, place] <= limit else -1
                highest = max(highest, candidate)
    return highest


@compiled
def min_cost_columns(costs: Ints, columns: int, unit: int) -> Ints:
    """Column of each row in the matching of lowest total cost: scipy's linear_sum_assignment, ties included.

    Costs come from `integer_blocks`, with at most as many rows as columns; `unit` is a power of two larger
    than the number of columns. Rows are added one by one, each along a shortest augmenting path. A distance
    is the length of a path in units plus the step in which it was found, so that one comparison keeps the
    earliest of the shortest. `waiting` lists the columns not yet reached; the last one replaces the one that
    is reached. Ties between columns go to the last free one, else to the first, as in scipy.
    """
    rows, blocks, _ = costs.shape
    row_dual, column_dual = np.zeros(rows, dtype=np.int64), np.zeros((blocks, BLOCK), dtype=np.int64)
    column_of, row_of = np.full(rows, -1), np.full(columns, -1)
    distance, rank = np.empty((blocks, BLOCK), dtype=np.int64), np.empty((blocks, BLOCK), dtype=np.int64)
    flat_dual, flat_distance, flat_rank = column_dual.ravel(), distance.ravel(), rank.ravel()
    flat_dual[columns:] = -2 * _INFINITY
    lowest, waiting = np.empty(blocks, dtype=np.int64), np.empty(columns, dtype=np.int64)
    # Of each step: the row, the column, the distance to it and its dual.
    row_of_step, column_of_step = np.empty(columns, dtype=np.int64), np.empty(columns, dtype=np.int64)
    length_of_step, dual_of_step = np.empty(columns, dtype=np.int64), np.empty(columns, dtype=np.int64)
    step_of = np.empty(columns, dtype=np.int64)
    for new in range(rows):
        flat_distance[:] = _INFINITY
        for column in range(columns):
            waiting[column] = columns - 1 - column
            flat_rank[column] = 2 * columns - 1 - column if row_of[column] < 0 else column
        step, path_length, row = 0, 0, new
        while True:
            shortest = _relax_row(
                costs, row, path_length - row_dual[row] + step, column_dual, distance, lowest
            )
            path_length = shortest & -unit
            highest = _next_column_rank(distance, path_length + unit - 1, lowest, rank)
            here = highest - columns if highest >= columns else columns - 1 - highest
            column, last = waiting[here], waiting[columns - 1 - step]
            row_of_step[step], column_of_step[step], length_of_step[step], dual_of_step[step] = (
                row,
                column,
                path_length,
                flat_dual[column],
            )
            step_of[column] = flat_distance[column] & (unit - 1)
            flat_distance[column], flat_dual[column] = _INFINITY, -2 * _INFINITY  # never reached again
            row = row_of[column]
            if row < 0:
                break
            waiting[here] = last
            flat_rank[last] = columns + here if row_of[last] < 0 else columns - 1 - here
            step += 1
        row_dual[new] += path_length
        for done in range(step + 1):
            flat_dual[column_of_step[done]] = dual_of_step[done] - (path_length - length_of_step[done])
            if done < step:
                row_dual[row_of_step[done + 1]] += path_length - length_of_step[done]
        while row != new:
            row = row_of_step[step_of[column]]
            row_of[column] = row
            column_of[row], column = column, column_of[row]
    return column_of


@compiled
def bounding_box_diagonal(here: Floats, there: Floats) -> float:
    """Diagonal of the bounding box of two sets of points (x, y, z)."""
    squared = 0.0
    for axis in range(3):
        low, high = np.inf, -np.inf
        for places in (here, there):
            for row in range(len(places)):
                low, high = min(low, places[row, axis]), max(high, places[row, axis])
        squared += (high - low) ** 2
    return np.sqrt(squared)


@compiled
def nearness(
    shape: tuple[int, int], row: Ints, here: Floats, ends: Ints, column: Ints, there: Floats, seen_ends: Ints
) -> Floats:
    """Σ min(1, 1/km) over the common hours, for each person and pseudonym.

    Entries of both sides are sorted by hour; `here` and `there` are their positions (x, y, z) in km.
    """
    near, terms, seen_places = np.zeros(shape), np.empty(len(column)), there.T.copy()
    for hour in range(len(ends) - 1):
        entries = slice(seen_ends[hour], seen_ends[hour + 1])
        partner, east, north, up = (
            column[entries],
            seen_places[0, entries],
            seen_places[1, entries],
            seen_places[2, entries],
        )
        for entry in range(ends[hour], ends[hour + 1]):
            x, y, z, person = here[entry, 0], here[entry, 1], here[entry, 2], row[entry]
            for other in range(len(partner)):
                squared = (x - east[other]) ** 2 + (y - north[other]) ** 2 + (z - up[other]) ** 2
                share, ratio = squared * _INVERSE_SQUARED_DIAMETER, 0.0
                for factor in _ARCSIN_COEFFICIENTS:
                    ratio = ratio * share + factor
                terms[other] = 1 / max(np.sqrt(squared) * ratio, 1.0)
            for other in range(len(partner)):
                near[person, partner[other]] += terms[other]
    return near


@compiled
def largest_value(value: Ints, ends: Ints, units: Ints) -> int:
    """Largest value of the given units; 0 if they have none."""
    largest = 0
    for unit in units:
        for row in range(ends[unit], ends[unit + 1]):
            largest = max(largest, value[row])
    return largest


@compiled
def values_in_common(
    value: Ints, ends: Ints, people: Ints, seen_value: Ints, seen_ends: Ints, candidates: Ints, size: int
) -> Floats:
    """Size of the multiset intersection of the values (below `size`) of each person and candidate."""
    first = np.zeros(size + 1, dtype=np.int32)
    for unit in candidates:
        for row in range(seen_ends[unit], seen_ends[unit + 1]):
            first[seen_value[row] + 1] += 1
    for number in range(size):
        first[number + 1] += first[number]
    # For each value, the candidates that have it, in order, and how often each has it.
    last = first[:-1].copy()
    holder, times = np.empty(first[size], dtype=np.uint32), np.empty(first[size], dtype=np.int32)
    for column in range(len(candidates)):
        for row in range(seen_ends[candidates[column]], seen_ends[candidates[column] + 1]):
            number = seen_value[row]
            end = last[number]
            if end > first[number] and holder[end - 1] == column:
                times[end - 1] += 1
            else:
                holder[end], times[end] = column, 1
                last[number] = end + 1
    table, common = np.empty((len(people), len(candidates))), np.empty(len(candidates), dtype=np.int32)
    own_count = np.zeros(size, dtype=np.int32)
    for place in range(len(people)):
        rows = range(ends[people[place]], ends[people[place] + 1])
        common[:] = 0
        for row in rows:
            own_count[value[row]] += 1
        for row in rows:
            number = value[row]
            own_times, own_count[number] = own_count[number], 0
            if own_times:
                for entry in range(first[number], last[number]):
                    common[holder[entry]] += min(own_times, times[entry])
        table[place] = common
    return table
