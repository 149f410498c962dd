"""Search the cuts of all nodes of one level; numba compiles these functions for larger tables.

`codes` has a line per row and a column per attribute; `sorted_rows[attribute, start:end]` are the rows of a
node by the value of the attribute. Plain Python runs the same functions for small tables.
"""

from __future__ import annotations

import math

import numpy as np

from insanonym_core.numeric.arrays import Bools, Floats, Ints

NUMBER, SET, TREE = 0, 1, 2
_TOLERANCE = 1e-12


def distances_from_median(
    score: Floats, codes: Ints, sorted_rows: Ints, start: Ints, end: Ints, k: int
) -> None:
    """Score the place of each possible cut by how far from the median it is; infinite where there is none."""
    for node in range(len(start)):
        size = end[node] - start[node]
        for attribute in range(len(sorted_rows)):
            score[attribute, start[node] : end[node]] = np.inf
            for left in range(k, size - k + 1):
                place = start[node] + left
                row, previous = sorted_rows[attribute, place], sorted_rows[attribute, place - 1]
                if codes[row, attribute] != codes[previous, attribute]:
                    score[attribute, place] = abs(2 * left - size)


def losses_of_cuts(
    score: Floats,
    codes: Ints,
    sorted_rows: Ints,
    start: Ints,
    end: Ints,
    k: int,
    middle: float,
    form: Ints,
    offset: Ints,
    numbers: Floats,
    scale: Floats,
    missing_steps: Floats,
    tree_start: Ints,
    tree_nodes: Ints,
    tree_losses: Floats,
) -> None:
    """Score the place of each cut by what all rows of the node lose after it, over all attributes.

    Looked at are the cuts that leave `middle` of the rows on both sides, and the one nearest the median; the
    score is infinite elsewhere. A side loses the width between its `numbers` (each divided by the range), or
    (different values - 1) · `scale` in a category; in a hierarchy what its lowest common node costs
    (`tree_…`, level by level). Where values are missing, `missing_steps` are the values, or it costs `scale`.
    """
    attributes = len(sorted_rows)
    low, high = np.empty(attributes, dtype=np.int64), np.empty(attributes, dtype=np.int64)
    missing, different = np.empty(attributes, dtype=np.int64), np.empty(attributes, dtype=np.int64)
    # Of a node: attributes with several values, how many these are, the lowest, the highest and whether some
    # are missing, and the first and last cut looked at.
    varied, values = np.empty(attributes, dtype=np.int64), np.empty(attributes, dtype=np.int64)
    bottom, top = np.empty(attributes, dtype=np.int64), np.empty(attributes, dtype=np.int64)
    gaps = np.empty(attributes, dtype=np.int64)
    first_cut, last_cut = np.empty(attributes, dtype=np.int64), np.empty(attributes, dtype=np.int64)
    unfinished, lost = np.empty(attributes, dtype=np.int64), np.zeros(attributes)
    stamps = np.zeros(offset[attributes] + attributes, dtype=np.int64)
    stamp = 0
    for node in range(len(start)):
        first, size = start[node], end[node] - start[node]
        for attribute in range(attributes):
            score[attribute, first : first + size] = np.inf
        if size < 2 * k:
            continue
        least = max(k, int(np.ceil(middle * size)))
        several = 0
        for attribute in range(attributes):
            nearest, first_cut[attribute], last_cut[attribute], values[attribute] = -1, size, 0, 1
            previous = codes[sorted_rows[attribute, first], attribute]
            top[attribute] = codes[sorted_rows[attribute, first + size - 1], attribute]
            if previous == top[attribute]:
                continue
            bottom[attribute], gaps[attribute] = previous, previous < 0  # missing values come first
            varied[several] = attribute
            several += 1
            for left in range(1, size):
                code = codes[sorted_rows[attribute, first + left], attribute]
                if code == previous:
                    continue
                if previous < 0:
                    bottom[attribute] = code
                previous = code
                values[attribute] += 1
                if left < k or left > size - k:
                    continue
                if least <= left <= size - least:
                    score[attribute, first + left] = 0
                    first_cut[attribute], last_cut[attribute] = min(first_cut[attribute], left), left
                if nearest < 0 or abs(2 * left - size) < abs(2 * nearest - size):
                    nearest = left
            if nearest >= 0:
                score[attribute, first + nearest] = 0
                first_cut[attribute] = min(first_cut[attribute], nearest)
                last_cut[attribute] = max(last_cut[attribute], nearest)
        for attribute in varied[:several]:
            if last_cut[attribute] == 0:
                continue
            for side in range(2):
                stamp += 1
                waiting = several
                for index in range(several):
                    other = varied[index]
                    unfinished[index] = other
                    low[other], high[other], missing[other], different[other] = len(numbers), -1, 0, 0
                summed, changed = 0.0, True
                for seen in range(1, (last_cut[attribute] if side == 0 else size - first_cut[attribute]) + 1):
                    row = sorted_rows[attribute, first + seen - 1 if side == 0 else first + size - seen]
                    index = 0
                    while index < waiting:
                        other = unfinished[index]
                        code = codes[row, other]
                        finished = False
                        if form[other] == SET:
                            slot = offset[other] + other + code + 1
                            if stamps[slot] != stamp:
                                stamps[slot] = stamp
                                different[other] += 1
                                lost[other] = (different[other] - 1) * scale[other]
                                changed, finished = True, different[other] == values[other]
                        elif code > high[other] or code < low[other]:
                            if code < 0:
                                missing[other] = 1
                            else:
                                low[other], high[other] = min(low[other], code), max(high[other], code)
                            width, both = 0.0, 0
                            if high[other] >= 0:
                                begin, both = offset[other], missing[other]
                                if form[other] == TREE:
                                    level = tree_start[other]
                                    while tree_nodes[level + low[other]] != tree_nodes[level + high[other]]:
                                        level += offset[other + 1] - begin
                                    width = tree_losses[level + low[other]]
                                else:
                                    width = numbers[begin + high[other]] - numbers[begin + low[other]]
                                width += both * scale[other]
                            if missing_steps[other] > 0:
                                width = (width * (missing_steps[other] - 1) + both) / missing_steps[other]
                            lost[other], changed = width, True
                            finished = (
                                low[other] == bottom[other]
                                and high[other] == top[other]
                                and missing[other] == gaps[other]
                            )
                        if (
                            finished
                        ):  # the side has all values of the node, or its range: nothing can change any more
                            waiting -= 1
                            unfinished[index] = unfinished[waiting]
                        else:
                            index += 1
                    place = first + seen if side == 0 else first + size - seen
                    if score[attribute, place] < np.inf:
                        if changed:
                            summed, changed = 0.0, False
                            for index in range(several):
                                summed += lost[varied[index]]
                        score[attribute, place] += summed * seen


