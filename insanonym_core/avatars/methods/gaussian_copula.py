"""A Gaussian copula: single columns and the correlations between them, and nothing else of the table.

Each value is taken for its rank, as the quantile of a normal distribution (normal scores): texts are in the
order of the alphabet, equal values share the middle of their ranks. Whether a value is missing is a column
of its own. The correlations of the scores, each over the rows that have both, are what is learnt of the
columns together. Synthetic rows are normal draws with these correlations, and each coordinate is read back
as the quantile of its column.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
import pandas as pd

from insanonym_core.avatars.imputation import Impute, prepare_table
from insanonym_core.avatars.release import Avatars, fully_synthetic
from insanonym_core.avatars.values import round_like_source, row_numbers
from insanonym_core.numeric.arrays import Floats, Ints, one_thread
from insanonym_core.parameters import Choice, Range
from insanonym_core.registry import methods
from insanonym_core.tabular.table import MISSING, Column, Table


@methods.add("gaussian_copula", data="avatars", title="Gaussian copula", order=3)
@dataclass(frozen=True, kw_only=True)
class GaussianCopula:
    """Draws rows with the single columns and the correlations of the table, by a Gaussian copula.

    No row is made from one person's, but texts are published as they are, and a correlation that one person
    makes is kept: who is alone with a text can be seen to be in the data. Numbers pass through the means of
    `k` neighbouring values; with 1 they are people's own. `correlations` is the share of them that is kept, 0
    leaves the columns independent. Curves, clusters and orders of texts are lost.
    """

    k: Annotated[int, Range(1, 10_000, whole=True, unit="rows", scale="log")] = 10
    correlations: Annotated[float, Range(0, 1, step=0.01)] = 1.0
    impute: Annotated[Impute, Choice("mean", "knn", "drop")] = "mean"

    def apply(self, table: Table, generator: np.random.Generator) -> Avatars:
        """Learn the correlations of normal scores, and draw as many rows as there are."""
        split_seed = int(generator.integers(2**62))
        prepared = prepare_table(table, self.impute)
        source = prepared.source
        kept = source.derive("copula", lambda: correlations_of_scores(source)) * self.correlations
        np.fill_diagonal(kept, 1.0)
        ranks = dict(zip(_coordinates(source), self._ranks(kept, source.rows, generator), strict=True))
        columns = {
            name: column_at(source, name, ranks[name, False], ranks.get((name, True)), self.k)
            for name in source.columns
        }
        published = Table(columns, source.rows)
        return fully_synthetic(table, prepared, published, self, split_seed, self.impute)

    @staticmethod
    def _ranks(correlations: Floats, rows: int, generator: np.random.Generator) -> Floats:
        """Draw normal rows with these correlations; return the ranks, from 0 to 1, column by column."""
        from scipy.special import ndtr

        with one_thread():
            spread, vectors = np.linalg.eigh(correlations)
            root = vectors * np.sqrt(np.maximum(spread, 0))  # pairs of different rows may not fit together
            root /= np.linalg.norm(root, axis=1, keepdims=True)
            drawn = root @ generator.standard_normal((len(correlations), rows))
        ranks: Floats = ndtr(drawn)
        return ranks


def _coordinates(table: Table) -> list[tuple[str, bool]]:
    """Return what is drawn: each column, and whether it is missing where it is missing somewhere."""
    gaps = [(name, True) for name, column in table.columns.items() if column.has_missing]
    return [*((name, False) for name in table.columns), *gaps]


def correlations_of_scores(table: Table) -> Floats:
    """Return the correlations of the normal scores of columns and gaps; 0 where one does not vary."""
    scores = {
        (name, gap): normal_scores(
            (table[name].codes == MISSING).astype(np.int64) if gap else table[name].codes
        )
        for name, gap in _coordinates(table)
    }
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = pd.DataFrame(scores).corr(min_periods=2).to_numpy()
    return np.nan_to_num(np.clip(found, -1, 1))


def normal_scores(codes: Ints) -> Floats:
    """Return the normal quantile of the middle rank of each row's value; NaN where it is missing."""
    from scipy.special import ndtri

    present = codes[codes != MISSING]
    count = np.bincount(present, minlength=1)
    middle = (np.cumsum(count) - count / 2) / max(len(present), 1)
    found: Floats = np.append(ndtri(middle), np.nan)[codes]  # index -1 (MISSING) selects NaN
    return found


def column_at(source: Table, name: str, ranks: Floats, gaps: Floats | None, k: int = 1) -> Column:
    """Return the values of a column at ranks from 0 to 1, with as many gaps as in the source on average.

    Numbers and dates are quantiles, texts are taken by their shares.
    """
    column = source[name]
    present = np.sort(column.codes[column.codes != MISSING])
    if not len(present):
        return column
    if column.kind == "category":
        place = np.minimum((ranks * len(present)).astype(np.int64), len(present) - 1)
        made = replace(column, codes=present[place])
    else:
        numbers = row_numbers(column)
        quantiles = smooth_quantiles(np.sort(numbers[~np.isnan(numbers)]), ranks, k)
        made = round_like_source(source, name, quantiles)
    if gaps is None:
        return made.drop_unused_values()
    missing = gaps > len(present) / len(column.codes)
    return replace(made, codes=np.where(missing, MISSING, made.codes).astype(np.int32)).drop_unused_values()


def smooth_quantiles(ordered: Floats, ranks: Floats, k: int) -> Floats:
    """Return quantiles that pass through the means of groups of k neighbouring numbers, in straight lines.

    Beyond the first and the last mean they stay there: the lowest and the highest number are nobody's own.
    """
    groups = np.array_split(ordered, max(1, len(ordered) // k))
    sizes = np.array([len(group) for group in groups])
    middle = (np.cumsum(sizes) - sizes / 2) / len(ordered)
    found: Floats = np.interp(ranks, middle, [group.mean() for group in groups])
    return found
