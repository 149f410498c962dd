"""Match by the number of visited cells, then by the most visited cell."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.grouping import largest_of_runs, rows_and_columns
from insanonym_core.mobility.cells import Decimals
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import cartesian_km, guess_nearest
from insanonym_core.registry import attacks


@attacks.add(
    "coverage",
    data="mobility",
    title="Cells visited",
    formula="|cells − cells′|, then haversine between the most visited cells",
    order=4,
)
def coverage(known: Crowd, seen: Crowd, *, decimals: Decimals = 2) -> Guesses:
    """Guesses the pseudonym that visits as many cells, and whose most visited cell is nearest."""
    number, *top = _profile(known, decimals)
    seen_number, *seen_top = _profile(seen, decimals)
    places, seen_places = cartesian_km(top), cartesian_km(seen_top)

    def costs(people: Ints, candidates: Ints) -> Floats:
        difference = np.abs(number[people][:, None] - seen_number[candidates][None, :])
        # The number decides; the distance ranks only the candidates closest in number.
        person, candidate = rows_and_columns(difference == difference.min(axis=1, keepdims=True))
        chord = places[people[person]] - seen_places[candidates[candidate]]
        table = np.full(difference.shape, np.inf)
        table[person, candidate] = np.einsum("ij,ij->i", chord, chord)
        return table

    return guess_nearest(known, seen, costs, squared=True)


def _profile(crowd: Crowd, decimals: int) -> tuple[Ints, Floats, Floats]:
    """Distinct cells of each unit and the centre of its most visited one (ties: smaller cell index)."""
    visits, cells = crowd.visits(decimals), crowd.cells(decimals)
    top = visits.item[largest_of_runs(visits.count, visits.group)]
    latitude, longitude = cells.centres()
    number = np.bincount(visits.group, minlength=len(crowd)).astype(np.int32)  # half as much to compare
    return number, latitude[top], longitude[top]
