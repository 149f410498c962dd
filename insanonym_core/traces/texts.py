"""Columns as the texts that are published: equal texts are equal values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from insanonym_core.errors import DataError, UsageError, brief, listed
from insanonym_core.numeric.arrays import Ints
from insanonym_core.texts import Phrase

MISSING = "?"
"""How a missing value is written inside a trace; it is never dropped."""

_MAX_EXACT_INTEGER = 2**53


@dataclass(frozen=True, eq=False)
class Texts:
    """A column as codes into its distinct texts; a missing value has the code -1."""

    code: Ints
    values: tuple[str, ...]

    @property
    def missing(self) -> int:
        """Number of rows without a value."""
        return int(np.count_nonzero(self.code < 0))

    def with_missing(self) -> tuple[Ints, tuple[str, ...]]:
        """Return codes from 0 and their texts, with missing values as "?"."""
        return self.code + 1, (MISSING, *self.values)


def column_texts(column: pd.Series) -> Texts:
    """Convert a column to texts; whole floats lose their ".0", and an empty text is missing."""
    if column.dtype == object:
        absent = column.isna().to_numpy()
        column = pd.Series(
            [
                None if is_missing else published_text(value)
                for is_missing, value in zip(absent, column, strict=True)
            ],
            dtype=object,
        )
    codes, distinct = pd.factorize(column)
    code_of_text: dict[str, int] = {}
    new_codes = [_code_for(code_of_text, published_text(value)) for value in distinct]
    return Texts(np.array([*new_codes, -1], dtype=np.int64)[codes], tuple(code_of_text))


def _code_for(known: dict[str, int], text: str) -> int:
    """Return the code of a text, a new one if it is not known; -1 for an empty text."""
    return known.setdefault(text, len(known)) if text else -1


def published_text(value: object) -> str:
    """Return a value as published text."""
    if isinstance(value, float | np.floating):
        number = float(value)
        if number.is_integer() and abs(number) < _MAX_EXACT_INTEGER:
            return str(int(number))
    return str(value)


def check_columns(frame: pd.DataFrame, names: Iterable[str]) -> None:
    """Refuse a table without rows, and columns it does not have or has twice."""
    for name in names:
        times = int(np.count_nonzero(frame.columns == name))
        if times == 0:
            columns = listed(frame.columns) or Phrase("none")
            raise UsageError(
                "The table has no column {name}; its columns are: {columns}.",
                name=brief(name),
                columns=columns,
            )
        if times > 1:
            raise DataError(
                "The table has {times} columns named {name}: rename all but one.",
                times=times,
                name=brief(name),
            )
    if len(frame) == 0:
        raise DataError("The table is empty: give one with at least one row.")
