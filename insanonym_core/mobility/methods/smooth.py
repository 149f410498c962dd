"""Hide stops by moving at constant speed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.mobility.geometry import METRE_DIGITS, haversine_km, round_coordinates
from insanonym_core.mobility.track import Track
from insanonym_core.numeric.arrays import Floats
from insanonym_core.numeric.grouping import starts_of_runs
from insanonym_core.registry import methods


@methods.add("smooth_speed", data="mobility", title="Constant speed", order=11)
@dataclass(frozen=True, kw_only=True)
class SmoothSpeed:
    """Moves each individual's rows of a day to equal steps along their path, so that stops vanish.

    The idea of Promesse with every row kept. A day spent in one place is not hidden: its path has no length;
    and where the first and the last row of a day lie still shows.
    """

    published_digits = METRE_DIGITS

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Move the rows of each (individual, day)."""
        kept = track.kept
        if len(kept) == 0:
            return track
        order = np.lexsort((kept.time, kept.individual))
        lat = kept.latitude[order]
        starts = starts_of_runs(kept.individual[order], kept.day[order])
        sizes = np.diff(np.append(starts, len(order)))
        first = np.zeros(len(order), dtype=bool)
        first[starts] = True
        # Unwrap longitudes along the path, to cross the antimeridian the short way.
        lon = _unwrapped(kept.longitude[order], first)
        step = np.append(0.0, haversine_km(lat[:-1], lon[:-1], lat[1:], lon[1:]))
        # One kilometre between days separates their paths on the common axis.
        step[first] = 1.0
        along = np.cumsum(step)
        begin, end = along[starts], along[starts + sizes - 1]
        share = (np.arange(len(order)) - np.repeat(starts, sizes)) / np.repeat(
            np.maximum(sizes - 1, 1), sizes
        )
        target = np.repeat(begin, sizes) + share * np.repeat(end - begin, sizes)
        target = np.clip(target, np.repeat(begin, sizes), np.repeat(end, sizes))
        rows = track.kept_row_numbers[order]
        latitude, longitude = track.latitude.copy(), track.longitude.copy()
        # Only days with a path are interpolated; the others stay exactly as they are.
        moves = np.repeat(end > begin, sizes)
        latitude[rows[moves]], longitude[rows[moves]] = round_coordinates(
            np.interp(target[moves], along, lat), np.interp(target[moves], along, lon)
        )
        return track.changed(latitude=latitude, longitude=longitude)


def _unwrapped(longitude: Floats, first: Floats) -> Floats:
    turn = np.append(0.0, np.diff(longitude))
    turn[first] = 0.0
    laps = np.cumsum(-np.rint(turn / 360))
    restart = np.maximum.accumulate(np.where(first, np.arange(len(laps)), 0))
    return longitude + 360 * (laps - laps[restart])
