"""A table as integer-coded columns.

Every column is coded once: its distinct values in sorted order, and for each row the place of its value
there. A missing value is a value of its own (code MISSING, before all others). Everything else, classes,
cuts, losses, works on the codes; the frame's index plays no role.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from insanonym_core.errors import DataError, UsageError, brief, listed
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import combine, renumber
from insanonym_core.numeric.randomness import content_digest
from insanonym_core.reading.style import Style
from insanonym_core.runtime.derived import KeepsDerived
from insanonym_core.texts import Phrase

AnySeries: TypeAlias = "pd.Series[Any]"  # Any: of any dtype
AnyIndex: TypeAlias = "pd.Index[Any]"  # Any: of any dtype
MISSING = -1
Kind = Literal["number", "date", "category"]


@dataclass(frozen=True, eq=False)
class Column:
    """One column: `values` are its distinct values in order, `codes` the place of each row's value."""

    name: str
    kind: Kind
    values: AnyIndex
    codes: Ints

    @property
    def has_missing(self) -> bool:
        """Whether some row has no value."""
        return bool((self.codes == MISSING).any())

    @property
    def domain(self) -> int:
        """How many different values there are, missing included."""
        return len(self.values) + int(self.has_missing)

    def numbers(self) -> Floats:
        """Return the distinct values as numbers: dates as days, categories as their position."""
        if self.kind == "number":
            return self.values.to_numpy(dtype=np.float64)
        if self.kind == "date":
            return self.values.to_numpy(dtype="datetime64[us]").astype(np.int64) / 86_400e6
        return np.arange(len(self.values), dtype=np.float64)

    def texts(self) -> list[str]:
        """Return the distinct values as they are written to a file."""
        if self.kind == "date":
            stamps = pd.DatetimeIndex(self.values)
            whole_days = bool((stamps == stamps.normalize()).all())
            whole_seconds = bool((stamps == stamps.floor("s")).all())
            form = (
                "%Y-%m-%d" if whole_days else "%Y-%m-%d %H:%M:%S" if whole_seconds else "%Y-%m-%d %H:%M:%S.%f"
            )
            return [str(text) for text in stamps.strftime(form)]
        return [_as_text(value) for value in self.values.tolist()]

    def take(self, rows: Ints) -> Column:
        """Return the column for some rows; values that no longer occur stay in its domain."""
        return Column(self.name, self.kind, self.values, self.codes[rows])

    def drop_unused_values(self) -> Column:
        """Return the column with only the values that occur in its rows."""
        used = np.bincount(self.codes[self.codes != MISSING], minlength=len(self.values)) > 0
        if used.all():
            return self
        new_code = np.append(np.cumsum(used) - 1, MISSING)  # index -1 (MISSING) selects the last entry
        return Column(self.name, self.kind, self.values[used], new_code[self.codes].astype(np.int32))

    def series(self) -> AnySeries:
        """The column as a pandas series with a fresh index."""
        taken = self.values.take(np.maximum(self.codes, 0)) if len(self.values) else None
        if taken is None:
            return pd.Series([None] * len(self.codes), dtype=object, name=self.name)
        series = pd.Series(taken, name=self.name).reset_index(drop=True)
        if not self.has_missing:
            return series
        if pd.api.types.is_integer_dtype(series.dtype):
            series = series.astype("Int64")
        elif pd.api.types.is_bool_dtype(series.dtype):
            series = series.astype("boolean")
        return series.mask(self.codes == MISSING)


def _as_text(value: object) -> str:
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return str(value)


@dataclass(frozen=True, eq=False)
class Classes:
    """Rows grouped by equal values of some columns. Classes are numbered in the order of those values."""

    code: Ints
    size: Ints

    @property
    def number(self) -> int:
        """How many classes there are."""
        return len(self.size)

    @property
    def size_of_row(self) -> Ints:
        """For each row the size of its class."""
        return self.size[self.code]


