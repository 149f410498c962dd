"""Groups of similar people, who can take each other's place at little cost.

The similarity of two people is the mean over their common weeks of a share, minus ½ · |ln rows − ln rows′|
(of the whole file). The share counts the rows of both that would keep their whole distance score (less than
a kilometre) if each moved to the other's row nearest in time. Without a common week it is 0.

Everybody is compared with the NEIGHBOURS nearest people on a sketch (where they usually are at night, by day
and in between, and how many rows they have), so that memory grows with the number of people and not with its
square; the share of all other pairs counts as 0. Up to NEIGHBOURS + 1 people, everybody is compared with
everybody.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.mobility.geometry import EARTH_RADIUS_KM
from insanonym_core.mobility.guessing import cartesian_km
from insanonym_core.mobility.person_weeks import PersonWeeks, person_weeks
from insanonym_core.mobility.track import Track
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import ends_of_groups, rows_of_groups, sum_by_group

NEIGHBOURS = 100  # people that everybody is compared with
KEPT_KM = 1.0  # a row that moves less than this keeps its distance score
_KEPT_CHORD_KM = 2 * EARTH_RADIUS_KM * np.sin(KEPT_KM / (2 * EARTH_RADIUS_KM))  # as a straight line
_KM_PER_LOG_ROWS = 20.0  # on the sketch, e times as many rows are as far as this many kilometres
_PARTS_OF_THE_DAY = ((22, 6), (9, 17))  # from hour, to hour; the rest is the third part


@dataclass(frozen=True, eq=False)
class Similarities:
    """The shares of compared people: those of person i are share[ends[i]:ends[i + 1]], with `other`.

    `log_rows` is ln of the number of kept rows of each person; `people` are their codes in the track.
    """

    people: Ints
    log_rows: Floats
    ends: Ints
    other: Ints
    share: Floats

    def of(self, person: int) -> Floats:
        """Similarity of a person to everybody (to themselves: of no meaning)."""
        found = -np.abs(self.log_rows - self.log_rows[person]) / 2
        mine = slice(self.ends[person], self.ends[person + 1])
        found[self.other[mine]] += self.share[mine]
        return found


def similarities(track: Track) -> Similarities:
    """The similarities of the people with kept rows; kept with the track."""

    def compute() -> Similarities:
        weeks = person_weeks(track)
        people, person_of_pair = np.unique(weeks.individual, return_inverse=True)
        rows = np.bincount(person_of_pair, weeks.sizes, len(people))
        places = cartesian_km((track.latitude[weeks.rows], track.longitude[weeks.rows])).T
        first, other = _compared(weeks, person_of_pair, rows, places)
        share = _mean_shares(weeks, person_of_pair, first, other, places)
        return Similarities(people, np.log(rows), ends_of_groups(first, len(people)), other, share)

    return track.derive("similarities", compute)


def groups_of_similar(track: Track, k: int) -> Ints:
    """The group of each individual (-1 without kept rows): k similar people, the last k to 2k - 1.

    Greedy: a group begins with whoever of the free people has the most rows, and takes the free person with
    the largest mean similarity to its members until it has k (ties: the order of the ids). The last group
    takes whoever is left; where there are fewer than 2k people they are one group.
    """

    def compute() -> Ints:
        found = similarities(track)
        group = np.full(len(track.individuals), -1, dtype=np.int64)
        group[found.people] = _greedy_groups(found, k)
        return group

    return track.derive(("groups of similar people", k), compute)


def _greedy_groups(similar: Similarities, k: int) -> Ints:
    number = len(similar.people)
    group = np.full(number, number // k - 1 if number >= k else 0, dtype=np.int64)
    free = np.ones(number, dtype=bool)
    by_rows = iter(np.argsort(-similar.log_rows, kind="stable").tolist())
    for this in range(number // k - 1):
        member = next(person for person in by_rows if free[person])
        total = np.zeros(number)
        for size in range(k):
            if size:
                member = int(np.argmax(np.where(free, total, -np.inf)))
            group[member], free[member] = this, False
            total += similar.of(member)
    return group


def _compared(weeks: PersonWeeks, person_of_pair: Ints, rows: Ints, places: Floats) -> tuple[Ints, Ints]:
    """All (person, other) that are compared, in order; both ways. `rows` is the number of each person."""
    people = len(rows)
    if people <= NEIGHBOURS + 1:
        first, other = np.divmod(np.arange(people * people), people)
    else:
        from scipy.spatial import KDTree

        where = _usual_places(weeks, person_of_pair[weeks.pair_of_rows], people, places)
        sketch = np.column_stack([where, _KM_PER_LOG_ROWS * np.log(rows)])
        nearest = KDTree(sketch).query(sketch, NEIGHBOURS + 1)[1]
        one_way = np.repeat(np.arange(people), NEIGHBOURS + 1), nearest.ravel()
        both = np.concatenate([one_way[0] * people + one_way[1], one_way[1] * people + one_way[0]])
        first, other = np.divmod(np.unique(both), people)
    apart = first != other
    return first[apart], other[apart]


def _usual_places(weeks: PersonWeeks, person: Ints, people: int, places: Floats) -> Floats:
    """Median position of each person in each part of the day, in km; without rows there, of all rows."""
    hour = weeks.time // (weeks.span // 168) % 24
    (night, dawn), (morning, evening) = _PARTS_OF_THE_DAY
    asleep, by_day = (hour >= night) | (hour < dawn), (hour >= morning) & (hour < evening)
    everywhere = _medians(person, people, places)
    parts = []
    for inside in (asleep, by_day, ~asleep & ~by_day):
        medians = _medians(person[inside], people, places[inside])
        parts.append(np.where(np.isnan(medians), everywhere, medians))
    return np.hstack(parts)


def _medians(person: Ints, people: int, places: Floats) -> Floats:
    """Lower median of each coordinate by person; NaN for a person without rows."""
    ends = ends_of_groups(person, people)
    found = np.full((people, places.shape[1]), np.nan)
    present = np.flatnonzero(np.diff(ends))
    middle = (ends[present] + ends[present + 1] - 1) // 2
    for axis in range(places.shape[1]):
        found[present, axis] = places[np.lexsort((places[:, axis], person)), axis][middle]
    return found


def _mean_shares(
    weeks: PersonWeeks, person_of_pair: Ints, first: Ints, other: Ints, places: Floats
) -> Floats:
    """Mean over the common weeks of the share of rows of both that keep their distance score."""
    people = int(person_of_pair.max(initial=-1)) + 1
    ends = ends_of_groups(first, people)
    total, common = np.zeros(len(first)), np.zeros(len(first))
    kept, rows = np.zeros(len(first)), weeks.sizes
    week_number = np.unique(weeks.week, return_inverse=True)[1]
    for week in range(int(week_number.max(initial=-1)) + 1):
        pair_of = np.full(people, -1)
        present = np.flatnonzero(week_number == week)
        pair_of[person_of_pair[present]] = present
        kept[:] = 0
        for pair in present.tolist():
            person = person_of_pair[pair]
            mine = np.arange(ends[person], ends[person + 1])
            mine = mine[pair_of[other[mine]] >= 0]
            kept[mine] = _rows_kept(weeks, pair, pair_of[other[mine]], places)
        both = np.flatnonzero((pair_of[first] >= 0) & (pair_of[other] >= 0))
        reverse = np.searchsorted(first * people + other, other[both] * people + first[both])
        size = rows[pair_of[first[both]]] + rows[pair_of[other[both]]]
        total[both] += (kept[both] + kept[reverse]) / size
        common[both] += 1
    return total / np.maximum(common, 1)


def _rows_kept(weeks: PersonWeeks, target: int, movers: Ints, places: Floats) -> Ints:
    """How many rows of each of the movers keep their distance score at the target's row nearest in time."""
    place, mover = rows_of_groups(weeks.ends, movers)
    near = weeks.nearest_of_one(place, target)
    keeps: Bools = ((places[place] - places[near]) ** 2).sum(axis=1) < _KEPT_CHORD_KM**2
    return np.rint(sum_by_group(mover, keeps, len(movers))).astype(np.int64)
