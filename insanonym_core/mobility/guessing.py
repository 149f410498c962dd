"""From descriptions to guesses: week by week, which pseudonyms a person may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from insanonym_core.arrays import Bools, Floats, Ints
from insanonym_core.grouping import rows_and_columns
from insanonym_core.mobility.competition import CodedGuesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.geometry import EARTH_RADIUS_KM, unit_vectors
from insanonym_core.mobility.track import DELETED

SAME_COST = 1e-9
_MAX_TABLE_SIZE = 4_000_000
_LONG_LISTS = 16  # guesses a person from which on it pays to look for people with equal lists


class GuessLists(NamedTuple):
    """Lists of seen units one after the other (DELETED: nobody), their sizes, and the list of each person."""

    which: Ints
    size: Ints
    unit: Ints


Costs = Callable[[Ints, Ints], Floats]
"""Known units and seen units of one week → a cost for each pair; inf where nothing can be said."""


Similarities = Callable[[Ints, Ints], Ints]
"""Known units and seen units of one week → what each pair has in common, as small whole numbers."""


def guess_nearest(known: Crowd, seen: Crowd, costs: Costs, *, squared: bool = False) -> CodedGuesses:
    """For each known unit every pseudonym of its week whose cost is the smallest; none if all are inf.

    `squared` says that the costs are squares of what is meant: they rank alike, and need no root each.
    """

    def near(people: Ints, candidates: Ints) -> Bools:
        table = costs(people, candidates)
        lowest = table.min(axis=1)
        largest = (np.sqrt(lowest) + SAME_COST) ** 2 if squared else lowest + SAME_COST
        largest[np.isinf(lowest)] = -np.inf
        return table <= largest[:, None]

    return _guess(known, seen, near)


def guess_most_similar(known: Crowd, seen: Crowd, similarities: Similarities) -> CodedGuesses:
    """For each known unit every pseudonym of its week that has most in common; none if all have nothing."""

    def near(people: Ints, candidates: Ints) -> Bools:
        table = similarities(people, candidates)
        most = table.max(axis=1)
        return table == np.maximum(most, most.dtype.type(1))[:, None]

    return _guess(known, seen, near)


def _guess(known: Crowd, seen: Crowd, near: Callable[[Ints, Ints], Bools]) -> CodedGuesses:
    """All those that are near."""

    def choose(people: Ints, candidates: Ints) -> list[GuessLists]:
        chosen = []
        for some in split_people(people, len(candidates)):
            table = near(some, candidates)
            which = np.arange(len(some))
            if np.count_nonzero(table) > _LONG_LISTS * len(some):
                _, first, which = np.unique(
                    np.packbits(table, axis=1), axis=0, return_index=True, return_inverse=True
                )
                table = table[first]
            row, candidate = rows_and_columns(table)
            chosen.append(GuessLists(which, np.bincount(row, minlength=len(table)), candidates[candidate]))
        return chosen

    return guess_by_week(known, seen, choose)


def cartesian_km(places: Sequence[Floats]) -> Floats:
    """Places (latitude, longitude) in space, in kilometres: x, y, z in a row each.

    Ways straight through the earth rank like those along its surface, which take a sine for every pair.
    """
    return unit_vectors(*places) * EARTH_RADIUS_KM


def squared_chords(known: Sequence[Floats], seen: Sequence[Floats]) -> Costs:
    """Squared kilometres between places (latitude, longitude), straight through the earth."""
    from scipy.spatial.distance import cdist

    ours, theirs = cartesian_km(known), cartesian_km(seen)
    return lambda people, candidates: cdist(ours[people], theirs[candidates], "sqeuclidean")


def split_people(people: Ints, candidates: int) -> list[Ints]:
    """The people in groups whose table of costs stays small, however large the week is."""
    return np.array_split(people, min(len(people), len(people) * candidates // _MAX_TABLE_SIZE + 1))


def guess_by_week(
    known: Crowd, seen: Crowd, choose: Callable[[Ints, Ints], Sequence[GuessLists]]
) -> CodedGuesses:
    """Ask `choose` week by week which seen units the known units may be, in one or more pieces."""
    which = np.zeros(len(known), dtype=np.int64)
    sizes, tokens, lists = [], [], 0
    token_of = np.append(seen.name, DELETED)  # DELETED is the last place of all
    nobody = np.array([DELETED])
    for week in np.unique(known.week).tolist():
        people, candidates = known.units_in_week(week), seen.units_in_week(week)
        pieces = (
            choose(people, candidates)
            if len(candidates)
            else [GuessLists(np.zeros(len(people), dtype=np.int64), np.ones(1, dtype=np.int64), nobody)]
        )
        place = 0
        for one in pieces:
            which[people[place : place + len(one.which)]] = one.which.ravel() + lists
            sizes.append(one.size)
            tokens.append(token_of[one.unit])
            place, lists = place + len(one.which), lists + len(one.size)
    start = np.cumsum(np.concatenate([[0], *sizes]))
    token = np.concatenate(tokens) if tokens else np.zeros(0, dtype=np.int64)
    return CodedGuesses(known.units, seen.names, which, start, token)
