"""Reading and writing tables: files of every format that `reading` knows, as typed columns."""

from __future__ import annotations

import csv
import gzip
import io
import zipfile
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.io.output import unwritable, writing
from insanonym_core.io.sources import Source
from insanonym_core.io.spreadsheets import defused_frame
from insanonym_core.reading.files import ReadFile, opened, read_file, read_grid
from insanonym_core.reading.grids import Grid
from insanonym_core.reading.options import ReadingOptions
from insanonym_core.reading.style import Style, styled
from insanonym_core.tabular.table import Table

MAX_WORKBOOK_ROWS, _MAX_CELL, _FIRST_YEAR = 2**20, 32_767, 1900
_MIN_DATE, _MAX_DATE = (
    int(np.datetime64(day, "us").astype(np.int64)) for day in ("0001-01-01", "10000-01-01")
)
_NULLABLE = {
    pa.int8(): pd.Int8Dtype(),
    pa.int16(): pd.Int16Dtype(),
    pa.int32(): pd.Int32Dtype(),
    pa.int64(): pd.Int64Dtype(),
    pa.uint8(): pd.UInt8Dtype(),
    pa.uint16(): pd.UInt16Dtype(),
    pa.uint32(): pd.UInt32Dtype(),
    pa.uint64(): pd.UInt64Dtype(),
}


def read_table(path: Path | str | Source, options: ReadingOptions | None = None) -> Table:
    """Read a table with typed columns; empty cells are missing. What `options` leave open is found out."""
    return table_of(read_file(path, options).refuse_ambiguous())


def table_of(found: ReadFile) -> Table:
    """The table of a file as read; dates that nobody can tell are texts."""
    frame = _to_pandas({column.name: column.values for column in found.columns})
    return replace(Table.from_frame(frame), style=found.style)


def read_frame(path: Path | str | Source, options: ReadingOptions | None = None) -> pd.DataFrame:
    """Read a table as a pandas frame with typed columns."""
    found = read_file(path, options).refuse_ambiguous()
    return _to_pandas({column.name: column.values for column in found.columns})


def read_texts(path: Path | str | Source, options: ReadingOptions | None = None) -> pd.DataFrame:
    """Read a table as a pandas frame that holds the cells of a text file as they are written."""
    return _frame_of_grid(read_grid(opened(path), options or ReadingOptions()))


def read_text_table(path: Path | str | Source, options: ReadingOptions | None = None) -> Table:
    """Read a table that holds the cells of a text file as they are written."""
    grid = read_grid(opened(path), options or ReadingOptions())
    return replace(
        Table.from_frame(_frame_of_grid(grid)), style=Style(grid.separator, encoding=grid.encoding)
    )


def _frame_of_grid(grid: Grid) -> pd.DataFrame:
    return _to_pandas(dict(zip(grid.table.column_names, grid.table.columns, strict=True)))


def _to_pandas(columns: Mapping[str, pa.ChunkedArray]) -> pd.DataFrame:
    """Convert to pandas; integer columns with missing values stay integers."""
    made = {}
    for name, column in columns.items():
        if pa.types.is_null(column.type):
            made[name] = pd.Series([None] * len(column), dtype=object)
        elif pa.types.is_decimal(column.type):
            made[name] = column.cast(pa.float64()).to_pandas()
        elif pa.types.is_integer(column.type) and column.null_count:
            made[name] = pd.Series(column.to_pandas(types_mapper=_NULLABLE.get))
        elif pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
            made[name] = pd.Series(normalise_dates(name, column).to_pandas())
        else:
            made[name] = column.to_pandas()
    return pd.DataFrame(made, copy=False)  # the columns as they are, not joined in blocks


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


def write_frame(
    frame: pd.DataFrame,
    path: Path | str,
    style: Style | None = None,
    *,
    labels: Mapping[str, str] | None = None,
    force: bool = False,
    sources: tuple[Path, ...] = (),
    private: bool = False,
) -> None:
    """Write a table in the format of its name: .parquet, .xlsx, .tsv or .csv, the last two also .zip or .gz.

    Text is written in a `style`; `labels` as in `style.styled`.
    """
    write_frames({Path(path): frame}, style, labels=labels, force=force, sources=sources, private=private)


