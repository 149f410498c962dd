"""From a table to its avatars; what a moving slider can reuse is kept with the table and in the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.arrays import Floats
from insanonym_core.avatars.gaps import draw_gaps
from insanonym_core.avatars.generate import (
    Neighbours,
    Weights,
    mix_points,
    mixing_shares,
    neighbours_of_rows,
    rebuild_table,
)
from insanonym_core.avatars.imputation import Impute, prepare_table
from insanonym_core.avatars.release import Avatars
from insanonym_core.avatars.space import fit_space, refuse_too_large
from insanonym_core.parameters import Choice, Range, Switch
from insanonym_core.randomness import content_digest
from insanonym_core.registry import methods
from insanonym_core.store import updated
from insanonym_core.tabular.table import Table


@methods.add("mix_neighbours", data="avatars", title="Avatars (mix of PCA neighbours)", order=1)
@dataclass(frozen=True, kw_only=True)
class MixNeighbours:
    """Replaces each row by a random mix of its nearest rows on the principal components.

    Someone alone in a region gets an avatar far from themselves but close to nobody else: they can still be
    told. `components` = 0 takes as many as reach `variance`. `exponential` weights and `include_self` are the
    source's, for the lesson: the first hides fewer people, the second publishes each row's projection.
    Missing numbers are imputed for distances alone: as many stay missing as there were.
    """

    k: Annotated[int, Range(1, 10_000, whole=True, unit="rows", scale="log")] = 20
    components: Annotated[int, Range(0, 1000, whole=True, zero="automatic")] = 0
    variance: Annotated[float, Range(0.01, 1, step=0.01)] = 0.9
    weights: Annotated[Weights, Choice("published", "exponential")] = "published"
    impute: Annotated[Impute, Choice("mean", "knn", "drop")] = "mean"
    include_self: Annotated[bool, Switch()] = False

    def apply(self, table: Table, generator: np.random.Generator) -> Avatars:
        """Avatars of a table; moving k (up to the largest searched) or the seed costs only the mix."""
        split_seed = int(generator.integers(2**62))  # first: demonstration data split alike in every setting
        source, whole = prepare_table(table, self.impute)
        wanted = self.components or None
        key = ("space", self.variance, wanted)
        space = whole.derive(key, lambda: fit_space(whole, variance=self.variance, components=wanted))
        points = whole.derive((key, "points"), lambda: space.project(space.columns(whole)))
        near = self._neighbours(whole, points)
        share = mixing_shares(near, self.weights, generator)
        order = generator.permutation(whole.rows)
        gaps = draw_gaps(source, near, share, generator)
        made = rebuild_table(space, source, space.rebuild(mix_points(points, near, share)), gaps)
        return Avatars(
            whole,
            made.take(order),
            space,
            source,
            owner=order,
            method=self,
            split_seed=split_seed,
            rows_dropped=table.rows - whole.rows,
            impute=self.impute,
            warnings=self._warnings(near),
            facts={"neighbours": near, "share": share},
        )

    def _neighbours(self, whole: Table, points: Floats) -> Neighbours:
        """Found once per number of components; a smaller k is a slice of a larger search."""
        k = min(self.k, whole.rows - 1)
        key = points.shape, content_digest((), (points,))
        refuse_too_large(whole.rows, k, "neighbours", "lower k")

        def search(before: Neighbours | None) -> Neighbours:
            enough = before is not None and before.index.shape[1] >= k
            return before if before is not None and enough else neighbours_of_rows(points, k)

        found = updated("neighbours", key, search)
        return (found.with_self() if self.include_self else found).first(k)

    def _warnings(self, near: Neighbours) -> tuple[str, ...]:
        """What whoever uses these avatars must be told."""
        said = []
        if self.include_self:
            copies = self.weights == "published" or near.index.shape[1] == 1
            said.append(
                "Every row was its own neighbour (include_self): "
                + (
                    "these avatars are copies of real rows, or nearly so."
                    if copies
                    else "in these avatars each row is one of its own ingredients."
                )
                + " Do not publish them."
            )
        if near.index.shape[1] < self.k:
            said.append(
                f"k = {self.k} was lowered to {near.index.shape[1]}: a row has no more other rows to mix."
            )
        return tuple(said)