def best_places(score: Floats, start: Ints, end: Ints, k: int) -> Ints:
    """Return the cut with the lowest score of each node and attribute, as rows on the left; -1 for none."""
    attributes = len(score)
    cuts = np.full((len(start), attributes), -1, dtype=np.int64)
    for node in range(len(start)):
        for attribute in range(attributes):
            best = np.inf
            for place in range(start[node] + k, end[node] - k + 1):
                if score[attribute, place] < best:
                    best, cuts[node, attribute] = score[attribute, place], place - start[node]
    return cuts


def best_places_within(
    score: Floats,
    start: Ints,
    end: Ints,
    k: int,
    sorted_rows: Ints,
    counted: Ints,
    offset: Ints,
    distinct: Ints,
    entropy: Floats,
    max_t: Floats,
    ordered: Bools,
    share: Floats,
    cumulated: Floats,
    before: Floats,
) -> Ints:
    """Return the `best_places` of those whose two sides are within the limits of counted columns.

    Both sides need `distinct` different values of each column, an entropy of at least `entropy`, and a
    distance from the table of at most `max_t`.
    """
    attributes, columns = len(score), len(distinct)
    cuts = np.full((len(start), attributes), -1, dtype=np.int64)
    total = np.zeros(offset[columns], dtype=np.int64)
    left_count = np.zeros(offset[columns], dtype=np.int64)
    left_different, right_different = np.zeros(columns, dtype=np.int64), np.zeros(columns, dtype=np.int64)
    values = np.empty(offset[columns], dtype=np.int64)  # those that occur in the node, by column
    values_end = np.zeros(columns, dtype=np.int64)

    def stretch(column: int, begin: int, stop: int, level: float) -> float:
        """Sum |level - cumulated share of the table| over the values begin … stop."""
        first, lower, upper = offset[column], begin, stop
        while lower < upper:
            middle = (lower + upper) // 2
            if cumulated[first + middle] < level:
                lower = middle + 1
            else:
                upper = middle
        sums = first + column  # `before` has one number more than there are values
        below = level * (lower - begin) - (before[sums + lower] - before[sums + begin])
        above = (before[sums + stop] - before[sums + lower]) - level * (stop - lower)
        return below + above

    def side_holds(column: int, is_left: bool, size: int) -> bool:
        """Whether entropy and distance of one column hold on one side."""
        first, width = offset[column], offset[column + 1] - offset[column]
        logs, distance, level, previous = 0.0, 0.0, 0.0, 0
        for index in range(first, values_end[column] + 1):  # one more: from the last value to the end
            slot, count = first + width, 0
            if index < values_end[column]:
                slot = values[index]
                count = left_count[slot] if is_left else total[slot] - left_count[slot]
                if count == 0:
                    continue
                logs += count / size * math.log(count / size)
                if not ordered[column]:
                    distance += max(0.0, count / size - share[slot])
            if ordered[column]:
                distance += stretch(column, previous, slot - first, level)
                level += count / size
                previous = slot - first
        if ordered[column]:
            distance = distance / (width - 1) if width > 1 else 0.0
        return -logs >= entropy[column] - _TOLERANCE and distance <= max_t[column] + _TOLERANCE

    def holds(left: int, size: int) -> bool:
        """Whether both sides are within all limits."""
        for column in range(columns):
            if min(left_different[column], right_different[column]) < distinct[column]:
                return False
        for column in range(columns):
            if entropy[column] > 0 or max_t[column] < 1:
                for side in range(2):
                    if not side_holds(column, side == 0, left if side == 0 else size - left):
                        return False
        return True

    for node in range(len(start)):
        size = end[node] - start[node]
        if size < 2 * k:
            continue
        for column in range(columns):
            values_end[column] = offset[column]
        for place in range(start[node], end[node]):
            for column in range(columns):
                slot = offset[column] + counted[column, sorted_rows[0, place]]
                if total[slot] == 0:
                    values[values_end[column]] = slot
                    values_end[column] += 1
                total[slot] += 1
        for column in range(columns):
            if entropy[column] > 0 or max_t[column] < 1:
                values[offset[column] : values_end[column]].sort()
        for attribute in range(attributes):
            for column in range(columns):
                left_different[column] = 0
                right_different[column] = values_end[column] - offset[column]
                for index in range(offset[column], values_end[column]):
                    left_count[values[index]] = 0
            best = np.inf
            for left in range(1, size - k + 1):
                row = sorted_rows[attribute, start[node] + left - 1]
                for column in range(columns):
                    slot = offset[column] + counted[column, row]
                    left_count[slot] += 1
                    left_different[column] += left_count[slot] == 1
                    right_different[column] -= left_count[slot] == total[slot]
                found = score[attribute, start[node] + left] if left >= k else np.inf
                if found < best and holds(left, size):
                    best, cuts[node, attribute] = found, left
        for column in range(columns):
            for index in range(offset[column], values_end[column]):
                total[values[index]] = 0
    return cuts


def part_rows(sorted_rows: Ints, start: Ints, end: Ints, chosen: Ints, left: Ints) -> Bools:
    """Bring the rows of each node that is cut into the order of its two sides; return which rows go right."""
    attributes, rows = sorted_rows.shape
    right = np.zeros(rows, dtype=np.bool_)
    moved = np.empty(rows, dtype=np.int64)
    for node in range(len(start)):
        if chosen[node] < 0:
            continue
        for index in range(start[node] + left[node], end[node]):
            right[sorted_rows[chosen[node], index]] = True
        for attribute in range(attributes):
            kept, passed = start[node], 0
            for index in range(start[node], end[node]):
                row = sorted_rows[attribute, index]
                if right[row]:
                    moved[passed] = row
                    passed += 1
                else:
                    sorted_rows[attribute, kept] = row
                    kept += 1
            for index in range(passed):
                sorted_rows[attribute, kept + index] = moved[index]
    return right
