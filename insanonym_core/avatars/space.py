"""Tables as points: standardised numbers, one-hot categories, and the principal components of both.

Numbers (and dates, as days) are standardised by the mean and population standard deviation of the table the
space was fitted on; a category is one-hot/√2, so that two different values lie at distance 1, missing being a
category of its own and a value that the table does not have another. Columns that do not vary, or vary less
than their numbers can be told apart, carry no distance and are set aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from insanonym_core.avatars.imputation import drop_unused_values
from insanonym_core.avatars.values import distinct_numbers
from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.numeric.arrays import Floats, one_thread
from insanonym_core.tabular.table import Column, Table
from insanonym_core.texts import Phrase

MAX_CATEGORIES = 2000
MAX_BYTES = 1.5e9
# A standard deviation below this share of the largest number is rounding error: such a column is constant.
MIN_RELATIVE_SPREAD = 1e-13
ONE_HOT_VALUE = 1 / np.sqrt(2)


@dataclass(frozen=True, eq=False)
class Space:
    """Mapping of rows to points: standardised columns, and the principal components fitted on a table."""

    numbers: tuple[Column, ...]
    categories: tuple[Column, ...]
    constant: tuple[Column, ...]
    mean: Floats
    scale: Floats
    components: Floats
    explained: Floats
    variance: float = 0.9
    requested_components: int | None = None

    def refitted(self, table: Table) -> Space:
        """Fit the space of another table, with the same choice of components."""
        return fit_space(table, variance=self.variance, components=self.requested_components)

    @property
    def column_slices(self) -> dict[str, slice]:
        """Slice of the matrix columns that belong to each column of the table."""
        places = {column.name: slice(place, place + 1) for place, column in enumerate(self.numbers)}
        start = len(self.numbers)
        for column in self.categories:
            places[column.name] = slice(start, start + column.domain + 1)
            start += column.domain + 1
        return places

    def columns(self, table: Table) -> Floats:
        """Return the rows of a table as standardised columns; missing numbers must be imputed before."""
        width = len(self.numbers) + sum(column.domain + 1 for column in self.categories)
        refuse_too_large(table.rows, width, "columns and values of texts", "leave out wide columns")
        standard = (_stack_numbers(table, [column.name for column in self.numbers]) - self.mean) / self.scale
        return np.hstack([standard, *(_one_hot(column, table[column.name]) for column in self.categories)])

    def project(self, columns: Floats) -> Floats:
        """Return the coordinates on the components."""
        with one_thread():
            return (columns - self.centre) @ self.components.T

    def rebuild(self, points: Floats) -> Floats:
        """Return the standardised columns of points on the components."""
        with one_thread():
            return points @ self.components + self.centre

    @property
    def centre(self) -> Floats:
        """Mean row of the fitted table: 0 for numbers, shares for categories."""
        shares = [_one_hot_mean(column) for column in self.categories]
        return np.concatenate([np.zeros(len(self.numbers)), *shares])


def fit_space(table: Table, *, variance: float = 0.9, components: int | None = None) -> Space:
    """Fit the space of a table without missing numbers; components reach the variance, or a given number."""
    if table.rows < 2:
        raise DataError("Avatars need at least 2 rows to mix, and the table has {rows}.", rows=table.rows)
    table = drop_unused_values(table)
    _refuse_free_text(table)
    names = [name for name, c in table.columns.items() if c.kind != "category" and len(c.values)]
    values = _stack_numbers(table, names)
    mean, scale = values.mean(axis=0), values.std(axis=0)
    varies = scale > MIN_RELATIVE_SPREAD * np.abs(values).max(axis=0)
    numbers = tuple(table[name] for name, vary in zip(names, varies, strict=True) if vary)
    categories = tuple(c for c in table.columns.values() if c.kind == "category" and c.domain > 1)
    if not numbers and not categories:
        raise DataError("All rows of the table are equal: there is nothing to mix.")
    varying = {column.name for column in (*numbers, *categories)}
    constant = tuple(column for name, column in table.columns.items() if name not in varying)
    mean, scale = mean[varies], scale[varies]
    rough = Space(numbers, categories, constant, mean, scale, np.zeros((0, 0)), np.zeros(0))
    columns = rough.columns(table)
    vectors, explained = _principal_components(columns - columns.mean(axis=0))
    number = _number_of_components(explained, variance, components, len(vectors))
    return Space(
        numbers, categories, constant, mean, scale, vectors[:number], explained, variance, components
    )


def refuse_too_large(rows: int, width: int, what: str, instead: str) -> None:
    """Refuse a matrix that would not fit into memory."""
    if rows * width * 8 > MAX_BYTES:
        raise DataError(
            "{rows:,} rows × {width:,} {what} take {size:.1f} GB, more than {most:g} GB: give "
            "fewer rows, or {instead}.",
            rows=rows,
            width=width,
            what=Phrase(what),
            size=rows * width * 8 / 1e9,
            most=MAX_BYTES / 1e9,
            instead=Phrase(instead),
        )


def _refuse_free_text(table: Table) -> None:
    """Refuse texts with too many different values in all."""
    wide = sum(column.domain for column in table.columns.values() if column.kind == "category")
    if wide > MAX_CATEGORIES:
        raise DataError(
            "The text columns have {found:,} different values in all, more than {most:,}: leave "
            "out identifiers and free text.",
            found=wide,
            most=MAX_CATEGORIES,
        )


def _principal_components(centred: Floats) -> tuple[Floats, Floats]:
    """Return the principal directions, largest first, and the share of the variance each explains.

    The largest entry of each direction is made positive, so that results repeat.
    """
    with one_thread():
        spread, vectors = np.linalg.eigh(centred.T @ centred / len(centred))
    order = np.argsort(spread)[::-1]
    spread, vectors = np.maximum(spread[order], 0), vectors[:, order].T
    real = spread > spread[0] * 1e-12
    vectors, spread = vectors[real], spread[real]
    sign = np.sign(vectors[np.arange(len(vectors)), np.abs(vectors).argmax(axis=1)])
    return vectors * sign[:, None], spread / spread.sum()


def _number_of_components(
    explained: Floats, variance: float, components: int | None, max_components: int
) -> int:
    """Return how many components reach the variance, or the given number, at most all."""
    if not 0 < variance <= 1:
        raise UsageError(
            "The variance to keep must be above 0 and at most 1, got {variance}.", variance=variance
        )
    if components is not None:
        if components < 1:
            raise UsageError(
                "The number of components must be 1 or more, got {components}.", components=components
            )
        return min(components, max_components)
    return min(int(np.searchsorted(np.cumsum(explained), variance - 1e-12)) + 1, max_components)


def _stack_numbers(table: Table, names: Sequence[str]) -> Floats:
    """Stack columns of numbers or dates into one matrix."""
    parts: list[Floats] = [np.zeros((table.rows, 0))]
    for name in names:
        column = table[name]
        if column.has_missing:
            raise DataError("The column {name} has missing numbers: impute them first.", name=brief(name))
        parts.append(distinct_numbers(column)[column.codes, None])
    return np.hstack(parts)


def _one_hot(fitted: Column, column: Column) -> Floats:
    """Rows × values of the fitted column (missing first where it occurs there), each 1/√2 or 0.

    The last place is for values that the fitted column does not have: they lie at distance 1 from all others.
    It does not vary there, so no component has a part in it.
    """
    labels = _one_hot_labels(fitted)
    place = {text: number for number, text in enumerate(labels)}
    slots = np.array([place.get(text, len(labels)) for text in (None, *column.texts())])
    hot = np.zeros((len(column.codes), len(labels) + 1))
    hot[np.arange(len(hot)), slots[column.codes + 1]] = ONE_HOT_VALUE
    return hot


def _one_hot_labels(column: Column) -> Sequence[str | None]:
    return [*([None] if column.has_missing else []), *column.texts()]


def _one_hot_mean(column: Column) -> Floats:
    """Return the mean of the one-hot rows of a fitted column."""
    counts = np.bincount(column.codes + 1, minlength=len(column.values) + 1)
    return np.append(counts if column.has_missing else counts[1:], 0) / len(column.codes) * ONE_HOT_VALUE
