"""Parse dates into ticks of local time: seconds if the file has no fractions, else microseconds."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insanonym_core.mobility.columns import nulls, numbers
from insanonym_core.numeric.arrays import Bools, Ints

DATE_FORM = "YYYY-MM-DD HH:MM:SS"
_MIN_DATE_LENGTH = len(DATE_FORM)
PATTERN = r"^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}(\.\d{1,9})?$"
_MICRO = 1_000_000


def mask_rows(column: pa.ChunkedArray, where: Bools) -> pa.ChunkedArray:
    """The column with nulls in the given rows."""
    return pc.if_else(pa.array(where), None, column) if where.any() else column


def parse_dates(column: pa.ChunkedArray, ignored: Bools) -> tuple[Ints, int, Bools]:
    """Ticks, ticks per second, and where a row that counts has no legal date."""
    if pa.types.is_timestamp(column.type):
        parsed = column
    else:
        parsed = _parse_fast(column)
        if parsed is None:
            column = mask_rows(column, ignored)
            parsed = _parse_fast(column)
        if parsed is None:
            parsed = _parse_one_by_one(column)
    parsed = _within_four_digit_years(parsed)
    ticks, resolution = _ticks(parsed)
    if parsed.null_count == 0:
        return ticks, resolution, np.zeros(len(ticks), dtype=bool)
    return ticks, resolution, nulls(parsed) & ~ignored


def _within_four_digit_years(parsed: pa.ChunkedArray) -> pa.ChunkedArray:
    """Replace dates outside the years 1001 to 9998 by null: weeks are written with a four-digit year."""
    if parsed.type.unit == "ns" or len(parsed) == parsed.null_count:
        return parsed  # nanoseconds only cover 1677 to 2262
    first, last = (
        int(np.datetime64(end, parsed.type.unit).astype(np.int64)) for end in ("1001-01-01", "9999-01-01")
    )
    whole = parsed.cast(pa.int64())
    ends = pc.min_max(whole).as_py()
    if first <= ends["min"] and ends["max"] < last:
        return parsed
    inside = pc.and_(pc.greater_equal(whole, first), pc.less(whole, last))
    return pc.if_else(inside, parsed, None)


def _parse_fast(texts: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Parse the whole column at once; None if that fails, or if a text is shorter than a full date."""
    shortest = pc.min(pc.binary_length(texts)).as_py()
    if shortest is not None and shortest < _MIN_DATE_LENGTH:
        return None
    for unit in ("s", "us", "ns"):
        try:
            return texts.cast(pa.timestamp(unit))
        except pa.ArrowInvalid:
            continue
    return None


def _parse_one_by_one(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Parse each date on its own; anything but a date of the expected form becomes null."""
    import pandas as pd

    formed = pc.if_else(pc.match_substring_regex(texts, PATTERN), texts, None)
    shortened = pc.utf8_slice_codeunits(formed, 0, _MIN_DATE_LENGTH + 7)
    dates = pd.to_datetime(pd.Series(shortened.to_pylist(), dtype=object), format="ISO8601", errors="coerce")
    return pa.chunked_array([pa.array(dates.astype("datetime64[us]"), pa.timestamp("us"), from_pandas=True)])


def _ticks(parsed: pa.ChunkedArray) -> tuple[Ints, int]:
    """Ticks and ticks per second: seconds if exact, else microseconds (finer digits are truncated)."""
    unit = parsed.type.unit
    ticks = numbers(parsed)
    if unit == "s":
        return ticks, 1
    micro = {"ms": ticks * 1000, "us": ticks}.get(unit)
    micro = ticks // 1000 if micro is None else micro
    if (micro % _MICRO == 0).all():
        return micro // _MICRO, 1
    return micro, _MICRO