def write_frames(
    frames: Mapping[Path, pd.DataFrame],
    style: Style | None = None,
    *,
    labels: Mapping[str, str] | None = None,
    force: bool = False,
    sources: tuple[Path, ...] = (),
    private: bool = False,
) -> None:
    """Write several tables: none appears at its path before all are written."""
    with ExitStack() as stack:
        for path, frame in frames.items():
            temporary = stack.enter_context(writing(path, force=force, sources=sources, private=private))
            try:
                _write_into(temporary, frame, path, style or Style(), labels or {})
            except OSError as error:  # name this file in the error, not the last one
                raise unwritable(path, error) from None


def _write_into(
    temporary: Path, frame: pd.DataFrame, path: Path, style: Style, labels: Mapping[str, str]
) -> None:
    """Write a table to a temporary file in the format of its final path."""
    packing = path.suffix.lower() if path.suffix.lower() in (".zip", ".gz") else ""
    inner = path.with_suffix("") if packing else path
    if inner.suffix.lower() == ".parquet" and not packing:
        frame.to_parquet(temporary, index=False)
        return
    if inner.suffix.lower() == ".xlsx" and not packing:
        _write_workbook(temporary, frame)
        return
    raw = frame_as_text(frame, style.for_file(inner.suffix.lower()), labels)
    if packing == ".gz":
        temporary.write_bytes(gzip.compress(raw, mtime=0))
    elif packing == ".zip":
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(inner.name, raw)
    else:
        temporary.write_bytes(raw)


def _write_workbook(temporary: Path, frame: pd.DataFrame) -> None:
    """Write a table as a workbook: texts stay texts there, none is a formula or a link."""
    if len(frame) >= MAX_WORKBOOK_ROWS:
        raise UsageError(
            "A workbook holds fewer than {most:,} rows, and there are {rows:,}: write a .csv or .parquet "
            "file.",
            most=MAX_WORKBOOK_ROWS,
            rows=len(frame),
        )
    frame = frame.assign(**{str(name): _without_old_dates(frame[name]) for name in frame.columns})
    if any(_longest(frame[name]) > _MAX_CELL for name in frame.columns):
        raise UsageError(
            "A cell of a workbook holds at most {most:,} characters, and a text is longer: write a .csv or "
            ".parquet file.",
            most=_MAX_CELL,
        )
    plain = dict.fromkeys(("strings_to_formulas", "strings_to_urls", "strings_to_numbers"), False)
    with pd.ExcelWriter(temporary, engine="xlsxwriter", engine_kwargs={"options": plain}) as book:
        frame.to_excel(book, index=False, sheet_name="release")


def _without_old_dates(column: pd.Series) -> pd.Series:
    """Dates before 1900 as texts: workbooks begin there."""
    if not pd.api.types.is_datetime64_any_dtype(column.dtype) or not (column.dt.year < _FIRST_YEAR).any():
        return column
    return column.dt.strftime("%Y-%m-%d %H:%M:%S")


def _longest(column: pd.Series) -> int:
    if pd.api.types.is_numeric_dtype(column.dtype) or pd.api.types.is_datetime64_any_dtype(column.dtype):
        return 0
    return max((len(text) for text in column.dropna().unique() if isinstance(text, str)), default=0)


def frame_as_text(
    frame: pd.DataFrame, style: Style | None = None, labels: Mapping[str, str] | None = None
) -> bytes:
    """Return a table as CSV or TSV, with spreadsheet formulas defused."""
    style = style or Style().for_file(".csv")
    text = io.StringIO()
    # Most readers end a line at a lone carriage return, which pandas does not quote.
    returns = any(
        "\r" in str(name) or frame[name].astype("string").str.contains("\r").any() for name in frame.columns
    )
    defused_frame(styled(frame, style, labels or {})).to_csv(
        text,
        index=False,
        sep=style.separator,
        decimal=style.decimal,
        lineterminator="\n",
        quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL,
    )
    return style.encoded(text.getvalue())
