"""Generate avatars: find neighbours on the principal components, mix them at random, rebuild rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from insanonym_core.avatars.space import Space
from insanonym_core.avatars.values import constant_column, round_like_source
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import pieces
from insanonym_core.tabular.table import MISSING, Column, Table

Weights = Literal["published", "exponential"]
# With components of decreasing variance a tree is still faster than brute force at fifteen dimensions; with
# equal variances it is a fifth slower there.
MAX_TREE_DIMENSIONS = 15
_MAX_DISTANCES = 4_000_000  # in memory at a time


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Index and distance of the nearest other points of each point, nearest first."""

    index: Ints
    distance: Floats

    def first(self, k: int) -> Neighbours:
        """Return the k nearest neighbours only."""
        return Neighbours(self.index[:, :k], self.distance[:, :k])

    def with_self(self) -> Neighbours:
        """Return the neighbours with the row itself first, at distance 0; the source's rule, for a lesson."""
        rows = len(self.index)
        return Neighbours(
            np.hstack([np.arange(rows)[:, None], self.index]), np.hstack([np.zeros((rows, 1)), self.distance])
        )


def nearest(
    points: Floats, others: Floats, k: int, *, norm: Literal[1, 2] = 2, tree: bool = False
) -> Neighbours:
    """Find the k nearest of `others` for each point: by a tree in few dimensions, by brute force in many.

    Distances are Euclidean, or with `norm` = 1 the sum over columns, which other programs use. `tree` forces
    the tree in many dimensions too: faster if they come from few columns.
    """
    from scipy.spatial import cKDTree

    k = min(k, len(others))
    if tree or points.shape[1] <= MAX_TREE_DIMENSIONS:
        index_tree = cKDTree(others)
        order = index_tree.indices if points is others else spatial_order(points)
        distance, index = np.empty((len(points), k)), np.empty((len(points), k), dtype=np.int64)
        distance[order], index[order] = index_tree.query(
            points[order], k=np.arange(1, k + 1), p=norm, workers=-1
        )
        return Neighbours(index, distance)
    parts = [
        _nearest_brute_force(points[chunk], others, k, norm)
        for chunk in memory_chunks(len(points), len(others))
    ]
    return Neighbours(
        np.vstack([index for index, _ in parts]), np.vstack([distance for _, distance in parts])
    )


def spatial_order(points: Floats) -> Ints:
    """Return an order of the rows in which nearby points follow each other.

    Queries in this order visit the same branches of a tree, which stay in the processor's cache: three times
    as fast at a million rows.
    """
    from scipy.spatial import cKDTree

    return cKDTree(points).indices


def memory_chunks(rows: int, others: int) -> Iterator[slice]:
    """Yield slices of the rows whose distances to all others fit into memory."""
    return pieces(rows, max(1, _MAX_DISTANCES // max(others, 1)))


def _nearest_brute_force(points: Floats, others: Floats, k: int, norm: int) -> tuple[Ints, Floats]:
    """Return index and distance of the k nearest, from all distances; ties by index."""
    from scipy.spatial.distance import cdist

    distance = cdist(points, others, "euclidean" if norm == 2 else "cityblock")
    index = (
        np.argpartition(distance, k - 1, axis=1)[:, :k]
        if k < len(others)
        else np.tile(np.arange(k), (len(points), 1))
    )
    nearest_distance = np.take_along_axis(distance, index, axis=1)
    order = np.lexsort((index, nearest_distance), axis=1)
    return np.take_along_axis(index, order, axis=1), np.take_along_axis(nearest_distance, order, axis=1)


def neighbours_of_rows(points: Floats, k: int) -> Neighbours:
    """Return the k nearest rows of each row, excluding itself by its number (copies are kept)."""
    candidates = nearest(points, points, min(k, len(points) - 1) + 1)
    own = candidates.index == np.arange(len(points))[:, None]
    own[~own.any(axis=1), -1] = True  # among many equal rows it may be absent: drop the last one
    shape = (len(points), candidates.index.shape[1] - 1)
    return Neighbours(candidates.index[~own].reshape(shape), candidates.distance[~own].reshape(shape))


def mixing_shares(neighbours: Neighbours, weights: Weights, generator: np.random.Generator) -> Floats:
    """Draw the weight of each neighbour in the avatar of each row; the weights of a row sum to 1.

    published: 1/distance × Exp(1) × 1/2^rank, the ranks randomly permuted (Guillaudeux et al. 2023); a
    distance of 0 counts as the smallest positive one, but a row that is its own neighbour outweighs all
    others, as 1/0 does. exponential: Exp(1) alone, the source's.
    """
    shares = generator.exponential(1.0, neighbours.index.shape)
    if weights == "published":
        # Sorting random numbers gives a random permutation, several times faster than shuffling.
        rank = np.argsort(generator.random(neighbours.index.shape), axis=1) + 1
        shares = shares * 0.5**rank / _replace_zero_distances(neighbours.distance)
        own = neighbours.index == np.arange(len(shares))[:, None]
        shares = np.where(own.any(axis=1, keepdims=True), own, shares)
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def mix_points(points: Floats, neighbours: Neighbours, shares: Floats) -> Floats:
    """Return the avatar of each row as a point: the weighted mean of its neighbours."""
    avatars = np.zeros(points.shape)
    for rank in range(shares.shape[1]):
        avatars += shares[:, rank, None] * points[neighbours.index[:, rank]]
    return avatars


def _replace_zero_distances(distance: Floats) -> Floats:
    """Replace distances of 0 by the smallest positive distance of the row, or 1."""
    lowest = np.where(distance > 0, distance, np.inf).min(axis=1, keepdims=True)
    lowest = np.where(np.isfinite(lowest), lowest, 1.0)
    return np.where(distance > 0, distance, lowest)


def rebuild_table(
    space: Space, source: Table, columns: Floats, gaps: Mapping[str, Bools] | None = None
) -> Table:
    """Convert standardised columns back to a table, with the ranges, decimals and types of the source.

    `source` is the table before imputation. `gaps` marks the rows without a value in a column; all others
    have one.
    """
    rebuilt: dict[str, Column] = {}
    places = space.column_slices
    for number, column in enumerate(space.numbers):
        values = columns[:, number] * space.scale[number] + space.mean[number]
        rebuilt[column.name] = round_like_source(source, column.name, values)
    for column in space.categories:
        # The first column is that of missing, if it occurs; the last one that of values absent when fitted.
        known = columns[:, places[column.name]][:, int(column.has_missing) : -1]
        rebuilt[column.name] = replace(
            column, codes=known.argmax(axis=1).astype(np.int32)
        ).drop_unused_values()
    for column in space.constant:
        rebuilt[column.name] = constant_column(source[column.name], len(columns))
    for name, is_missing in (gaps or {}).items():
        codes = np.where(is_missing, np.int32(MISSING), rebuilt[name].codes)
        rebuilt[name] = replace(rebuilt[name], codes=codes).drop_unused_values()
    return Table({name: rebuilt[name] for name in source.columns}, len(columns))
