"""Match by the mean position."""

from __future__ import annotations

import numpy as np

from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.geometry import great_circle_km
from insanonym_core.mobility.guessing import Costs, guess_nearest, squared_chords
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.registry import attacks


@attacks.add(
    "mean_position", data="mobility", title="Nearest mean position", formula="haversine(mean, mean′)", order=2
)
def mean_position(known: Crowd, seen: Crowd) -> Guesses:
    """Guesses the pseudonym whose mean position in the week is nearest to the person's.

    Noise averages out over many rows, so independent noise hardly disturbs it.
    """
    squared = squared_chords(known.mean_position, seen.mean_position)
    return guess_nearest(known, seen, squared, squared=True)


def mean_position_costs(known: Crowd, seen: Crowd) -> Costs:
    """Great-circle distances between mean positions, in km."""
    squared = squared_chords(known.mean_position, seen.mean_position)

    def costs(people: Ints, candidates: Ints) -> Floats:
        return great_circle_km(np.sqrt(squared(people, candidates)))

    return costs
