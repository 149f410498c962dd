"""Match by the mean position in each hour of the week."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.geometry import great_circle_km
from insanonym_core.mobility.guessing import Costs, cartesian_km
from insanonym_core.mobility.matching import cached_costs, guess_one_to_one
from insanonym_core.mobility.track import HOURS_IN_WEEK
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import ends_of_groups, stable_order
from insanonym_core.registry import attacks
from insanonym_core.runtime.compiled import run_compiled_or


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
    ours, theirs = _PositionsByWeek.of(known), _PositionsByWeek.of(seen)
    hours = np.bincount(ours.positions.unit, minlength=len(known))

    def costs(people: Ints, candidates: Ints) -> Floats:
        shape = len(people), len(candidates)
        mine, yours = ours.of_units(known, people), theirs.of_units(seen, candidates)

        def compiled() -> Floats | None:
            from insanonym_core.mobility.kernels import nearness as kernel

            if _bounding_box_diagonal(mine.place, yours.place) > kernel.MAX_SERIES_KM:
                return None
            return kernel.nearness(shape, *mine, *yours)

        near = run_compiled_or(lambda: _nearness(mine, yours, shape), compiled, len(people) * len(candidates))
        near /= -hours[people][:, None]
        return near

    return cached_costs("path", known, seen, costs)


class _Positions(NamedTuple):
    """Mean positions of units in each hour of a week, sorted by hour; rows of `place` are x, y, z in km.

    Hour i has the entries from ends[i] to ends[i + 1].
    """

    unit: Ints
    place: Floats
    ends: Ints


class _PositionsByWeek(NamedTuple):
    """Positions of all units of a crowd; the hours of the i-th week begin with 168 · i."""

    weeks: Ints
    positions: _Positions

    @classmethod
    def of(cls, crowd: Crowd) -> _PositionsByWeek:
        """Positions of a crowd (cached)."""

        def compute() -> _PositionsByWeek:
            hourly = crowd.hourly()
            weeks, week = np.unique(crowd.week, return_inverse=True)
            hours = len(weeks) * HOURS_IN_WEEK
            hour = week[hourly.unit] * HOURS_IN_WEEK + hourly.hour
            order = stable_order(hour, hours)
            place = cartesian_km([side[order] for side in hourly.mean_position()])
            return cls(weeks, _Positions(hourly.unit[order], place, ends_of_groups(hour, hours)))

        return crowd.derive("positions by hour", compute)

    def of_units(self, crowd: Crowd, units: Ints) -> _Positions:
        """Positions of some units of one week; `unit` becomes an index into these."""
        every = self.positions
        first = HOURS_IN_WEEK * np.searchsorted(self.weeks, crowd.week[units[:1]]).sum()
        ends = every.ends[first : first + HOURS_IN_WEEK + 1]
        index = np.full(len(crowd), -1)
        index[units] = np.arange(len(units))
        unit = index[every.unit[ends[0] : ends[-1]]]
        kept = np.flatnonzero(unit >= 0)
        place = every.place.take(kept + ends[0], axis=1)
        return _Positions(unit[kept], place, np.searchsorted(kept, ends - ends[0]))


def _bounding_box_diagonal(here: Floats, there: Floats) -> float:
    """Diagonal of the bounding box of two sets of places; 0 if one is empty."""
    if not (here.size and there.size):
        return 0.0
    low = np.minimum(here.min(axis=1), there.min(axis=1))
    return float(np.linalg.norm(np.maximum(here.max(axis=1), there.max(axis=1)) - low))


def _nearness(mine: _Positions, yours: _Positions, shape: tuple[int, int]) -> Floats:
    """Σ min(1, 1/km) over the common hours, for each person and pseudonym."""
    from scipy.spatial.distance import cdist

    near = np.zeros(shape)
    (our_ends, our_places), (their_ends, their_places) = (
        (side.ends.tolist(), np.ascontiguousarray(side.place.T)) for side in (mine, yours)
    )
    for hour in range(HOURS_IN_WEEK):
        here, there = slice(*our_ends[hour : hour + 2]), slice(*their_ends[hour : hour + 2])
        if here.start == here.stop or there.start == there.stop:
            continue
        straight = cdist(our_places[here], their_places[there])
        # A unit has at most one entry per hour, so no pair occurs twice.
        near[mine.unit[here, None], yours.unit[there]] += 1 / np.maximum(great_circle_km(straight), 1)
    return near
