"""Loops of the attackers over all pairs of a person and a pseudonym, as compiled code.

Each stands in for numpy or scipy code and gives the same numbers (`nearness` to 15 digits, before costs are
rounded to billionths). `compiled.py` says when.
"""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.mobility.compiled import compiled
from insanonym_core.mobility.geometry import EARTH_RADIUS_KM

BLOCK = 64  # columns whose lowest cost is kept, so that the column itself is looked for in few of them
_FAR = 2**60
_SHARE = 1 / (2 * EARTH_RADIUS_KM) ** 2  # of the squared diameter of the earth
MAX_SERIES_KM = 0.1 * 2 * EARTH_RADIUS_KM  # km: up to here the series below is exact
# arcsin(x) / x in powers of x², the highest first: unlike arcsin, several are computed at a time.
_ARCSIN = (135135 / 9676800, 10395 / 599040, 945 / 42240, 105 / 3456, 15 / 336, 3 / 40, 1 / 6, 1.0)


@compiled
def in_blocks(table: Floats, unit: int) -> Ints:
    """Whole numbers, so many units each, in blocks of columns; the last block is filled up."""
    rows, columns = table.shape
    blocks = (columns + BLOCK - 1) // BLOCK
    found = np.zeros((rows, blocks, BLOCK), dtype=np.int64)
    flat = found.reshape(rows, blocks * BLOCK)
    for row in range(rows):
        for column in range(columns):
            flat[row, column] = np.int64(table[row, column]) * unit
    return found


@compiled
def _reach(costs: Ints, row: int, start: int, column_dual: Ints, way: Ints, lowest: Ints) -> int:
    """Shorten the ways to all columns by way of a row; the shortest of all, and of each block in `lowest`."""
    shortest = _FAR
    for block in range(len(lowest)):
        least = _FAR
        for place in range(BLOCK):
            found = start + costs[row, block, place] - column_dual[block, place]
            found = min(found, way[block, place])
            way[block, place] = found
            least = min(least, found)
        lowest[block] = least
        shortest = min(shortest, least)
    return shortest


@compiled
def _first(way: Ints, longest: int, lowest: Ints, rank: Ints) -> int:
    """The highest rank among the columns whose way is no longer than that."""
    highest = -1
    for block in range(len(lowest)):
        if lowest[block] <= longest:
            for place in range(BLOCK):
                found = rank[block, place] if way[block, place] <= longest else -1
                highest = max(highest, found)
    return highest


@compiled
def cheapest_columns(costs: Ints, columns: int, unit: int) -> Ints:
    """The column of each row, such that the costs are lowest in all: scipy's linear_sum_assignment.

    Costs come from `in_blocks`, with no more rows than columns and a unit that is a power of two above their
    number. Rows come in one after the other, each by a shortest augmenting path. A way holds its length in
    units plus the step in which it was found: one comparison keeps the first of the shortest. Columns not yet
    reached stand in a list, in which the last moves to the place of one that is reached. Of columns equally
    near comes the last one that is free, or else the first one: that is scipy's way.
    """
    rows, blocks, _ = costs.shape
    row_dual, column_dual = np.zeros(rows, dtype=np.int64), np.zeros((blocks, BLOCK), dtype=np.int64)
    column_of, row_of = np.full(rows, -1), np.full(columns, -1)
    way, rank = np.empty((blocks, BLOCK), dtype=np.int64), np.empty((blocks, BLOCK), dtype=np.int64)
    flat_dual, flat_way, flat_rank = column_dual.ravel(), way.ravel(), rank.ravel()
    flat_dual[columns:] = -2 * _FAR
    lowest, waiting = np.empty(blocks, dtype=np.int64), np.empty(columns, dtype=np.int64)
    # Of each step: the row, the column, the way to it and its dual.
    by, reached = np.empty(columns, dtype=np.int64), np.empty(columns, dtype=np.int64)
    length, dual = np.empty(columns, dtype=np.int64), np.empty(columns, dtype=np.int64)
    found_in = np.empty(columns, dtype=np.int64)
    for new in range(rows):
        flat_way[:] = _FAR
        for column in range(columns):
            waiting[column] = columns - 1 - column
            flat_rank[column] = 2 * columns - 1 - column if row_of[column] < 0 else column
        step, so_far, row = 0, 0, new
        while True:
            shortest = _reach(costs, row, so_far - row_dual[row] + step, column_dual, way, lowest)
            so_far = shortest & -unit
            highest = _first(way, so_far + unit - 1, lowest, rank)
            here = highest - columns if highest >= columns else columns - 1 - highest
            column, last = waiting[here], waiting[columns - 1 - step]
            by[step], reached[step], length[step], dual[step] = row, column, so_far, flat_dual[column]
            found_in[column] = flat_way[column] & (unit - 1)
            flat_way[column], flat_dual[column] = _FAR, -2 * _FAR  # never reached again
            row = row_of[column]
            if row < 0:
                break
            waiting[here] = last
            flat_rank[last] = columns + here if row_of[last] < 0 else columns - 1 - here
            step += 1
        row_dual[new] += so_far
        for one in range(step + 1):
            flat_dual[reached[one]] = dual[one] - (so_far - length[one])
            if one < step:
                row_dual[by[one + 1]] += so_far - length[one]
        while row != new:
            row = by[found_in[column]]
            row_of[column] = row
            column_of[row], column = column, column_of[row]
    return column_of


