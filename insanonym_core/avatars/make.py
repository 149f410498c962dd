"""From a table to its avatars: one call, everything that a moving slider can reuse kept with the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.avatars.generate import (
    Neighbours,
    Weights,
    clamped_k,
    mixed,
    neighbours_of_rows,
    written_back,
)
from insanonym_core.avatars.space import Impute, Space, fit_space, imputed
from insanonym_core.errors import DataError
from insanonym_core.tabular.table import Table

MOST_CATEGORIES = 2000


@dataclass(frozen=True)
class AvatarSettings:
    """How avatars are made. `components` wins over `variance`; `include_self` is the source's mistake."""

    k: int = 20
    variance: float = 0.9
    components: int | None = None
    impute: Impute = "mean"
    weights: Weights = "published"
    include_self: bool = False


@dataclass(frozen=True, eq=False)
class Avatars:
    """Synthetic rows in random order. `owner[i]` is the original row behind row i: never exported."""

    original: Table
    published: Table
    owner: Ints
    space: Space
    settings: AvatarSettings
    k: int
    rows_dropped: int

    def loudly(self) -> list[str]:
        """What whoever uses these avatars must be told."""
        said = []
        if self.settings.include_self:
            said.append(
                "Every row was its own neighbour (include_self): these avatars are near copies of real rows."
            )
        if self.k < self.settings.k:
            said.append(f"k = {self.settings.k} was lowered to {self.k}: there are no more other rows.")
        return said


def make_avatars(table: Table, settings: AvatarSettings, generator: np.random.Generator) -> Avatars:
    """Avatars of a table; moving k (up to the largest searched) or the seed costs only the mix."""
    wide = sum(column.domain for column in table.columns.values() if column.kind == "category")
    if wide > MOST_CATEGORIES:
        raise DataError(
            f"The text columns have {wide} different values in all, more than {MOST_CATEGORIES}: leave out "
            "identifiers and free text."
        )
    whole, rows = table.derive(("imputed", settings.impute), lambda: imputed(table, settings.impute))
    key = ("space", settings.variance, settings.components)
    space = whole.derive(
        key, lambda: fit_space(whole, variance=settings.variance, components=settings.components)
    )
    points = whole.derive((key, "points"), lambda: space.project(space.columns(whole)))
    k = clamped_k(settings.k, whole.rows)
    near = _neighbours(whole, points, k, settings)
    made = written_back(space, table, space.rebuild(mixed(points, near, settings.weights, generator)))
    order = generator.permutation(whole.rows)
    return Avatars(whole, made.take(order), order, space, settings, k, table.rows - len(rows))


def _neighbours(whole: Table, points: Floats, k: int, settings: AvatarSettings) -> Neighbours:
    """Found once per number of components; a smaller k is a slice of a larger search."""
    searched: dict[tuple[int, bool], Neighbours] = whole.derive("neighbours", dict)
    key = (points.shape[1], settings.include_self)
    if key not in searched or searched[key].index.shape[1] < k:
        searched[key] = neighbours_of_rows(points, k, include_self=settings.include_self)
    return searched[key].first(k)
