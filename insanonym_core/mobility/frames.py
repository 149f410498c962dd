"""Convert tracks from and to pandas frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa

from insanonym_core.errors import DataError, Problem
from insanonym_core.io.frames import frame_of
from insanonym_core.mobility.files import SWAPPED, Reading, interpret, refuse
from insanonym_core.mobility.handed_in import made_of_readings
from insanonym_core.mobility.layout import COLUMNS, role_of
from insanonym_core.mobility.raw_columns import RawColumns
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.writer import to_table
from insanonym_core.numeric.arrays import Ints
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    from insanonym_core.kinds import Made
    from insanonym_core.parameters import ParameterValues

_SWAPPED = Phrase(
    "a latitude must lie within ±90 and a longitude within ±180. If the columns are swapped, exchange their "
    "names."
)


class FrameReading(Reading):
    """A frame as read: its problems name rows."""

    def problem(self, code: str, rows: Ints, message: str, *, warning: bool = False) -> Problem:
        """Make a problem of the given rows."""
        return _of_rows(super().problem(code, rows, message, warning=warning))


def frame_fits(names: Sequence[str]) -> bool:
    """Whether the columns with these names can be GPS traces: one of each, besides others."""
    return set(COLUMNS) <= {role_of(name) for name in names}


def data_from_frame(frame: pd.DataFrame, reading: ParameterValues) -> Track:
    """The original of a frame; its columns are found by their names, as in a file with a header."""
    found = read_frame(frame, original=True)
    refuse(found.problems)
    return found.track


def release_from_frame(frame: pd.DataFrame, original: Track, allow_invalid: bool = False) -> Made:
    """Read a release of this original and check it, row by row; raise a DataError for any problem."""
    return made_of_readings(original, read_frame(frame, name=Phrase("the release")), allow_invalid)


def track_from_frame(frame: pd.DataFrame) -> Track:
    """Track of the rows of a frame, in their order; ids become text, the index is ignored."""
    found = read_frame(frame)
    refuse(found.problems)
    return found.track


def read_frame(frame: pd.DataFrame, *, original: bool = False, name: str = "") -> Reading:
    """Read a frame and find its problems; with `original`, the id DEL is one."""
    frame = frame_of(frame)
    chosen = _columns(frame)
    dates = chosen["date"]
    if isinstance(dates.dtype, pd.DatetimeTZDtype):
        raise DataError(
            "The dates of the frame have a time zone: give the local time, for example by {example}.",
            example="dates.dt.tz_convert('Europe/Paris').dt.tz_localize(None)",
        )
    stamped = pd.api.types.is_datetime64_dtype(dates)
    raw = RawColumns(
        name or Phrase("the frame"),
        id=_ids(chosen["id"]),
        date=_array(dates) if stamped else _texts(dates),
        latitude=_numbers(chosen["latitude"]),
        longitude=_numbers(chosen["longitude"]),
        first_line=0,
    )
    found = interpret(raw, original=original)
    problems = tuple(map(_of_rows, found.problems))
    return FrameReading(found.name, found.track, found.usable, problems, found.first_line, found.role)


def frame_from_track(track: Track) -> pd.DataFrame:
    """The published rows; a deleted row has only its id, DEL."""
    return to_table(track).to_pandas()


def _columns(frame: pd.DataFrame) -> dict[str, pd.Series]:
    """The four columns by what they are."""
    roles = [role_of(name) for name in frame.columns]
    for role in COLUMNS:
        if roles.count(role) > 1:
            raise DataError(
                "The frame has several columns that could be {role}: rename or drop all but one.", role=role
            )
    missing = [role for role in COLUMNS if role not in roles]
    if missing:
        raise DataError(
            "The frame has no columns {missing}: rename yours to {columns}.",
            missing=", ".join(missing),
            columns=", ".join(COLUMNS),
        )
    return {role: frame.iloc[:, roles.index(role)] for role in COLUMNS}


def _ids(column: pd.Series) -> pa.ChunkedArray:
    """Ids as texts, each distinct one written once."""
    if pd.api.types.is_float_dtype(column.dtype):
        raise DataError(
            "The ids of the frame are decimal numbers: turn them into text, as they should be written."
        )
    codes, distinct = pd.factorize(column)
    texts = pa.array([str(value) for value in distinct.tolist()], pa.string())
    places = pa.array(codes.astype(np.int32), pa.int32(), mask=codes < 0)
    return pa.chunked_array([pa.DictionaryArray.from_arrays(places, texts)])


def _array(column: pd.Series) -> pa.ChunkedArray:
    found = pa.array(column, from_pandas=True)
    return found if isinstance(found, pa.ChunkedArray) else pa.chunked_array([found])


def _texts(column: pd.Series) -> pa.ChunkedArray:
    texts = column.astype(object).map(str, na_action="ignore")
    return pa.chunked_array([pa.array(texts.to_numpy(), pa.string(), from_pandas=True)])


def _numbers(column: pd.Series) -> pa.ChunkedArray:
    """Numbers as such; whatever else is written is parsed as in a file."""
    if not pd.api.types.is_numeric_dtype(column.dtype) or pd.api.types.is_bool_dtype(column.dtype):
        return _texts(column)
    numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
    return pa.chunked_array([pa.array(numbers, pa.float64(), from_pandas=True)])


def _of_rows(problem: Problem) -> Problem:
    """The problem of a frame: rows, counted from 0 as iloc does, and no option of the command line."""
    message = _SWAPPED if problem.message == SWAPPED else problem.message
    if not problem.lines:
        return replace(problem, message=message)
    rows = ", ".join(map(str, problem.lines)) + (", …" if problem.count > len(problem.lines) else "")
    whole = Phrase.plural(
        "{file}, row {rows} (from 0): {message}",
        "{file}, rows {rows} (from 0): {message}",
        n=problem.count,
        rows=rows,
        file=problem.file,
        message=message,
    )
    return replace(problem, message=message, whole=whole)
