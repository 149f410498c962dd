"""Reading and writing tables: CSV, TSV, zip and gz of them, Parquet; French files (; and 1,5) too."""

from __future__ import annotations

import csv
import gzip
import io
import re
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
import pyarrow.parquet as parquet

from insanonym_core.errors import LINES_SHOWN, DataError, Problem, UsageError
from insanonym_core.output import writing
from insanonym_core.sources import Source, check_unpacked_size, refuse_other_encodings, source_of
from insanonym_core.tabular.table import Table

_SEPARATORS = (",", ";", "\t", "|")
_NO_NUMBER = ["", "NA", "N/A", "NaN", "nan", "NULL", "null"]
_SAMPLE = 1 << 16
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
_MOST_BROKEN_LINES = 100_000


def read_table(
    path: Path | str | Source, *, separator: str | None = None, decimal: str | None = None
) -> Table:
    """A table with typed columns; an empty cell is a missing value. Without `decimal`, the file tells."""
    return Table.from_frame(read_frame(path, separator=separator, decimal=decimal))


def read_frame(
    path: Path | str | Source,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    as_text: bool = False,
) -> pd.DataFrame:
    """The same as a pandas frame; `as_text` leaves every cell of a text file as it is written."""
    if decimal not in (".", ",", None):
        raise UsageError(f"The decimal mark must be . or , got {decimal!r}.")
    source = path if isinstance(path, Source) else source_of(Path(path))
    table = _parquet(source) if source.parquet else _text(source, separator, decimal, as_text)
    if table.num_rows == 0:
        raise DataError(f"{source.name} has no rows: give a table with a header and at least one row.")
    return _frame(table)


def _parquet(source: Source) -> pa.Table:
    try:
        with source.open() as file:
            opened = parquet.ParquetFile(file)
            groups = range(opened.metadata.num_row_groups)
            check_unpacked_size(
                source.name, sum(opened.metadata.row_group(g).total_byte_size for g in groups)
            )
            _check_header(source.name, opened.schema_arrow.names)
            # pandas saves a frame's index as columns: it tells the original order, so it is left out.
            about = (opened.schema_arrow.pandas_metadata or {}).get("index_columns", [])
            index = {name for name in about if isinstance(name, str) and name.startswith("__index_level")}
            return opened.read(columns=[name for name in opened.schema_arrow.names if name not in index])
    except (pa.ArrowException, OSError):
        raise DataError(f"{source.name} is a damaged Parquet file: write it again.") from None


def _text(source: Source, separator: str | None, decimal: str | None, as_text: bool) -> pa.Table:
    with source.open() as file:
        start = file.read(_SAMPLE)
    if not start.strip():
        raise DataError(f"{source.name} is empty: give a table with a header and at least one row.")
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise DataError(f"{source.name} is UTF-16 text: save it as UTF-8.")
    if b"\x00" in start:
        raise DataError(f"{source.name} is not text: give CSV, TSV, a zip or gz of them, or Parquet.")
    sample = start.decode("utf-8-sig", errors="replace")
    mark = separator or max(_SEPARATORS, key=sample.splitlines()[0].count)
    if len(mark) != 1 or not mark.isascii():
        raise UsageError(f"The separator must be a single plain character, got {mark!r}.")
    reader = csv.reader(io.StringIO(sample), delimiter=mark)
    names = next(reader)
    _check_header(source.name, names)
    _refuse_open_quotes(source)
    try:
        table = _parse(source, names, mark, reader.line_num)
    except pa.ArrowInvalid:
        refuse_other_encodings(source)
        raise DataError(_why_unreadable(source, names, mark, reader.line_num)) from None
    if as_text:
        return table
    point = decimal or ("." if mark == "," else _decimal_of(table.columns))
    return pa.table({name: typed(column, point) for name, column in zip(names, table.columns, strict=True)})


def _decimal_of(columns: Sequence[pa.ChunkedArray]) -> str:
    """A comma where a whole column is written like 1234,56 and none like 1234.56: a file has one mark.

    Beside numbers with a point, 1,234 may well be a thousand: such a column stays a text.
    """
    found = [_numbers_written(column) for column in columns]
    return "," if "," in found and "." not in found else "."


def _numbers_written(column: pa.ChunkedArray) -> str:
    """The decimal mark of a column of numbers; nothing for whole numbers and for texts."""
    texts = column.unique().drop_null()
    texts = texts.filter(pc.invert(pc.is_in(texts, pa.array(_NO_NUMBER))))
    for mark in (",", "."):
        every = pc.match_substring_regex(texts, rf"^[+-]?\d+([{mark}]\d+)?$")
        if pc.all(every, min_count=1).as_py() and pc.any(pc.match_substring(texts, mark)).as_py():
            return mark
    return ""


def _refuse_open_quotes(source: Source) -> None:
    """A quotation mark that is never closed would swallow the rest of the file into one cell."""
    with source.open() as file:
        marks = sum(piece.count(b'"') for piece in iter(lambda: file.read(1 << 20), b""))
    if marks % 2 == 0:
        return
    opened, inside = 0, False
    with source.open() as file:
        for number, line in enumerate(
            io.BufferedReader(file) if hasattr(file, "readinto") else file, start=1
        ):
            if line.count(b'"') % 2:
                opened, inside = (opened, False) if inside else (number, True)
    raise DataError(f"{source.name}, line {opened}: a quotation mark is opened and never closed; remove it.")


