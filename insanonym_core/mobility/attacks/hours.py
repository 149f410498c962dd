"""Match by the number of records in each hour of the week."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import Costs
from insanonym_core.mobility.matching import cached_costs, guess_one_to_one
from insanonym_core.mobility.track import HOURS_IN_WEEK
from insanonym_core.registry import attacks


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
    ours, theirs = _profiles(known), _profiles(seen)

    def costs(people: Ints, candidates: Ints) -> Floats:
        return 1 - ours[people] @ theirs[candidates].T

    return cached_costs("hours", known, seen, costs)


def _profiles(crowd: Crowd) -> Floats:
    """Records in each hour, smoothed by (¼, ½, ¼) inside the week, scaled to length 1."""

    def compute() -> Floats:
        hourly = crowd.hourly()
        counts = np.zeros((len(crowd), HOURS_IN_WEEK + 2))
        counts[hourly.unit, hourly.hour + 1] = hourly.rows
        smooth: Floats = counts[:, :-2] / 4 + counts[:, 1:-1] / 2 + counts[:, 2:] / 4
        smooth /= np.linalg.norm(smooth, axis=1, keepdims=True)
        return smooth

    return crowd.derive("hour profiles", compute)
