"""Reading and writing tables: CSV, TSV, zip and gz of them, Parquet; French files (; and 1,5) too."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.csv as arrow_csv

from insanonym_core.errors import LINES_SHOWN, DataError, Problem, UsageError, brief
from insanonym_core.io.output import unwritable, writing
from insanonym_core.io.parquet_files import open_parquet
from insanonym_core.io.sources import Source, refuse_other_encodings, source_of
from insanonym_core.io.spreadsheets import defused_frame, restored
from insanonym_core.tabular.table import Table, duplicates
from insanonym_core.tabular.texts import detect_decimal_mark, infer_type, normalise_dates, plain_texts
from insanonym_core.texts import Phrase

_SEPARATORS = (",", ";", "\t", "|")
_SAMPLE_BYTES = 1 << 16
_MAX_LINE_BYTES = 1 << 20  # block size of Arrow
_MAX_COLUMNS = 10_000
_RECORD = re.compile(rb'(?:[^"\r\n]+|"[^"]*")*')
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
_MAX_BROKEN_LINES = 100_000


def read_table(
    path: Path | str | Source, *, separator: str | None = None, decimal: str | None = None
) -> Table:
    """Read a table with typed columns; empty cells are missing. `decimal` is detected if not given."""
    return Table.from_frame(read_frame(path, separator=separator, decimal=decimal))


def read_frame(
    path: Path | str | Source,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    as_text: bool = False,
) -> pd.DataFrame:
    """Read a table as a pandas frame; `as_text` keeps the cells of a text file as they are written."""
    if decimal not in (".", ",", None):
        raise UsageError(
            "The decimal mark must be a point or a comma, got {decimal}.", decimal=brief(decimal)
        )
    source = path if isinstance(path, Source) else source_of(Path(path))
    table = _read_parquet(source) if source.parquet else _read_text(source, separator, decimal, as_text)
    if table.num_rows == 0:
        raise DataError(
            "{file} has no rows: give a table with a header and at least one row.", file=source.name
        )
    return _to_pandas(table)


def _read_parquet(source: Source) -> pa.Table:
    """Read a Parquet file without its pandas index."""
    with open_parquet(source) as opened:
        _check_header(source.name, opened.schema_arrow.names)
        index = _index_columns(opened.schema_arrow)
        table = opened.read(columns=[name for name in opened.schema_arrow.names if name not in index])
        table.validate(full=True)  # detects invalid UTF-8 now instead of later
        return table


def _index_columns(schema: pa.Schema) -> set[str]:
    """Return the columns that hold a pandas index: it reveals the original row order, so it is not read."""
    try:
        named = list((schema.pandas_metadata or {}).get("index_columns", []))
    except (ValueError, AttributeError, TypeError):  # metadata of other programs, or damaged
        named = []
    return {name for name in named if isinstance(name, str) and name.startswith("__index_level")}


def _read_text(source: Source, separator: str | None, decimal: str | None, as_text: bool) -> pa.Table:
    """Read a CSV or TSV file; detect separator and decimal mark unless given."""
    start = _read_beginning(source)
    if not start.removeprefix(codecs.BOM_UTF8).strip():
        raise DataError("{file} is empty: give a table with a header and at least one row.", file=source.name)
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise DataError("{file} is UTF-16 text: save it as UTF-8.", file=source.name)
    if b"\x00" in start:
        raise DataError(
            "{file} is not text: give CSV, TSV, a zip or gz of them, or Parquet.", file=source.name
        )
    sample = start.decode("utf-8-sig", errors="replace")
    mark = separator or max(_SEPARATORS, key=_first_record(start).decode(errors="replace").count)
    if len(mark) != 1 or not mark.isascii() or mark in '"\r\n':
        raise UsageError("The separator must be a single plain character, got {mark}.", mark=brief(mark))
    # Same line ends as Arrow: a lone carriage return counts too.
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=mark)
    try:
        names = [restored(name) for name in next(reader)]
    except csv.Error:
        raise DataError(
            "{file} has a name of a column that is far too long: fix line 1.", file=source.name
        ) from None
    _check_header(source.name, names)
    columns = _text_columns(source, names, mark, reader.line_num)
    table = pa.table(dict(zip(names, map(plain_texts, columns), strict=True)))
    if as_text:
        return table
    point = decimal or ("." if mark == "," else detect_decimal_mark(table.columns))
    return pa.table(
        {name: infer_type(column, point) for name, column in zip(names, table.columns, strict=True)}
    )


def _text_columns(
    source: Source, names: Sequence[str], mark: str, header_lines: int
) -> list[pa.ChunkedArray]:
    """Return every cell as text, or raise what is wrong; a packed file is unpacked once for all passes."""
    source = source.unpacked()
    _refuse_open_quotes(source)
    try:
        return _parse_cells(source, names, mark, header_lines).columns
    except pa.ArrowInvalid:
        refuse_other_encodings(source)
        raise _why_unreadable(source, names, mark, header_lines) from None


def _read_beginning(source: Source) -> bytes:
    """Read enough of a file to contain its header; refuse a header longer than Arrow can read."""
    with source.open() as file:
        start: bytes = file.read(_SAMPLE_BYTES)
        if len(start) == _SAMPLE_BYTES and _first_record(start) == start:
            start += file.read(_MAX_LINE_BYTES - _SAMPLE_BYTES)
    if len(start) == _MAX_LINE_BYTES and _first_record(start) == start:
        raise DataError(
            "{file} has a line of over a million characters: split or shorten it.", file=source.name
        )
    return start


def _first_record(start: bytes) -> bytes:
    """Return the first record: one line, or more if quoted names contain line breaks."""
    match = _RECORD.match(start)
    return match[0] if match else b""


def _refuse_open_quotes(source: Source) -> None:
    """Refuse a quotation mark that is never closed: the rest of the file would become one cell."""
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
    raise DataError(
        "{file}, line {line}: a quotation mark is opened and never closed; remove it.",
        file=source.name,
        line=opened,
    )


def _parse_cells(
    source: Source,
    names: Sequence[str],
    mark: str,
    header_lines: int,
    broken_line: Callable[[arrow_csv.InvalidRow], str] | None = None,
) -> pa.Table:
    """Parse every cell as text; column types are inferred afterwards."""
    with source.open_native() as file:
        return arrow_csv.read_csv(
            file,
            # Arrow reports line numbers only with a single thread.
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


def _why_unreadable(source: Source, names: Sequence[str], mark: str, header_lines: int) -> DataError:
    """Return an error: the lines with a wrong number of fields, or what else is wrong."""
    broken: list[int] = []

    def remember(row: arrow_csv.InvalidRow) -> str:
        broken.append(row.number)
        return "skip" if len(broken) < _MAX_BROKEN_LINES else "error"

    why = ""
    try:
        _parse_cells(source, names, mark, header_lines, remember)
    except pa.ArrowInvalid as error:
        why = str(error)
    if broken:
        message = Phrase.plural(
            "a line must have the {n:,} field of the header; fix it.",
            "a line must have the {n:,} fields of the header; fix it.",
            n=len(names),
        )
        lines = tuple(broken[:LINES_SHOWN])
        return DataError(Problem("columns", message, len(broken), lines, source.name).sentence())
    if "straddling" in why:
        return DataError(
            "{file} has a line of over a million characters: split or shorten it.", file=source.name
        )
    return DataError(
        "{file} cannot be split into lines and fields: check separator and quotation marks.", file=source.name
    )


def _check_header(name: str, columns: Sequence[str]) -> None:
    """Refuse a header without names, with too many, empty or repeated ones."""
    if not columns:
        raise DataError(
            "{file}, line 1: the first line is empty; write the names of the columns there.", file=name
        )
    if len(columns) > _MAX_COLUMNS:
        raise DataError(
            "{file} has {columns:,} columns, more than {most:,}: leave out some of them.",
            file=name,
            columns=len(columns),
            most=_MAX_COLUMNS,
        )
    blank = [place for place, column in enumerate(columns, start=1) if not column.strip()]
    if blank:
        raise DataError(
            "{file}: column {number} has no name; write one into the first line.", file=name, number=blank[0]
        )
    twins = duplicates(columns)
    if twins:
        raise DataError(
            "{file} has two columns called {name}: rename one of them.", file=name, name=brief(twins[0])
        )


def _to_pandas(table: pa.Table) -> pd.DataFrame:
    """Convert to pandas; integer columns with missing values stay integers."""
    columns = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_null(column.type):
            columns[name] = pd.Series([None] * len(column), dtype=object)
        elif pa.types.is_decimal(column.type):
            columns[name] = column.cast(pa.float64()).to_pandas()
        elif pa.types.is_integer(column.type) and column.null_count:
            columns[name] = pd.Series(column.to_pandas(types_mapper=_NULLABLE.get))
        elif pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
            columns[name] = pd.Series(normalise_dates(name, column).to_pandas())
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
    """Write a table in the format of its name: .parquet, .tsv or .csv, the last two also .zip or .gz."""
    write_frames({Path(path): frame}, force=force, sources=sources, private=private)


def write_frames(
    frames: Mapping[Path, pd.DataFrame],
    *,
    force: bool = False,
    sources: tuple[Path, ...] = (),
    private: bool = False,
) -> None:
    """Write several tables: none appears at its path before all are written."""
    with ExitStack() as stack:
        for path, frame in frames.items():
            temporary = stack.enter_context(writing(path, force=force, sources=sources, private=private))
            try:
                _write_into(temporary, frame, path)
            except OSError as error:  # name this file in the error, not the last one
                raise unwritable(path, error) from None


def _write_into(temporary: Path, frame: pd.DataFrame, path: Path) -> None:
    """Write a table to a temporary file in the format of its final path."""
    packing = path.suffix.lower() if path.suffix.lower() in (".zip", ".gz") else ""
    inner = path.with_suffix("") if packing else path
    if inner.suffix.lower() == ".parquet" and not packing:
        frame.to_parquet(temporary, index=False)
        return
    raw = frame_as_text(frame, "\t" if inner.suffix.lower() == ".tsv" else ",")
    if packing == ".gz":
        temporary.write_bytes(gzip.compress(raw, mtime=0))
    elif packing == ".zip":
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(inner.name, raw)
    else:
        temporary.write_bytes(raw)


def frame_as_text(frame: pd.DataFrame, separator: str = ",") -> bytes:
    """Return a table as CSV or TSV, with spreadsheet formulas defused."""
    text = io.StringIO()
    # Most readers end a line at a lone carriage return, which pandas does not quote.
    returns = any(
        "\r" in str(name) or frame[name].astype("string").str.contains("\r").any() for name in frame.columns
    )
    defused_frame(frame).to_csv(
        text,
        index=False,
        sep=separator,
        lineterminator="\n",
        quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL,
    )
    return text.getvalue().encode()
