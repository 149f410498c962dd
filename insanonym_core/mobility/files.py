"""Read mobility files; report all problems with their lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insanonym_core.errors import LINES_SHOWN, DataError, Problem, shape_of
from insanonym_core.io.sources import Source
from insanonym_core.io.spreadsheets import restored
from insanonym_core.mobility.columns import numbers
from insanonym_core.mobility.date_columns import read_dates
from insanonym_core.mobility.dates import DATE_FORM, mask_rows, parse_dates
from insanonym_core.mobility.layout import COLUMNS
from insanonym_core.mobility.raw_columns import RawColumns
from insanonym_core.mobility.reader import read_columns
from insanonym_core.mobility.track import DELETED, Track, rank_texts
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import pieces
from insanonym_core.reading.files import opened
from insanonym_core.reading.options import ReadingOptions
from insanonym_core.reading.style import Style
from insanonym_core.texts import Phrase, join_texts


@dataclass(frozen=True, eq=False)
class Reading:
    """A file as read: its rows, which of them are usable, and all problems."""

    name: str
    track: Track
    usable: Bools
    problems: tuple[Problem, ...]
    first_line: int
    role: str = "release"
    order: tuple[str, ...] = COLUMNS
    notes: tuple[Phrase, ...] = ()

    def lines(self, rows: Ints) -> tuple[int, ...]:
        """Line numbers of the first few of the given rows."""
        return tuple(int(row) + self.first_line for row in rows[:LINES_SHOWN])

    def problem(self, code: str, rows: Ints, message: str, *, warning: bool = False) -> Problem:
        """Make a problem of the given rows."""
        return Problem(code, message, len(rows), self.lines(rows), self.name, warning, self.role)


def read_track(
    path: Path | str, columns: Sequence[str] | None = None, options: ReadingOptions | None = None
) -> Track:
    """Read a mobility file; raise a DataError with all its problems if it has any."""
    reading = read(path, columns, options)
    refuse(reading.problems)
    return reading.track


def refuse(problems: Sequence[Problem]) -> None:
    """Raise a DataError with all problems that are not warnings, if there are any."""
    errors = [problem for problem in problems if not problem.warning]
    if errors:
        raise DataError.of(errors)


def read(
    path: Path | str | Source,
    columns: Sequence[str] | None = None,
    options: ReadingOptions | None = None,
    *,
    original: bool = False,
) -> Reading:
    """Read a file and find its problems; with `original`, the id DEL is one."""
    return interpret(read_columns(opened(path), columns, options), options, original=original)


def interpret(raw: RawColumns, options: ReadingOptions | None = None, *, original: bool = False) -> Reading:
    """Turn raw columns into a track, and find problems. Deleted rows may hold anything besides their id."""
    token, tokens = _factorise_ids(raw.id, text=raw.text)
    deleted = token == DELETED
    missing_id = _rows_with_token(token, [code for code, text in enumerate(tokens) if not text])
    skipped = deleted.copy()
    skipped[raw.broken] = True
    options = options or ReadingOptions()
    dates = read_dates(raw, skipped, options)
    decimal = options.decimal or _decimal_mark(raw.latitude)
    style = Style(raw.separator, decimal, raw.encoding, {"date": dates.form} if dates.form else {})
    time, resolution, bad_date = _parse_dates(dates.column, skipped)
    latitude, longitude, bad_place = _parse_coordinates(raw, skipped, options.decimal)

    usable = ~(bad_date | bad_place | missing_id)
    usable[raw.broken] = False
    swapped = _swapped(latitude, longitude, np.flatnonzero(bad_place))
    # Unusable and deleted rows hold 0, so that nothing of them enters a sum.
    unused = np.flatnonzero(~usable | deleted)
    for column in (time, latitude, longitude):
        column[unused] = 0
    track = Track(
        token, tokens, token, tokens, time, latitude, longitude, resolution, clock=dates.clock, style=style
    )
    reading = Reading(
        raw.name,
        track,
        usable,
        (),
        raw.first_line,
        "original" if original else "release",
        raw.order,
        raw.notes,
    )
    problems = []

    def note(code: str, where: Bools | Ints, message: Callable[[Ints], str]) -> None:
        rows: Ints = np.flatnonzero(where) if where.dtype == bool else where.astype(np.int64, copy=False)
        if len(rows):
            problems.append(reading.problem(code, rows, message(rows)))

    missing_id[raw.broken] = False
    note("columns", raw.broken, lambda rows: _columns_message(raw))
    note("missing-id", missing_id, lambda rows: _NO_ID)
    note("bad-date", bad_date, lambda rows: _date_message(raw, rows))
    note("bad-coordinate", bad_place, lambda rows: _place_message(raw, rows, swapped=swapped))
    if original:
        note("deleted-original", deleted, lambda rows: _DELETED_ORIGINAL)
    invalid_ids = [code for code, text in enumerate(tokens) if _INVALID_IN_IDS.search(text)]
    note(
        "missing-id",
        _rows_with_token(token, invalid_ids),
        lambda rows: Phrase("an id holds a line break; close its quotation mark."),
    )
    return replace(reading, problems=tuple(problems))


def _swapped(latitude: Floats, longitude: Floats, bad: Ints) -> bool:
    """Whether a bad position would be valid with latitude and longitude swapped."""
    north, east = np.abs(latitude[bad]), np.abs(longitude[bad])
    return bool(((north > 90) & (north <= 180) & (east <= 90)).any())


_INVALID_IN_IDS = re.compile("[\n\r\0]")


def _rows_with_token(token: Ints, codes: list[int]) -> Bools:
    return np.isin(token, codes) if codes else np.zeros(len(token), dtype=bool)


def _factorise_ids(column: pa.ChunkedArray, *, text: bool) -> tuple[Ints, tuple[str, ...]]:
    """The code of each row's id, and the ids in the order of their texts."""
    code_of: dict[str, int] = {}
    chunks = []
    for chunk in column.chunks:
        chunk_codes = [code_of.setdefault(id_, len(code_of)) for id_ in (*chunk.dictionary.to_pylist(), "")]
        chunks.append((np.array(chunk_codes), numbers(chunk.indices, missing=len(chunk_codes) - 1)))
    used = np.zeros(len(code_of), dtype=bool)
    for global_codes, codes in chunks:
        used[global_codes[np.bincount(codes, minlength=len(global_codes)) > 0]] = True
    rank, tokens = _rank_ids(list(code_of), used, text=text)
    token = np.empty(len(column), dtype=np.int32)
    place = 0
    for global_codes, codes in chunks:
        # The codes are within bounds; mode="clip" avoids the buffer of the default mode.
        rank[global_codes].take(codes, out=token[place : place + len(codes)], mode="clip")
        place += len(codes)
    return token, tokens


