"""Text that a spreadsheet would run: made harmless in what we write, taken back in what we read.

A cell that begins with = + - @, a tab or a line break is a formula for a spreadsheet, whoever put it there:
an id or a diagnosis can call a program on the desk of whoever opens our file. So texts in the CSV and TSV
that we write get an apostrophe in front, as OWASP advises, headers too. Numbers stay as they are, and so do
texts that are plain numbers (-1, +33612345678): a spreadsheet shows these and runs nothing.

Our readers take exactly this apostrophe off again, so a release read back scores the same. For that, a text
that has apostrophes in front already ('=x) gets one more. In somebody else's file '=x is read as =x, which is
what it means to a spreadsheet. Parquet is no spreadsheet: there nothing is changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import pandas as pd

FORMULA_SIGNS = "=+-@＝＋－＠"
_FORMULA = re.compile(rf"'*(?:\s*[{re.escape(FORMULA_SIGNS)}]|[\t\r\n])")
_NUMBER = re.compile(r"[+-](?:(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?)?", re.ASCII)

Cell = TypeVar("Cell")


def defused(value: Cell) -> Cell | str:
    """A value as it may stand in a cell: a text that would be a formula gets an apostrophe in front.

    >>> [defused(value) for value in ("=1+1", "'=1+1", "-1", "- 1", "a=b", -1)]
    ["'=1+1", "''=1+1", '-1', "'- 1", 'a=b', -1]
    """
    if isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value):
        return f"'{value}"
    return value


def restored(text: str) -> str:
    """What `defused` was given: without the apostrophe that it puts in front, and any other text as it is."""
    return text[1:] if text[:1] == "'" and defused(text[1:]) == text else text


def defused_row(row: Iterable[object]) -> list[object]:
    """The cells of a line, each as it may be written."""
    return [defused(value) for value in row]


def defused_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """A table as it may be written, names of columns included; itself where nothing is to be done."""
    from pandas import concat
    from pandas.api.types import is_datetime64_any_dtype, is_numeric_dtype

    changed = {}
    for place in range(frame.shape[1]):
        column = frame.iloc[:, place]
        if is_numeric_dtype(column.dtype) or is_datetime64_any_dtype(column.dtype):
            continue
        column = column.astype(object)
        risky = {text: safe for text in column.unique() if (safe := defused(text)) is not text}
        if risky:
            changed[place] = column.map(lambda value, risky=risky: risky.get(value, value))
    if changed:
        columns = [changed.get(place, frame.iloc[:, place]) for place in range(frame.shape[1])]
        frame = concat(columns, axis=1)
    return frame.set_axis(defused_row(frame.columns), axis=1)
