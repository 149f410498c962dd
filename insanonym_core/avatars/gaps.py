"""Missing values of avatars: as many in each column as in the originals.

Imputed values are used for distances only: published, they would look like observed values.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from insanonym_core.avatars.generate import Neighbours
from insanonym_core.numeric.arrays import Bools, Floats
from insanonym_core.tabular.table import MISSING, Table


def draw_gaps(
    source: Table, neighbours: Neighbours, shares: Floats, generator: np.random.Generator
) -> Mapping[str, Bools]:
    """Draw which avatars have no value in each column: as many as rows of the source.

    Each avatar takes the gaps of one of its neighbours, drawn by the shares of the mix, so that values
    missing together stay missing together. If a column then has too many or too few, gaps are kept or added
    in the order of the neighbours' weighted share of missing values, ties at random.
    """
    missing = {name: column.codes == MISSING for name, column in source.columns.items() if column.has_missing}
    if not missing:
        return {}  # without using the generator
    rows = np.arange(len(shares))
    rank = (generator.random((len(shares), 1)) > np.cumsum(shares, axis=1)).sum(axis=1)
    donor = neighbours.index[rows, np.minimum(rank, shares.shape[1] - 1)]
    gaps = {}
    for name, is_missing in missing.items():
        expected = (shares * is_missing[neighbours.index]).sum(axis=1)
        first = np.lexsort((generator.random(len(rows)), -expected, ~is_missing[donor]))
        gaps[name] = np.zeros(len(rows), dtype=bool)
        gaps[name][first[: is_missing.sum()]] = True
    return gaps