def _rank_ids(texts: list[str], used: Bools, *, text: bool) -> tuple[Ints, tuple[str, ...]]:
    """New code of each text, and the texts in that order; texts that restore to the same id get one code."""
    if not text or not any(id_[:1] == "'" for id_ in texts):
        return rank_texts(texts, used)
    texts = [restored(id_) for id_ in texts]
    first = {id_: place for place, id_ in reversed(list(enumerate(texts)))}
    places = np.array([first[id_] for id_ in texts])
    used_first = np.zeros(len(texts), dtype=bool)
    used_first[places[used]] = True
    rank, tokens = rank_texts(texts, used_first)
    return rank[places], tokens


def _parse_dates(column: pa.ChunkedArray, ignored: Bools) -> tuple[Ints, int, Bools]:
    """Ticks, ticks per second, and where a row that counts has no legal date."""
    time, bad = np.empty(len(column), dtype=np.int64), np.zeros(len(column), dtype=bool)
    resolutions = []
    for piece in pieces(len(column)):
        dates = column.slice(piece.start, piece.stop - piece.start)
        time[piece], resolution, bad[piece] = parse_dates(dates, ignored[piece])
        resolutions.append(resolution)
    finest = max(resolutions, default=1)
    for piece, resolution in zip(pieces(len(column)), resolutions, strict=True):
        if resolution < finest:
            time[piece] *= finest // resolution
    return time, finest, bad


