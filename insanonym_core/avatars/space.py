"""Tables as points: standardised numbers, one-hot categories, and the principal components of both.

Numbers (and dates, as days) are standardised by the mean and population standard deviation of the table the
space was fitted on; a category is one-hot/√2, so that two different values lie at distance 1, missing being a
category of its own. Constant columns carry no distance and are set aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from insanonym_core.arrays import Floats, Ints, one_thread
from insanonym_core.errors import DataError, UsageError
from insanonym_core.tabular.table import MISSING, Column, Table

Impute = Literal["mean", "knn", "drop"]
KNN_IMPUTE = 5
LARGEST = 1e100


@dataclass(frozen=True, eq=False)
class Space:
    """Where the rows of a table are points: columns of the matrix, and the components that span it."""

    numbers: tuple[Column, ...]
    categories: tuple[Column, ...]
    constant: tuple[Column, ...]
    mean: Floats
    scale: Floats
    components: Floats
    explained: Floats
    variance: float = 0.9
    wanted: int | None = None

    def refitted(self, table: Table) -> Space:
        """The space of another table, with components chosen in the same way."""
        return fit_space(table, variance=self.variance, components=self.wanted)

    def columns(self, table: Table) -> Floats:
        """The rows of a table as standardised columns; a missing number must have been imputed before."""
        parts = [_numbers(table[column.name])[:, None] for column in self.numbers]
        standard = (np.hstack(parts) - self.mean) / self.scale if parts else np.zeros((table.rows, 0))
        return np.hstack([standard, *(_one_hot(column, table[column.name]) for column in self.categories)])

    def project(self, columns: Floats) -> Floats:
        """Coordinates on the components."""
        with one_thread():
            return (columns - self.centre) @ self.components.T

    def rebuild(self, points: Floats) -> Floats:
        """Standardised columns again."""
        with one_thread():
            return points @ self.components + self.centre

    @property
    def centre(self) -> Floats:
        """The mean row of the table the space was fitted on: 0 for numbers, shares for categories."""
        shares = [_shares(column) for column in self.categories]
        return np.concatenate([np.zeros(len(self.numbers)), *shares])


def fit_space(table: Table, *, variance: float = 0.9, components: int | None = None) -> Space:
    """The space of a complete table, with as many components as reach the variance, or a given number."""
    if table.rows < 2:
        raise DataError(f"Avatars need at least 2 rows to mix, and the table has {table.rows}.")
    varying = {name: column for name, column in table.columns.items() if column.domain > 1}
    if not varying:
        raise DataError("All rows of the table are equal: there is nothing to mix.")
    numbers = tuple(column for column in varying.values() if column.kind != "category")
    categories = tuple(column for column in varying.values() if column.kind == "category")
    values = (
        np.column_stack([_numbers(column) for column in numbers]) if numbers else np.zeros((table.rows, 0))
    )
    mean, scale = values.mean(axis=0), values.std(axis=0)
    constant = tuple(column for name, column in table.columns.items() if name not in varying)
    rough = Space(numbers, categories, constant, mean, scale, np.zeros((0, 0)), np.zeros(0))
    columns = rough.columns(table)
    vectors, explained = _principal(columns - columns.mean(axis=0))
    number = _how_many(explained, variance, components, len(vectors))
    return Space(
        numbers, categories, constant, mean, scale, vectors[:number], explained, variance, components
    )


def _principal(centred: Floats) -> tuple[Floats, Floats]:
    """Principal directions, largest first, with the share of the variance each explains.

    A direction and its opposite are the same: its largest entry is made positive, so that results repeat.
    """
    with one_thread():
        spread, vectors = np.linalg.eigh(centred.T @ centred / len(centred))
    order = np.argsort(spread)[::-1]
    spread, vectors = np.maximum(spread[order], 0), vectors[:, order].T
    real = spread > spread[0] * 1e-12
    vectors, spread = vectors[real], spread[real]
    sign = np.sign(vectors[np.arange(len(vectors)), np.abs(vectors).argmax(axis=1)])
    return vectors * sign[:, None], spread / spread.sum()


def _how_many(explained: Floats, variance: float, components: int | None, most: int) -> int:
    if not 0 < variance <= 1:
        raise UsageError(f"The variance to keep must lie above 0 and at most at 1, got {variance}.")
    if components is not None:
        if components < 1:
            raise UsageError(f"The number of components must be 1 or more, got {components}.")
        return min(components, most)
    return min(int(np.searchsorted(np.cumsum(explained), variance - 1e-12)) + 1, most)


def _numbers(column: Column) -> Floats:
    if column.has_missing:
        raise DataError(f"The column {column.name!r} has missing numbers: impute them first.")
    return column.numbers()[column.codes]


def _one_hot(fitted: Column, column: Column) -> Floats:
    """Rows × values of the fitted column (missing first where it occurs there), each 1/√2 or 0."""
    place = {text: number for number, text in enumerate(_labels(fitted))}
    codes = np.array([place.get(text, -1) for text in (None, *column.texts())])[column.codes + 1]
    hot = np.zeros((len(codes), len(place)))
    known = codes >= 0
    hot[np.flatnonzero(known), codes[known]] = 1 / np.sqrt(2)
    return hot


def _labels(column: Column) -> Sequence[str | None]:
    return [*([None] if column.has_missing else []), *column.texts()]


def _shares(column: Column) -> Floats:
    counts = np.bincount(column.codes + 1, minlength=len(column.values) + 1)
    return (counts if column.has_missing else counts[1:]) / len(column.codes) / np.sqrt(2)


def imputed(table: Table, how: Impute = "mean") -> tuple[Table, Ints]:
    """The table with no missing number (a missing category is a category), and its rows in the original."""
    _refuse_extremes(table)
    # A column without any value says nothing about anybody: it is set aside like a constant one.
    gaps = [
        name
        for name, column in table.columns.items()
        if column.kind != "category" and column.has_missing and len(column.values)
    ]
    if not gaps:
        return table, np.arange(table.rows)
    if how == "drop":
        rows = table.complete_rows(gaps)
        if len(rows) == 0:
            raise DataError("Every row has a missing number: impute them by mean or knn instead of dropping.")
        return table.some(rows), rows
    frame = table.frame()
    if how == "mean":
        for name in gaps:
            column = table[name]
            known = column.codes != MISSING
            filled = column.numbers()[np.maximum(column.codes, 0)]
            frame[name] = _restored(column, np.where(known, filled, filled[known].mean()))
    else:
        frame = _knn_imputed(table, gaps)
    return Table.from_frame(frame), np.arange(table.rows)


def _refuse_extremes(table: Table) -> None:
    """Squares of such numbers leave what a computer can write down."""
    for name, column in table.columns.items():
        if column.kind == "number" and len(column.values) > 1:
            numbers = column.numbers()
            if np.abs(numbers).max() > LARGEST or numbers[-1] - numbers[0] < 1 / LARGEST:
                raise DataError(
                    f"The column {name!r} holds numbers too large, or too close to each other, to measure "
                    "distances between them: rescale it or leave it out."
                )


def _knn_imputed(table: Table, gaps: Sequence[str]) -> Any:
    from sklearn.impute import KNNImputer

    frame = table.frame()
    numeric = [
        name for name, column in table.columns.items() if column.kind != "category" and len(column.values)
    ]
    values = np.column_stack(
        [
            np.where(
                table[name].codes == MISSING, np.nan, table[name].numbers()[np.maximum(table[name].codes, 0)]
            )
            for name in numeric
        ]
    )
    scale = np.where(np.nanstd(values, axis=0) > 0, np.nanstd(values, axis=0), 1)
    filled = KNNImputer(n_neighbors=KNN_IMPUTE).fit_transform(values / scale) * scale
    for name in gaps:
        frame[name] = _restored(table[name], filled[:, numeric.index(name)])
    return frame


def _restored(column: Column, numbers: Floats) -> Any:
    """Numbers as values of the column's kind: dates from days."""
    import pandas as pd

    if column.kind == "date":
        return pd.Series((numbers * 86_400e6).round().astype("datetime64[us]"))
    return pd.Series(numbers)
