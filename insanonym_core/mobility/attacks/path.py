"""People are told by where they are at each hour of the week."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.grouping import ends_of_groups, rows_of_groups, stable_order
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.geometry import along_surface
from insanonym_core.mobility.guessing import Costs, straight_places
from insanonym_core.mobility.matching import guess_matched, kept_costs
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
    from scipy.spatial.distance import cdist

    ours, theirs = known.hourly(), seen.hourly()
    places, seen_places = (straight_places(side.mean_position()) for side in (ours, theirs))
    ends, seen_ends = ends_of_groups(ours.unit, len(known)), ends_of_groups(theirs.unit, len(seen))

    def costs(people: Ints, candidates: Ints) -> Floats:
        mine, row = _by_hour(ends, people, ours.hour)
        yours, column = _by_hour(seen_ends, candidates, theirs.hour)
        hours, seen_hours = ours.hour[mine], theirs.hour[yours]
        near = np.zeros((len(people), len(candidates)))
        for hour in np.intersect1d(hours, seen_hours).tolist():
            here = slice(*np.searchsorted(hours, (hour, hour + 1)))
            there = slice(*np.searchsorted(seen_hours, (hour, hour + 1)))
            straight = cdist(places[mine[here]], seen_places[yours[there]])
            # A unit has an hour once, so no pair comes twice.
            near[np.ix_(row[here], column[there])] += 1 / np.maximum(along_surface(straight), 1)
        return -near / np.diff(ends)[people][:, None]

    return kept_costs("path", known, seen, costs)


def _by_hour(ends: Ints, units: Ints, hour: Ints) -> tuple[Ints, Ints]:
    """The entries of some units by the hour, and the place of the unit of each."""
    entry, place = rows_of_groups(ends, units)
    order = stable_order(hour[entry], HOURS_IN_WEEK)
    return entry[order], place[order]
