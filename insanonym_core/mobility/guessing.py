"""Turn costs or similarities between units into guesses, week by week."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from insanonym_core.mobility.competition import CodedGuesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.geometry import EARTH_RADIUS_KM, unit_vectors
from insanonym_core.mobility.track import DELETED
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import rows_and_columns
from insanonym_core.runtime.jobs import stop_if_cancelled

SAME_COST = 1e-9
_MAX_TABLE_SIZE = 4_000_000
_MIN_GUESSES_TO_DEDUPLICATE = 16  # mean guesses per person; above, equal lists are stored once


class GuessLists(NamedTuple):
    """Concatenated lists of seen units (DELETED: none), their sizes, and the list of each person."""

    which: Ints
    size: Ints
    unit: Ints


Costs = Callable[[Ints, Ints], Floats]
"""(known units, seen units) of one week → cost of each pair; inf where it is undefined."""


Similarities = Callable[[Ints, Ints], Ints]
"""(known units, seen units) of one week → number of features each pair has in common."""


def guess_nearest(known: Crowd, seen: Crowd, costs: Costs, *, squared: bool = False) -> CodedGuesses:
    """Guess, for each known unit, all tokens of its week with the lowest cost; none if all are inf.

    `squared`: the costs are squares; the tolerance for ties applies to their roots.
    """

    def is_guessed(people: Ints, candidates: Ints) -> Bools:
        table = costs(people, candidates)
        lowest = table.min(axis=1)
        limit = squared_limit(lowest) if squared else lowest + SAME_COST
        limit[np.isinf(lowest)] = -np.inf
        return table <= limit[:, None]

    return guess_where(known, seen, is_guessed)


def guess_most_similar(known: Crowd, seen: Crowd, similarities: Similarities) -> CodedGuesses:
    """Guess, for each known unit, all tokens of its week with the highest similarity; none if all are 0."""

    def is_guessed(people: Ints, candidates: Ints) -> Bools:
        table = similarities(people, candidates)
        highest = table.max(axis=1)
        return table == np.maximum(highest, highest.dtype.type(1))[:, None]

    return guess_where(known, seen, is_guessed)


def guess_where(known: Crowd, seen: Crowd, is_guessed: Callable[[Ints, Ints], Bools]) -> CodedGuesses:
    """Guess all pairs of (known units, seen units) of one week for which the table `is_guessed` is True."""

    def choose(people: Ints, candidates: Ints) -> list[GuessLists]:
        chosen = []
        for group in split_people(people, len(candidates)):
            table = is_guessed(group, candidates)
            which = np.arange(len(group))
            if np.count_nonzero(table) > _MIN_GUESSES_TO_DEDUPLICATE * len(group):
                _, first, which = np.unique(
                    np.packbits(table, axis=1), axis=0, return_index=True, return_inverse=True
                )
                table = table[first]
            row, candidate = rows_and_columns(table)
            chosen.append(GuessLists(which, np.bincount(row, minlength=len(table)), candidates[candidate]))
        return chosen

    return guess_by_week(known, seen, choose)


def squared_limit(lowest: Floats) -> Floats:
    """Up to which squared cost a candidate is guessed, from the lowest one."""
    limit: Floats = (np.sqrt(lowest) + SAME_COST) ** 2
    return limit


def cartesian_km(places: Sequence[Floats]) -> Floats:
    """Cartesian coordinates in kilometres of places (latitude, longitude): rows x, y and z.

    Chords rank pairs like great-circle distances, without a sine for every pair.
    """
    return unit_vectors(*places) * EARTH_RADIUS_KM


def squared_chords(known: Sequence[Floats], seen: Sequence[Floats]) -> Costs:
    """Costs: squared chord lengths in km² between places (latitude, longitude)."""
    from scipy.spatial.distance import cdist

    ours, theirs = cartesian_km(known), cartesian_km(seen)
    return lambda people, candidates: cdist(ours[:, people].T, theirs[:, candidates].T, "sqeuclidean")


def split_people(people: Ints, candidates: int) -> list[Ints]:
    """Split people into groups so that each table of costs has at most about _MAX_TABLE_SIZE entries."""
    return np.array_split(people, min(len(people), len(people) * candidates // _MAX_TABLE_SIZE + 1))


def guess_by_week(
    known: Crowd, seen: Crowd, choose: Callable[[Ints, Ints], Sequence[GuessLists]]
) -> CodedGuesses:
    """Call `choose` with the known and seen units of each week, and encode the lists that it returns."""
    which = np.zeros(len(known), dtype=np.int64)
    sizes, tokens, lists = [], [], 0
    token_of = np.append(seen.name, DELETED)  # DELETED is -1, the last entry
    nobody = np.array([DELETED])
    for week in np.unique(known.week).tolist():
        stop_if_cancelled()
        people, candidates = known.units_in_week(week), seen.units_in_week(week)
        pieces = (
            choose(people, candidates)
            if len(candidates)
            else [GuessLists(np.zeros(len(people), dtype=np.int64), np.ones(1, dtype=np.int64), nobody)]
        )
        place = 0
        for guess_lists in pieces:
            which[people[place : place + len(guess_lists.which)]] = guess_lists.which.ravel() + lists
            sizes.append(guess_lists.size)
            tokens.append(token_of[guess_lists.unit])
            place, lists = place + len(guess_lists.which), lists + len(guess_lists.size)
    start = np.cumsum(np.concatenate([[0], *sizes]))
    token = np.concatenate(tokens) if tokens else np.zeros(0, dtype=np.int64)
    return CodedGuesses(known.units, seen.names, which, start, token)
