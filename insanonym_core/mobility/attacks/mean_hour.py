"""Match by the circular mean time of day."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import guess_nearest
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

    def costs(people: Ints, candidates: Ints) -> Floats:
        ours, theirs = hours[people], seen_hours[candidates]
        difference = np.abs(ours[:, None] - theirs[None, :])
        np.minimum(difference, 24 - difference, out=difference)
        difference[np.isnan(ours)] = np.inf
        difference[:, np.isnan(theirs)] = np.inf
        return difference

    return guess_nearest(known, seen, costs)