def _parse_coordinates(raw: RawColumns, ignored: Bools, decimal: str | None) -> tuple[Floats, Floats, Bools]:
    """Latitudes, longitudes, and where a row that counts has no valid position."""
    marks = {id(column): decimal or _decimal_mark(column) for column in (raw.latitude, raw.longitude)}
    latitude, longitude = np.empty(len(ignored)), np.empty(len(ignored))
    bad = np.zeros(len(ignored), dtype=bool)
    for piece in pieces(len(ignored)):
        for degrees, column, max_degrees in ((latitude, raw.latitude, 90), (longitude, raw.longitude, 180)):
            chunk = column.slice(piece.start, piece.stop - piece.start)
            values = degrees[piece]
            values[:] = _numbers(chunk, ignored[piece], marks[id(column)])
            if not (values.min() >= -max_degrees and values.max() <= max_degrees):  # also True for NaN
                bad[piece] |= ~(np.abs(values) <= max_degrees)
    if bad.any():
        bad &= ~ignored
    return latitude, longitude, bad


def _decimal_mark(column: pa.ChunkedArray) -> str:
    """The decimal mark of a column of coordinates: a comma if some have one and none has a point."""
    if not pa.types.is_string(column.type):
        return "."
    with_comma, with_point = (
        pc.any(pc.match_substring_regex(column, rf"^\s*[+-]?\d+{mark}\d+\s*$")).as_py()
        for mark in (",", r"\.")
    )
    return "," if with_comma and not with_point else "."


def _numbers(column: pa.ChunkedArray, ignored: Bools, decimal: str) -> Floats:
    """Parse a column as floats; NaN where that fails."""
    if not pa.types.is_floating(column.type):
        column = _cast_numbers(column, ignored, decimal)
    return numbers(column.cast(pa.float64()), missing=np.nan)


def _cast_numbers(column: pa.ChunkedArray, ignored: Bools, decimal: str) -> pa.ChunkedArray:
    column = mask_rows(column, ignored)
    if decimal == ",":
        column = pc.replace_substring(column, ",", ".")
    try:
        return column.cast(pa.float64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        texts = column.cast(pa.string())
        numeric = pc.match_substring_regex(texts, r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$")
        return pc.if_else(numeric, pc.utf8_trim_whitespace(texts), None).cast(pa.float64())


_LOOKS_RIGHT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?")
_HEADER_HINT = Phrase("If line 1 is a header, its names must be id, date, latitude, longitude.")
SWAPPED = Phrase(
    "a latitude must lie within ±90 and a longitude within ±180. If the columns are swapped, "
    "say --columns id,date,longitude,latitude."
)
_NO_ID = Phrase("every row needs an id; write DEL for a deleted row.")
_DELETED_ORIGINAL = Phrase("an original cannot hold the id DEL; rename it.")


def _columns_message(raw: RawColumns) -> str:
    said = Phrase("a line must have four fields, id, date, latitude and longitude, or begin with DEL.")
    return join_texts(" ", [said, _HEADER_HINT]) if raw.first_line == 1 and raw.broken[0] == 0 else said


def _first_shape(column: pa.ChunkedArray, rows: Ints) -> str:
    value = column[int(rows[0])].as_py()
    return Phrase("nothing") if value is None else f"'{shape_of(str(value))}'"


def _date_message(raw: RawColumns, rows: Ints) -> str:
    if pa.types.is_timestamp(raw.date.type):
        return Phrase(
            "every row needs a date in the years 1001 to 9998; fix it, or write DEL for a deleted row."
        )
    first = str(raw.date[int(rows[0])].as_py())
    if _LOOKS_RIGHT.fullmatch(first):
        return Phrase("the first of these dates has a day or an hour that does not exist; check it.")
    said = [
        Phrase(
            "a date must be written as {form}; the first of these is {found}.",
            form=DATE_FORM,
            found=_first_shape(raw.date, rows),
        )
    ]
    if re.search(r"\d(Z|[+-]\d\d:?\d\d)$", first):
        said.append(Phrase("Only some of the dates have a UTC offset: write all of them with one, or none."))
    if raw.first_line == 1 and rows[0] == 0 and not re.search(r"\d", first):
        said[1:] = [_HEADER_HINT]
    return join_texts(" ", said)


def _place_message(raw: RawColumns, rows: Ints, *, swapped: bool) -> str:
    if swapped:
        return SWAPPED
    shapes = _first_shape(raw.latitude, rows), _first_shape(raw.longitude, rows)
    said = Phrase(
        "latitude must be a number within ±90 and longitude within ±180; the first of these are "
        "{latitude} and {longitude}.",
        latitude=shapes[0],
        longitude=shapes[1],
    )
    comma = any("," in shape for shape in shapes)
    mixed = Phrase("Write all decimals with a point, or all with a comma.")
    return join_texts(" ", [said, mixed]) if comma else said
