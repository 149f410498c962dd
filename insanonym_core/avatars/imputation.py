"""Impute missing numbers, or drop the rows that have any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from insanonym_core.avatars.values import column_from_numbers, row_numbers
from insanonym_core.errors import DataError, brief
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.tabular.table import Table

Impute = Literal["mean", "knn", "drop"]
IMPUTE_NEIGHBOURS = 5
MAX_MAGNITUDE = 1e100


class PreparedTable(NamedTuple):
    """The rows that can be mixed: before imputation (`source`) and without missing numbers (`imputed`)."""

    source: Table
    imputed: Table


def prepare_table(table: Table, how: Impute) -> PreparedTable:
    """Impute the missing numbers of a table from the table itself; cached."""

    def prepare() -> PreparedTable:
        source = drop_unused_values(table)
        imputed, _ = impute_missing(source, how)
        return PreparedTable(imputed if how == "drop" else source, imputed)

    return table.derive(("prepared", how), prepare)


def drop_unused_values(table: Table) -> Table:
    """Return the table with only the values that occur; the same object if nothing changes."""
    columns = {name: column.drop_unused_values() for name, column in table.columns.items()}
    unchanged = all(columns[name] is column for name, column in table.columns.items())
    return table if unchanged else Table(columns, table.rows, style=table.style)


def impute_missing(table: Table, how: Impute = "mean", *, fit_on: Table | None = None) -> tuple[Table, Ints]:
    """Impute missing numbers; return the table and its rows in the original. Missing categories stay.

    Values are imputed from the table itself, or from `fit_on`: held-out rows from the training half, a given
    synthetic table from the originals.
    """
    reference = fit_on or table
    refuse_extreme_numbers(table)
    # A column without any value is not imputed: it carries no distance, like a constant one.
    gaps = [
        name
        for name, column in table.columns.items()
        if reference[name].kind != "category" and column.has_missing and len(reference[name].values)
    ]
    if not gaps:
        return table, np.arange(table.rows)
    if how == "drop":
        rows = table.complete_rows(gaps)
        if len(rows) == 0:
            raise DataError(
                "Every row has a missing number: impute them by mean or knn instead of dropping the rows."
            )
        return table.take_compact(rows), rows
    filled: Mapping[str, Floats | float]
    filled = _by_mean(reference, gaps) if how == "mean" else _by_neighbours(table, reference, gaps)
    columns = dict(table.columns)
    for name in gaps:
        numbers = row_numbers(table[name])
        columns[name] = column_from_numbers(
            reference[name], np.where(np.isnan(numbers), filled[name], numbers)
        )
    return Table(columns, table.rows, style=table.style), np.arange(table.rows)


def refuse_extreme_numbers(table: Table) -> None:
    """Refuse numbers whose squares overflow or underflow: no distance can be measured."""
    for name, column in table.columns.items():
        if column.kind == "number" and len(column.values):
            numbers = column.numbers()
            if np.abs(numbers).max() > MAX_MAGNITUDE or 0 < numbers[-1] - numbers[0] < 1 / MAX_MAGNITUDE:
                raise DataError(
                    "The column {name} holds numbers too large, or too close to each other, to measure "
                    "distances between them: rescale it or leave it out.",
                    name=brief(name),
                )


def _by_mean(reference: Table, gaps: Sequence[str]) -> dict[str, float]:
    """Return the mean of each column with gaps."""
    return {name: float(np.nanmean(row_numbers(reference[name]))) for name in gaps}


def _by_neighbours(table: Table, reference: Table, gaps: Sequence[str]) -> dict[str, Floats]:
    """Return k-nearest-neighbour imputations of each column with gaps, for all rows."""
    from sklearn.impute import KNNImputer

    numeric = [
        name for name, column in reference.columns.items() if column.kind != "category" and len(column.values)
    ]
    rows, reference_rows = (
        np.column_stack([row_numbers(part[name]) for name in numeric]) for part in (table, reference)
    )
    scale = np.nanstd(reference_rows, axis=0)
    scale = np.where(scale > 0, scale, 1)
    filled = (
        KNNImputer(n_neighbors=IMPUTE_NEIGHBOURS).fit(reference_rows / scale).transform(rows / scale) * scale
    )
    return {name: filled[:, numeric.index(name)] for name in gaps}
