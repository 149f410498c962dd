"""Open a file of any format as a grid, and decide what its columns hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from insanonym_core.errors import DataError
from insanonym_core.io.parquet_files import open_parquet
from insanonym_core.io.sources import Source, several_error, source_of
from insanonym_core.reading.columns import ReadColumn, read_types, refuse_ambiguous
from insanonym_core.reading.delimited import read_delimited
from insanonym_core.reading.grids import Grid, check_names
from insanonym_core.reading.options import ReadingOptions
from insanonym_core.reading.style import Style
from insanonym_core.reading.tracks import read_tracks, track_format
from insanonym_core.reading.workbooks import read_workbook
from insanonym_core.texts import Phrase

_START = 4096  # bytes that tell the format


@dataclass(frozen=True, eq=False)
class ReadFile:
    """A file as read: its columns with types, and everything that was decided about it."""

    grid: Grid
    columns: tuple[ReadColumn, ...]
    decimal: str
    options: ReadingOptions = field(default_factory=ReadingOptions)

    @property
    def style(self) -> Style:
        """How the file is written, so that a release can be written alike."""
        dates = {
            column.name: column.form.strftime()
            for column in self.columns
            if column.form and not column.ambiguous
        }
        return Style(self.grid.separator, self.decimal, self.grid.encoding, dates)

    def refuse_ambiguous(self) -> ReadFile:
        """This file, or an error if nobody can tell day from month."""
        refuse_ambiguous(self.columns, self.grid.name)
        return self


def opened(path: Path | str | Source) -> Source:
    """The source of a path."""
    return path if isinstance(path, Source) else source_of(Path(path))


def read_grid(source: Source, options: ReadingOptions) -> Grid:
    """The cells of a file of any format."""
    if source.parquet:
        grid = _read_parquet(source)
    elif source.workbook:
        grid = read_workbook(source, options)
    elif source.tracks or is_track(source):
        grid = read_tracks(source, options)
    else:
        grid = read_delimited(source, options)
    if grid.table.num_rows == 0:
        raise DataError(
            "{file} has no rows: give a table with a header and at least one row.", file=source.name
        )
    return grid


def is_track(source: Source) -> bool:
    """Whether a text file is a track of a device: GPX, GeoJSON, Geolife."""
    with source.open() as stream:
        return bool(track_format(bytes(stream.read(_START))))


def read_file(path: Path | str | Source, options: ReadingOptions | None = None) -> ReadFile:
    """Read a file of any format, with the types of its columns."""
    options = options or ReadingOptions()
    source = opened(path)
    if source.several_texts:
        raise several_error(source.name, len(source.tracks))
    grid = read_grid(source, options)
    columns = dict(zip(grid.table.column_names, grid.table.columns, strict=True))
    read, decimal = read_types(
        columns,
        options,
        file=grid.name,
        first_line=grid.first_line,
        commas_separate=grid.commas_separate,
        typed=grid.format == "parquet",
    )
    return ReadFile(grid, tuple(read), decimal, options)


def _read_parquet(source: Source) -> Grid:
    """Read a Parquet file without its pandas index."""
    with open_parquet(source) as parquet:
        check_names(source.name, parquet.schema_arrow.names)
        index = _index_columns(parquet.schema_arrow)
        table = parquet.read(columns=[name for name in parquet.schema_arrow.names if name not in index])
        table.validate(full=True)  # detects invalid UTF-8 now instead of later
    notes = (Phrase("The row numbers of a data frame are left out."),) if index else ()
    return Grid(source.name, table, "parquet", notes=notes, first_line=1)


def _index_columns(schema: pa.Schema) -> set[str]:
    """Return the columns that hold a pandas index: it reveals the original row order, so it is not read."""
    try:
        named = list((schema.pandas_metadata or {}).get("index_columns", []))
    except (ValueError, AttributeError, TypeError):  # metadata of other programs, or damaged
        named = []
    return {name for name in named if isinstance(name, str) and name.startswith("__index_level")}
