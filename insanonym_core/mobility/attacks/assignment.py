"""The heat maps again, but everybody gets a pseudonym of their own: one-to-one, cheapest in all."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Ints
from insanonym_core.mobility.attacks.heatmap import topsoe_costs
from insanonym_core.mobility.cells import Decimals
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import Chosen, guess_by_week
from insanonym_core.mobility.track import DELETED
from insanonym_core.registry import attacks


@attacks.add(
    "assignment", data="mobility", title="One-to-one matching", formula="min Σ Topsøe over matchings", order=7
)
def assignment(known: Crowd, seen: Crowd, *, decimals: Decimals = 2) -> Guesses:
    """Matches people and pseudonyms of a week one-to-one by their heat maps; the unmatched are DEL."""
    from scipy.optimize import linear_sum_assignment

    costs = topsoe_costs(known, seen, decimals)

    def choose(people: Ints, candidates: Ints) -> list[Chosen]:
        # In whole billionths: costs that are equal but for the last bits tie in the same way everywhere.
        rows, columns = linear_sum_assignment(np.rint(costs(people, candidates) * 1e9))
        unit = np.full(len(people), DELETED, dtype=np.int64)
        unit[rows] = candidates[columns]
        return [Chosen(np.arange(len(people)), np.ones(len(people), dtype=np.int64), unit)]

    return guess_by_week(known, seen, choose)
