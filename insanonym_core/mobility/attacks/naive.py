"""Match by the exact number of rows: the attack of the first competition."""

from __future__ import annotations

import numpy as np

from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import guess_most_similar
from insanonym_core.numeric.arrays import Ints
from insanonym_core.registry import attacks


@attacks.add("naive", data="mobility", title="Equal number of rows", formula="rows = rows′", order=1)
def naive(known: Crowd, seen: Crowd) -> Guesses:
    """Guesses the pseudonyms with exactly as many rows in the week as the person; none equal, no guess.

    Deleting a few rows of each person defeats it.
    """
    rows, seen_rows = known.rows.astype(np.int32), seen.rows.astype(np.int32)

    def similarities(people: Ints, candidates: Ints) -> Ints:
        return (rows[people][:, None] == seen_rows[candidates][None, :]).view(np.int8)

    return guess_most_similar(known, seen, similarities)