@dataclass(frozen=True, eq=False)
class Table(KeepsDerived):
    """Columns of equal length, by name and in order. Never changed after it is made.

    `demonstration` data is generated or public: a seed may repeat everything, pseudonyms too. `style` is how
    the file is written that it was read from.
    """

    columns: Mapping[str, Column]
    rows: int
    demonstration: bool = False
    style: Style = field(default_factory=Style)
    _derived: dict[object, object] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Table:
        """Code every column of a frame."""
        names = [str(name) for name in frame.columns]
        twins = duplicates(names)
        if twins:
            raise DataError(
                "The table has two columns called {name}: rename one of them.", name=brief(twins[0])
            )
        if len(frame) == 0:
            raise DataError("The table is empty: give one with at least one row.")
        return cls(
            {name: code_column(name, frame.iloc[:, place]) for place, name in enumerate(names)}, len(frame)
        )

    def __len__(self) -> int:
        return self.rows

    def __getitem__(self, name: str) -> Column:
        return self.columns[name]

    def digest(self) -> bytes:
        """Return a digest of the content, in file order."""

        def compute() -> bytes:
            columns = self.columns.values()
            texts = [(column.name, column.kind, *column.texts()) for column in columns]
            return content_digest(texts, [column.codes for column in columns])

        return self.derive("digest", compute)

    def named(self, names: Iterable[str], what: str, *, at_least_one: bool = True) -> tuple[str, ...]:
        """Check that the names are columns of this table, each once, and return them.

        `what` describes them in error messages.
        """
        requested = tuple(names)
        if at_least_one and not requested:
            raise UsageError(
                "The {what} must name at least one column; choose from: {columns}.",
                what=Phrase(what),
                columns=self._column_list(),
            )
        for name in requested:
            if name not in self.columns:
                raise UsageError(
                    "The {what} must name columns of the table, got {name}, which is no column; choose "
                    "from: {columns}.",
                    what=Phrase(what),
                    name=brief(name),
                    columns=self._column_list(),
                )
            if requested.count(name) > 1:
                raise UsageError(
                    "The {what} must name each column once, got {name} twice: leave one out.",
                    what=Phrase(what),
                    name=brief(name),
                )
        return requested

    def _column_list(self) -> str:
        return listed(self.columns)

    def take(self, rows: Ints) -> Table:
        """Return some of the rows, in the given order."""
        columns = {name: column.take(rows) for name, column in self.columns.items()}
        return Table(columns, len(rows), self.demonstration, self.style)

    def take_compact(self, rows: Ints) -> Table:
        """Return some of the rows, with only the values that occur in them."""
        columns = {name: column.take(rows).drop_unused_values() for name, column in self.columns.items()}
        return Table(columns, len(rows), self.demonstration, self.style)

    def select(self, names: Iterable[str]) -> Table:
        """Return the table with some of the columns."""
        return Table({name: self.columns[name] for name in names}, self.rows, self.demonstration, self.style)

    def complete_rows(self, names: Sequence[str]) -> Ints:
        """Return the rows that have a value in all these columns."""
        complete = np.ones(self.rows, dtype=bool)
        for name in names:
            complete &= self.columns[name].codes != MISSING
        return np.flatnonzero(complete)

    def classes(self, names: Sequence[str]) -> Classes:
        """Group the rows by equal values of these columns; missing equals missing."""
        return self.derive(
            ("classes", tuple(names)), lambda: group_rows([self.columns[name] for name in names])
        )

    def frame(self) -> pd.DataFrame:
        """The table as a pandas frame with a fresh index."""
        return pd.DataFrame({name: column.series() for name, column in self.columns.items()})


def group_rows(columns: Sequence[Column]) -> Classes:
    """Group rows by equal codes in all columns; classes are numbered in the order of the codes."""
    widths = [len(column.values) + 1 for column in columns]
    key = combine(
        *((column.codes.astype(np.int64) + 1, width) for column, width in zip(columns, widths, strict=True))
    )
    distinct, code = renumber(key, math.prod(widths))
    return Classes(code, np.bincount(code, minlength=len(distinct)))


def code_column(name: str, series: AnySeries) -> Column:
    """Infer the kind of a column and factorise it."""
    kind, series = _infer_kind(name, series)
    if kind == "number" and pd.api.types.is_integer_dtype(series.dtype) and not series.hasnans:
        return _coded_integers(name, series)
    try:
        codes, values = pd.factorize(series, sort=True)
    except TypeError:
        raise _nested_values_error(name) from None
    return Column(name, kind, pd.Index(values), codes.astype(np.int32))


def _nested_values_error(name: str) -> DataError:
    return DataError(
        "The column {name} holds lists or other structures: give one plain value per cell.", name=brief(name)
    )


def _coded_integers(name: str, series: AnySeries) -> Column:
    """Factorise integers without missing values, by a lookup table where their range is short."""
    lowest, highest = int(series.min()), int(series.max())
    if highest - lowest >= 2**62 or highest >= 2**63:
        codes, values = pd.factorize(series, sort=True)
        return Column(name, "number", pd.Index(values), codes.astype(np.int32))
    numbers = series.to_numpy(dtype=np.int64)
    distinct, place = renumber(numbers - lowest, highest - lowest + 1)
    return Column(name, "number", pd.Index(distinct + lowest), place.astype(np.int32))


def _infer_kind(name: str, series: AnySeries) -> tuple[Kind, AnySeries]:
    """Return the kind of a column, and its values in a form that can be sorted and compared."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        series = series.astype(series.dtype.categories.dtype)
    if pd.api.types.is_bool_dtype(series.dtype):
        return "category", series
    if pd.api.types.is_numeric_dtype(series.dtype):
        return "number", _to_whole_numbers(series)
    if pd.api.types.is_datetime64_any_dtype(series.dtype):
        return "date", series
    if isinstance(series.dtype, pd.StringDtype) or pd.api.types.infer_dtype(series, skipna=True) == "string":
        return "category", series.mask(series == "")  # an empty text is missing
    present = series.dropna()
    if len(present) and present.map(type).isin((list, dict, set, tuple, np.ndarray)).any():
        raise _nested_values_error(name)
    return "category", series.astype(object).map(str, na_action="ignore")


def _to_whole_numbers(series: AnySeries) -> AnySeries:
    """Convert whole floats to integers: a missing value must not turn 7 into 7.0."""
    if pd.api.types.is_float_dtype(series.dtype):
        present = series.dropna()
        finite = np.isfinite(present.to_numpy(dtype=np.float64))
        if not finite.all():
            raise DataError(
                "The column {name} holds an infinite number: replace it or leave it empty.",
                name=brief(series.name),
            )
        if len(present) and (present == np.floor(present)).all() and (present.abs() < 2**53).all():
            return series.astype("Int64")
    return series


def column_values(column: Column) -> Floats:
    """Return the rows of a column as numbers; NaN where missing."""
    if len(column.values) == 0:
        return np.full(len(column.codes), np.nan)
    return np.where(column.codes == MISSING, np.nan, column.numbers()[np.maximum(column.codes, 0)])


def duplicates(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once, sorted."""
    return sorted(name for name, times in Counter(names).items() if times > 1)


def unused_column_name(table: Table, name: str) -> str:
    """Append underscores to a name until no column of the table has it."""
    while name in table.columns:
        name += "_"
    return name
