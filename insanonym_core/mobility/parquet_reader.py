"""Read the four columns of a Parquet file, whose columns may have any type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as parquet

from insanonym_core.errors import DataError, UsageError
from insanonym_core.io.parquet_files import BROKEN_PARQUET, open_parquet
from insanonym_core.io.sources import Source
from insanonym_core.mobility.choose import said_columns
from insanonym_core.mobility.layout import COLUMNS, role_of
from insanonym_core.mobility.raw_columns import RawColumns, columns_of_grid
from insanonym_core.reading.files import read_grid
from insanonym_core.reading.grids import Grid
from insanonym_core.reading.options import ReadingOptions


def read_parquet(source: Source, columns: Sequence[str] | None, options: ReadingOptions) -> RawColumns:
    """Read a file whose columns have our names or positions, or else as a table with any columns."""
    with open_parquet(source) as opened:
        names = opened.schema_arrow.names
        chosen = {} if said_columns(columns) else _parquet_names(source.name, names, columns)
        if not chosen:
            return _of_types(columns_of_grid(_decoded(read_grid(source, options)), columns))
        coded = opened.schema_arrow.types[names.index(chosen["id"])] == pa.string()
        table = _read_with_dictionary_ids(source, chosen) if coded else None
        if table is None:
            table = opened.read(columns=list(chosen.values()))
        table.validate(full=True)  # texts that are not UTF-8 would only fail much later
    if table.num_rows == 0:
        raise DataError("{file} is empty: give a file with at least one row.", file=source.name)
    with _wrong_types_told(source.name):
        ids = _parquet_ids(source.name, table.column(chosen["id"]), coded=coded)
        found = {name: _decode_dictionary(table.column(chosen[name])) for name in COLUMNS if name != "id"}
        return _of_types(RawColumns(source.name, id=ids, **found, first_line=1))


def _of_types(raw: RawColumns) -> RawColumns:
    """Columns of a Parquet file as dates and numbers."""
    with _wrong_types_told(raw.name):
        return replace(
            raw,
            date=_parquet_dates(raw.date),
            latitude=_parquet_numbers(raw.latitude),
            longitude=_parquet_numbers(raw.longitude),
        )


@contextmanager
def _wrong_types_told(file: str) -> Iterator[None]:
    try:
        yield
    except pa.ArrowException:
        raise DataError(
            "{file}: id must be text, date a time stamp, latitude and longitude numbers; convert "
            "the columns.",
            file=file,
        ) from None


def _decoded(grid: Grid) -> Grid:
    """The table of a Parquet file without dictionaries, which may hold any type, and duplicates."""
    columns = {name: _decode_dictionary(grid.table.column(name)) for name in grid.table.column_names}
    return replace(grid, table=pa.table(columns))


def _read_with_dictionary_ids(source: Source, chosen: dict[str, str]) -> pa.Table | None:
    """Read the ids as a dictionary, which halves the time; None if Arrow cannot."""
    try:
        with source.open_native() as file:
            opened = parquet.ParquetFile(file, read_dictionary=[chosen["id"]])
            return opened.read(columns=list(chosen.values()))
    except BROKEN_PARQUET:
        return None


def _parquet_names(name: str, names: Sequence[str], columns: Sequence[str] | None) -> dict[str, str]:
    """Role → column name: by name, or by position if no name is recognised; empty if that is not enough."""
    roles = [role_of(column) for column in names]
    for role in COLUMNS:
        if roles.count(role) > 1:
            raise DataError(
                "{file} has several columns that could be {role}: rename all but one.",
                file=name,
                role=role,
            )
    if set(COLUMNS) <= set(roles):
        name_of_role = {role: names[roles.index(role)] for role in COLUMNS}
        in_file = tuple(role for role in roles if role)
        if columns and tuple(columns) != in_file:
            raise UsageError(
                "{file} names its columns in the order {in_file}, but --columns says {columns}: "
                "leave --columns out, or rename the columns.",
                file=name,
                in_file=",".join(in_file),
                columns=",".join(columns),
            )
        return name_of_role
    if not any(roles) and len(names) == len(COLUMNS):
        return dict(zip(columns or COLUMNS, names, strict=True))
    return {}


def _decode_dictionary(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_dictionary(column.type):
        return column.cast(column.type.value_type)
    return column


def _parquet_ids(name: str, column: pa.ChunkedArray, *, coded: bool) -> pa.ChunkedArray:
    if coded and pa.types.is_dictionary(column.type):
        return column
    column = _decode_dictionary(column)  # a dictionary stored in the file may hold any type, and duplicates
    if pa.types.is_floating(column.type):
        raise DataError("{file}: the ids are decimal numbers; write them as text.", file=name)
    return column.cast(pa.string()).dictionary_encode()


def _parquet_dates(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_timestamp(column.type):
        return column
    return column.cast(pa.string())


def _parquet_numbers(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column if pa.types.is_string(column.type) else column.cast(pa.float64())
