"""The four columns of a file of traces as they are written, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insanonym_core.errors import DataError
from insanonym_core.mobility.choose import choose, said_columns
from insanonym_core.mobility.layout import COLUMNS
from insanonym_core.numeric.arrays import Ints
from insanonym_core.reading.grids import Grid
from insanonym_core.texts import Phrase


@dataclass(frozen=True, eq=False)
class RawColumns:
    """The four columns as in the file, one row per line after the header.

    `broken` are the rows (from 0) with another number of fields, deleted rows aside;
    `order` is the order of the columns in the file; ids of a `text` file may be defused for spreadsheets.
    `names` are those of the columns in the file, by role (time: of dates without hours); `notes` say what was
    decided.
    """

    name: str
    id: pa.ChunkedArray
    date: pa.ChunkedArray
    latitude: pa.ChunkedArray
    longitude: pa.ChunkedArray
    first_line: int
    broken: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    order: tuple[str, ...] = COLUMNS
    text: bool = False
    notes: tuple[Phrase, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    separator: str = ""
    encoding: str = ""


def columns_of_grid(grid: Grid, columns: Sequence[str] | None = None) -> RawColumns:
    """The four columns of a table with any columns."""
    chosen = choose(grid, said_columns(columns))
    dates = grid.table.column(chosen.names["date"])
    if chosen.time:
        dates = pc.binary_join_element_wise(
            pc.utf8_trim_whitespace(dates), pc.utf8_trim_whitespace(grid.table.column(chosen.time)), " "
        )
    ids = grid.table.column(chosen.names["id"])
    if pa.types.is_floating(ids.type):
        raise DataError("{file}: the ids are decimal numbers; write them as text.", file=grid.name)
    return RawColumns(
        grid.name,
        id=pc.cast(ids, pa.string()).dictionary_encode(),
        date=dates,
        latitude=grid.table.column(chosen.names["latitude"]),
        longitude=grid.table.column(chosen.names["longitude"]),
        first_line=grid.first_line,
        notes=(*grid.notes, chosen.note()),
        names={**chosen.names, **({"time": chosen.time} if chosen.time else {})},
        separator=grid.separator,
        encoding=grid.encoding,
    )
