"""People are told by the middle of the places they go to."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.geometry import along_surface
from insanonym_core.mobility.guessing import Costs, guess_nearest, squared_ways
from insanonym_core.registry import attacks


@attacks.add(
    "mean_position", data="mobility", title="Nearest mean position", formula="haversine(mean, mean′)", order=2
)
def mean_position(known: Crowd, seen: Crowd) -> Guesses:
    """Guesses the pseudonym whose mean position in the week is nearest to the person's.

    Noise averages out over many rows, so independent noise hardly disturbs it.
    """
    ways = squared_ways(known.mean_position, seen.mean_position)
    return guess_nearest(known, seen, ways, squared=True)


def mean_position_costs(known: Crowd, seen: Crowd) -> Costs:
    """Kilometres along the surface between mean positions."""
    squared = squared_ways(known.mean_position, seen.mean_position)

    def costs(people: Ints, candidates: Ints) -> Floats:
        return along_surface(np.sqrt(squared(people, candidates)))

    return costs
