"""Coarser positions: a fixed grid, and deletion of rare cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.mobility.cells import Decimals, grid_index
from insanonym_core.mobility.geometry import round_coordinates
from insanonym_core.mobility.track import DELETED, Track
from insanonym_core.numeric.arrays import Bools, Ints
from insanonym_core.parameters import Range
from insanonym_core.registry import methods

People = Annotated[int, Range(1, 100, whole=True, unit="individuals")]


def delete_rows(track: Track, where: Ints | Bools) -> Track:
    """The track with these rows deleted."""
    token = track.token.copy()
    token[where] = DELETED
    return track.changed(token=token)


@methods.add("snap_to_grid", data="mobility", title="Grid", order=6)
@dataclass(frozen=True, kw_only=True)
class SnapToGrid:
    """Rounds coordinates to a number of decimals: 2 is about a kilometre, 3 a hundred metres.

    A cell can still hold a single person: rounding alone does not guarantee that several people share it.
    """

    decimals: Decimals = 3

    @property
    def published_digits(self) -> int:
        """Decimals of the grid."""
        return self.decimals

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Round the kept rows."""
        rows, scale = track.kept_rows, 10.0**self.decimals
        latitude, longitude = track.latitude.copy(), track.longitude.copy()
        latitude[rows], longitude[rows] = round_coordinates(
            grid_index(latitude[rows], self.decimals) / scale,
            np.clip(grid_index(longitude[rows], self.decimals) / scale, -180, 180),
        )
        return track.changed(latitude=latitude, longitude=longitude)


@methods.add("suppress_rare_cells", data="mobility", title="Delete rare cells", order=8)
@dataclass(frozen=True, kw_only=True)
class SuppressRareCells:
    """Deletes the rows in cells that fewer than k individuals visit in the whole file.

    Being one of k visitors of every cell does not hide a rare combination of cells.
    """

    k: People = 3
    decimals: Decimals = 2

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Delete the rows."""
        kept = track.kept
        cells, visits = kept.cells(self.decimals), kept.visits(self.decimals)
        visitors = np.bincount(visits.item, minlength=cells.number)
        rare = visitors[cells.code] < self.k
        return delete_rows(track, track.kept_row_numbers[rare])
