"""Avatars for tests."""

import numpy as np

from insanonym_core.avatars.release import Avatars
from insanonym_core.registry import methods
from insanonym_core.tabular.table import Table


def avatars_of(table: Table, seed: int = 1, **settings: object) -> Avatars:
    """Avatars by mixed neighbours."""
    method = methods.get("mix_neighbours", data="avatars").item(**settings)
    return method.apply(table, np.random.default_rng(seed))
