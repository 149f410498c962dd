"""Delete rows: at random, down to equal numbers, or the most identifying ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.mobility.cells import Decimals
from insanonym_core.mobility.methods.grid import People, delete_rows
from insanonym_core.mobility.person_weeks import person_weeks
from insanonym_core.mobility.track import Track
from insanonym_core.numeric.arrays import Floats
from insanonym_core.parameters import Range
from insanonym_core.registry import methods

Share = Annotated[float, Range(0, 1, step=0.01)]


@methods.add("delete_at_random", data="mobility", title="Random deletion", order=10)
@dataclass(frozen=True, kw_only=True)
class DeleteAtRandom:
    """Deletes exactly round(share · kept rows) rows, drawn at random.

    Defeats counting rows; a person's places show in half of the rows as well as in all of them.
    """

    share: Share = 0.1

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Delete the rows."""
        rows = track.kept_row_numbers
        return delete_rows(track, generator.choice(rows, round(self.share * len(rows)), replace=False))


@methods.add("equalise_rows", data="mobility", title="Equal numbers of rows", order=17)
@dataclass(frozen=True, kw_only=True)
class EqualiseRows:
    """Deletes rows at random until individuals in groups of k have equally many in a week.

    Individuals are grouped by their number of rows in the week; the last group, of those with the most, has
    up to 2k - 1, and a week with fewer than 2k individuals is one group. Counting rows (`naive`, `row_count`)
    then finds one in k at best; places and times stay exact, so `join` and `heatmap` find everybody.
    """

    k: People = 3

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Delete the rows."""
        weeks = person_weeks(track)
        if weeks.number == 0:
            return track
        order = np.lexsort((weeks.individual, weeks.sizes, weeks.week))
        week = weeks.week[order]
        first = np.searchsorted(week, week)  # where the week of each pair begins
        people = np.searchsorted(week, week, side="right") - first
        number = np.minimum((np.arange(len(order)) - first) // self.k, np.maximum(people // self.k - 1, 0))
        # Sizes ascend: the first of each group has the fewest rows.
        wanted = np.empty(weeks.number, dtype=np.int64)
        wanted[order] = weeks.sizes[order[first + number * self.k]]
        shuffled = np.lexsort((generator.random(len(weeks.rows)), weeks.pair_of_rows))
        rank = np.arange(len(shuffled)) - np.repeat(weeks.ends[:-1], weeks.sizes)
        return delete_rows(track, weeks.rows[shuffled[rank >= np.repeat(wanted, weeks.sizes)]])


@methods.add("delete_identifying", data="mobility", title="Delete identifying rows", order=18)
@dataclass(frozen=True, kw_only=True)
class DeleteIdentifying:
    """Deletes the round(share · kept rows) rows whose cell is most particular to the individual.

    The score of a row is the number of the individual's rows in its cell, divided by the number of
    individuals who visit that cell (tf–idf, over the whole file); ties are broken at random. Homes are
    deleted first. Times of the rest stay exact, so `join` finds everybody of whom a row is left.
    """

    share: Share = 0.2
    decimals: Decimals = 2

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Delete the rows."""
        rows = track.kept_row_numbers
        particular = _particularity(track.kept, self.decimals)
        order = np.lexsort((generator.random(len(rows)), -particular))
        return delete_rows(track, rows[order[: round(self.share * len(rows))]])


def _particularity(track: Track, decimals: int) -> Floats:
    """Of each row: rows of its individual in its cell / individuals who visit that cell."""

    def compute() -> Floats:
        cells, visits = track.cells(decimals), track.visits(decimals)
        visitors = np.bincount(visits.item, minlength=cells.number)
        value = visits.count / visitors[visits.item]
        place = np.searchsorted(
            visits.group * cells.number + visits.item,
            track.individual.astype(np.int64) * cells.number + cells.code,
        )
        found: Floats = value[place]
        return found

    return track.derive(("particularity", decimals), compute)
