"""The method that makes avatars of a table; what other parameter values can reuse is cached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

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
from insanonym_core.avatars.release import LATENT, Avatars
from insanonym_core.avatars.space import fit_space, refuse_too_large
from insanonym_core.numeric.arrays import Floats
from insanonym_core.numeric.randomness import content_digest
from insanonym_core.parameters import Choice, Range, Switch
from insanonym_core.registry import methods
from insanonym_core.runtime.store import updated
from insanonym_core.tabular.table import Table
from insanonym_core.texts import Phrase

COPIES = Phrase(
    "Every row was its own neighbour (include_self): these avatars are copies of real rows, or nearly so. Do "
    "not publish them."
)
INGREDIENTS = Phrase(
    "Every row was its own neighbour (include_self): in these avatars each row is one of its own ingredients."
    " Do not publish them."
)


def lowered_k(k: int, used: int) -> Phrase:
    """The warning that there are fewer neighbours than `k`."""
    return Phrase("k = {k} was lowered to {used}: a row has no more other rows to mix.", k=k, used=used)


@methods.add("mix_neighbours", data="avatars", title="Avatars (mix of PCA neighbours)", order=1)
@dataclass(frozen=True, kw_only=True)
class MixNeighbours:
    """Replaces each row by a random mix of its nearest rows on the principal components.

    Someone alone in a region gets an avatar far from themselves but close to nobody else: they can still be
    recognised. Exponential weights hide fewer people, and `include_self` publishes nearly the row itself:
    both are there for the lesson. Missing numbers are imputed for distances alone: as many stay missing as
    there were.
    """

    k: Annotated[int, Range(1, 10_000, whole=True, unit="rows", scale="log")] = 20
    components: Annotated[int, Range(0, 1000, whole=True, zero="automatic")] = 0
    variance: Annotated[float, Range(0.01, 1, step=0.01)] = 0.9
    weights: Annotated[Weights, Choice("published", "exponential")] = "published"
    impute: Annotated[Impute, Choice("mean", "knn", "drop")] = "mean"
    include_self: Annotated[bool, Switch()] = False

    def apply(self, table: Table, generator: np.random.Generator) -> Avatars:
        """Make avatars of a table; another seed, or a k searched before, repeats only the mix."""
        # Drawn first, so that demonstration data is split alike for all parameters.
        split_seed = int(generator.integers(2**62))
        source, imputed = prepare_table(table, self.impute)
        components = self.components or None
        key = ("space", self.variance, components)
        space = imputed.derive(key, lambda: fit_space(imputed, variance=self.variance, components=components))
        points = imputed.derive((key, "points"), lambda: space.project(space.columns(imputed)))
        neighbours = self._neighbours(imputed, points)
        shares = mixing_shares(neighbours, self.weights, generator)
        order = generator.permutation(imputed.rows)
        gaps = draw_gaps(source, neighbours, shares, generator)
        mixed = mix_points(points, neighbours, shares)
        synthetic = rebuild_table(space, source, space.rebuild(mixed), gaps)
        return Avatars(
            imputed,
            synthetic.take(order),
            space,
            source,
            owner=order,
            method=self,
            split_seed=split_seed,
            rows_dropped=table.rows - imputed.rows,
            impute=self.impute,
            warnings=self._warnings(neighbours),
            facts={"neighbours": neighbours, "share": shares, LATENT: mixed[order]},
        )

    def _neighbours(self, imputed: Table, points: Floats) -> Neighbours:
        """Find the neighbours; cached, and a smaller k is a slice of a larger search."""
        k = min(self.k, imputed.rows - 1)
        key = points.shape, content_digest((), (points,))
        refuse_too_large(imputed.rows, k, "neighbours", "lower k")

        def search(cached: Neighbours | None) -> Neighbours:
            is_enough = cached is not None and cached.index.shape[1] >= k
            return cached if cached is not None and is_enough else neighbours_of_rows(points, k)

        neighbours = updated("neighbours", key, search)
        return (neighbours.with_self() if self.include_self else neighbours).first(k)

    def _warnings(self, neighbours: Neighbours) -> tuple[str, ...]:
        """Return the warnings that a user of these avatars must see."""
        messages: list[str] = []
        used_k = neighbours.index.shape[1]
        if self.include_self:
            messages.append(COPIES if self.weights == "published" or used_k == 1 else INGREDIENTS)
        if used_k < self.k:
            messages.append(lowered_k(self.k, used_k))
        return tuple(messages)
