"""People are told by where they live, work and spend their weekends."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.grouping import joint_keys
from insanonym_core.mobility.cells import Decimals
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import guess_nearest
from insanonym_core.mobility.stays import WINDOWS_V2
from insanonym_core.registry import attacks


@attacks.add(
    "poi", data="mobility", title="Same home, work, activity", formula="− number of equal top cells", order=5
)
def poi(known: Crowd, seen: Crowd, *, decimals: Decimals = 2) -> Guesses:
    """Guesses the pseudonyms that share most of the person's three main cells; none shared, no guess."""
    places, seen_places = _main_cells(known, seen, decimals)

    def costs(people: Ints, candidates: Ints) -> Floats:
        same = np.zeros((len(people), len(candidates)), dtype=np.int8)
        for kind in range(len(WINDOWS_V2)):
            same += places[people, kind][:, None] == seen_places[candidates, kind][None, :]
        return np.array([np.inf, -1.0, -2.0, -3.0])[same]

    return guess_nearest(known, seen, costs)


def _main_cells(known: Crowd, seen: Crowd, decimals: int) -> tuple[Ints, Ints]:
    """For each unit and type the key of its main cell; where it has none, a negative number of its side."""
    ours, theirs = known.longest_stays(WINDOWS_V2, decimals), seen.longest_stays(WINDOWS_V2, decimals)
    keys, seen_keys = joint_keys((ours.latitude, ours.longitude), (theirs.latitude, theirs.longitude))
    tables = []
    for crowd, stays, key, none in ((known, ours, keys, -1), (seen, theirs, seen_keys, -2)):
        table = np.full((len(crowd), len(WINDOWS_V2)), none, dtype=np.int64)
        units, wanted = joint_keys((crowd.name, crowd.week), (stays.owner, stays.week))
        table[np.searchsorted(units, wanted), stays.kind] = key
        tables.append(table)
    return tables[0], tables[1]
