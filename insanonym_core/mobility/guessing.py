"""From descriptions to guesses: week by week, which pseudonyms a person may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.mobility.competition import Tries
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.geometry import EARTH_RADIUS_KM, unit_vectors
from insanonym_core.mobility.track import DELETED

SAME_COST = 1e-9
_LARGEST_TABLE = 4_000_000
_LONG_LISTS = 16  # guesses a person from which on it pays to look for people with equal lists


class Chosen(NamedTuple):
    """Lists of seen units one after the other (DELETED: nobody), their sizes, and the list of each person."""

    which: Ints
    size: Ints
    unit: Ints


Costs = Callable[[Ints, Ints], Floats]
"""Known units and seen units of one week → a cost for each pair; inf where nothing can be said."""


def guess_nearest(known: Crowd, seen: Crowd, costs: Costs) -> Tries:
    """For each known unit every pseudonym of its week whose cost is the smallest; none if all are inf."""

    def choose(people: Ints, candidates: Ints) -> list[Chosen]:
        chosen = []
        for some in _pieces(people, len(candidates)):
            table = costs(some, candidates)
            lowest = table.min(axis=1)
            lowest[np.isinf(lowest)] = -np.inf
            near = table <= (lowest + SAME_COST)[:, None]
            which = np.arange(len(some))
            if np.count_nonzero(near) > _LONG_LISTS * len(some):
                _, first, which = np.unique(
                    np.packbits(near, axis=1), axis=0, return_index=True, return_inverse=True
                )
                near = near[first]
            chosen.append(
                Chosen(
                    which, np.count_nonzero(near, axis=1), candidates[np.flatnonzero(near) % len(candidates)]
                )
            )
        return chosen

    return guess_by_week(known, seen, choose)


def straight_costs(known: Sequence[Floats], seen: Sequence[Floats]) -> Costs:
    """Kilometres between places (latitude, longitude), straight through the earth.

    They rank like those along its surface, which take a sine for every pair.
    """
    from scipy.spatial.distance import cdist

    ours, theirs = (unit_vectors(*places) * EARTH_RADIUS_KM for places in (known, seen))
    return lambda people, candidates: cdist(ours[people], theirs[candidates])


def _pieces(people: Ints, candidates: int) -> list[Ints]:
    """The people in groups whose table of costs stays small, however large the week is."""
    return np.array_split(people, min(len(people), len(people) * candidates // _LARGEST_TABLE + 1))


def guess_by_week(known: Crowd, seen: Crowd, choose: Callable[[Ints, Ints], Sequence[Chosen]]) -> Tries:
    """Ask `choose` week by week which seen units the known units may be, in one or more pieces."""
    which = np.zeros(len(known), dtype=np.int64)
    sizes, tokens, lists = [], [], 0
    token_of = np.append(seen.name, DELETED)  # DELETED is the last place of all
    nobody = np.array([DELETED])
    for week in np.unique(known.week).tolist():
        people, candidates = known.of_week(week), seen.of_week(week)
        pieces = (
            choose(people, candidates)
            if len(candidates)
            else [Chosen(np.zeros(len(people), dtype=np.int64), np.ones(1, dtype=np.int64), nobody)]
        )
        place = 0
        for one in pieces:
            which[people[place : place + len(one.which)]] = one.which.ravel() + lists
            sizes.append(one.size)
            tokens.append(token_of[one.unit])
            place, lists = place + len(one.which), lists + len(one.size)
    start = np.cumsum(np.concatenate([[0], *sizes]))
    token = np.concatenate(tokens) if tokens else np.zeros(0, dtype=np.int64)
    return Tries(known.units, seen.names, which, start, token)
