"""Random noise on times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.mobility.person_weeks import person_weeks
from insanonym_core.mobility.track import HOURS_IN_WEEK, MONDAY_OFFSET, Track
from insanonym_core.parameters import Range
from insanonym_core.registry import methods


@methods.add("jitter_time", data="mobility", title="Time jitter", order=9)
@dataclass(frozen=True, kw_only=True)
class JitterTime:
    """Moves every date by up to ± `hours`, uniformly; at the edges of the ISO week it is reflected.

    Places stay: whoever knows where a person lives finds them at any hour.
    """

    hours: Annotated[float, Range(0, 84, step=0.5, unit="h")] = 1.0

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Move the dates of the kept rows."""
        hour = 3600 * track.resolution
        kept = track.kept
        step = np.rint(generator.uniform(-self.hours, self.hours, len(kept)) * hour).astype(np.int64)
        start = (kept.week.astype(np.int64) * HOURS_IN_WEEK - MONDAY_OFFSET) * hour
        last = start + HOURS_IN_WEEK * hour - 1
        moved = kept.time + step
        moved = np.where(moved < start, 2 * start - moved, moved)
        moved = np.where(moved > last, 2 * last - moved, moved)
        time = track.time.copy()
        time[track.kept_rows] = moved
        return track.changed(time=time)


@methods.add("shift_time", data="mobility", title="Shifted weeks", order=16)
@dataclass(frozen=True, kw_only=True)
class ShiftTime:
    """Moves all dates of an individual in a week by one and the same time of up to ± `hours`.

    The shift is uniform among those that keep every row inside its ISO week. It hides exact times (`join`);
    the time between rows stays, so `gaps` finds everybody, and so do the places (`heatmap`).
    """

    hours: Annotated[float, Range(0, 84, step=0.5, unit="h")] = 3.0

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Shift the kept rows of each (individual, week)."""
        weeks = person_weeks(track)
        longest = np.rint(self.hours * 3600 * track.resolution)
        low = np.maximum(-longest, -weeks.time[weeks.ends[:-1]])
        high = np.minimum(longest, weeks.span - 1 - weeks.time[weeks.ends[1:] - 1])
        shift = np.rint(generator.uniform(low, high)).astype(np.int64)
        time = track.time.copy()
        time[weeks.rows] += np.repeat(shift, weeks.sizes)
        return track.changed(time=time)
