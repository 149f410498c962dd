"""Match by the number of records in each hour of the week."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import Costs
from insanonym_core.mobility.matching import cached_costs, guess_one_to_one
from insanonym_core.mobility.track import HOURS_IN_WEEK
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.registry import attacks

_MAX_SMALL_FLOAT = 2**24  # integers up to here are exact as floats of 32 bits


@attacks.add(
    "hours",
    data="mobility",
    title="Same hours of the week",
    formula="1 − cosine of records in 168 hours, smoothed",
    order=10,
)
def hours(known: Crowd, seen: Crowd) -> Guesses:
    """Matches people and pseudonyms of a week one-to-one by how many records they have in each of its hours.

    Each hour gives a quarter to its neighbours, so that moving times by less than an hour hides little.
    """
    return guess_one_to_one(known, seen, hours_costs(known, seen))


def hours_costs(known: Crowd, seen: Crowd) -> Costs:
    """1 − cosine between the histograms over the hours of a week."""
    ours, theirs = _Profiles.of(known), _Profiles.of(seen)

    def costs(people: Ints, candidates: Ints) -> Floats:
        mine, yours = ours.take(people), theirs.take(candidates)
        # Products of counts are integers: as long as none is larger, small floats are exact, and faster.
        exact = mine.length.max(initial=0) * yours.length.max(initial=0) < _MAX_SMALL_FLOAT
        kind: type[np.floating[Any]] = np.float32 if exact else np.float64
        product = mine.counts.astype(kind, copy=False) @ yours.counts.astype(kind, copy=False).T
        cosine = np.divide(product, mine.length[:, None], dtype=np.float64)
        cosine /= yours.length
        return np.subtract(1, cosine, out=cosine)

    return cached_costs("hours", known, seen, costs)


class _Profiles(NamedTuple):
    """Records of each unit in each hour, smoothed by (1, 2, 1) inside the week; their Euclidean length."""

    counts: Floats
    length: Floats

    @classmethod
    def of(cls, crowd: Crowd) -> _Profiles:
        """Profiles of a crowd (cached)."""

        def compute() -> _Profiles:
            hourly = crowd.hourly()
            kind = np.float32 if 4 * hourly.rows.max(initial=0) < _MAX_SMALL_FLOAT else np.float64
            counts = np.zeros((len(crowd), HOURS_IN_WEEK + 2), dtype=kind)
            counts[hourly.unit, hourly.hour + 1] = hourly.rows
            smooth = counts[:, :-2] + counts[:, 2:]
            smooth += counts[:, 1:-1]
            smooth += counts[:, 1:-1]
            return cls(smooth, np.sqrt(np.einsum("ij,ij->i", smooth, smooth, dtype=np.float64)))

        return crowd.derive("hour profiles", compute)

    def take(self, units: Ints) -> _Profiles:
        """Select units."""
        return _Profiles(self.counts[units], self.length[units])
