"""Match by the mean position in each hour of the week."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.grouping import ends_of_groups, rows_of_groups, stable_order
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.compiled import run_compiled_or
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.geometry import great_circle_km
from insanonym_core.mobility.guessing import Costs, cartesian_km
from insanonym_core.mobility.matching import cached_costs, guess_one_to_one
from insanonym_core.mobility.track import HOURS_IN_WEEK
from insanonym_core.registry import attacks


@attacks.add(
    "path",
    data="mobility",
    title="Same place at the same hour",
    formula="− Σ min(1, 1/km) over common hours / hours",
    order=13,
)
def path(known: Crowd, seen: Crowd) -> Guesses:
    """Matches people and pseudonyms of a week one-to-one by how near they are to each other hour by hour."""
    return guess_one_to_one(known, seen, path_costs(known, seen))


def path_costs(known: Crowd, seen: Crowd) -> Costs:
    """Minus the mean nearness (min(1, 1/km)) over the person's hours; hours without the candidate count 0."""
    ours, theirs = known.hourly(), seen.hourly()
    places, seen_places = (cartesian_km(side.mean_position()) for side in (ours, theirs))
    ends, seen_ends = ends_of_groups(ours.unit, len(known)), ends_of_groups(theirs.unit, len(seen))

    def costs(people: Ints, candidates: Ints) -> Floats:
        shape = len(people), len(candidates)
        mine = _Entries.from_hours(*_by_hour(ends, people, ours.hour), ours.hour, places)
        yours = _Entries.from_hours(*_by_hour(seen_ends, candidates, theirs.hour), theirs.hour, seen_places)

        def compiled(kernels: Any) -> Floats | None:
            if kernels.bounding_box_diagonal(mine.place, yours.place) > kernels.MAX_SERIES_KM:
                return None
            table: Floats = kernels.nearness(shape, *mine, *yours)
            return table

        near = run_compiled_or(lambda: _nearness(mine, yours, shape), compiled, len(people) * len(candidates))
        return -near / np.diff(ends)[people][:, None]

    return cached_costs("path", known, seen, costs)


class _Entries(NamedTuple):
    """Positions of units in each hour, sorted by hour; `unit` is an index into the units of the week."""

    unit: Ints
    place: Floats
    ends: Ints

    @classmethod
    def from_hours(cls, entry: Ints, unit: Ints, hour: Ints, places: Floats) -> _Entries:
        """Select entries, which are sorted by hour."""
        return cls(unit, places[entry], ends_of_groups(hour[entry], HOURS_IN_WEEK))


def _nearness(mine: _Entries, yours: _Entries, shape: tuple[int, int]) -> Floats:
    """Σ min(1, 1/km) over the common hours, for each person and pseudonym."""
    from scipy.spatial.distance import cdist

    near = np.zeros(shape)
    for hour in range(HOURS_IN_WEEK):
        here, there = (slice(*side.ends[hour : hour + 2]) for side in (mine, yours))
        straight = cdist(mine.place[here], yours.place[there])
        # A unit has at most one entry per hour, so no pair occurs twice.
        near[np.ix_(mine.unit[here], yours.unit[there])] += 1 / np.maximum(great_circle_km(straight), 1)
    return near


def _by_hour(ends: Ints, units: Ints, hour: Ints) -> tuple[Ints, Ints]:
    """Entries of the given units sorted by hour, and the index of the unit of each."""
    entry, place = rows_of_groups(ends, units)
    order = stable_order(hour[entry], HOURS_IN_WEEK)
    return entry[order], place[order]
