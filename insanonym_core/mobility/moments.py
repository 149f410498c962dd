"""Records of each unit by hour of the week, and their exact times. Both can be joined over parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from insanonym_core.mobility.track import HOURS_IN_WEEK, MONDAY_OFFSET, Track
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import (
    affordable,
    renumber,
    sum_by_group,
)
from insanonym_core.runtime.compiled import run_compiled_or

UNITS_PER_DEGREE = 10**9  # a billionth of a degree is a tenth of a millimetre
WEEK_SECONDS = HOURS_IN_WEEK * 3600


class Hourly(NamedTuple):
    """Number of rows and sums of coordinates of each (unit, hour of the week), in order.

    Coordinates are integer billionths of a degree. Hour 0 is Monday from midnight.
    """

    unit: Ints
    hour: Ints
    rows: Floats
    latitude: Floats
    longitude: Floats

    def mean_position(self) -> tuple[Floats, Floats]:
        """Mean latitude and longitude in each hour."""
        return self.latitude / self.rows / UNITS_PER_DEGREE, self.longitude / self.rows / UNITS_PER_DEGREE


class Times(NamedTuple):
    """The published times of each unit in order, in ticks since its Monday; `resolution` ticks a second."""

    unit: Ints
    time: Ints
    resolution: int

    def to_resolution(self, resolution: int) -> Times:
        """The same times at a finer or equal resolution."""
        return Times(self.unit, self.time * (resolution // self.resolution), resolution)

    def gaps(self) -> Times:
        """The gaps between successive times of each unit, in the order of the times."""
        same = self.unit[1:] == self.unit[:-1]
        return Times(self.unit[1:][same], np.diff(self.time)[same], self.resolution)


def hourly(track: Track, unit: Ints, units: int, pairs: int) -> Hourly:
    """Aggregate the rows of a track by unit and hour of the week; `pairs` as in `run_compiled_or`."""
    key = unit.astype(np.int64) * HOURS_IN_WEEK
    key += track.hours - (track.week * np.int32(HOURS_IN_WEEK) - np.int32(MONDAY_OFFSET))
    size = units * HOURS_IN_WEEK

    def plain() -> Hourly:
        sums = [np.rint(side * UNITS_PER_DEGREE) for side in (track.latitude, track.longitude)]
        return _grouped(key, [np.ones(len(key)), *sums], units)

    def compiled() -> Hourly | None:
        from insanonym_core.mobility.kernels.hourly import sum_by_key

        if not affordable(size, len(key)):
            return None
        keys, sums = sum_by_key(key, size, track.latitude, track.longitude, UNITS_PER_DEGREE)
        return Hourly(*np.divmod(keys, HOURS_IN_WEEK), *np.ascontiguousarray(sums.T))

    return run_compiled_or(plain, compiled, pairs)


def concat_hourly(parts: Sequence[Hourly], units: int) -> Hourly:
    """Join the hours of several parts; `unit` already counts over all parts."""
    key = np.concatenate([part.unit * HOURS_IN_WEEK + part.hour for part in parts])
    return _grouped(key, [np.concatenate([part[n] for part in parts]) for n in (2, 3, 4)], units)


def _grouped(key: Ints, sums: Sequence[Floats], units: int) -> Hourly:
    keys, place = renumber(key, units * HOURS_IN_WEEK)
    totals = [sum_by_group(place, values, len(keys)) for values in sums]
    return Hourly(*np.divmod(keys, HOURS_IN_WEEK), *totals)


def times(track: Track, unit: Ints) -> Times:
    """Times of the rows of a track, sorted by unit."""
    monday = track.week.astype(np.int64)
    monday *= WEEK_SECONDS * track.resolution
    monday -= MONDAY_OFFSET * 3600 * track.resolution
    return _in_order(unit, track.time - monday, track.resolution)


def concat_times(parts: Sequence[Times]) -> Times:
    """Join the times of several parts; `unit` already counts over all parts."""
    resolution = max(part.resolution for part in parts)
    unit, time, _ = zip(*(part.to_resolution(resolution) for part in parts), strict=True)
    return _in_order(np.concatenate(unit), np.concatenate(time), resolution)


def _in_order(unit: Ints, time: Ints, resolution: int) -> Times:
    week = WEEK_SECONDS * resolution  # at most 2^40 microseconds, which leaves 2^23 units
    key = unit * np.int64(week)
    key += time
    if not (key[1:] >= key[:-1]).all():
        key.sort()
    unit = key // week
    key -= unit * week
    return Times(unit, key, resolution)
