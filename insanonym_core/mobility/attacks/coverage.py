"""People are told by how many cells they visit, then by the cell they visit most."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.grouping import starts_of_runs
from insanonym_core.mobility.cells import Decimals
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd, guess_nearest
from insanonym_core.mobility.geometry import haversine_km
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
    number, latitude, longitude = _profile(known, decimals)
    seen_number, seen_latitude, seen_longitude = _profile(seen, decimals)

    def costs(people: Ints, candidates: Ints) -> Floats:
        apart = np.abs(number[people][:, None] - seen_number[candidates][None, :])
        distance = haversine_km(
            latitude[people][:, None],
            longitude[people][:, None],
            seen_latitude[candidates][None, :],
            seen_longitude[candidates][None, :],
        )
        # The number decides; the distance only ranks those that come closest in number.
        return np.where(apart == apart.min(axis=1, keepdims=True), distance, np.inf)

    return guess_nearest(known, seen, costs)


def _profile(crowd: Crowd, decimals: int) -> tuple[Ints, Floats, Floats]:
    """Distinct cells of each unit and the centre of its most visited one (ties: smaller cell index)."""
    visits, cells = crowd.visits(decimals), crowd.cells(decimals)
    order = np.lexsort((visits.item, -visits.count, visits.group))
    top = visits.item[order[starts_of_runs(visits.group[order])]]
    latitude, longitude = cells.centres()
    return np.bincount(visits.group, minlength=len(crowd)), latitude[top], longitude[top]
