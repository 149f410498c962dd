"""Match by the number of visited cells, then by the most visited cell."""

from __future__ import annotations

import numpy as np

from insanonym_core.mobility.cells import Decimals
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import cartesian_km, guess_where, squared_limit
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import expanded, largest_of_runs, starts_of_runs
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

    def is_guessed(people: Ints, candidates: Ints) -> Bools:
        # The number decides; the distance ranks only the candidates closest in number.
        person, candidate = _closest_in_number(number[people], seen_number[candidates])
        chord = places[:, people[person]] - seen_places[:, candidates[candidate]]
        squared = np.einsum("ij,ij->j", chord, chord)
        lowest = np.minimum.reduceat(squared, starts_of_runs(person))
        nearest = squared <= squared_limit(lowest)[person]
        table = np.zeros((len(people), len(candidates)), dtype=bool)
        table[person[nearest], candidate[nearest]] = True
        return table

    return guess_where(known, seen, is_guessed)


def _closest_in_number(numbers: Ints, seen_numbers: Ints) -> tuple[Ints, Ints]:
    """All pairs of a person and a candidate closest to them in number; each person has some, in order."""
    order = np.argsort(seen_numbers, kind="stable")
    ordered = seen_numbers[order]
    after = np.searchsorted(ordered, numbers)
    below, above = ordered[np.maximum(after - 1, 0)], ordered[np.minimum(after, len(ordered) - 1)]
    difference = np.minimum(np.abs(numbers - below), np.abs(above - numbers))
    # Two stretches of candidates for each person, below and above; they are the same at equal numbers.
    wanted = np.stack([numbers - difference, numbers + difference], axis=1)
    low, high = np.searchsorted(ordered, wanted, "left"), np.searchsorted(ordered, wanted, "right")
    high[:, 1] = np.where(difference == 0, low[:, 1], high[:, 1])
    stretch, candidate = expanded(low.ravel(), high.ravel(), order)
    return stretch // 2, candidate


def _profile(crowd: Crowd, decimals: int) -> tuple[Ints, Floats, Floats]:
    """Distinct cells of each unit and the centre of its most visited one (ties: smaller cell index)."""
    visits, cells = crowd.visits(decimals), crowd.cells(decimals)
    top = visits.item[largest_of_runs(visits.count, visits.group)]
    latitude, longitude = cells.centres()
    number = np.bincount(visits.group, minlength=len(crowd)).astype(np.int32)  # half as much to compare
    return number, latitude[top], longitude[top]
