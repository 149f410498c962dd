"""Multiset intersections of the values (times or gaps) of each person and candidate."""

from __future__ import annotations

import numpy as np

from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.runtime.compiled import compiled

# A value that so many candidates have is counted for all candidates at once, which is vectorised.
_MIN_DENSE_HOLDERS = 24
_MAX_DENSE = 255
_KNOWN, _SHARED = 1, 2  # a person has the value; a candidate too


@compiled
def _code_shared_values(
    is_known: Ints, seen_value: Ints, seen_ends: Ints, candidates: Ints
) -> tuple[Ints, Ints, Ints, int]:
    """Number the values that both sides have: the number of each, and number and column of each seen row.

    `is_known` holds _KNOWN for the values of the people, and becomes _SHARED for those of both sides. The
    numbers of other values are not set. Rows are in the order of their columns.
    """
    rows = 0
    for unit in candidates:
        rows += seen_ends[unit + 1] - seen_ends[unit]
    number_of = np.empty(len(is_known), dtype=np.int32)
    number, column_of = np.empty(rows, dtype=np.int32), np.empty(rows, dtype=np.int32)
    shared, entry = 0, 0
    for column in range(len(candidates)):
        unit = candidates[column]
        for row in range(seen_ends[unit], seen_ends[unit + 1]):
            value = seen_value[row]
            if is_known[value]:
                if is_known[value] == _KNOWN:
                    is_known[value], number_of[value] = _SHARED, shared
                    shared += 1
                number[entry], column_of[entry] = number_of[value], column
                entry += 1
    return number_of, number[:entry], column_of[:entry], shared


@compiled
def _list_holders(number: Ints, column: Ints, shared: int, counter: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """For each shared value, the columns that have it and how often: from `first` to `last`."""
    first = np.zeros(shared + 1, dtype=np.int32)
    for value in number:
        first[value + 1] += 1
    for value in range(shared):
        first[value + 1] += first[value]
    last = first[:-1].copy()
    holder, times = np.empty(len(number), dtype=np.int32), np.empty(len(number), dtype=counter.dtype)
    for entry in range(len(number)):
        value = number[entry]
        end = last[value]
        if end > first[value] and holder[end - 1] == column[entry]:
            times[end - 1] += 1
        else:
            holder[end], times[end] = column[entry], 1
            last[value] = end + 1
    return first, last, holder, times


@compiled
def _fill_dense_rows(first: Ints, last: Ints, holder: Ints, times: Ints, columns: int) -> tuple[Ints, Ints]:
    """The row of each value that many candidates have (-1: few), and how often each candidate has it."""
    row_of, rows = np.full(len(last), -1, dtype=np.int32), 0
    for value in range(len(last)):
        most = 0
        for entry in range(first[value], last[value]):
            most = max(most, times[entry])
        if last[value] - first[value] >= _MIN_DENSE_HOLDERS and most <= _MAX_DENSE:
            row_of[value] = rows
            rows += 1
    dense = np.zeros((rows, columns), dtype=np.uint8)
    for value in range(len(last)):
        if row_of[value] >= 0:
            for entry in range(first[value], last[value]):
                dense[row_of[value], holder[entry]] = times[entry]
    return row_of, dense


@compiled
def _add_smaller(common: Ints, dense: Ints, row: int, own_times: int) -> None:
    """Add min(times, own_times) of all candidates to `common`."""
    at_most = np.uint8(min(own_times, _MAX_DENSE))
    for column in range(len(common)):
        common[column] += min(dense[row, column], at_most)


@compiled
def values_in_common(
    value: Ints,
    ends: Ints,
    people: Ints,
    seen_value: Ints,
    seen_ends: Ints,
    candidates: Ints,
    size: int,
    counter: Ints,
) -> Floats:
    """Size of the multiset intersection of the values (below `size`) of each person and candidate.

    `counter` is an empty array of integers that can hold the number of values of any unit.
    """
    is_known, longest = np.zeros(size, dtype=np.uint8), 0
    for unit in people:
        longest = max(longest, ends[unit + 1] - ends[unit])
        for row in range(ends[unit], ends[unit + 1]):
            is_known[value[row]] = _KNOWN
    number_of, number, column, shared = _code_shared_values(is_known, seen_value, seen_ends, candidates)
    first, last, holder, times = _list_holders(number, column, shared, counter)
    dense_row, dense = _fill_dense_rows(first, last, holder, times, len(candidates))
    table = np.empty((len(people), len(candidates)))
    common, own_times = np.empty(len(candidates), dtype=counter.dtype), np.zeros(shared, dtype=counter.dtype)
    own = np.empty(longest + 1, dtype=np.int32)
    for place in range(len(people)):
        different = 0
        for row in range(ends[people[place]], ends[people[place] + 1]):
            if is_known[value[row]] == _SHARED:
                item = number_of[value[row]]
                own[different] = item
                different += own_times[item] == 0
                own_times[item] += 1
        common[:] = 0
        for kind in range(different):
            item = own[kind]
            if dense_row[item] >= 0:
                _add_smaller(common, dense, dense_row[item], own_times[item])
            else:
                for entry in range(first[item], last[item]):
                    common[holder[entry]] += min(times[entry], own_times[item])
            own_times[item] = 0
        for candidate in range(len(candidates)):
            table[place, candidate] = common[candidate]
    return table
