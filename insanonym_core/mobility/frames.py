"""Convert tracks from and to pandas frames, for notebooks."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa

from insanonym_core.errors import DataError
from insanonym_core.mobility.files import interpret, refuse
from insanonym_core.mobility.layout import COLUMNS
from insanonym_core.mobility.reader import RawColumns
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.writer import to_table


def track_from_frame(frame: pd.DataFrame) -> Track:
    """Track of the rows of a frame, in their order; ids become text, the index is ignored."""
    missing = [name for name in COLUMNS if name not in frame.columns]
    if missing:
        raise DataError(
            "The frame has no columns {missing}: rename yours to {columns}.",
            missing=", ".join(missing),
            columns=", ".join(COLUMNS),
        )
    if len(frame) == 0:
        raise DataError("The frame is empty: give one with at least one row.")
    if pd.api.types.is_float_dtype(frame["id"]):
        raise DataError(
            "The ids of the frame are decimal numbers: turn them into text, as they should be written."
        )
    ids = frame["id"].map(str, na_action="ignore")
    dates = frame["date"]
    stamped = isinstance(dates.dtype, pd.DatetimeTZDtype) or pd.api.types.is_datetime64_dtype(dates)
    if isinstance(dates.dtype, pd.DatetimeTZDtype):
        raise DataError("The dates of the frame have a time zone: give the local time, without an offset.")
    raw = RawColumns(
        "the frame",
        id=_column(ids, pa.string()).dictionary_encode(),
        date=_column(dates, None if stamped else pa.string()),
        latitude=_column(pd.to_numeric(frame["latitude"], errors="coerce"), pa.float64()),
        longitude=_column(pd.to_numeric(frame["longitude"], errors="coerce"), pa.float64()),
        first_line=1,
    )
    reading = interpret(raw)
    refuse(reading.problems)
    return reading.track


def _column(values: pd.Series, kind: pa.DataType | None) -> pa.ChunkedArray:
    if kind == pa.string():
        values = values.map(str, na_action="ignore")
    return pa.chunked_array([pa.array(values.to_numpy(), kind, from_pandas=True)])


def frame_from_track(track: Track) -> pd.DataFrame:
    """The published rows; a deleted row has only its id, DEL."""
    return to_table(track).to_pandas()
