"""Read the four raw columns of a file: fast if it is clean, else as text, line by line.

The fast reader lets pyarrow parse and convert on all cores; for large files, compiled code takes half the
time. Any irregularity (a line of another width, a deleted row with arbitrary content, a wrong number) makes
them fail, and the file is read as text, with every row in its place: a reader that skips lines would shift a
release against its original.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv

from insanonym_core.errors import DataError
from insanonym_core.io.sources import Source
from insanonym_core.mobility.large_files import scan
from insanonym_core.mobility.layout import COLUMNS, Layout, layout_of
from insanonym_core.mobility.parquet_reader import read_parquet
from insanonym_core.mobility.raw_columns import RawColumns, columns_of_grid
from insanonym_core.mobility.track import DELETED_ID
from insanonym_core.numeric.arrays import Ints
from insanonym_core.reading.encodings import OtherEncodingError, as_utf8, refuse_other_encodings
from insanonym_core.reading.files import is_track, read_grid
from insanonym_core.reading.options import ReadingOptions

_FAST_TYPES = {
    "id": pa.dictionary(pa.int32(), pa.string()),
    "date": pa.string(),
    "latitude": pa.float64(),
    "longitude": pa.float64(),
}
_TEXT_TYPES = {name: pa.string() for name in COLUMNS} | {"id": _FAST_TYPES["id"]}
_MAX_BROKEN_LINES = 100_000
_MAX_DELETED_LINES = 50_000_000


def read_columns(
    source: Source, columns: Sequence[str] | None = None, options: ReadingOptions | None = None
) -> RawColumns:
    """Read the columns of a file of any format: quickly in the form of the competition, else as a table."""
    options = options or ReadingOptions()
    if source.parquet:
        return read_parquet(source, columns, options)
    if source.workbook or source.tracks or is_track(source):
        return columns_of_grid(read_grid(source, options), columns)
    read, encoding = as_utf8(source, options.encoding)
    try:
        return _read_text(read, columns, options, encoding)
    except OtherEncodingError:
        if encoding != "utf-8" or options.encoding:
            raise
    read, encoding = as_utf8(source, whole=True)
    return _read_text(read, columns, options, encoding)


def _read_text(
    source: Source, columns: Sequence[str] | None, options: ReadingOptions, encoding: str
) -> RawColumns:
    layout = layout_of(source, columns, options.separator)
    if layout is None:
        grid = replace(read_grid(source, replace(options, encoding=None)), encoding=encoding)
        return columns_of_grid(grid, columns)
    odd = OddLines()
    table = scan(source, layout) if source.large else None
    if table is None:
        try:
            table = _parse(source, layout, _FAST_TYPES, threads=True)
        except pa.ArrowInvalid:
            table, odd = _read_as_text(source, layout)
    raw = _insert_odd_lines(source.name, table, odd, layout)
    return replace(raw, separator=layout.separator, encoding=encoding)


def _parse(
    source: Source,
    layout: Layout,
    types: dict[str, pa.DataType],
    *,
    threads: bool,
    handler: Callable[[arrow_csv.InvalidRow], str] | None = None,
) -> pa.Table:
    with source.open_native() as file:
        return arrow_csv.read_csv(
            file,
            arrow_csv.ReadOptions(
                column_names=list(layout.columns), skip_rows=int(layout.header), use_threads=threads
            ),
            arrow_csv.ParseOptions(
                delimiter=layout.separator, ignore_empty_lines=False, invalid_row_handler=handler
            ),
            arrow_csv.ConvertOptions(column_types=types, null_values=[""], strings_can_be_null=True),
        )


@dataclass(frozen=True, eq=False)
class OddLines:
    """Numbers (from 1) of the lines with another number of fields: deleted rows, and broken ones."""

    deleted: array[int] = field(default_factory=lambda: array("q"))
    broken: array[int] = field(default_factory=lambda: array("q"))


def _read_as_text(source: Source, layout: Layout) -> tuple[pa.Table, OddLines]:
    """Read all columns as text; return them and the lines with another number of fields."""
    refuse_other_encodings(source)
    odd = OddLines()
    open_quotes: list[int] = []
    place = layout.columns.index("id")

    def remember(row: arrow_csv.InvalidRow) -> str:
        fields = [part.strip('"') for part in row.text.split(layout.separator)]
        deleted = fields[:1] == [DELETED_ID] or fields[place : place + 1] == [DELETED_ID]
        (odd.deleted if deleted else odd.broken).append(row.number)
        if "\n" in row.text:
            open_quotes.append(row.number)
        too_many = len(odd.broken) >= _MAX_BROKEN_LINES or len(odd.deleted) >= _MAX_DELETED_LINES
        return "error" if too_many else "skip"

    try:
        table = _parse(source, layout, _TEXT_TYPES, threads=False, handler=remember)
    except pa.ArrowInvalid as error:
        raise _why_unreadable(source.name, str(error), odd) from None
    if open_quotes:
        raise DataError(
            "{file}, line {line}: a quotation mark is opened and never closed; remove it.",
            file=source.name,
            line=open_quotes[0],
        )
    return table, odd


def _why_unreadable(name: str, error: str, odd: OddLines) -> DataError:
    if len(odd.deleted) >= _MAX_DELETED_LINES:
        return DataError(
            "{file} has more than {most:,} lines that hold only DEL: give them empty fields.",
            file=name,
            most=_MAX_DELETED_LINES,
        )
    if len(odd.broken) >= _MAX_BROKEN_LINES:
        return DataError(
            "{file}: more than {most:,} lines do not have four fields; give a mobility file with id, date, "
            "latitude and longitude.",
            file=name,
            most=_MAX_BROKEN_LINES,
        )
    if "straddling" in error:
        return DataError("{file} has a line of over a million characters: split or shorten it.", file=name)
    return DataError("{file} cannot be split into lines and fields: check its format.", file=name)


def _insert_odd_lines(name: str, table: pa.Table, odd: OddLines, layout: Layout) -> RawColumns:
    """Insert the lines that the parser skipped at their position: as DEL, or as broken rows."""
    first_line = 1 + int(layout.header)
    deleted = np.array(odd.deleted, dtype=np.int64) - first_line
    broken = np.array(odd.broken, dtype=np.int64) - first_line
    if len(deleted) or len(broken):
        is_odd = np.zeros(table.num_rows + len(deleted) + len(broken), dtype=bool)
        is_odd[deleted] = True
        is_odd[broken] = True
        table = table.take(pa.array(np.cumsum(~is_odd) - 1, mask=is_odd))
    columns = {column: table.column(column) for column in COLUMNS}
    if len(deleted):
        columns["id"] = _mark_deleted(columns["id"], deleted)
    length = _length_without_trailing_blanks(columns, broken)
    columns = {column: values.slice(0, length) for column, values in columns.items()}
    return RawColumns(name, **columns, first_line=first_line, broken=broken, order=layout.columns, text=True)


def _mark_deleted(ids: pa.ChunkedArray, rows: Ints) -> pa.ChunkedArray:
    """Set the id of these rows to DEL, in the codes of the dictionary."""
    encoded = ids.unify_dictionaries().combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = pa.concat_arrays(encoded.chunks)
    texts = encoded.dictionary.to_pylist()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).copy()
    codes[rows] = len(texts)
    indices = pa.array(codes, pa.int32(), mask=codes < 0)
    return pa.chunked_array([pa.DictionaryArray.from_arrays(indices, pa.array([*texts, DELETED_ID]))])


def _length_without_trailing_blanks(columns: dict[str, pa.ChunkedArray], broken: Ints) -> int:
    """Number of rows without blank lines at the end of the file."""
    length = len(columns["id"])
    if length == 0 or any(column[length - 1].is_valid for column in columns.values()):
        return length
    used = np.zeros(length, dtype=bool)
    for column in columns.values():
        used |= column.is_valid().to_numpy()
    used[broken] = True
    return int(np.flatnonzero(used)[-1]) + 1 if used.any() else 0
