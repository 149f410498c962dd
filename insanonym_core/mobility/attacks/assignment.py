"""Match by heat maps, one-to-one at the lowest total cost."""

from __future__ import annotations

from insanonym_core.mobility.attacks.heatmap import topsoe_costs
from insanonym_core.mobility.cells import Decimals
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.matching import guess_one_to_one
from insanonym_core.registry import attacks


@attacks.add(
    "assignment", data="mobility", title="One-to-one matching", formula="min Σ Topsøe over matchings", order=7
)
def assignment(known: Crowd, seen: Crowd, *, decimals: Decimals = 2) -> Guesses:
    """Matches people and pseudonyms of a week one-to-one by their heat maps; the unmatched are DEL."""
    return guess_one_to_one(known, seen, topsoe_costs(known, seen, decimals))