def _parse(
    source: Source,
    names: Sequence[str],
    mark: str,
    header_lines: int,
    broken_line: Callable[[Any], str] | None = None,
) -> pa.Table:
    """Every cell as text: what a column holds is decided afterwards, by rules we can state."""
    with source.open() as file:
        return arrow_csv.read_csv(
            file,
            # Line numbers are only known to a reader with a single thread.
            arrow_csv.ReadOptions(
                column_names=names, skip_rows=header_lines, use_threads=broken_line is None
            ),
            arrow_csv.ParseOptions(
                delimiter=mark,
                newlines_in_values=True,
                ignore_empty_lines=len(names) > 1,  # in a single column an empty line is a missing value
                invalid_row_handler=broken_line,
            ),
            arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), null_values=[""], strings_can_be_null=True
            ),
        )


def _why_unreadable(source: Source, names: Sequence[str], mark: str, header_lines: int) -> str:
    broken: list[int] = []

    def remember(row: Any) -> str:
        broken.append(row.number)
        return "skip" if len(broken) < _MOST_BROKEN_LINES else "error"

    why = ""
    try:
        _parse(source, names, mark, header_lines, remember)
    except pa.ArrowInvalid as error:
        why = str(error)
    if broken:
        message = f"a line must have the {len(names)} fields of the header; mend it."
        return Problem("columns", message, len(broken), tuple(broken[:LINES_SHOWN]), source.name).sentence()
    if "straddling" in why:
        return f"{source.name} has a line of over a million characters: mend it."
    return f"{source.name} cannot be split into lines and fields: check separator and quotation marks."


def typed(column: pa.ChunkedArray, decimal: str = ".") -> pa.ChunkedArray:
    """A column of texts as numbers or dates if all of it is; texts otherwise.

    01000 is a text: as a number it would be the same as 1000, and k would count them together. So is a code
    of more than 18 digits. NA and the like are missing in a column of numbers, texts in a column of texts.
    """
    texts = column.unique().drop_null()
    texts = texts.filter(pc.invert(pc.is_in(texts, pa.array(_NO_NUMBER))))
    if len(texts) == 0:
        return column
    point = re.escape(decimal)
    if pc.all(pc.match_substring_regex(texts, r"^[+-]?(0|[1-9]\d{0,17})$")).as_py():
        return _without_na(column).cast(pa.int64())
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
    return pc.if_else(pc.is_in(column, pa.array(_NO_NUMBER)), None, column)


def _cast_or_keep(column: pa.ChunkedArray, kind: pa.DataType, otherwise: pa.ChunkedArray) -> pa.ChunkedArray:
    try:
        return column.cast(kind)
    except pa.ArrowInvalid:
        return otherwise


def _check_header(name: str, columns: Sequence[str]) -> None:
    blank = [place for place, column in enumerate(columns, start=1) if not column.strip()]
    if blank:
        raise DataError(f"{name}: column {blank[0]} has no name; write one into the first line.")
    twins = (
        sorted({column for column in columns if list(columns).count(column) > 1})
        if len(set(columns)) < len(columns)
        else []
    )
    if twins:
        raise DataError(f"{name} has two columns called {twins[0]!r}: rename one of them.")


def _frame(table: pa.Table) -> pd.DataFrame:
    """pandas columns; whole numbers stay whole beside missing values."""
    columns = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_null(column.type):
            columns[name] = pd.Series([None] * len(column), dtype=object)
        elif pa.types.is_integer(column.type) and column.null_count:
            columns[name] = pd.Series(column.to_pandas(types_mapper=_NULLABLE.get))
        elif pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
            columns[name] = pd.Series(pd.to_datetime(column.to_pandas()))
        else:
            columns[name] = column.to_pandas()
    return pd.DataFrame(columns)


def write_frame(
    frame: pd.DataFrame,
    path: Path | str,
    *,
    force: bool = False,
    sources: tuple[Path, ...] = (),
    private: bool = False,
) -> None:
    """Write a table as its name says: .parquet, .tsv or .csv; .zip and .gz behind it pack the text."""
    path = Path(path)
    packed = path.suffix.lower() if path.suffix.lower() in (".zip", ".gz") else ""
    inner = path.with_suffix("") if packed else path
    with writing(path, force=force, sources=sources, private=private) as beside:
        if inner.suffix.lower() == ".parquet" and not packed:
            frame.to_parquet(beside, index=False)
            return
        text = io.StringIO()
        # A lone carriage return ends a line for most readers, and pandas does not quote it by itself.
        returns = any(frame[name].astype("string").str.contains("\r").any() for name in frame.columns)
        frame.to_csv(
            text,
            index=False,
            sep="\t" if inner.suffix.lower() == ".tsv" else ",",
            lineterminator="\n",
            quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL,
        )
        raw = text.getvalue().encode()
        if packed == ".gz":
            beside.write_bytes(gzip.compress(raw, mtime=0))
        elif packed == ".zip":
            with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(inner.name, raw)
        else:
            beside.write_bytes(raw)
