"""MDAV: groups of at least k rows that are near each other (maximum distance to average vector)."""

from __future__ import annotations

import numpy as np

from insanonym_core.numeric.arrays import Bools, Floats, Ints


def mdav_groups(rows: Floats, k: int) -> tuple[Ints, int]:
    """Return the group of each row, and the number of groups; each has at least k rows.

    While 3k or more rows are left: the point farthest from their mean, and the point farthest from that one,
    each take the points nearest to them until they have k rows. Of 2k to 3k - 1 rows the farthest takes its
    own, and the rest is a group. Of points at equal distance the one with the smallest coordinates is first.

    Equal rows stay together: if they were parted, their groups would tell them apart although their values do
    not. Where fewer than k rows are left by that, each joins the group with the nearest mean.
    """
    points, point_of_row, weight = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    group = np.full(len(points), -1, dtype=np.int64)
    groups = 0
    left = np.ones(len(points), dtype=bool)
    while (number := int(weight[left].sum())) >= 2 * k:
        here = np.flatnonzero(left)
        first = here[_farthest(points[here], np.average(points[here], axis=0, weights=weight[here]))]
        second = here[_farthest(points[here], points[first])]
        for seed in (first, second) if number >= 3 * k else (first,):
            if left[seed] and weight[left].sum() >= 2 * k:
                taken = _nearest(points, weight, left, points[seed], k)
                group[taken], left[taken] = groups, False
                groups += 1
    rest = np.flatnonzero(left)
    if weight[rest].sum() >= k or groups == 0:
        group[rest] = groups
        return group[point_of_row], groups + 1
    done = group >= 0
    sums = [np.bincount(group[done], weight[done] * axis[done], minlength=groups) for axis in points.T]
    means = np.stack(sums, axis=1) / np.bincount(group[done], weight[done], minlength=groups)[:, None]
    for point in rest.tolist():
        group[point] = int(_squared_distances(means, points[point]).argmin())
    return group[point_of_row], groups


def _nearest(points: Floats, weight: Ints, left: Bools, seed: Floats, k: int) -> Ints:
    """Return the points left that are nearest to a seed, as many as k rows need."""
    here = np.flatnonzero(left)
    distance = _squared_distances(points[here], seed)
    if len(here) > k:  # at most k points are needed; those as far as the k-th may stand for it
        near = distance <= np.partition(distance, k - 1)[k - 1]
        here, distance = here[near], distance[near]
    here = here[np.argsort(distance, kind="stable")]
    return here[: int(np.searchsorted(np.cumsum(weight[here]), k)) + 1]


def _squared_distances(points: Floats, seed: Floats) -> Floats:
    return np.square(points - seed).sum(axis=1)


def _farthest(points: Floats, seed: Floats) -> int:
    return int(_squared_distances(points, seed).argmax())
