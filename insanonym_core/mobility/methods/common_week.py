"""One common week for each group of similar people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.mobility.common_week.release import MAX_KEPT_ROWS, published_rows
from insanonym_core.mobility.geometry import METRE_DIGITS
from insanonym_core.mobility.methods.grid import delete_rows
from insanonym_core.mobility.methods.pseudonymise import Pseudonymise
from insanonym_core.mobility.track import DELETED, Track
from insanonym_core.numeric.arrays import Ints
from insanonym_core.parameters import Range
from insanonym_core.registry import methods
from insanonym_core.runtime.store import kept


@methods.add("common_week", data="mobility", title="Common weeks", order=12)
@dataclass(frozen=True, kw_only=True)
class CommonWeek:
    """Every week, groups of similar people publish one and the same multiset of times and places.

    Whoever does not see the order of the rows can expect to find one person in each group, whatever they
    know, and nobody's risk is above 1/min_size; weeks with fewer people than that are deleted. Whoever sees
    the order finds everybody; every point is a true record of some member; and a later step that moves
    points, or pseudonyms that last longer than a week, undo the promise.
    """

    mean_size: Annotated[float, Range(1, 50, step=0.5, unit="individuals")] = 3.5
    min_size: Annotated[int, Range(1, 20, whole=True, unit="individuals")] = 3
    published_digits = METRE_DIGITS

    @property
    def promised_class(self) -> int:
        """The fewest pseudonyms that publish the same week."""
        return self.min_size

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Publish the common weeks, under new pseudonyms."""
        source = self._sources(track)
        rows = np.flatnonzero(source != DELETED)
        time, latitude, longitude = track.time.copy(), track.latitude.copy(), track.longitude.copy()
        for column in (time, latitude, longitude):
            column[rows] = column[source[rows]]
        moved = track.changed(time=time, latitude=latitude, longitude=longitude)
        return Pseudonymise().apply(delete_rows(moved, source == DELETED), generator)

    def _sources(self, track: Track) -> Ints:
        """The row whose time and place each row takes; it depends on the data alone, not on draws."""

        def compute() -> Ints:
            return published_rows(track, self.mean_size, self.min_size)

        if len(track) > MAX_KEPT_ROWS:
            return compute()
        return kept("common_week", (track.digest(), self.mean_size, self.min_size), compute)
