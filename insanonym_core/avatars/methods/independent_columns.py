"""Columns shuffled one by one: what is left when nothing but single columns is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from insanonym_core.avatars.imputation import Impute, prepare_table
from insanonym_core.avatars.release import Avatars, fully_synthetic
from insanonym_core.parameters import Choice
from insanonym_core.registry import methods
from insanonym_core.tabular.table import Column, Table

Draw = Literal["shuffle", "resample"]


@methods.add("independent_columns", data="avatars", title="Columns drawn independently", order=2)
@dataclass(frozen=True, kw_only=True)
class IndependentColumns:
    """Draws every column by itself: single columns stay, whatever holds between them is gone.

    Every published value is somebody's: who is alone with a value, the highest income say, is seen to be in
    the data. To compare avatars with: what they keep beyond this is what their neighbours are for. `shuffle`
    keeps exactly the values of each column, `resample` draws them with repetition.
    """

    draw: Annotated[Draw, Choice("shuffle", "resample")] = "shuffle"
    impute: Annotated[Impute, Choice("mean", "knn", "drop")] = "mean"

    def apply(self, table: Table, generator: np.random.Generator) -> Avatars:
        """Draw the rows of each column anew; missing values are values like others."""
        split_seed = int(generator.integers(2**62))
        prepared = prepare_table(table, self.impute)
        columns = {name: self._drawn(column, generator) for name, column in prepared.source.columns.items()}
        published = Table(columns, prepared.source.rows)
        return fully_synthetic(table, prepared, published, self, split_seed, self.impute)

    def _drawn(self, column: Column, generator: np.random.Generator) -> Column:
        rows = len(column.codes)
        if self.draw == "shuffle":
            return replace(column, codes=generator.permutation(column.codes))
        return replace(column, codes=column.codes[generator.integers(rows, size=rows)]).drop_unused_values()
