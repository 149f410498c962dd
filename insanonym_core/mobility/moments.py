"""When units are there: by hour of the week, and to the microsecond. Both add up over parts of a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.grouping import lengths_of_runs, renumber, starts_of_runs, sum_by_group
from insanonym_core.mobility.track import HOURS_IN_WEEK, MONDAY_OFFSET, Track

DEGREE = 10**9  # a billionth of a degree is a tenth of a millimetre
WEEK_SECONDS = HOURS_IN_WEEK * 3600


class Hourly(NamedTuple):
    """Each (unit, hour of the week) that occurs, in order: its rows, and its places added up.

    Places are whole billionths of a degree. Hour 0 is Monday from midnight.
    """

    unit: Ints
    hour: Ints
    rows: Floats
    latitude: Floats
    longitude: Floats

    def mean_position(self) -> tuple[Floats, Floats]:
        """Mean latitude and longitude in each hour."""
        return self.latitude / self.rows / DEGREE, self.longitude / self.rows / DEGREE


class Times(NamedTuple):
    """The published times of each unit in order, in ticks since its Monday; `resolution` ticks a second."""

    unit: Ints
    time: Ints
    resolution: int

    def as_fine_as(self, resolution: int) -> Times:
        """The same in ticks of another length, shorter or equal."""
        return Times(self.unit, self.time * (resolution // self.resolution), resolution)

    def gaps(self) -> Times:
        """The gaps between successive times of each unit, in the order of the times."""
        same = self.unit[1:] == self.unit[:-1]
        return Times(self.unit[1:][same], np.diff(self.time)[same], self.resolution)


def hourly(track: Track, unit: Ints, units: int) -> Hourly:
    """Of the rows of a track."""
    hour = track.hours - (track.week * np.int32(HOURS_IN_WEEK) - np.int32(MONDAY_OFFSET))
    key = unit.astype(np.int64) * HOURS_IN_WEEK
    key += hour
    starts = starts_of_runs(key)  # people stay for a while: rows that follow each other are often of one hour
    sums = (
        [
            lengths_of_runs(starts, len(key)).astype(np.float64),
            *(np.add.reduceat(np.rint(side * DEGREE), starts) for side in (track.latitude, track.longitude)),
        ]
        if len(key)
        else [np.zeros(0)] * 3
    )
    return _grouped(key[starts], sums, units)


def joined_hourly(parts: Sequence[Hourly], units: int) -> Hourly:
    """Of several parts, their units renumbered before."""
    key = np.concatenate([part.unit * HOURS_IN_WEEK + part.hour for part in parts])
    return _grouped(key, [np.concatenate([part[n] for part in parts]) for n in (2, 3, 4)], units)


def _grouped(key: Ints, sums: Sequence[Floats], units: int) -> Hourly:
    found, place = renumber(key, units * HOURS_IN_WEEK)
    added = [sum_by_group(place, values, len(found)) for values in sums]
    return Hourly(found // HOURS_IN_WEEK, found % HOURS_IN_WEEK, *added)


def times(track: Track, unit: Ints) -> Times:
    """Of the rows of a track."""
    monday = track.week.astype(np.int64)
    monday *= WEEK_SECONDS * track.resolution
    monday -= MONDAY_OFFSET * 3600 * track.resolution
    return _in_order(unit, track.time - monday, track.resolution)


def joined_times(parts: Sequence[Times]) -> Times:
    """Of several parts, their units renumbered before."""
    resolution = max(part.resolution for part in parts)
    unit, time, _ = zip(*(part.as_fine_as(resolution) for part in parts), strict=True)
    return _in_order(np.concatenate(unit), np.concatenate(time), resolution)


def _in_order(unit: Ints, time: Ints, resolution: int) -> Times:
    week = WEEK_SECONDS * resolution  # at most 2^40 microseconds, which leaves 2^23 units
    key = unit * np.int64(week)
    key += time
    if not (key[1:] >= key[:-1]).all():
        key.sort(kind="stable")  # merges what is in order already: rows are, nearly
    unit = key // week
    key -= unit * week
    return Times(unit, key, resolution)
