"""Coarser positions: a fixed grid, cells with k people, and deletion of rare cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.arrays import Bools, Floats, Ints
from insanonym_core.grouping import count_pairs, renumber
from insanonym_core.mobility.cells import Decimals, grid_index
from insanonym_core.mobility.geometry import METRE_DIGITS, round_coordinates
from insanonym_core.mobility.track import DELETED, Track
from insanonym_core.parameters import Range
from insanonym_core.registry import methods

People = Annotated[int, Range(1, 100, whole=True, unit="individuals")]
MAX_DEPTH = 30  # levels of the quadtree; squares of 360°/2^30 are four centimetres wide


def delete_rows(track: Track, where: Ints | Bools) -> Track:
    """The track with these rows deleted."""
    token = track.token.copy()
    token[where] = DELETED
    return track.changed(token=token)


@methods.add("snap_to_grid", data="mobility", title="Grid", order=6)
@dataclass(frozen=True, kw_only=True)
class SnapToGrid:
    """Rounds coordinates to a number of decimals: 2 is about a kilometre, 3 a hundred metres.

    A cell can still hold a single person: rounding alone promises no crowd.
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


@methods.add("cloak", data="mobility", title="Cells with k people", order=7)
@dataclass(frozen=True, kw_only=True)
class Cloak:
    """Moves each row to the centre of a square that holds at least k individuals that week.

    Squares are those of a quadtree; one is split only if every part that holds rows holds k individuals, so a
    smaller square with k individuals may exist. A week with fewer than k individuals is deleted. Times stay
    exact. Anybody who knows the path can still follow it through the squares: k people per square are not k
    people per path.
    """

    k: People = 3
    published_digits = METRE_DIGITS

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Move the rows, week by week."""
        kept = track.kept
        if len(kept) == 0:
            return track
        week = kept.week - kept.week.min()
        people = _people_per_group(week.astype(np.int64), kept.individual, len(kept.individuals))
        crowded = people[week] >= self.k
        rows = track.kept_row_numbers
        latitude, longitude = track.latitude.copy(), track.longitude.copy()
        if crowded.any():
            moved = rows[crowded]
            latitude[moved], longitude[moved] = self._centres(track, moved, week[crowded])
        return delete_rows(track.changed(latitude=latitude, longitude=longitude), rows[~crowded])

    def _centres(self, track: Track, rows: Ints, week: Ints) -> tuple[Floats, Floats]:
        """Centre of the quadtree leaf of each row; all rows descend together, level by level."""
        finest = 2**MAX_DEPTH
        y = np.minimum(((track.latitude[rows] + 180) / 360 * finest).astype(np.int64), finest - 1)
        x = np.minimum(((track.longitude[rows] + 180) / 360 * finest).astype(np.int64), finest - 1)
        depth = np.zeros(len(rows), dtype=np.int64)
        individual = track.individual[rows]
        active = np.arange(len(rows))
        parent: Ints = week.astype(np.int64)
        for level in range(1, MAX_DEPTH + 1):
            shift = MAX_DEPTH - level
            quarter = ((y[active] >> shift) & 1) * 2 + ((x[active] >> shift) & 1)
            parents = int(parent.max()) + 1
            child_names, child = renumber(parent * 4 + quarter, 4 * parents)
            enough = _people_per_group(child, individual[active], len(track.individuals)) >= self.k
            split = np.ones(parents, dtype=bool)
            split[child_names[~enough] // 4] = False
            goes_on = split[parent]
            active = active[goes_on]
            if len(active) == 0:
                break
            depth[active] = level
            parent = renumber(child[goes_on], len(child_names))[1]
        below, side = MAX_DEPTH - depth, 360 / 2.0**depth
        return round_coordinates(((y >> below) + 0.5) * side - 180, ((x >> below) + 0.5) * side - 180)


def _people_per_group(group: Ints, individual: Ints, individuals: int) -> Ints:
    """Number of distinct individuals in each group."""
    groups = int(group.max()) + 1
    return np.bincount(count_pairs(group, groups, individual, individuals).group, minlength=groups)
