"""Avatars for tests."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from insanonym_core.avatars.imputation import prepare_table
from insanonym_core.avatars.release import Avatars
from insanonym_core.avatars.space import fit_space
from insanonym_core.registry import methods
from insanonym_core.tabular.table import Table


def avatars_of(table: Table, seed: int = 1, **settings: object) -> Avatars:
    """Avatars by mixed neighbours."""
    method = methods.get("mix_neighbours", data="avatars").item(**settings)
    return method.apply(table, np.random.default_rng(seed))


def table_of(**columns: object) -> Table:
    return Table.from_frame(pd.DataFrame(columns))


@dataclass(frozen=True)
class Publishes:
    """A method whose avatars a test chooses, in the order of the rows behind them."""

    rows: Callable[[pd.DataFrame], pd.DataFrame]

    def apply(self, table: Table, generator: np.random.Generator) -> Avatars:
        source, whole = prepare_table(table, "mean")
        published = Table.from_frame(self.rows(source.frame()))
        space = fit_space(whole, variance=1.0)
        return Avatars(whole, published, space, source, owner=np.arange(whole.rows), method=self)


def published_as(table: Table, rows: Callable[[pd.DataFrame], pd.DataFrame]) -> Avatars:
    """Avatars that a test chooses."""
    return Publishes(rows).apply(table, np.random.default_rng(0))
