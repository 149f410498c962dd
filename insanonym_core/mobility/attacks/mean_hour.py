"""Match by the circular mean time of day."""

from __future__ import annotations

import numpy as np

from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import SAME_COST, guess_where
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import expanded
from insanonym_core.registry import attacks


@attacks.add(
    "mean_hour",
    data="mobility",
    title="Nearest mean time of day",
    formula="|h̄ − h̄′| around the clock",
    order=3,
)
def mean_hour(known: Crowd, seen: Crowd) -> Guesses:
    """Guesses the pseudonym whose circular mean time of day is nearest; an undefined mean gives no guess."""
    hours, seen_hours = known.mean_hour, seen.mean_hour

    def is_guessed(people: Ints, candidates: Ints) -> Bools:
        asking = np.flatnonzero(~np.isnan(hours[people]))
        asked = np.flatnonzero(~np.isnan(seen_hours[candidates]))
        table = np.zeros((len(people), len(candidates)), dtype=bool)
        if len(asking) and len(asked):
            person, candidate = _nearest_on_the_clock(hours[people[asking]], seen_hours[candidates[asked]])
            table[asking[person], asked[candidate]] = True
        return table

    return guess_where(known, seen, is_guessed)


def _nearest_on_the_clock(hours: Floats, seen_hours: Floats) -> tuple[Ints, Ints]:
    """All pairs of a person and a candidate at the shortest distance, up to SAME_COST."""
    order = np.argsort(seen_hours)
    ordered = seen_hours[order]
    after = np.searchsorted(ordered, hours)
    # The nearest is one of two neighbours, or across midnight the first or the last.
    neighbours = np.stack([after - 1, after, np.zeros_like(after), np.full_like(after, -1)])
    neighbours[:2] = neighbours[:2].clip(0, len(ordered) - 1)
    limit = _clock_distance(hours, ordered[neighbours]).min(axis=0) + SAME_COST
    # Candidates a little further than that on three turns of the clock; then exactly.
    turns = np.concatenate([ordered - 24, ordered, ordered + 24])
    reach = limit + SAME_COST
    person, place = expanded(
        np.searchsorted(turns, hours - reach),
        np.searchsorted(turns, hours + reach, "right"),
        np.tile(order, 3),
    )
    near = _clock_distance(hours[person], seen_hours[place]) <= limit[person]
    return person[near], place[near]


def _clock_distance(hours: Floats, others: Floats) -> Floats:
    """Distance in hours around the clock."""
    difference = np.abs(hours - others)
    return np.minimum(difference, 24 - difference)
