"""Tables from and to pandas frames: a column is what its dtype says, as in a Parquet file of the frame."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.io.frames import frame_of
from insanonym_core.reading.columns import MISSING_MARKS
from insanonym_core.reading.dates import iso_dates
from insanonym_core.tabular.files import normalise_dates
from insanonym_core.tabular.runs import without_columns
from insanonym_core.tabular.table import AnySeries, Table
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    from insanonym_core.parameters import ParameterValues

_DAY_OR_MONTH_FIRST = re.compile(r"\d{1,2}([/.-])\d{1,2}\1(\d{2}|\d{4})( \d{1,2}:\d\d(:\d\d)?)?")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+(,\d+)?")
_STARTS_LIKE_A_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_DATES, _NUMBERS = ("date", "datetime", "datetime64"), ("decimal", "floating", "mixed-integer-float")


def table_from_frame(frame: pd.DataFrame, reading: ParameterValues) -> Table:
    """The table of a frame, without the columns to leave out; its index plays no role.

    Texts stay texts, also those written like numbers: who has codes in a frame has chosen so. Only a column
    whose texts are all ISO dates holds dates, as in a file.
    """
    if reading.get("texts"):
        raise UsageError(
            "The reading texts: all is about the cells of a file, and a frame has none: give the frame the "
            "types it should have, for example by frame.astype(str), and leave texts out."
        )
    frame = frame_of(frame)
    columns = {name: _typed(name, frame[name]) for name in frame.columns}
    return without_columns(Table.from_frame(pd.DataFrame(columns, index=frame.index, copy=False)), reading)


def frame_from_table(table: Table) -> pd.DataFrame:
    """The table as a frame."""
    return table.frame()


def doubtful_columns(table: Table) -> Iterator[Phrase]:
    """Yield a sentence for each column of texts that may be meant as dates or numbers.

    A method would treat them as texts: a range of dates becomes a list of values.
    """
    for name, column in table.columns.items():
        texts = column.texts() if column.kind == "category" else []
        if texts and all(map(_DAY_OR_MONTH_FIRST.fullmatch, texts)):
            yield Phrase(
                "The column {name} holds texts that look like dates: if they are, make them dates by "
                "{example}.",
                name=brief(name),
                example="pd.to_datetime(…, dayfirst=True)",
            )
        elif texts and all(map(_DECIMAL_COMMA.fullmatch, texts)) and any("," in text for text in texts):
            yield Phrase(
                "The column {name} holds texts that look like numbers with a decimal comma: if they are, "
                "make them numbers, for example by {example}.",
                name=brief(name),
                example="pd.read_csv(…, decimal=',')",
            )


def _typed(name: str, column: AnySeries) -> AnySeries:
    """The column as numbers, truth values, dates on the wall clock, or texts."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.dtype.categories.dtype)
    if isinstance(column.dtype, pd.SparseDtype):
        column = column.astype(column.dtype.subtype)
    if pd.api.types.is_complex_dtype(column.dtype):
        raise DataError(
            "The column {name} holds complex numbers: split them into two columns of plain ones.",
            name=brief(name),
        )
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return _dates(name, column)
    if column.dtype == object:
        return _objects(name, column)
    if isinstance(column.dtype, pd.ArrowDtype):
        column = _without_arrow(name, column)
    if pd.api.types.is_float_dtype(column.dtype) and pd.api.types.is_extension_array_dtype(column.dtype):
        return column.astype(np.dtype(column.dtype.name.lower()))  # Float64, Float32
    if isinstance(column.dtype, pd.StringDtype):
        return _dates(name, column) if _are_dates(column) else column
    return column


def _without_arrow(name: str, column: AnySeries) -> AnySeries:
    """A column of an Arrow type with the type of pandas that a Parquet file gives it."""
    arrow = _arrow(column)
    if pa.types.is_decimal(arrow.type):
        arrow = arrow.cast(pa.float64())
    if pa.types.is_integer(arrow.type):
        return column.astype("UInt64" if pa.types.is_unsigned_integer(arrow.type) else "Int64")
    if pa.types.is_boolean(arrow.type):
        return column.astype("boolean")
    return _typed(name, pd.Series(arrow.to_pandas().to_numpy(), index=column.index, name=name))


def _objects(name: str, column: AnySeries) -> AnySeries:
    """A column of Python objects: by what these are."""
    inside = pd.api.types.infer_dtype(column, skipna=True)
    if inside in _DATES:
        return _dates(name, column)
    if inside == "integer":
        return _whole(column)
    if inside in _NUMBERS:
        return pd.to_numeric(column.astype(float))
    if inside == "boolean":
        return column.astype("boolean")
    if inside == "bytes":
        raise DataError("The column {name} holds bytes: decode them into texts.", name=brief(name))
    if inside == "string" and _are_dates(column):
        return _dates(name, column)
    if inside.startswith("mixed"):  # an empty text is missing beside numbers, too
        empty = np.array([isinstance(value, str) and not value for value in column])
        return column.mask(empty)
    return column


def _whole(column: AnySeries) -> AnySeries:
    """Integers as such also beside missing values; those that no machine integer holds stay texts."""
    for dtype in ("Int64", "UInt64"):
        try:
            return column.astype(dtype)
        except (OverflowError, TypeError, ValueError):
            continue
    return column


def _are_dates(column: AnySeries) -> bool:
    """Whether all texts of a column are ISO dates, by the rules for files."""
    first = column[column.notna() & (column != "")].head(1)
    if first.empty or not _STARTS_LIKE_A_DATE.match(str(first.iloc[0])):
        return False
    texts = _without_marks(_arrow(column).cast(pa.string())).drop_null().unique()
    return iso_dates(texts) is not None


def _dates(name: str, column: AnySeries) -> AnySeries:
    """Dates, or texts that are dates, as in a file: microseconds on the wall clock, without an offset."""
    try:
        dates = _arrow(column)
    except (pa.ArrowException, OverflowError):  # dates with and without an offset in one column
        raise DataError(
            "The column {name} mixes dates of several kinds: make them alike, for example by pd.to_datetime.",
            name=brief(name),
        ) from None
    if not pa.types.is_temporal(dates.type):
        dates = _without_marks(dates.cast(pa.string())).cast(pa.timestamp("us"))
    return pd.Series(normalise_dates(name, dates).to_pandas().to_numpy(), index=column.index, name=name)


def _without_marks(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """The texts, null where they say that there is no value."""
    return pc.if_else(pc.is_in(texts, pa.array(MISSING_MARKS)), None, texts)


def _arrow(column: AnySeries) -> pa.ChunkedArray:
    found = pa.array(column, from_pandas=True)
    return found if isinstance(found, pa.ChunkedArray) else pa.chunked_array([found])
