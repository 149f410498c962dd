"""People are told by the time of day at which they are seen."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd, guess_nearest
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

    def costs(people: Ints, candidates: Ints) -> Floats:
        apart = np.abs(known.mean_hour[people][:, None] - seen.mean_hour[candidates][None, :])
        return np.nan_to_num(np.minimum(apart, 24 - apart), nan=np.inf)

    return guess_nearest(known, seen, costs)
