"""People are told by where they are at each hour of the week."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.geometry import along_surface
from insanonym_core.mobility.guessing import Costs, straight_places
from insanonym_core.mobility.matching import guess_matched, kept_costs
from insanonym_core.mobility.overlap import common_items
from insanonym_core.mobility.track import HOURS_IN_WEEK
from insanonym_core.registry import attacks


@attacks.add(
    "path",
    data="mobility",
    title="Same place at the same hour",
    formula="− Σ min(1, 1/km) over common hours / hours",
    order=13,
)
def path(known: Crowd, seen: Crowd) -> Guesses:
    """Matches people and pseudonyms of a week one-to-one by how near they are to each other hour by hour."""
    return guess_matched(known, seen, path_costs(known, seen))


def path_costs(known: Crowd, seen: Crowd) -> Costs:
    """Minus the nearness of mean positions, summed up over common hours, against the person's hours."""
    ours, theirs = known.hourly(), seen.hourly()
    places, seen_places = (straight_places(side.mean_position()) for side in (ours, theirs))
    number = np.bincount(ours.unit, minlength=len(known))
    ends, seen_ends = (
        np.concatenate(([0], np.cumsum(np.bincount(side.unit, minlength=len(crowd)))))
        for side, crowd in ((ours, known), (theirs, seen))
    )

    def costs(people: Ints, candidates: Ints) -> Floats:
        mine, row = _entries(ends, people)
        yours, column = _entries(seen_ends, candidates)
        near = np.zeros(len(people) * len(candidates))
        for pair, our_hour, their_hour in common_items(
            (row, ours.hour[mine]), (column, theirs.hour[yours]), len(candidates), HOURS_IN_WEEK
        ):
            way = places[mine].take(our_hour, axis=0)
            way -= seen_places[yours].take(their_hour, axis=0)
            near += np.bincount(pair, _nearness(way), minlength=len(near))
        return -near.reshape(len(people), len(candidates)) / number[people][:, None]

    return kept_costs("path", known, seen, costs)


def _entries(ends: Ints, units: Ints) -> tuple[Ints, Ints]:
    """The entries of some units, and the place of the unit of each."""
    length = ends[units + 1] - ends[units]
    place = np.repeat(np.arange(len(units)), length)
    return np.repeat(ends[units] - (np.cumsum(length) - length), length) + np.arange(len(place)), place


def _nearness(way: Floats) -> Floats:
    """min(1, 1/km), of straight ways through the earth; km is the way along its surface."""
    return 1 / np.maximum(along_surface(np.sqrt(np.einsum("ij,ij->i", way, way))), 1)
