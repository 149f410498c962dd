"""What was understood of a file of GPS traces."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from insanonym_core.errors import DataError
from insanonym_core.mobility.checks import bounding_box
from insanonym_core.mobility.choose import said_columns
from insanonym_core.mobility.files import interpret
from insanonym_core.mobility.layout import COLUMNS, column_order, role_of
from insanonym_core.mobility.reader import read_columns
from insanonym_core.reading.columns import read_types
from insanonym_core.reading.files import opened, read_grid
from insanonym_core.reading.look import Look, LookedColumn, look_at_column
from insanonym_core.reading.options import ReadingOptions
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    from insanonym_core.io.sources import Source
    from insanonym_core.mobility.raw_columns import RawColumns
    from insanonym_core.parameters import ParameterValues
    from insanonym_core.reading.grids import Grid

_MOST = 5_000_000  # rows whose different values are counted
_SAID, _BY_NAME, _BY_VALUES = Phrase("as you said"), Phrase("by its name"), Phrase("by its values")


def look(source: Source | Path | str, reading: ParameterValues, roles: ParameterValues) -> Look:
    """Look at traces: who, when and where is read from which columns, and every problem with its lines."""
    options, source = ReadingOptions.of(reading), opened(source)
    columns = reading.get("columns")
    said = column_order(columns) if columns else None
    try:
        raw = read_columns(source, said, options)
    except DataError as error:
        return _undecided(source, options, error)
    grid = read_grid(source, options) if raw.names else None
    looked = _columns(raw, grid, options, said)
    try:
        found = interpret(raw, options, original=True)
    except DataError as error:  # dates whose order nobody can tell
        ask = any(one.type == "date?" for one in looked)
        return Look(
            raw.name,
            "mobility",
            len(raw.id),
            {},
            looked,
            raw.notes,
            (error.phrase,),
            asks=ask,
            facts=_read(raw),
        )
    track = found.track
    weeks = np.unique(track.week[found.usable]) if found.usable.any() else np.empty(0)
    notes = list(raw.notes)
    if not raw.names:
        notes.append(Phrase("The columns are {order}.", order=", ".join(raw.order)))
    if track.clock:
        notes.append(Phrase("The times have an offset, and hours are those of {zone}.", zone=track.clock))
    zoned = {"zoned": True} if track.clock else {}
    return Look(
        found.name,
        "mobility",
        len(track),
        {},
        looked,
        tuple(notes),
        tuple(problem.sentence() for problem in found.problems),
        len(track.individuals),
        {"weeks": len(weeks), "bounding_box": bounding_box(found), **_read(raw), **zoned},
    )


def _read(raw: RawColumns) -> dict[str, object]:
    guessed = [role for role, name in raw.names.items() if role in COLUMNS and role_of(name) != role]
    return {"columns_read": dict(raw.names), **({"guessed": guessed} if guessed else {})}


def _undecided(source: Source, options: ReadingOptions, error: DataError) -> Look:
    """A table whose columns cannot be told: all of them, for somebody to choose; else the error."""
    try:
        grid = read_grid(source, options)
    except DataError:
        raise error from None
    if len(grid.table.column_names) < len(COLUMNS) - 1:
        raise error
    looked = _of_grid(grid, options, {}, None)
    return Look(
        grid.name,
        "mobility",
        grid.table.num_rows,
        {},
        looked,
        grid.notes,
        (error.phrase,),
        asks=True,
        facts={"columns_read": {}},
    )


def _columns(
    raw: RawColumns, grid: Grid | None, options: ReadingOptions, said: Sequence[str] | None
) -> tuple[LookedColumn, ...]:
    """The columns with the roles in which they are read."""
    if grid is not None:
        return _of_grid(grid, options, {name: role for role, name in raw.names.items()}, said)
    if len(raw.id) > _MOST:
        return ()
    four = {name: getattr(raw, name) for name in raw.order}
    four["id"] = four["id"].cast(pa.string())
    read, _ = read_types(four, replace(options, types={}), first_line=raw.first_line)
    why = _SAID if said else Phrase("by its place")
    return tuple(replace(look_at_column(one), role=one.name, role_why=why) for one in read)


def _of_grid(
    grid: Grid, options: ReadingOptions, roles: Mapping[str, str], said: Sequence[str] | None
) -> tuple[LookedColumn, ...]:
    names, named = grid.table.column_names, said_columns(said).values()
    types = {name: kind for name, kind in options.types.items() if name in names}
    date = next((name for name, role in roles.items() if role == "date"), "")
    if date and "date" in options.types:
        types.setdefault(date, options.types["date"])
    read, _ = read_types(
        dict(zip(names, grid.table.columns, strict=True)),
        replace(options, types=types),
        file=grid.name,
        first_line=grid.first_line,
        commas_separate=grid.commas_separate,
        typed=grid.format == "parquet",
    )
    return tuple(
        replace(
            look_at_column(one),
            role=roles.get(one.name, ""),
            role_why=_why(one.name, roles, named),
            published=one.name in roles,
        )
        for one in read
    )


def _why(name: str, roles: Mapping[str, str], said: Collection[str]) -> str:
    if name not in roles:
        return Phrase("not read")
    return _SAID if name in said else _BY_NAME if role_of(name) == roles[name] else _BY_VALUES
