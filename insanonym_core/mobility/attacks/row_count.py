"""Match by the logarithm of the number of rows, which deleting a share of all rows hardly changes."""

from __future__ import annotations

import numpy as np

from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import Costs
from insanonym_core.mobility.matching import cached_costs, guess_one_to_one
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.registry import attacks


@attacks.add(
    "row_count", data="mobility", title="Similar number of rows", formula="|ln rows − ln rows′|", order=9
)
def row_count(known: Crowd, seen: Crowd) -> Guesses:
    """Matches people and pseudonyms of a week one-to-one by the logarithm of their numbers of rows."""
    return guess_one_to_one(known, seen, row_count_costs(known, seen))


def row_count_costs(known: Crowd, seen: Crowd) -> Costs:
    """Absolute differences of the logarithms of the numbers of rows."""
    ours, theirs = np.log(known.rows), np.log(seen.rows)

    def costs(people: Ints, candidates: Ints) -> Floats:
        return np.abs(ours[people][:, None] - theirs[candidates][None, :])

    return cached_costs("row_count", known, seen, costs)
