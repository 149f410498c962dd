"""The kept rows of a week, sorted by individual and time, and the segments of a week.

A segment is an instance of a window of the points of interest (that night, that day's working hours) or,
outside the windows, half a day. Stays never leave a segment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from insanonym_core.mobility.geometry import EARTH_RADIUS_KM, unit_vectors
from insanonym_core.mobility.stays import NO_WINDOW, WINDOWS_V2
from insanonym_core.mobility.track import HOURS_IN_WEEK, MONDAY_OFFSET, Track
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import ends_of_groups, rows_of_groups, starts_of_runs

DECIMALS = 2  # of the cells of the scores poi and tuile
KINDS = len(WINDOWS_V2) + 1  # of segments: home, work, activity, and outside all windows
OUTSIDE = KINDS - 1
_DAY_STARTS = 6  # o'clock: a half day outside the windows begins then and twelve hours later


def _segments() -> tuple[Ints, Ints]:
    """Segment of each hour of the week, and kind of each segment."""
    hour = np.arange(HOURS_IN_WEEK)
    kind = np.full(HOURS_IN_WEEK, OUTSIDE)
    part = (hour + 12 - _DAY_STARTS) // 12
    for number, window in enumerate(WINDOWS_V2):
        instance = window.instances()
        kind[instance != NO_WINDOW] = number
        part[instance != NO_WINDOW] = instance[instance != NO_WINDOW]
    names, segment = np.unique(kind * HOURS_IN_WEEK + part, return_inverse=True)
    return segment, names // HOURS_IN_WEEK


SEGMENT_OF_HOUR, KIND_OF_SEGMENT = _segments()
SEGMENTS = len(KIND_OF_SEGMENT)


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of some individuals in one week, sorted by individual and time.

    `number` is that of each row among the kept ones, `person` its individual as a place in `people`; the rows
    of the i-th are ends[i] … ends[i + 1]. `place` is in kilometres, as points (x, y, z) on the globe.
    """

    people: Ints
    ends: Ints
    number: Ints
    person: Ints
    time: Ints
    day: Ints
    hour: Ints
    place: Floats
    cell: Ints
    segment: Ints

    def __len__(self) -> int:
        return len(self.number)

    @property
    def counts(self) -> Ints:
        """Number of rows of each individual."""
        return np.diff(self.ends)

    @property
    def kind(self) -> Ints:
        """Kind of the segment of each row."""
        return KIND_OF_SEGMENT[self.segment]

    def of(self, person: int) -> slice:
        """The rows of one individual."""
        return slice(int(self.ends[person]), int(self.ends[person + 1]))

    def select(self, people: Ints) -> Rows:
        """The rows of some individuals, by place, in that order."""
        rows, person = rows_of_groups(self.ends, people)
        return Rows(
            self.people[people],
            ends_of_groups(person, len(people)),
            self.number[rows],
            person,
            self.time[rows],
            self.day[rows],
            self.hour[rows],
            self.place[rows],
            self.cell[rows],
            self.segment[rows],
        )


def rows_by_week(kept: Track) -> Iterator[Rows]:
    """The rows of each week of a track without deleted rows."""
    # Rows of the same time are ordered by place: the order of the file decides nothing.
    order = np.lexsort((kept.longitude, kept.latitude, kept.time, kept.individual, kept.week))
    starts = starts_of_runs(kept.week[order])
    for numbers in np.split(order, starts[1:]) if len(order) else ():
        yield rows_of(kept, numbers)


def rows_of(kept: Track, numbers: Ints) -> Rows:
    """Some rows of one week, by their numbers, which are sorted by individual, time and place."""
    hours, individual = kept.hours[numbers], kept.individual[numbers]
    people, person = np.unique(individual, return_inverse=True)
    return Rows(
        people,
        ends_of_groups(person, len(people)),
        numbers,
        person,
        kept.time[numbers],
        kept.day[numbers],
        kept.hour[numbers],
        EARTH_RADIUS_KM * unit_vectors(kept.latitude[numbers], kept.longitude[numbers]).T,
        kept.cells(DECIMALS).code[numbers],
        SEGMENT_OF_HOUR[hours + MONDAY_OFFSET - HOURS_IN_WEEK * kept.week[numbers]],
    )


def nearest(sorted_times: Ints, times: Ints) -> Ints:
    """For each time the place of the nearest one in a sorted list; of two the earlier."""
    after = np.searchsorted(sorted_times, times)
    before = np.maximum(after - 1, 0)
    after = np.minimum(after, len(sorted_times) - 1)
    return np.where(
        np.abs(sorted_times[before] - times) <= np.abs(sorted_times[after] - times), before, after
    )


def points(
    day: Ints, hour: Ints, place: Floats, other_day: Ints, other_hour: Ints, other_place: Floats
) -> Floats:
    """What a row scores in date, hour and distance (0 to 3) if it is published with another time and place.

    The distance is the straight one: within a hundred kilometres the difference is less than a metre.
    """
    km = np.sqrt(((place - other_place) ** 2).sum(axis=-1))
    scores: Floats = (
        2 - np.abs(day - other_day) / 7 - np.abs(hour - other_hour) / 24 + 1 / np.maximum(km, 1.0)
    )
    return scores
