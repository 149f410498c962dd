"""Input of the attacks: units (name, week) of the original and of the release, and their descriptions.

`Crowd.known` holds the individuals of the original, `Crowd.seen` the tokens of the release. All descriptions
are counts or sums of integers, so that they do not depend on the order of the rows. They are cached with the
track: while a slider moves, those of the original are not computed again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from insanonym_core.mobility.cells import Cells
from insanonym_core.mobility.competition import Units, known_units, seen_units
from insanonym_core.mobility.moments import UNITS_PER_DEGREE, Hourly, Times, hourly, times
from insanonym_core.mobility.stays import StayTotals, Window, stay_totals
from insanonym_core.mobility.track import Side, Track
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import (
    PairCounts,
    count_pairs,
    lengths_of_runs,
    starts_of_runs,
    sum_by_group,
)
from insanonym_core.runtime.derived import Derived

_MIN_MEAN_VECTOR = 1e-9
_CLOCK_SCALE = 2**36
_MAX_EXACT_FLOAT = 2**53  # integers and sums up to here are exact as floats
DAY = 86_400


class Crowd(ABC):
    """The people that an attack compares: one unit for each name and ISO week, sorted, with its features."""

    @staticmethod
    def known(original: Track) -> Crowd:
        """Crowd of the individuals of an original."""
        return TrackCrowd(original, "individual")

    @staticmethod
    def seen(release: Track) -> Crowd:
        """Crowd of the tokens of a release; its individuals are not used."""
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

    def units_in_week(self, week: int) -> Ints:
        """The units of a week, in the order of their names."""
        return np.flatnonzero(self.week == week)

    # --- descriptions of the units ------------------------------------------------------------------

    @property
    @abstractmethod
    def rows(self) -> Ints:
        """How many rows each unit has."""

    @abstractmethod
    def place_sums(self) -> tuple[Floats, Floats]:
        """Sums of latitudes and of longitudes of each unit, in integer billionths of a degree."""

    @abstractmethod
    def clock_sums(self) -> tuple[Floats, Floats]:
        """Sums of cosine and sine of the time of day of each unit, as scaled integers."""

    @abstractmethod
    def cells(self, decimals: int) -> Cells:
        """The cells that occur."""

    @abstractmethod
    def visits(self, decimals: int) -> PairCounts:
        """Number of rows of each (unit, cell)."""

    @abstractmethod
    def longest_stays(self, windows: tuple[Window, ...], decimals: int) -> StayTotals:
        """Cell in which each unit stayed longest, for each window."""

    @abstractmethod
    def hourly(self) -> Hourly:
        """Number of rows and sums of coordinates of each unit in each hour of the week."""

    @abstractmethod
    def times(self) -> Times:
        """The published times of each unit."""

    @abstractmethod
    def derive(self, key: object, compute: Callable[[], Derived]) -> Derived:
        """Cached result of `compute`."""

    @property
    def mean_position(self) -> tuple[Floats, Floats]:
        """Mean latitude and longitude of each unit."""
        latitude, longitude = self.place_sums()
        return latitude / self.rows / UNITS_PER_DEGREE, longitude / self.rows / UNITS_PER_DEGREE

    @property
    def mean_hour(self) -> Floats:
        """Circular mean time of day in hours; NaN when the times cancel out."""
        east, north = (part / self.rows / _CLOCK_SCALE for part in self.clock_sums())
        hour = np.arctan2(north, east) * (24 / (2 * np.pi)) % 24
        return np.where(np.hypot(east, north) < _MIN_MEAN_VECTOR, np.nan, hour)


@dataclass(frozen=True, eq=False)
class TrackCrowd(Crowd):
    """Crowd of a track without deleted rows, by individual or by token."""

    track: Track
    side: Side

    @property
    def _units_and_rows(self) -> tuple[Units, Ints]:
        return known_units(self.track) if self.side == "individual" else seen_units(self.track)

    @property
    def units(self) -> Units:
        """Every (name, week)."""
        return self._units_and_rows[0]

    @property
    def unit_of_row(self) -> Ints:
        """The unit each row belongs to."""
        return self._units_and_rows[1]

    def derive(self, key: object, compute: Callable[[], Derived]) -> Derived:
        """Cache with the track."""
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
        """Start and unit of each run of rows of one unit: few, because most rows are consecutive."""

        def find() -> tuple[Ints, Ints]:
            starts = starts_of_runs(self.unit_of_row)
            return starts, self.unit_of_row[starts]

        return self.derive("runs", find)

    @property
    def _pairs_in_week(self) -> int:
        """Number of pairs of units in the largest week, if another crowd has as many units there."""
        return int(np.unique(self.week, return_counts=True)[1].max(initial=0)) ** 2

    def place_sums(self) -> tuple[Floats, Floats]:
        """Sums of coordinates over the rows of each unit."""
        track = self.track
        return self.derive(
            "places",
            lambda: (
                self._exact_sum(np.rint(track.latitude * UNITS_PER_DEGREE), 90 * UNITS_PER_DEGREE),
                self._exact_sum(np.rint(track.longitude * UNITS_PER_DEGREE), 180 * UNITS_PER_DEGREE),
            ),
        )

    def clock_sums(self) -> tuple[Floats, Floats]:
        """Sums of clock vectors over the rows of each unit."""

        def sums() -> tuple[Floats, Floats]:
            east, north = self._clock_vectors()
            return self._exact_sum(east, _CLOCK_SCALE), self._exact_sum(north, _CLOCK_SCALE)

        return self.derive("clock", sums)

    def _clock_vectors(self) -> tuple[Floats, Floats]:
        ticks = DAY * self.track.resolution
        # time - day · ticks instead of time % ticks: many times faster, since `day` is cached.
        moment = self.track.day.astype(np.int64)
        moment *= -ticks
        moment += self.track.time
        if ticks > DAY:  # too many moments for a table
            return _clock_vector(moment, ticks)
        east, north = _clock_table(ticks)
        return east.take(moment, mode="clip"), north.take(moment, mode="clip")

    def _exact_sum(self, values: Floats, max_value: int) -> Floats:
        """Sum of integers in each unit, exact in any order; none is larger than `max_value`."""
        if len(values) == 0:
            return values
        starts, unit = self._runs
        if max_value * self.rows.max() < _MAX_EXACT_FLOAT:
            return sum_by_group(unit, np.add.reduceat(values, starts), len(self))
        total = np.zeros(len(self), dtype=np.int64)
        np.add.at(total, unit, np.add.reduceat(values.astype(np.int64), starts))
        return total.astype(np.float64)

    def cells(self, decimals: int) -> Cells:
        """Cells of the track."""
        return self.track.cells(decimals)

    def visits(self, decimals: int) -> PairCounts:
        """Number of rows of each (unit, cell), counted in the track."""

        def count() -> PairCounts:
            cells = self.cells(decimals)
            return count_pairs(self.unit_of_row, len(self), cells.code, cells.number)

        return self.derive(("visits", decimals), count)

    def hourly(self) -> Hourly:
        """Aggregate the rows of the track by unit and hour of the week."""
        return self.derive(
            "hourly", lambda: hourly(self.track, self.unit_of_row, len(self), self._pairs_in_week)
        )

    def times(self) -> Times:
        """Times of the rows."""
        return self.derive("times", lambda: times(self.track, self.unit_of_row))

    def longest_stays(self, windows: tuple[Window, ...], decimals: int) -> StayTotals:
        """Longest stays of the track."""
        return self.derive(
            ("stays", windows, decimals),
            lambda: stay_totals(self.track, windows, decimals, owner=self.side, file_order=False).longest(),
        )


def _clock_vector(moment: Ints, ticks: int) -> tuple[Floats, Floats]:
    """Scaled cosine and sine of times of day, in ticks since midnight."""
    angle = moment * (2 * np.pi / ticks)
    return np.rint(np.cos(angle) * _CLOCK_SCALE), np.rint(np.sin(angle) * _CLOCK_SCALE)


@cache
def _clock_table(ticks: int) -> tuple[Floats, Floats]:
    """Clock vectors of all ticks of a day."""
    return _clock_vector(np.arange(ticks), ticks)
