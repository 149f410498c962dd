"""How close synthetic rows come to real ones: DCR, NNDR, hidden rate, local cloaking, identical rows."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.avatars.generate import nearest
from insanonym_core.tabular.table import Table

SAME = 1e-12


def closest_distances(synthetic: Floats, real: Floats) -> tuple[Floats, Floats]:
    """DCR, the distance to the closest real row, and NNDR, closest over second closest.

    NNDR is NaN (undefined) where both distances are 0, and where there is no second row.
    """
    found = nearest(synthetic, real, 2).distance
    if found.shape[1] < 2:
        return found[:, 0], np.full(len(found), np.nan)
    ratio = np.full(len(found), np.nan)
    np.divide(found[:, 0], found[:, 1], out=ratio, where=found[:, 1] > 0)
    return found[:, 0], ratio


def nndr_of_the_source(synthetic: Floats, real: Floats) -> Floats:
    """Second over third closest, as the source's code has it: exact copies do not show in it."""
    found = nearest(synthetic, real, 3).distance
    return np.divide(found[:, 1], found[:, 2], out=np.full(len(found), np.nan), where=found[:, 2] > 0)


def local_cloaking(original: Floats, avatars: Floats, owner: Ints) -> Ints:
    """For each original how many other avatars lie at least as close to it as its own.

    `owner[i]` is the original row of avatar i. Ties count, within a tolerance of 1e-12.
    """
    from scipy.spatial.distance import cdist

    own = np.empty(len(original), dtype=np.int64)
    own[owner] = np.arange(len(owner))
    reach = np.linalg.norm(original - avatars[own], axis=1)
    closer = np.zeros(len(original), dtype=np.int64)
    step = max(1, 4_000_000 // max(len(avatars), 1))
    for first in range(0, len(original), step):
        some = slice(first, first + step)
        closer[some] = (cdist(original[some], avatars) <= reach[some, None] + SAME).sum(axis=1) - 1
    return closer


def hidden_rate(cloaking: Ints) -> float:
    """Share of originals whose own avatar is not the closest to them."""
    return float((cloaking > 0).mean())


def identical_share(synthetic: Table, real: Table) -> float:
    """Share of synthetic rows that equal a real row in every column."""
    import pandas as pd

    names = list(real.columns)
    both = pd.concat([real.frame()[names], synthetic.frame()[names]], ignore_index=True)
    classes = Table.from_frame(both).classes(names)
    known = np.zeros(classes.number, dtype=bool)
    known[classes.code[: real.rows]] = True
    return float(known[classes.code[real.rows :]].mean())
