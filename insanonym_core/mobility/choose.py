"""Find id, date, latitude and longitude among the columns of a file: as said, by their names, by their "
"values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insanonym_core.errors import DataError, UsageError, brief, listed
from insanonym_core.mobility.layout import COLUMNS, role_of
from insanonym_core.reading.dates import dates_of
from insanonym_core.reading.grids import Grid
from insanonym_core.texts import Phrase, join_texts

_SAMPLE = 1000
_TIME = r"^\s*\d{1,2}[:hH]\d{2}(:\d{2}(\.\d+)?)?\s*$"
_NUMBER = r"^\s*[+-]?\d{1,3}([.,]\d+)?\s*$"
_DECIMAL = r"^\s*[+-]?\d+[.,]\d+\s*$"
_HINTS = {
    "id": re.compile(r"(^|_)(id|uid|user|device|imei|person|individu|client|agent|vehicul|vehicle)", re.I),
    "date": re.compile(r"date|time|heure|horodat|stamp|when|quand", re.I),
    "latitude": re.compile(r"(^|_)(lat|north|nord|y)", re.I),
    "longitude": re.compile(r"(^|_)(lon|lng|east|est|x)", re.I),
}


@dataclass(frozen=True)
class Chosen:
    """The column of each role, and the columns that are not used. `time` completes a date without hours."""

    names: Mapping[str, str]
    time: str = ""
    unused: tuple[str, ...] = ()

    def note(self) -> Phrase:
        """What was chosen, in a sentence."""
        said = Phrase(
            "id is read from {id}, date from {date}, latitude from {latitude}, longitude from {longitude}.",
            **{role: self.names[role] for role in COLUMNS},
        )
        if not self.unused:
            return said
        left_out = Phrase("Not read: {columns}.", columns=listed(self.unused))
        return join_texts(" ", [said, left_out])


def said_columns(columns: Sequence[str] | None) -> dict[str, str]:
    """Roles and names from --columns id=who,date=when,…; empty if it is an order of columns."""
    return dict(one.split("=", 1) for one in columns or () if "=" in one)


def choose(grid: Grid, said: Mapping[str, str]) -> Chosen:
    """The columns of a grid that are id, date, latitude and longitude; an error if it cannot be told."""
    table = grid.table
    for name in said.values():
        if name not in table.column_names:
            raise UsageError(
                "--columns must name columns of the file, got {name}, which is no column; choose from: "
                "{columns}.",
                name=brief(name),
                columns=listed(table.column_names),
            )
    found = dict(said)
    if grid.people and "id" not in found:
        found["id"] = _own_ids(grid) or grid.people
    free = [name for name in table.column_names if name not in found.values()]
    for role in COLUMNS:  # exact names before the values
        named = [name for name in free if role_of(name) == role]
        if role not in found and len(named) == 1:
            found[role] = named[0]
            free.remove(named[0])
    for role in ("date", "latitude", "longitude", "id"):
        if role not in found:
            candidates = [name for name in free if _fits(role, table.column(name))]
            hinted = [name for name in candidates if _HINTS[role].search(name)]
            choice = hinted if hinted else candidates
            if len(choice) == 1:
                found[role] = choice[0]
                free.remove(choice[0])
    time = next((name for name in free if _is_time(table.column(name))), "")
    missing = [role for role in COLUMNS if role not in found]
    if missing:
        raise DataError(
            "{file}: it cannot be told which column holds {roles}; say --columns "
            "id=NAME,date=NAME,latitude=NAME,longitude=NAME, with the names of the columns: {columns}.",
            file=grid.name,
            roles=", ".join(missing),
            columns=listed(table.column_names),
        )
    use_time = time if time and not _has_hours(table.column(found["date"])) else ""
    return Chosen(found, use_time, tuple(name for name in free if name != use_time))


def _own_ids(grid: Grid) -> str:
    """The id column of files that are put together, unless it only numbers the rows of each."""
    named = [name for name in grid.table.column_names if role_of(name) == "id"]
    return named[0] if len(named) == 1 and named[0] not in grid.numbering else ""


def _sample(column: pa.ChunkedArray) -> pa.Array:
    """Some values of a column as texts, none missing."""
    some = column.slice(0, 20 * _SAMPLE).drop_null().slice(0, _SAMPLE)
    return pc.utf8_trim_whitespace(
        pa.chunked_array(some.chunks, column.type).combine_chunks().cast(pa.string())
    )


def _fits(role: str, column: pa.ChunkedArray) -> bool:
    """Whether the values of a column can be what a role needs."""
    is_date = pa.types.is_timestamp(column.type)
    if role == "date" and is_date:
        return True
    texts = pa.array([]) if is_date else _sample(column)
    if len(texts) == 0:
        return False
    texts = texts.cast(pa.string())
    if role == "date":
        dates = dates_of(texts)
        return dates is not None and 2 * dates.values.null_count < len(texts)
    if role == "id":
        decimals = pc.all(pc.match_substring_regex(texts, _DECIMAL)).as_py()
        return not decimals and not _is_time(column) and not _fits("date", column)
    limit = 90 if role == "latitude" else 180
    good = pc.match_substring_regex(texts, _NUMBER)
    if not pc.all(good).as_py():
        return False
    values = pc.replace_substring(pc.utf8_trim_whitespace(texts), ",", ".").cast(pa.float64()).to_numpy()
    broken = pc.any(
        pc.match_substring_regex(texts, "[.,]")
    ).as_py()  # whole numbers are rather something else
    return bool(broken and (np.abs(values) <= limit).all())


def _is_time(column: pa.ChunkedArray) -> bool:
    if pa.types.is_timestamp(column.type):
        return False
    texts = _sample(column)
    return len(texts) > 0 and bool(pc.all(pc.match_substring_regex(texts, _TIME)).as_py())


def _has_hours(column: pa.ChunkedArray) -> bool:
    if pa.types.is_timestamp(column.type):
        return True
    dates = dates_of(_sample(column))
    return dates is not None and bool(dates.form.time)
