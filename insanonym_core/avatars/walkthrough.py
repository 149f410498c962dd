"""The source document's own deliverables: what it shows of the first rows, computed the same way.

They belong to a lesson. They follow the original rows one by one, which a publication never may.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.avatars.closeness import closest_distances, nndr_of_the_source
from insanonym_core.avatars.generate import Neighbours
from insanonym_core.avatars.release import Avatars
from insanonym_core.errors import UsageError
from insanonym_core.scores import Table


def neighbour_distances(avatars: Avatars, rows: int = 5) -> Table:
    """How far the neighbours of the first original rows are, nearest first, and their weighted mean.

    The weights are those of the mix: the mean distance that an avatar's ingredients came from.
    """
    near, share, _ = _mix(avatars)
    shown = slice(0, rows)
    columns: dict[str, Any] = {"row": np.arange(len(near.index))[shown]}
    for place in range(near.index.shape[1]):
        columns[f"neighbour {place + 1}"] = near.distance[shown, place]
    columns["weighted mean"] = (near.distance[shown] * share[shown]).sum(axis=1)
    return Table("Distances of the first rows to their neighbours", columns, shows_individuals=True)


def first_avatars(avatars: Avatars, rows: int = 5) -> Table:
    """DCR and NNDR of the avatars of the first original rows; the source's NNDR divides second by third."""
    _, _, owner = _mix(avatars)
    real, made = avatars.points("pca")
    own = np.argsort(owner)[:rows]  # the avatar of each original row, in the originals' order
    dcr, nndr = closest_distances(made[own], real)
    columns = {
        "row": np.arange(len(own)),
        "DCR": dcr,
        "NNDR": nndr,
        "NNDR of the source": nndr_of_the_source(made[own], real),
    }
    return Table("DCR and NNDR of the first rows' avatars", columns, shows_individuals=True)


def avatar_distances(avatars: Avatars, row: int) -> tuple[float, float]:
    """DCR and NNDR of the avatar of one original row (from 0)."""
    _, _, owner = _mix(avatars)
    real, made = avatars.points("pca")
    dcr, nndr = closest_distances(made[owner == row], real)
    return float(dcr[0]), float(nndr[0])


def _mix(avatars: Avatars) -> tuple[Neighbours, Floats, Ints]:
    if avatars.owner is None or "share" not in avatars.facts:
        raise UsageError("The first rows can be followed only in avatars that were made here by mixing.")
    return avatars.facts["neighbours"], avatars.facts["share"], avatars.owner
