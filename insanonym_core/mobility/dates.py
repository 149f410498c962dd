"""Dates as ticks of the wall clock: whole seconds when the file has no fractions, else microseconds."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insanonym_core.arrays import Bools, Ints
from insanonym_core.mobility.columns import nulls, numbers

DATE_FORM = "YYYY-MM-DD HH:MM:SS"
_SHORTEST = len(DATE_FORM)
_PATTERN = r"^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}(\.\d{1,9})?$"
_MICRO = 1_000_000


def blank(column: pa.ChunkedArray, where: Bools) -> pa.ChunkedArray:
    """The column without the values of some rows."""
    return pc.if_else(pa.array(where), None, column) if where.any() else column


def parse_dates(column: pa.ChunkedArray, ignored: Bools) -> tuple[Ints, int, Bools]:
    """Ticks, ticks per second, and where a row that counts has no legal date."""
    if pa.types.is_timestamp(column.type):
        parsed = column
    else:
        parsed = _quick(column)
        if parsed is None:
            column = blank(column, ignored)
            parsed = _quick(column)
        if parsed is None:
            parsed = _careful(column)
    parsed = _within_four_digit_years(parsed)
    ticks, resolution = _ticks(parsed)
    if parsed.null_count == 0:
        return ticks, resolution, np.zeros(len(ticks), dtype=bool)
    return ticks, resolution, nulls(parsed) & ~ignored


def _within_four_digit_years(parsed: pa.ChunkedArray) -> pa.ChunkedArray:
    """Weeks are written YYYY-W and jitter stays in its week: years are those from 1001 to 9998."""
    if parsed.type.unit == "ns" or len(parsed) == parsed.null_count:
        return parsed  # nanoseconds reach from 1677 to 2262
    first, last = (
        int(np.datetime64(end, parsed.type.unit).astype(np.int64)) for end in ("1001-01-01", "9999-01-01")
    )
    whole = parsed.cast(pa.int64())
    ends = pc.min_max(whole).as_py()
    if first <= ends["min"] and ends["max"] < last:
        return parsed
    inside = pc.and_(pc.greater_equal(whole, first), pc.less(whole, last))
    return pc.if_else(inside, parsed, None)


def _quick(texts: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """All at once, or None. Arrow also reads shorter forms (a day alone): the length tells them apart."""
    shortest = pc.min(pc.binary_length(texts)).as_py()
    if shortest is not None and shortest < _SHORTEST:
        return None
    for unit in ("s", "us", "ns"):
        try:
            return texts.cast(pa.timestamp(unit))
        except pa.ArrowInvalid:
            continue
    return None


def _careful(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Date by date: what is not a date of our form becomes null."""
    import pandas as pd

    formed = pc.if_else(pc.match_substring_regex(texts, _PATTERN), texts, None)
    shortened = pc.utf8_slice_codeunits(formed, 0, _SHORTEST + 7)
    dates = pd.to_datetime(pd.Series(shortened.to_pylist(), dtype=object), format="ISO8601", errors="coerce")
    return pa.chunked_array([pa.array(dates.astype("datetime64[us]"), pa.timestamp("us"), from_pandas=True)])


def _ticks(parsed: pa.ChunkedArray) -> tuple[Ints, int]:
    """Seconds if nothing is finer, else microseconds (finer digits are cut)."""
    unit = parsed.type.unit
    ticks = numbers(parsed)
    if unit == "s":
        return ticks, 1
    micro = {"ms": ticks * 1000, "us": ticks}.get(unit)
    micro = ticks // 1000 if micro is None else micro
    if (micro % _MICRO == 0).all():
        return micro // _MICRO, 1
    return micro, _MICRO
