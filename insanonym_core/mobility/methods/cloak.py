"""Squares of a quadtree that hold k individuals in a week."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.mobility.geometry import METRE_DIGITS, round_coordinates
from insanonym_core.mobility.methods.grid import People, delete_rows
from insanonym_core.mobility.track import Track
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import count_pairs, renumber
from insanonym_core.registry import methods

MAX_DEPTH = 30  # levels of the quadtree; squares of 360°/2^30 are four centimetres wide


@methods.add("cloak", data="mobility", title="Cells with k people", order=7)
@dataclass(frozen=True, kw_only=True)
class Cloak:
    """Moves each row to the centre of its square, week by week: every published square has k individuals.

    Precisely: the rows published with one square and level of a quadtree in a week belong to at least k
    individuals. A quarter of a square is split off if it holds k individuals and what stays behind is empty
    or holds k; if needed for that, the ready quarter with the fewest individuals stays too. A week with fewer
    than k individuals is deleted. Times stay exact, so `hours` and `join` still find everybody: k people per
    square are not k people per path.
    """

    k: People = 3
    published_digits = METRE_DIGITS

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Move the rows, week by week."""
        kept = track.kept
        if len(kept) == 0:
            return track
        week = (kept.week - kept.week.min()).astype(np.int64)
        crowded = people_per_group(week, kept.individual, len(kept.individuals))[week] >= self.k
        rows = track.kept_row_numbers
        latitude, longitude = track.latitude.copy(), track.longitude.copy()
        moved = rows[crowded]
        y, x = _finest_squares(latitude[moved]), _finest_squares(longitude[moved])
        depth = self._depths(week[crowded], kept.individual[crowded], y, x)
        latitude[moved], longitude[moved] = _centres(y, x, depth)
        return delete_rows(track.changed(latitude=latitude, longitude=longitude), rows[~crowded])

    def _depths(self, week: Ints, individual: Ints, y: Ints, x: Ints) -> Ints:
        """Level of the square of each row; all rows descend together, level by level."""
        depth = np.zeros(len(week), dtype=np.int64)
        individuals = int(individual.max(initial=-1)) + 1
        active, square = np.arange(len(week)), week
        for level in range(1, MAX_DEPTH + 1):
            if len(active) == 0:
                break
            shift = MAX_DEPTH - level
            quarter = ((y[active] >> shift) & 1) * 2 + ((x[active] >> shift) & 1)
            names, child = renumber(square * 4 + quarter, 4 * (int(square.max()) + 1))
            goes_on = self._split_off(names // 4, child, individual[active], individuals)[child]
            active = active[goes_on]
            depth[active] = level
            square = renumber(child[goes_on], len(names))[1].astype(np.int64)
        return depth

    def _split_off(self, parent: Ints, child: Ints, individual: Ints, individuals: int) -> Bools:
        """Whether each child is split off its parent; children are in the order of their parents."""
        people = people_per_group(child, individual, individuals)
        ready = people >= self.k
        squares = int(parent.max()) + 1
        behind = ~ready[child]
        left = np.zeros(squares, dtype=np.int64)
        if behind.any():
            found = people_per_group(parent[child[behind]], individual[behind], individuals)
            left[: len(found)] = found
        # Where too few stay behind, the smallest ready child stays too: the first of the equal ones.
        order = np.lexsort((people, ~ready, parent))
        smallest = order[np.unique(parent[order], return_index=True)[1]]
        lacking = (left > 0) & (left < self.k)
        ready[smallest[lacking[parent[smallest]]]] = False
        return ready


def _finest_squares(degrees: Floats) -> Ints:
    """Number of the smallest square along one axis."""
    finest = 2**MAX_DEPTH
    return np.minimum(((degrees + 180) / 360 * finest).astype(np.int64), finest - 1)


def _centres(y: Ints, x: Ints, depth: Ints) -> tuple[Floats, Floats]:
    """Latitude and longitude of the centre of the square at that depth."""
    below, side = MAX_DEPTH - depth, 360 / 2.0**depth
    return round_coordinates(((y >> below) + 0.5) * side - 180, ((x >> below) + 0.5) * side - 180)


def people_per_group(group: Ints, individual: Ints, individuals: int) -> Ints:
    """Number of distinct individuals in each group."""
    groups = int(group.max()) + 1
    return np.bincount(count_pairs(group, groups, individual, individuals).group, minlength=groups)
