"""When units are there: by hour of the week, and to the microsecond. Both add up over parts of a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.grouping import lengths_of_runs, renumber, starts_of_runs
from insanonym_core.mobility.track import HOURS_IN_WEEK, MONDAY_OFFSET, Track

DEGREE = 10**9  # a billionth of a degree is a tenth of a millimetre
MICROSECONDS = 10**6
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
    """The published times of each unit in order, in microseconds since its Monday."""

    unit: Ints
    time: Ints


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
    added = [np.bincount(place, values, minlength=len(found)) for values in sums]
    return Hourly(found // HOURS_IN_WEEK, found % HOURS_IN_WEEK, *added)


def times(track: Track, unit: Ints) -> Times:
    """Of the rows of a track."""
    monday = track.week.astype(np.int64) * WEEK_SECONDS - MONDAY_OFFSET * 3600
    monday *= track.resolution
    time = track.time - monday
    if track.resolution != MICROSECONDS:
        time *= MICROSECONDS // track.resolution
    return _in_order(unit.astype(np.int64), time)


def joined_times(parts: Sequence[Times]) -> Times:
    """Of several parts, their units renumbered before."""
    return _in_order(*(np.concatenate([part[n] for part in parts]) for n in (0, 1)))


def _in_order(unit: Ints, time: Ints) -> Times:
    week = WEEK_SECONDS * MICROSECONDS
    key = unit * week + time  # 2^40 microseconds a week leave 2^23 units
    if not (key[1:] >= key[:-1]).all():
        key = np.sort(key)
    unit = key // week
    return Times(unit, key - unit * week)
