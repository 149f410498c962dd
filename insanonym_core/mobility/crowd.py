"""What an attacker has: people week by week, on either side, described without the order of the rows.

`Crowd.known` are the people of the original, `Crowd.seen` the pseudonyms of the release; both are units of
(name, week). Everything here is a count or a sum of integers, so that no order of rows can leak into it.
Descriptions are kept with the track: while a slider moves, those of the original cost nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.derived import Derived
from insanonym_core.grouping import PairCounts, count_pairs, lengths_of_runs, starts_of_runs, sum_by_group
from insanonym_core.mobility.cells import Cells
from insanonym_core.mobility.competition import Units, known_units, seen_units
from insanonym_core.mobility.moments import DEGREE, Hourly, Times, hourly, times
from insanonym_core.mobility.stays import StayTotals, Window, stay_totals
from insanonym_core.mobility.track import Side, Track

_NO_LENGTH = 1e-9
_TURN = 2**36
_EXACT = 2**53  # whole numbers up to here are exact as floats, and so are their sums
DAY = 86_400


class Crowd(ABC):
    """Units of (name, week), sorted, and what can be told about each."""

    @staticmethod
    def known(original: Track) -> Crowd:
        """The people of the original."""
        return TrackCrowd(original, "individual")

    @staticmethod
    def seen(release: Track) -> Crowd:
        """The pseudonyms of a release; who is behind them is not asked."""
        return TrackCrowd(release.kept, "token")

    @property
    @abstractmethod
    def units(self) -> Units:
        """Every (name, week)."""

    @property
    def names(self) -> tuple[str, ...]:
        """Texts of the names."""
        return self.units.individuals

    @property
    def name(self) -> Ints:
        """Code of the name of each unit."""
        return self.units.name

    @property
    def week(self) -> Ints:
        """Week of each unit."""
        return self.units.week

    def __len__(self) -> int:
        return len(self.units)

    def of_week(self, week: int) -> Ints:
        """The units of a week, in the order of their names."""
        return np.flatnonzero(self.week == week)

    # --- what can be told about a unit --------------------------------------------------------------

    @property
    @abstractmethod
    def rows(self) -> Ints:
        """How many rows each unit has."""

    @abstractmethod
    def place_sums(self) -> tuple[Floats, Floats]:
        """Latitudes and longitudes of each unit added up, in whole billionths of a degree."""

    @abstractmethod
    def clock_sums(self) -> tuple[Floats, Floats]:
        """Where the hand of a clock of 24 hours stands, added up over each unit, in whole numbers."""

    @abstractmethod
    def cells(self, decimals: int) -> Cells:
        """The cells that occur."""

    @abstractmethod
    def visits(self, decimals: int) -> PairCounts:
        """Rows of each (unit, cell)."""

    @abstractmethod
    def longest_stays(self, windows: tuple[Window, ...], decimals: int) -> StayTotals:
        """Where each unit stayed longest within each window."""

    @abstractmethod
    def hourly(self) -> Hourly:
        """Rows and places of each unit in each hour of the week."""

    @abstractmethod
    def times(self) -> Times:
        """The published times of each unit."""

    @abstractmethod
    def derive(self, key: object, compute: Callable[[], Derived]) -> Derived:
        """Something computed from this crowd, once."""

    @property
    def mean_position(self) -> tuple[Floats, Floats]:
        """Mean latitude and longitude of each unit."""
        latitude, longitude = self.place_sums()
        return latitude / self.rows / DEGREE, longitude / self.rows / DEGREE

    @property
    def mean_hour(self) -> Floats:
        """Circular mean time of day in hours; NaN when the times cancel out."""
        east, north = (part / self.rows / _TURN for part in self.clock_sums())
        hour = np.arctan2(north, east) * (24 / (2 * np.pi)) % 24
        return np.where(np.hypot(east, north) < _NO_LENGTH, np.nan, hour)


@dataclass(frozen=True, eq=False)
class TrackCrowd(Crowd):
    """The units of a track without deleted rows."""

    track: Track
    side: Side

    @property
    def _found(self) -> tuple[Units, Ints]:
        return known_units(self.track) if self.side == "individual" else seen_units(self.track)

    @property
    def units(self) -> Units:
        """Every (name, week)."""
        return self._found[0]

    @property
    def unit_of_row(self) -> Ints:
        """The unit each row belongs to."""
        return self._found[1]

    def derive(self, key: object, compute: Callable[[], Derived]) -> Derived:
        """Kept with the track."""
        return self.track.derive(("crowd", self.side, key), compute)

    @property
    def rows(self) -> Ints:
        """How many rows each unit has."""

        def count() -> Ints:
            starts, unit = self._runs
            length = lengths_of_runs(starts, len(self.track))
            return np.bincount(unit, length, minlength=len(self)).astype(np.int64)

        return self.derive("rows", count)

    @property
    def _runs(self) -> tuple[Ints, Ints]:
        """Where rows of another unit begin, and the unit: most of the rows of a unit follow each other."""

        def find() -> tuple[Ints, Ints]:
            starts = starts_of_runs(self.unit_of_row)
            return starts, self.unit_of_row[starts]

        return self.derive("runs", find)

    def place_sums(self) -> tuple[Floats, Floats]:
        """Added up over the rows."""
        track = self.track
        return self.derive(
            "places",
            lambda: (
                self._sum(np.rint(track.latitude * DEGREE), 90 * DEGREE),
                self._sum(np.rint(track.longitude * DEGREE), 180 * DEGREE),
            ),
        )

    def clock_sums(self) -> tuple[Floats, Floats]:
        """Added up over the rows."""

        def sums() -> tuple[Floats, Floats]:
            east, north = self._clock()
            return self._sum(east, _TURN), self._sum(north, _TURN)

        return self.derive("clock", sums)

    def _clock(self) -> tuple[Floats, Floats]:
        ticks = DAY * self.track.resolution
        # Of the day that is known already: % would take many times as long.
        moment = self.track.day.astype(np.int64)
        moment *= -ticks
        moment += self.track.time
        if ticks > DAY:  # more moments of a day than anybody would keep a table of
            return _hand(moment, ticks)
        east, north = _hands(ticks)
        return east.take(moment, mode="clip"), north.take(moment, mode="clip")

    def _sum(self, whole: Floats, largest: int) -> Floats:
        """Of whole numbers, none larger than `largest`: exact, in whatever order they are added."""
        if len(whole) == 0:
            return whole
        starts, unit = self._runs
        if largest * self.rows.max() < _EXACT:
            return sum_by_group(unit, np.add.reduceat(whole, starts), len(self))
        total = np.zeros(len(self), dtype=np.int64)
        np.add.at(total, unit, np.add.reduceat(whole.astype(np.int64), starts))
        return total.astype(np.float64)

    def cells(self, decimals: int) -> Cells:
        """Those of the track."""
        return self.track.cells(decimals)

    def visits(self, decimals: int) -> PairCounts:
        """Counted over the rows."""

        def count() -> PairCounts:
            cells = self.cells(decimals)
            return count_pairs(self.unit_of_row, len(self), cells.code, cells.number)

        return self.derive(("visits", decimals), count)

    def hourly(self) -> Hourly:
        """Counted over the rows."""
        return self.derive("hourly", lambda: hourly(self.track, self.unit_of_row, len(self)))

    def times(self) -> Times:
        """Those of the rows."""
        return self.derive("times", lambda: times(self.track, self.unit_of_row))

    def longest_stays(self, windows: tuple[Window, ...], decimals: int) -> StayTotals:
        """The longest of all stays."""
        return self.derive(
            ("stays", windows, decimals),
            lambda: stay_totals(self.track, windows, decimals, owner=self.side, file_order=False).longest(),
        )


def _hand(moment: Ints, ticks: int) -> tuple[Floats, Floats]:
    angle = moment * (2 * np.pi / ticks)
    return np.rint(np.cos(angle) * _TURN), np.rint(np.sin(angle) * _TURN)


@cache
def _hands(ticks: int) -> tuple[Floats, Floats]:
    """The hand at every moment of a day."""
    return _hand(np.arange(ticks), ticks)
