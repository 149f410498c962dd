"""The rows of each (individual, week) in order of time, and the nearest ones of somebody else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from insanonym_core.mobility.moments import WEEK_SECONDS
from insanonym_core.mobility.track import MONDAY_OFFSET, Track
from insanonym_core.numeric.arrays import Ints
from insanonym_core.numeric.grouping import starts_of_runs


@dataclass(frozen=True, eq=False)
class PersonWeeks:
    """Kept rows of a track sorted by individual, week and time; a pair is an (individual, week) with rows.

    `rows` are row numbers of the track; those of pair i are rows[ends[i]:ends[i + 1]]. `time` is in ticks
    since Monday, sorted like `rows`; a week has `span` ticks. Pairs are sorted by individual, then week.
    """

    rows: Ints
    time: Ints
    span: int
    ends: Ints
    individual: Ints
    week: Ints

    @property
    def number(self) -> int:
        """Number of pairs."""
        return len(self.individual)

    @property
    def sizes(self) -> Ints:
        """Number of rows of each pair."""
        return np.diff(self.ends)

    @property
    def pair_of_rows(self) -> Ints:
        """The pair of each of the sorted rows."""
        return np.repeat(np.arange(self.number), self.sizes)

    @cached_property
    def _axis(self) -> Ints:
        """All times on one axis, where pairs follow each other."""
        return self.pair_of_rows * self.span + self.time

    def nearest_in_time(self, place: Ints, pair: Ints) -> Ints:
        """Of each sorted row `place`, the sorted row of its `pair` nearest in time; ties: the earlier.

        Of several rows at one time it is the first if that time is later or the same, else the last.
        """
        after = np.searchsorted(self._axis, pair * self.span + self.time[place])
        return self._nearer(place, after, self.ends[pair], self.ends[pair + 1])

    def nearest_of_one(self, place: Ints, pair: int) -> Ints:
        """The same for a single pair, faster."""
        low, end = self.ends[pair], self.ends[pair + 1]
        return self._nearer(place, low + np.searchsorted(self.time[low:end], self.time[place]), low, end)

    def _nearer(self, place: Ints, after: Ints, low: Ints, end: Ints) -> Ints:
        """The nearer of the row before and the row at `after`, both within low … end."""
        before, after = np.maximum(after - 1, low), np.minimum(after, end - 1)
        to_before, to_after = self.time[place] - self.time[before], self.time[after] - self.time[place]
        # Where there is no row before or after, both are the same row, or the one there is.
        return np.where((to_after < to_before) | (to_after == 0), after, before)


def person_weeks(track: Track) -> PersonWeeks:
    """The kept rows of a track by (individual, week); kept with the track."""

    def compute() -> PersonWeeks:
        kept = track.kept
        order = np.lexsort((kept.time, kept.individual))
        individual, week = kept.individual[order], kept.week[order]
        starts = starts_of_runs(individual, week)
        span = WEEK_SECONDS * track.resolution
        time = kept.time[order] - week.astype(np.int64) * span + MONDAY_OFFSET * 3600 * track.resolution
        return PersonWeeks(
            track.kept_row_numbers[order],
            time,
            span,
            np.append(starts, len(order)),
            individual[starts],
            week[starts],
        )

    return track.derive("person weeks", compute)
