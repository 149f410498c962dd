"""Match by equal published times: a join on time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import Costs
from insanonym_core.mobility.matching import cached_costs, guess_one_to_one
from insanonym_core.mobility.moments import Times
from insanonym_core.mobility.overlap import ItemCounts, shared_counts
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import (
    ends_of_groups,
    joint_codes,
    lengths_of_runs,
    rows_of_groups,
    starts_of_runs,
)
from insanonym_core.registry import attacks
from insanonym_core.runtime.compiled import run_compiled_or


@attacks.add(
    "join",
    data="mobility",
    title="Same published times",
    formula="− records with the same time / max(rows, rows′)",
    order=11,
)
def join(known: Crowd, seen: Crowd) -> Guesses:
    """Matches people and pseudonyms of a week one-to-one by the records that have the same published time.

    Whoever shares no time with any pseudonym gives no guess.
    """

    def shares_nothing(table: Floats) -> Bools:
        return (table == 0).all(axis=1)

    return guess_one_to_one(known, seen, join_costs(known, seen), shares_nothing)


def join_costs(known: Crowd, seen: Crowd) -> Costs:
    """Minus the share of records whose time occurs on both sides."""
    ours, theirs = Values.from_times(known.times(), len(known)), Values.from_times(seen.times(), len(seen))

    def costs(people: Ints, candidates: Ints) -> Floats:
        common = count_common_values(ours, theirs, people, candidates)
        rows, seen_rows = known.rows[people].astype(np.float64), seen.rows[candidates].astype(np.float64)
        common /= np.maximum(rows[:, None], seen_rows)
        return np.negative(common, out=common)

    return cached_costs("join", known, seen, costs)


@dataclass(frozen=True, eq=False)
class Values:
    """Integers (times or gaps) of all units, concatenated; unit i has value[ends[i]:ends[i + 1]]."""

    value: Ints
    ends: Ints
    resolution: int

    @classmethod
    def from_times(cls, times: Times, units: int) -> Values:
        """Values of times, or of gaps between them."""
        return cls(times.time, ends_of_groups(times.unit, units), times.resolution)

    @cached_property
    def largest(self) -> int:
        """Largest value of all."""
        return int(self.value.max(initial=0))

    @cached_property
    def max_size(self) -> int:
        """Largest number of values of a unit."""
        return int(np.diff(self.ends).max(initial=0))

    def select(self, units: Ints, resolution: int) -> tuple[Ints, Ints]:
        """Index of the unit, and value at the given resolution, of all values of the given units."""
        row, place = rows_of_groups(self.ends, units)
        return place, self.value[row] * (resolution // self.resolution)


def count_common_values(ours: Values, theirs: Values, people: Ints, candidates: Ints) -> Floats:
    """Size of the multiset intersection of the values of known and seen units."""

    def compiled() -> Floats | None:
        from insanonym_core.mobility.kernels.common_values import values_in_common

        size = 1 + max(ours.largest, theirs.largest)
        if ours.resolution != theirs.resolution or size > _MAX_TABLE_SIZE:
            return None
        few = max(ours.max_size, theirs.max_size) <= np.iinfo(np.uint16).max
        counter: Ints = np.empty(0, dtype=np.uint16 if few else np.int32)
        return values_in_common(
            ours.value, ours.ends, people, theirs.value, theirs.ends, candidates, size, counter
        )

    return run_compiled_or(
        lambda: _count_common_values(ours, theirs, people, candidates),
        compiled,
        len(people) * len(candidates),
    )


def _count_common_values(ours: Values, theirs: Values, people: Ints, candidates: Ints) -> Floats:
    resolution = max(ours.resolution, theirs.resolution)
    sides = [side.select(units, resolution) for side, units in ((ours, people), (theirs, candidates))]
    (place, value), (seen_place, seen_value) = _drop_unmatched(*sides)
    item, seen_item, items = joint_codes((value,), (seen_value,))
    shape = len(people), len(candidates)
    return shared_counts(
        _count_items(place, item, items), _count_items(seen_place, seen_item, items), shape, items
    )


_Side = tuple[Ints, Ints]
_MAX_TABLE_SIZE = 2**20  # distinct values


def _drop_unmatched(ours: _Side, theirs: _Side) -> tuple[_Side, _Side]:
    """Drop values that only one side has, if all are small enough for a table (whole seconds of a week)."""
    if max(int(value.max(initial=0)) for _, value in (ours, theirs)) >= _MAX_TABLE_SIZE:
        return ours, theirs
    present = [np.zeros(_MAX_TABLE_SIZE, dtype=bool) for _ in range(2)]
    for table, (_, value) in zip(present, (ours, theirs), strict=True):
        table[value] = True
    both = present[0] & present[1]
    chosen = [np.flatnonzero(both[value]) for _, value in (ours, theirs)]
    first, second = (
        (place[rows], value[rows]) for (place, value), rows in zip((ours, theirs), chosen, strict=True)
    )
    return first, second


def _count_items(place: Ints, item: Ints, items: int) -> ItemCounts:
    """How often each unit has each item."""
    key = np.sort(place * np.int64(items) + item)
    starts = starts_of_runs(key)
    return ItemCounts(key[starts] // items, key[starts] % items, lengths_of_runs(starts, len(item)))
