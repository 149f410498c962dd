"""Match by the cells of home, work and weekend activity."""

from __future__ import annotations

import numpy as np

from insanonym_core.mobility.cells import Decimals
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import guess_most_similar
from insanonym_core.mobility.stays import WINDOWS_V2
from insanonym_core.numeric.arrays import Ints
from insanonym_core.numeric.grouping import joint_codes, joint_keys
from insanonym_core.registry import attacks


@attacks.add(
    "poi", data="mobility", title="Same home, work, activity", formula="− number of equal top cells", order=5
)
def poi(known: Crowd, seen: Crowd, *, decimals: Decimals = 2) -> Guesses:
    """Guesses the pseudonyms that share most of the person's three main cells; none shared, no guess."""
    places, seen_places = _main_cells(known, seen, decimals)

    def similarities(people: Ints, candidates: Ints) -> Ints:
        same = np.zeros((len(people), len(candidates)), dtype=np.int8)
        for kind in range(len(WINDOWS_V2)):
            same += places[people, kind][:, None] == seen_places[candidates, kind][None, :]
        return same

    return guess_most_similar(known, seen, similarities)


def _main_cells(known: Crowd, seen: Crowd, decimals: int) -> tuple[Ints, Ints]:
    """Code of the main cell of each unit and type of place; negative if it has none."""
    ours, theirs = known.longest_stays(WINDOWS_V2, decimals), seen.longest_stays(WINDOWS_V2, decimals)
    # Joint codes instead of grid keys: int32 is half as much to compare.
    cells, seen_cells, _ = joint_codes((ours.latitude, ours.longitude), (theirs.latitude, theirs.longitude))
    tables = []
    for crowd, stays, cell, none in ((known, ours, cells, -1), (seen, theirs, seen_cells, -2)):
        table = np.full((len(crowd), len(WINDOWS_V2)), none, dtype=np.int32)
        units, wanted = joint_keys((crowd.name, crowd.week), (stays.owner, stays.week))
        table[np.searchsorted(units, wanted), stays.kind] = cell
        tables.append(table)
    return tables[0], tables[1]
