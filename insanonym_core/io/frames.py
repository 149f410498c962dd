"""DataFrames that are handed in: what they must look like, whatever kind of data they hold.

A frame of another library (polars, pyarrow, …) is converted by narwhals. Frames are never changed.
"""

from __future__ import annotations

from collections import Counter

import pandas as pd

from insanonym_core.errors import DataError, UsageError, brief

MAX_COLUMNS = 10_000


def is_frame(given: object) -> bool:
    """Whether something is a table in memory: a DataFrame, or an eager one of another library."""
    return isinstance(given, pd.DataFrame) or _of_another_library(given) is not None


def frame_of(given: object) -> pd.DataFrame:
    """The DataFrame that was handed in, or a sentence on what is wrong with it."""
    frame = given if isinstance(given, pd.DataFrame) else _of_another_library(given)
    if frame is None:
        raise UsageError(
            "The data must be a DataFrame or the name of a file, got {type}.", type=type(given).__name__
        )
    _check_columns(frame)
    if len(frame) == 0:
        raise DataError("The frame has no rows: give one with at least one row.")
    return frame


def _check_columns(frame: pd.DataFrame) -> None:
    """Refuse columns without a name of their own, in one level."""
    names = frame.columns
    if isinstance(names, pd.MultiIndex):
        raise DataError(
            "The column names of the frame have {levels} levels: join them into one, for example by "
            "{example}.",
            levels=names.nlevels,
            example="frame.columns.map('_'.join)",
        )
    if len(names) == 0:
        raise DataError("The frame has no columns: what is in its index counts after frame.reset_index().")
    if len(names) > MAX_COLUMNS:
        raise DataError(
            "The frame has {columns:,} columns, more than {most:,}: leave out some of them.",
            columns=len(names),
            most=MAX_COLUMNS,
        )
    strange = [name for name in names if not isinstance(name, str)]
    if strange:
        raise DataError(
            "The column names of a frame must be texts, got {name} ({type}): rename them, for example by "
            "frame.columns = frame.columns.map(str).",
            name=brief(strange[0]),
            type=type(strange[0]).__name__,
        )
    blank = [place for place, name in enumerate(names, start=1) if not name.strip()]
    if blank:
        raise DataError("Column {number} of the frame has no name: give it one.", number=blank[0])
    twins = [name for name, times in Counter(names).items() if times > 1]
    if twins:
        raise DataError("The frame has two columns called {name}: rename one of them.", name=brief(twins[0]))


def _of_another_library(given: object) -> pd.DataFrame | None:
    """A frame of another library that narwhals knows, converted; None for anything else."""
    import narwhals as nw

    try:
        known = nw.from_native(given, eager_only=True, pass_through=True)
        return known.to_pandas() if isinstance(known, nw.DataFrame) else None
    except nw.exceptions.DuplicateError:
        raise DataError("Two columns of the frame have the same name: rename one of them.") from None