@compiled
def across(here: Floats, there: Floats) -> float:
    """The diagonal of the box around places in space."""
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

    Entries of both stand by the hour; `here` and `there` are their places in space, in km.
    """
    near, parts, seen_places = np.zeros(shape), np.empty(len(column)), there.T.copy()
    for hour in range(len(ends) - 1):
        some = slice(seen_ends[hour], seen_ends[hour + 1])
        partner, east, north, up = (
            column[some],
            seen_places[0, some],
            seen_places[1, some],
            seen_places[2, some],
        )
        for mine in range(ends[hour], ends[hour + 1]):
            x, y, z, who = here[mine, 0], here[mine, 1], here[mine, 2], row[mine]
            for one in range(len(partner)):
                squared = (x - east[one]) ** 2 + (y - north[one]) ** 2 + (z - up[one]) ** 2
                share, bend = squared * _SHARE, 0.0
                for factor in _ARCSIN:
                    bend = bend * share + factor
                parts[one] = 1 / max(np.sqrt(squared) * bend, 1.0)
            for one in range(len(partner)):
                near[who, partner[one]] += parts[one]
    return near


@compiled
def largest_value(value: Ints, ends: Ints, units: Ints) -> int:
    """The largest value of some units; 0 where they have none."""
    largest = 0
    for unit in units:
        for row in range(ends[unit], ends[unit + 1]):
            largest = max(largest, value[row])
    return largest


@compiled
def values_in_common(
    value: Ints, ends: Ints, people: Ints, seen_value: Ints, seen_ends: Ints, candidates: Ints, size: int
) -> Floats:
    """How many values below `size` people and pseudonyms have in common, as multisets."""
    first = np.zeros(size + 1, dtype=np.int32)
    for unit in candidates:
        for row in range(seen_ends[unit], seen_ends[unit + 1]):
            first[seen_value[row] + 1] += 1
    for number in range(size):
        first[number + 1] += first[number]
    # For each value its holders in order, and how often each has it.
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
    found, common = np.empty((len(people), len(candidates))), np.empty(len(candidates), dtype=np.int32)
    mine = np.zeros(size, dtype=np.int32)
    for place in range(len(people)):
        rows = range(ends[people[place]], ends[people[place] + 1])
        common[:] = 0
        for row in rows:
            mine[value[row]] += 1
        for row in rows:
            number = value[row]
            often, mine[number] = mine[number], 0
            if often:
                for one in range(first[number], last[number]):
                    common[holder[one]] += min(often, times[one])
        found[place] = common
    return found
