"""Tables of the first rows as in the source document, for the lesson.

They follow original rows one by one, so they must never be published.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from insanonym_core.avatars.closeness import closest_distances, nndr_of_the_source
from insanonym_core.avatars.generate import Neighbours
from insanonym_core.avatars.release import Avatars
from insanonym_core.errors import UsageError
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.results.scores import Table


def neighbour_distances(avatars: Avatars, rows: int = 5) -> Table:
    """Return the distances of the first original rows to their neighbours, and their weighted mean.

    The weights are those of the mix.
    """
    neighbours, shares, _ = _mix_facts(avatars)
    first_rows = slice(0, rows)
    columns: dict[str, Any] = {"row": np.arange(len(neighbours.index))[first_rows]}
    for rank in range(neighbours.index.shape[1]):
        columns[f"neighbour {rank + 1}"] = neighbours.distance[first_rows, rank]
    columns["weighted mean"] = (neighbours.distance[first_rows] * shares[first_rows]).sum(axis=1)
    return Table("Distances of the first rows to their neighbours", columns, shows_individuals=True)


def first_avatars(avatars: Avatars, rows: int = 5, space: str = "pca") -> Table:
    """Return DCR and NNDR of the avatars of the first original rows, and the source's NNDR (second/third).

    In the space "latent" they are those that the source's code prints for the same weights.
    """
    _, _, owner = _mix_facts(avatars)
    real, synthetic = avatars.points(space)
    own = np.argsort(owner)[:rows]  # the avatar of each original row, in the originals' order
    dcr, nndr = closest_distances(synthetic[own], real)
    columns = {
        "row": np.arange(len(own)),
        "DCR": dcr,
        "NNDR": nndr,
        "NNDR of the source": nndr_of_the_source(synthetic[own], real),
    }
    return Table("DCR and NNDR of the first rows' avatars", columns, shows_individuals=True)


def avatar_distances(avatars: Avatars, row: int) -> tuple[float, float]:
    """Return DCR and NNDR of the avatar of one original row (from 0)."""
    _, _, owner = _mix_facts(avatars)
    real, synthetic = avatars.points("pca")
    dcr, nndr = closest_distances(synthetic[owner == row], real)
    return float(dcr[0]), float(nndr[0])


def _mix_facts(avatars: Avatars) -> tuple[Neighbours, Floats, Ints]:
    if avatars.owner is None or "share" not in avatars.facts:
        raise UsageError(
            "The first rows can be followed only in avatars that were made here by mixing neighbours."
        )
    return avatars.facts["neighbours"], avatars.facts["share"], avatars.owner
