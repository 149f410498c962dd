"""Avatars of a table: neighbours in the space of its components, mixed at random, written back as rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
import pandas as pd

from insanonym_core.arrays import Floats, Ints
from insanonym_core.avatars.space import Space
from insanonym_core.grouping import renumber
from insanonym_core.tabular.table import Column, Table, code_column

Weights = Literal["published", "exponential"]
TREE_DIMENSIONS = 8
MOST_DECIMALS = 12
LARGEST_EXACT = 2**53
_PIECE = 4_000_000


@dataclass(frozen=True, eq=False)
class Neighbours:
    """For each point its nearest others, nearest first: found once, then any smaller k is a slice."""

    index: Ints
    distance: Floats

    def first(self, k: int) -> Neighbours:
        """The k nearest only."""
        return Neighbours(self.index[:, :k], self.distance[:, :k])

    def with_self(self) -> Neighbours:
        """The source's way, for the lesson: the row itself comes first, at distance 0."""
        rows = len(self.index)
        return Neighbours(
            np.hstack([np.arange(rows)[:, None], self.index]), np.hstack([np.zeros((rows, 1)), self.distance])
        )


def nearest(points: Floats, others: Floats, k: int, *, norm: Literal[1, 2] = 2) -> Neighbours:
    """The k nearest of `others` for each point: a tree in few dimensions, all distances in many.

    Distances are Euclidean, or with `norm` = 1 the sum over columns, which other programs use.
    """
    from scipy.spatial import cKDTree

    k = min(k, len(others))
    if points.shape[1] <= TREE_DIMENSIONS:
        distance, index = cKDTree(others).query(points, k=np.arange(1, k + 1), p=norm, workers=-1)
        return Neighbours(index, distance)
    parts = [
        _nearest_of_all(piece, others, k, norm)
        for piece in np.array_split(points, len(points) * len(others) // _PIECE + 1)
    ]
    return Neighbours(
        np.vstack([index for index, _ in parts]), np.vstack([distance for _, distance in parts])
    )


def _nearest_of_all(points: Floats, others: Floats, k: int, norm: int) -> tuple[Ints, Floats]:
    from scipy.spatial.distance import cdist

    distance = cdist(points, others, "euclidean" if norm == 2 else "cityblock")
    index = (
        np.argpartition(distance, k - 1, axis=1)[:, :k]
        if k < len(others)
        else np.tile(np.arange(k), (len(points), 1))
    )
    near = np.take_along_axis(distance, index, axis=1)
    order = np.lexsort((index, near), axis=1)
    return np.take_along_axis(index, order, axis=1), np.take_along_axis(near, order, axis=1)


def neighbours_of_rows(points: Floats, k: int) -> Neighbours:
    """The k nearest rows of each row, itself left out by its number, not by its distance."""
    found = nearest(points, points, min(k, len(points) - 1) + 1)
    own = found.index == np.arange(len(points))[:, None]
    own[~own.any(axis=1), -1] = True  # among many equal rows it may not be listed: the last one goes instead
    shape = (len(points), found.index.shape[1] - 1)
    return Neighbours(found.index[~own].reshape(shape), found.distance[~own].reshape(shape))


def mixing_shares(near: Neighbours, weights: Weights, generator: np.random.Generator) -> Floats:
    """How much each neighbour gives to the avatar of each row; random, and 1 in all.

    published: 1/distance × Exp(1) × 1/2^rank, the ranks randomly permuted (Guillaudeux et al. 2023); a
    distance of 0 counts as the smallest positive one, but a row that is its own neighbour outweighs all
    others, as 1/0 does. exponential: Exp(1) alone, the source's.
    """
    share = generator.exponential(1.0, near.index.shape)
    if weights == "published":
        # The order of a random row of numbers is a random permutation, several times quicker than shuffling.
        rank = np.argsort(generator.random(near.index.shape), axis=1) + 1
        share = share * 0.5**rank / _positive(near.distance)
        own = near.index == np.arange(len(share))[:, None]
        share = np.where(own.any(axis=1, keepdims=True), own, share)
    share /= share.sum(axis=1, keepdims=True)
    return share


def mixed(points: Floats, near: Neighbours, share: Floats) -> Floats:
    """The avatar of each row as a point: its neighbours, each by its share."""
    avatars = np.zeros(points.shape)
    for place in range(share.shape[1]):
        avatars += share[:, place, None] * points[near.index[:, place]]
    return avatars


def _positive(distance: Floats) -> Floats:
    lowest = np.where(distance > 0, distance, np.inf).min(axis=1, keepdims=True)
    lowest = np.where(np.isfinite(lowest), lowest, 1.0)
    return np.where(distance > 0, distance, lowest)


def written_back(space: Space, table: Table, columns: Floats) -> Table:
    """Standardised columns as rows of the table: whole numbers whole, ranges not left, decimals as before.

    `table` is the source, before anything was imputed: a mean must not lend its decimals to the column.
    """
    made: dict[str, Column] = {}
    for place, column in enumerate(space.numbers):
        numbers = columns[:, place] * space.scale[place] + space.mean[place]
        source = table[column.name]
        decimals = table.derive(("decimals", column.name), partial(decimals_of, source))
        made[column.name] = _numbers_back(source, decimals, numbers)
    start = len(space.numbers)
    for column in space.categories:
        width = len(column.values) + int(column.has_missing)
        code = columns[:, start : start + width].argmax(axis=1) - int(column.has_missing)
        made[column.name] = replace(column, codes=code.astype(np.int32)).occurring()
        start += width
    for column in space.constant:
        made[column.name] = replace(column, codes=np.full(len(columns), column.codes[0], dtype=np.int32))
    return Table({name: made[name] for name in table.columns}, len(columns))


def _numbers_back(column: Column, decimals: int | None, numbers: Floats) -> Column:
    """Numbers within the range of the column and with its decimals, coded."""
    domain = column.numbers()
    numbers = np.clip(numbers, domain[0], domain[-1])
    if decimals is None or np.abs(domain).max() * 10.0**decimals > LARGEST_EXACT:
        return code_column(column.name, pd.Series(_valued(column, _snapped(numbers, domain))))
    # The same steps as np.round: whole numbers of the last decimal, which are also quick to code.
    least, most = (round(float(end) * 10**decimals) for end in (domain[0], domain[-1]))
    steps = np.clip(np.rint(numbers * 10**decimals).astype(np.int64), least, most)
    found, codes = renumber(steps - least, most - least + 1)
    values = pd.Index(_valued(column, (found + least) / 10**decimals))
    return Column(column.name, column.kind, values, codes.astype(np.int32))


def _valued(column: Column, numbers: Floats) -> Any:
    """Numbers as values of the column's own type: dates from days, whole numbers whole."""
    if column.kind == "date":
        return np.rint(numbers * 86_400e6).astype(np.int64).astype("datetime64[us]")
    whole = pd.api.types.is_integer_dtype(column.values.dtype)
    return np.rint(numbers).astype(np.int64) if whole else numbers


def decimals_of(column: Column) -> int | None:
    """With how many decimals a column is written; dates count in days. None: more than a measurement has."""
    domain = column.numbers()
    return next((few for few in range(MOST_DECIMALS + 1) if (np.round(domain, few) == domain).all()), None)


def _snapped(numbers: Floats, domain: Floats) -> Floats:
    """A number that differs from a real one by rounding alone is that real one: a copy must look like one."""
    right = np.clip(np.searchsorted(domain, numbers), 1, len(domain) - 1)
    closest = np.where(
        numbers - domain[right - 1] < domain[right] - numbers, domain[right - 1], domain[right]
    )
    return np.where(np.abs(closest - numbers) <= 1e-9 * (domain[-1] - domain[0]), closest, numbers)
