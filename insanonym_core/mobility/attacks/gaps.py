"""Match by the times between successive records, which a shift of all times does not change."""

from __future__ import annotations

import numpy as np

from insanonym_core.mobility.attacks.join import Values, count_common_values
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import Costs
from insanonym_core.mobility.matching import cached_costs, guess_one_to_one
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.registry import attacks


@attacks.add(
    "gaps",
    data="mobility",
    title="Same gaps between records",
    formula="− Σ min / (1 + Σ max) over equal gaps",
    order=12,
)
def gaps(known: Crowd, seen: Crowd) -> Guesses:
    """Matches people and pseudonyms of a week one-to-one by the times between their successive records."""
    return guess_one_to_one(known, seen, gaps_costs(known, seen))


def gaps_costs(known: Crowd, seen: Crowd) -> Costs:
    """Minus the Jaccard index of the gaps, as multisets, with 1 added to the union."""
    ours, theirs = _gaps(known), _gaps(seen)

    def costs(people: Ints, candidates: Ints) -> Floats:
        common = count_common_values(ours, theirs, people, candidates)
        # Of two multisets, Σ max = all − Σ min; a unit has one gap less than rows.
        union = 1 + (known.rows[people] - 1.0)[:, None] + (seen.rows[candidates] - 1.0)
        union -= common
        common /= union
        return np.negative(common, out=common)

    return cached_costs("gaps", known, seen, costs)


def _gaps(crowd: Crowd) -> Values:
    return Values.from_times(crowd.derive("gaps", lambda: crowd.times().gaps()), len(crowd))
