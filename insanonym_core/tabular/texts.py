"""Infer whether columns of text hold numbers, dates or texts."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insanonym_core.errors import DataError, brief
from insanonym_core.io.spreadsheets import restored

_MISSING_MARKS = ["", "NA", "N/A", "NaN", "nan", "NULL", "null"]
_MIN_DATE, _MAX_DATE = (
    int(np.datetime64(day, "us").astype(np.int64)) for day in ("0001-01-01", "10000-01-01")
)


def plain_texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Remove the apostrophes that protect texts from spreadsheets (see spreadsheets.py)."""
    marked = pc.starts_with(column, "'")
    if not pc.any(marked).as_py():
        return column
    different = column.filter(marked).unique().to_pylist()
    texts = [(text, back) for text in different if (back := restored(text)) != text]
    if not texts:
        return column
    old, new = (pa.array(side, pa.string()) for side in zip(*texts, strict=True))
    place = pc.index_in(column, old)
    return pc.if_else(place.is_valid(), pc.take(new, place), column)


def detect_decimal_mark(columns: Sequence[pa.ChunkedArray]) -> str:
    """Return the decimal mark of a file: a comma if a column is written like 1234,56 and none like 1234.56.

    Beside numbers with a point, 1,234 may mean a thousand: such a column stays text.
    """
    marks = [_column_decimal_mark(column) for column in columns]
    return "," if "," in marks and "." not in marks else "."


def _column_decimal_mark(column: pa.ChunkedArray) -> str:
    """Return the decimal mark of a column of numbers; empty for whole numbers and texts."""
    texts = column.unique().drop_null()
    texts = texts.filter(pc.invert(pc.is_in(texts, pa.array(_MISSING_MARKS))))
    for mark in (",", "."):
        every = pc.match_substring_regex(texts, rf"^[+-]?\d+([{mark}]\d+)?$")
        if pc.all(every, min_count=1).as_py() and pc.any(pc.match_substring(texts, mark)).as_py():
            return mark
    return ""


def infer_type(column: pa.ChunkedArray, decimal: str = ".") -> pa.ChunkedArray:
    """Convert a column of texts to numbers or dates if all its texts are; otherwise keep the texts.

    01000 stays text: as a number it would equal 1000, and k would count them together. So does a code of
    more than 18 digits. NA and the like are missing in a column of numbers, texts in a column of texts.
    """
    texts = column.unique().drop_null()
    texts = texts.filter(pc.invert(pc.is_in(texts, pa.array(_MISSING_MARKS))))
    if len(texts) == 0:
        return column
    point = re.escape(decimal)
    if pc.all(pc.match_substring_regex(texts, r"^[+-]?(0|[1-9]\d{0,17})$")).as_py():
        return _cast_or_keep(_without_na(column), pa.int64(), column)  # +7 stays a text, as +33612345678 must
    if pc.all(
        pc.match_substring_regex(texts, rf"^[+-]?(0|[1-9]\d*)?({point}\d+)?([eE][+-]?\d+)?$")
    ).as_py() and (not pc.any(pc.match_substring_regex(texts, r"^[+-]?\d{19,}$")).as_py()):
        plain = pc.replace_substring(_without_na(column), ",", ".") if decimal == "," else _without_na(column)
        return _cast_or_keep(plain, pa.float64(), column)
    if pc.all(
        pc.match_substring_regex(texts, r"^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?$")
    ).as_py():
        return _cast_or_keep(column, pa.timestamp("us"), column)
    return column


def _without_na(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.if_else(pc.is_in(column, pa.array(_MISSING_MARKS)), None, column)


def _cast_or_keep(column: pa.ChunkedArray, target: pa.DataType, original: pa.ChunkedArray) -> pa.ChunkedArray:
    """Cast a column to the target type; return `original` if a value does not fit."""
    try:
        return column.cast(target)
    except pa.ArrowInvalid:
        return original


def normalise_dates(name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Convert dates to wall-clock microseconds with four-digit years, which can be written and read."""
    try:
        if getattr(column.type, "tz", None):
            column = pc.local_timestamp(column)
        # Truncate nanoseconds; refuse what is out of range.
        column = column.cast(pa.timestamp("us"), safe=getattr(column.type, "unit", "") != "ns")
        ends = pc.min_max(column.cast(pa.int64())).as_py()
    except pa.ArrowException:
        ends = {"min": _MIN_DATE - 1}
    if ends["min"] is not None and not _MIN_DATE <= ends["min"] <= ends["max"] < _MAX_DATE:
        raise DataError(
            "The column {name} holds dates beyond the years 1 to 9999: fix them or leave them out.",
            name=brief(name),
        )
    return column
