"""A track: the rows of a mobility file as integer-coded columns.

Each row has an `individual` (the original id of that line) and a `token` (the published id; DELETED for a
deleted row). Methods change tokens, times and positions; the individual stays, so that k always counts
individuals, not tokens.

Tracks are immutable (their arrays are read-only), so whatever is derived from one (weeks, cells, stays) is
cached with it: while a slider moves, nothing of the original is computed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from insanonym_core.mobility.cells import Cells, cells_from_coordinates
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import PairCounts, count_pairs, pieces
from insanonym_core.numeric.randomness import content_digest
from insanonym_core.reading.style import Style
from insanonym_core.runtime.derived import KeepsDerived

if TYPE_CHECKING:
    import pandas as pd

DELETED = -1
DELETED_ID = "DEL"
HOURS_IN_WEEK = 168
MONDAY_OFFSET = 72  # hours from Monday 1969-12-29 to the epoch, a Thursday
MAX_INT32_SECONDS = 2**31  # seconds around the epoch: 1902 to 2038

ROW_COLUMNS = ("individual", "token", "time", "latitude", "longitude")

Side = Literal["individual", "token"]


@dataclass(frozen=True, eq=False)
class Track(KeepsDerived):
    """Rows in file order. `time` counts ticks since 1970 on the wall clock, `resolution` ticks a second.

    `demonstration` marks generated data: a seed may repeat everything, tokens too. `order` is the order of
    the columns in the file, if it was given by name; `clock` the zone of the times, if the file says
    offsets; `style` how the file is written.
    """

    individual: Ints
    individuals: tuple[str, ...]
    token: Ints
    tokens: tuple[str, ...]
    time: Ints
    latitude: Floats
    longitude: Floats
    resolution: int = 1
    demonstration: bool = False
    order: tuple[str, ...] = ()
    clock: str = ""
    style: Style = field(default_factory=Style)
    _derived: dict[object, object] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ROW_COLUMNS:
            column = getattr(self, name)
            if column.flags.writeable:
                # A read-only view: the caller's own array stays writable, and must not be written to again.
                column = column.view()
                column.flags.writeable = False
                object.__setattr__(self, name, column)

    def __len__(self) -> int:
        return len(self.token)

    def __getstate__(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "_derived"}

    def __setstate__(self, state: dict[str, object]) -> None:
        for name, value in (state | {"_derived": {}}).items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    def digest(self) -> bytes:
        """A digest of the content, in file order."""

        def compute() -> bytes:
            texts = (self.individuals, self.tokens, (str(self.resolution),))
            return content_digest(texts, [getattr(self, name) for name in ROW_COLUMNS])

        return self.derive("digest", compute)

    def take(self, rows: Ints) -> Track:
        """Select rows, in that order; individuals without rows are dropped."""
        columns = {name: getattr(self, name)[rows] for name in ROW_COLUMNS}
        individual, individuals = recode_by_text(self.individuals, columns["individual"])
        return self.changed(**columns | {"individual": individual, "individuals": individuals})

    def between(self, first: int, last: int) -> Track:
        """The rows of individuals `first` to `last` - 1; without copies if rows are sorted by individual."""
        if not self.derive(
            "by individual", lambda: bool((self.individual[1:] >= self.individual[:-1]).all())
        ):
            inside = (self.individual >= first) & (self.individual < last)
            return self.take(np.flatnonzero(inside))
        start, end = np.searchsorted(self.individual, (first, last)).tolist()
        columns = {name: getattr(self, name)[start:end] for name in ROW_COLUMNS}
        columns["individual"] = columns["individual"] - first
        part = self.changed(**columns, individuals=self.individuals[first:last])
        for name in ("hours", "week"):  # reuse what has been computed for the whole file
            if name in self.__dict__:
                part.__dict__[name] = self.__dict__[name][start:end]
        return part

    def changed(self, **columns: Any) -> Track:  # Any: fields of Track, each of its own type
        """A copy with some columns replaced; methods make their result with this."""
        return replace(self, **columns)

    # --- deleted rows ---------------------------------------------------------------------------

    @cached_property
    def is_kept(self) -> Bools:
        """Mask of the rows that are not deleted."""
        return self.token != DELETED

    @cached_property
    def kept_rows(self) -> slice | Ints:
        """An index that selects the kept rows: a full slice when nothing was deleted (no copy then)."""
        return slice(None) if self.is_kept.all() else np.flatnonzero(self.is_kept)

    @cached_property
    def kept_row_numbers(self) -> Ints:
        """The numbers of the kept rows."""
        return np.flatnonzero(self.is_kept)

    @cached_property
    def kept(self) -> Track:
        """The track without its deleted rows; itself when there are none."""
        rows = self.kept_rows
        if isinstance(rows, slice):
            return self
        return self.changed(**{name: getattr(self, name)[rows] for name in ROW_COLUMNS})

    # --- the clock (meaningful for kept rows) -----------------------------------------------------

    @cached_property
    def hours(self) -> Ints:
        """Whole hours since the epoch."""
        return hours_of(self.time, self.resolution)

    @cached_property
    def day(self) -> Ints:
        """Calendar days since the epoch."""
        return self.hours // np.int32(24)

    @cached_property
    def hour(self) -> Ints:
        """Hour of the day, 0 to 23."""
        return self.hours - self.day * np.int32(24)  # much faster than %

    @cached_property
    def week(self) -> Ints:
        """ISO weeks since the one that holds the epoch."""
        return (self.hours + np.int32(MONDAY_OFFSET)) // np.int32(HOURS_IN_WEEK)

    # --- places -----------------------------------------------------------------------------------

    def cells(self, decimals: int) -> Cells:
        """The cell of each row."""
        return self.derive(
            ("cells", decimals), lambda: cells_from_coordinates(self.latitude, self.longitude, decimals)
        )

    def visits(self, decimals: int) -> PairCounts:
        """Rows of each (individual, cell)."""

        def count() -> PairCounts:
            cells = self.cells(decimals)
            return count_pairs(self.individual, len(self.individuals), cells.code, cells.number)

        return self.derive(("visits", decimals), count)

    # --- frames -----------------------------------------------------------------------------------

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Track:
        """A track of a frame with the columns id, date, latitude, longitude; its index plays no role."""
        from insanonym_core.mobility.frames import track_from_frame

        return track_from_frame(frame)

    def to_frame(self) -> pd.DataFrame:
        """The published rows: id, date, latitude, longitude; a deleted row has only its id, DEL."""
        from insanonym_core.mobility.frames import frame_from_track

        return frame_from_track(self)


def hours_of(time: Ints, resolution: int) -> Ints:
    """Whole hours since the epoch."""
    hours = np.empty(len(time), dtype=np.int32)
    for piece in pieces(len(time)):
        ticks = time[piece]
        if resolution == 1 and np.abs(ticks).max() < MAX_INT32_SECONDS:  # int32 is three times faster
            hours[piece] = ticks.astype(np.int32) // np.int32(3600)
        else:
            hours[piece] = ticks // (3600 * resolution)
    return hours


def recode_by_text(texts: Sequence[str], codes: Ints) -> tuple[Ints, tuple[str, ...]]:
    """Recode so that codes are in the order of their texts; DEL becomes DELETED.

    Texts without rows are dropped: they would count as individuals.
    """
    rank, ordered = rank_texts(texts, np.bincount(codes, minlength=len(texts)) > 0)
    return rank[codes], ordered


def rank_texts(texts: Sequence[str], used: Bools) -> tuple[Ints, tuple[str, ...]]:
    """Rank of each text among the used ones, and these in order; DEL has the rank DELETED."""
    order = sorted(
        (code for code in np.flatnonzero(used).tolist() if texts[code] != DELETED_ID), key=texts.__getitem__
    )
    rank = np.full(len(texts), DELETED, dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank, tuple(texts[code] for code in order)


def week_label(week: int) -> str:
    """The ISO week as YYYY-W, no padding: the year is the ISO year.

    >>> week_label(2400)
    '2015-53'
    """
    year, number, _ = week_monday(week).astype(object).isocalendar()
    return f"{year}-{number}"


def week_monday(week: int) -> np.datetime64:
    """The Monday on which a week begins."""
    return np.datetime64("1969-12-29", "D") + np.timedelta64(7 * int(week), "D")
