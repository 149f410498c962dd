"""What the rows of one individual would score in the place of another's: tables for all pairs of a week."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.mobility.common_week.rows import OUTSIDE, Rows, nearest, points
from insanonym_core.mobility.common_week.stays import places_of_interest
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import sum_by_group

COLUMNS = 1 + OUTSIDE  # the score of a row, then stays by kind of window
SHARE_OF_STAYS = 0.7  # how much of the stays that the tables promise is found in common weeks (by trial)


@dataclass(frozen=True)
class Weights:
    """Weights of one row, one tick of stay and one individual-week in the sum of the scores."""

    row: float
    tick: float
    pair: float


@dataclass(frozen=True, eq=False)
class PairTables:
    """For individuals i and j: what i gains if the common week is j's.

    gain[i, j] holds the mean score (date, hour and distance) of i's rows moved to j's nearest in time, and by
    kind of window the stay at i's point of interest that j has too, in ticks. `counts` are the rows of each
    individual. A last place in both stands for nobody: no gain, and more rows than anybody has.
    """

    gain: Floats
    counts: Ints

    def weighted(self, weights: Weights) -> PairTables:
        """The same in the unit of the sum of the scores."""
        factor = np.full(COLUMNS, SHARE_OF_STAYS * weights.tick)
        factor[0] = weights.row
        return PairTables(self.gain * factor, self.counts)

    def values(self, groups: Ints) -> Floats:
        """The estimated value of groups, one a row, filled up with the place of nobody.

        As many rows as its smallest member has are published. The member whose rows serve all best decides,
        and in each kind of window the one who shares most of the stays.
        """
        gains = self.gain[groups[:, :, None], groups[:, None, :]].sum(axis=1).max(axis=1)
        gains[:, 0] *= self.counts[groups].min(axis=1)
        values: Floats = gains.sum(axis=1)
        return values


def pair_tables(rows: Rows) -> PairTables:
    """Tables for all pairs of individuals."""
    people, counts = len(rows.people), rows.counts
    gain = np.zeros((people + 1, people + 1, COLUMNS))
    for other in range(people):
        theirs = rows.of(other)
        at = nearest(rows.time[theirs], rows.time) + theirs.start
        score = points(rows.day, rows.hour, rows.place, rows.day[at], rows.hour[at], rows.place[at])
        gain[:people, other, 0] = sum_by_group(rows.person, score, people) / counts
    found = places_of_interest(rows)
    own = found.ticks[:, :, None]
    shared = np.maximum(0, own - np.abs(own - found.others))
    gain[:people, :people, 1:] = shared.transpose(1, 2, 0)
    return PairTables(gain, np.append(counts, np.iinfo(np.int64).max))
