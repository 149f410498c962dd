"""How close synthetic rows come to real ones: DCR, NNDR, local cloaking, identical rows."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.avatars.generate import TREE_DIMENSIONS, nearest, neighbours_of_rows
from insanonym_core.tabular.table import Table

SAME = 1e-12


def closest_distances(synthetic: Floats, real: Floats) -> tuple[Floats, Floats]:
    """DCR, the distance to the closest real row, and NNDR, closest over second closest.

    NNDR is NaN (undefined) where both distances are 0, and where there is no second row.
    """
    return _closest_and_ratio(nearest(synthetic, real, 2).distance)


def distances_among(real: Floats) -> tuple[Floats, Floats]:
    """The same for real rows among themselves, each left out of its own search."""
    return _closest_and_ratio(neighbours_of_rows(real, 2).distance)


def _closest_and_ratio(distance: Floats) -> tuple[Floats, Floats]:
    ratio = np.full(len(distance), np.nan)
    if distance.shape[1] > 1:
        np.divide(distance[:, 0], distance[:, 1], out=ratio, where=distance[:, 1] > 0)
    return distance[:, 0], ratio


def nndr_of_the_source(synthetic: Floats, real: Floats) -> Floats:
    """Second over third closest, as the source's code has it: exact copies do not show in it."""
    found = nearest(synthetic, real, 3).distance
    ratio = np.full(len(found), np.nan)
    if found.shape[1] > 2:
        np.divide(found[:, 1], found[:, 2], out=ratio, where=found[:, 2] > 0)
    return ratio


def local_cloaking(original: Floats, avatars: Floats, owner: Ints) -> Ints:
    """For each original how many other avatars lie at least as close to it as its own.

    `owner[i]` is the original row of avatar i. Ties count, within a tolerance of 1e-12.
    """
    from scipy.spatial import cKDTree
    from scipy.spatial.distance import cdist

    own = np.empty(len(original), dtype=np.int64)
    own[owner] = np.arange(len(owner))
    reach = np.linalg.norm(original - avatars[own], axis=1) + SAME
    if original.shape[1] <= TREE_DIMENSIONS:
        found = cKDTree(avatars).query_ball_point(original, reach, workers=-1, return_length=True)
        return np.asarray(found, dtype=np.int64) - 1
    closer = np.zeros(len(original), dtype=np.int64)
    step = max(1, 4_000_000 // max(len(avatars), 1))
    for first in range(0, len(original), step):
        some = slice(first, first + step)
        closer[some] = (cdist(original[some], avatars) <= reach[some, None]).sum(axis=1) - 1
    return closer


def identical_share(synthetic: Table, real: Table) -> float:
    """Share of synthetic rows that equal a real row in every column."""
    import pandas as pd

    names = list(real.columns)
    both = pd.concat([real.frame()[names], synthetic.frame()[names]], ignore_index=True)
    classes = Table.from_frame(both).classes(names)
    known = np.zeros(classes.number, dtype=bool)
    known[classes.code[: real.rows]] = True
    return float(known[classes.code[real.rows :]].mean())
