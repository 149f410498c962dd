"""How close synthetic rows come to real ones: DCR, NNDR, local cloaking, identical rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from insanonym_core.avatars.generate import (
    MAX_TREE_DIMENSIONS,
    memory_chunks,
    nearest,
    neighbours_of_rows,
    spatial_order,
)
from insanonym_core.numeric.arrays import AnyArray, Bools, Floats, Ints
from insanonym_core.numeric.grouping import starts_of_runs
from insanonym_core.tabular.table import MISSING, Column, Table, group_rows

TIE_TOLERANCE = 1e-12


def closest_distances(synthetic: Floats, real: Floats) -> tuple[Floats, Floats]:
    """Return DCR, the distance to the closest real row, and NNDR, closest over second closest distance.

    NNDR is NaN (undefined) where both distances are 0, and where there is no second row.
    """
    return _closest_and_ratio(nearest(synthetic, real, 2).distance)


def distances_among(real: Floats) -> tuple[Floats, Floats]:
    """Return DCR and NNDR of real rows among themselves, each row excluded from its own search."""
    return _closest_and_ratio(neighbours_of_rows(real, 2).distance)


def nndr_of_the_source(synthetic: Floats, real: Floats) -> Floats:
    """Return second over third closest distance, as in the source's code: it does not detect exact copies."""
    return _distance_ratio(nearest(synthetic, real, 3).distance[:, 1:])


def _closest_and_ratio(distance: Floats) -> tuple[Floats, Floats]:
    return distance[:, 0], _distance_ratio(distance)


def _distance_ratio(distance: Floats) -> Floats:
    """Return the first over the second distance; NaN for 0/0, and if there is no second."""
    ratio = np.full(len(distance), np.nan)
    if distance.shape[1] > 1:
        np.divide(distance[:, 0], distance[:, 1], out=ratio, where=distance[:, 1] > 0)
    return ratio


def local_cloaking(original: Floats, avatars: Floats, owner: Ints, person: Ints | None = None) -> Ints:
    """Count for each original the avatars of other people that are at least as close as its own.

    `owner[i]` is the original row of avatar i, `person` the person of each original row (None: each row is
    another person). Ties count, within a tolerance of 1e-12.
    """
    from scipy.spatial import cKDTree
    from scipy.spatial.distance import cdist

    distance, own_avatars = nearest_own_distance(original, avatars, owner, person)
    radius = distance + TIE_TOLERANCE
    closer = np.zeros(len(original), dtype=np.int64)
    if original.shape[1] <= MAX_TREE_DIMENSIONS:
        order = spatial_order(original)
        neighbours = cKDTree(avatars).query_ball_point(
            original[order], radius[order], workers=-1, return_length=True
        )
        closer[order] = np.asarray(neighbours)
        return closer - own_avatars
    for chunk in memory_chunks(len(original), len(avatars)):
        closer[chunk] = (cdist(original[chunk], avatars) <= radius[chunk, None]).sum(axis=1)
    return closer - own_avatars


def other_is_closer(original: Floats, avatars: Floats, owner: Ints, person: Ints | None = None) -> Bools:
    """Whether another avatar is closer to each original than its own, beyond ties within 1e-12."""
    own, _ = nearest_own_distance(original, avatars, owner, person)
    return nearest(original, avatars, 1).distance[:, 0] < own - TIE_TOLERANCE


def nearest_own_distance(
    original: Floats, avatars: Floats, owner: Ints, person: Ints | None = None
) -> tuple[Floats, Ints]:
    """Return the distance of each original to the nearest avatar of its person, and how many tie for it."""
    from scipy.spatial.distance import cdist

    own = np.empty(len(original), dtype=np.int64)
    own[owner] = np.arange(len(owner))
    distance = np.asarray(np.linalg.norm(original - avatars[own], axis=1))
    number = np.ones(len(original), dtype=np.int64)
    for rows in [] if person is None else _rows_by_person(person):
        for chunk in memory_chunks(len(rows), len(rows)):
            distances = cdist(original[rows[chunk]], avatars[own[rows]])
            distance[rows[chunk]] = distances.min(axis=1)
            number[rows[chunk]] = (distances <= distances.min(axis=1)[:, None] + TIE_TOLERANCE).sum(axis=1)
    return distance, number


def _rows_by_person(person: Ints) -> list[Ints]:
    """Return the rows of each person who has several."""
    several = np.flatnonzero(np.bincount(person)[person] > 1)
    order = several[np.argsort(person[several], kind="stable")]
    return np.split(order, starts_of_runs(person[order])[1:]) if len(order) else []


def identical_share(synthetic: Table, real: Table) -> float:
    """Share of synthetic rows that equal a real row in every column; missing equals missing."""
    classes = group_rows([_concatenate_columns(real[name], synthetic[name]) for name in real.columns])
    is_real = np.zeros(classes.number, dtype=bool)
    is_real[classes.code[: real.rows]] = True
    return float(is_real[classes.code[real.rows :]].mean())


def _concatenate_columns(real: Column, synthetic: Column) -> Column:
    """Concatenate two columns; equal values get equal codes."""
    first, second = _common_type_values(real, synthetic)
    codes, distinct = pd.factorize(np.concatenate((first, second)))
    ours, theirs = np.append(codes[: len(first)], MISSING), np.append(codes[len(first) :], MISSING)
    rows = np.concatenate((ours[real.codes], theirs[synthetic.codes]))
    return Column(real.name, "category", pd.Index(distinct), rows)


def _common_type_values(real: Column, synthetic: Column) -> tuple[AnyArray, AnyArray]:
    """Return the distinct values of both in one type: texts, dates, integers, or the coarser float."""
    kind: Any = object
    if "category" in (real.kind, synthetic.kind):
        return np.array(real.texts(), dtype=kind), np.array(synthetic.texts(), dtype=kind)
    types = [str(column.values.dtype).lower() for column in (real, synthetic)]
    if real.kind == "date":
        kind = "datetime64[us]"
    elif not all("int" in name for name in types):
        kind = np.float32 if "float32" in types else np.float64
    elif "uint64" not in types:
        kind = np.int64
    return real.values.to_numpy(dtype=kind), synthetic.values.to_numpy(dtype=kind)
