"""Similarity of people and the greedy groups, beside literal loops over the definitions."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.demo.city import make_city
from insanonym_core.mobility import similar_people
from insanonym_core.mobility.geometry import haversine_km
from insanonym_core.mobility.person_weeks import person_weeks
from insanonym_core.mobility.similar_people import groups_of_similar, similarities
from insanonym_core.mobility.track import Track
from tests.helpers import random_release
from tests.levels import examples


def own_rows(track: Track, individual: int, week: int) -> list[int]:
    """The kept rows of a person in a week, in order of time."""
    mine = track.is_kept & (track.individual == individual) & (track.week == week)
    return sorted(np.flatnonzero(mine).tolist(), key=lambda row: track.time[row])


def literal_nearest(track: Track, row: int, candidates: list[int]) -> int:
    """The row nearest in time; ties: the earlier; at one time the first if not earlier, else the last."""
    time = int(track.time[row])
    best = min(candidates, key=lambda one: (abs(int(track.time[one]) - time), int(track.time[one]) > time))
    same = [one for one in candidates if track.time[one] == track.time[best]]
    return same[0] if track.time[best] >= time else same[-1]


def literal_share(track: Track, one: int, two: int, week: int) -> float | None:
    """The share of the rows of both in a week that would keep their distance score; None if one is absent."""
    rows = own_rows(track, one, week), own_rows(track, two, week)
    if not (rows[0] and rows[1]):
        return None
    keeps = 0
    for mine, theirs in (rows, rows[::-1]):
        for row in mine:
            there = literal_nearest(track, row, theirs)
            places = [side[place] for place in (row, there) for side in (track.latitude, track.longitude)]
            keeps += bool(haversine_km(*places) < 1)
    return keeps / (len(rows[0]) + len(rows[1]))


def literal_value(track: Track, one: int, two: int) -> float:
    """Their similarity."""
    shares = [literal_share(track, one, two, week) for week in set(track.kept.week.tolist())]
    common = [share for share in shares if share is not None]
    rows = [int((track.is_kept & (track.individual == who)).sum()) for who in (one, two)]
    return sum(common) / max(len(common), 1) - abs(math.log(rows[0]) - math.log(rows[1])) / 2


@given(seed=st.integers(0, 2**32))
@examples(40)
def test_similarity_is_its_definition(seed):
    track = random_release(seed)
    found = similarities(track)
    assert found.people.tolist() == sorted(set(track.kept.individual.tolist()))
    for one, two in combinations(range(len(found.people)), 2):
        wanted = literal_value(track, int(found.people[one]), int(found.people[two]))
        assert found.of(one)[two] == pytest.approx(wanted, abs=1e-9)
        assert found.of(two)[one] == pytest.approx(wanted, abs=1e-9)


def literal_groups(track: Track, k: int) -> list[set[int]]:
    """The greedy grouping, person by person."""
    free = sorted(set(track.kept.individual.tolist()))
    rows = {who: int((track.is_kept & (track.individual == who)).sum()) for who in free}
    groups = []
    while len(free) >= 2 * k:
        group = [max(free, key=lambda who: (rows[who], -who))]
        free.remove(group[0])
        while len(group) < k:
            value = {who: round(sum(literal_value(track, who, one) for one in group), 9) for who in free}
            group.append(max(free, key=lambda who: (value[who], -who)))
            free.remove(group[-1])
        groups.append(set(group))
    return [*groups, set(free)]


@given(seed=st.integers(0, 2**32), k=st.integers(1, 4))
@examples(25)
def test_groups_are_the_greedy_ones(seed, k):
    track = random_release(seed)
    if len(track.kept) == 0:
        return
    group = groups_of_similar(track, k)
    found = [set(np.flatnonzero(group == number).tolist()) for number in range(int(group.max()) + 1)]
    assert found == literal_groups(track, k)


@pytest.mark.parametrize("k", [2, 3, 7, 40, 41, 79, 100])
def test_groups_of_the_city_hold_k_to_2k_minus_1(k):
    sizes = np.bincount(groups_of_similar(make_city().track, k))
    assert sizes.sum() == 80
    assert (sizes >= min(k, 80)).all()
    assert (sizes[:-1] == k).all()
    assert sizes[-1] < 2 * k


def test_many_people_are_compared_with_their_neighbours_only(monkeypatch):
    """The share of neighbours on the sketch is exact, and little is lost by it."""
    city = make_city(users=60, weeks=2, seed=3)
    every = similarities(city.track)
    monkeypatch.setattr(similar_people, "NEIGHBOURS", 10)
    some = similarities(city.track.changed(token=city.track.token))
    assert (np.diff(some.ends) >= 10).all()
    assert len(some.other) < 60 * 30
    for person in range(60):
        for other, share in zip(
            some.other[some.ends[person] : some.ends[person + 1]],
            some.share[some.ends[person] : some.ends[person + 1]],
            strict=True,
        ):
            assert every.of(person)[other] == pytest.approx(
                share - abs(every.log_rows[person] - every.log_rows[other]) / 2, abs=1e-12
            )
    best, found = [], []
    for person in range(60):
        values = np.where(np.arange(60) == person, -np.inf, every.of(person))
        best.append(values.max())
        found.append(values[some.other[some.ends[person] : some.ends[person + 1]]].max())
    assert np.mean(found) > np.mean(best) - 0.05, "the sketch finds people who are nearly as similar"


def test_person_weeks_hold_each_kept_row_once():
    track = random_release(12)
    weeks = person_weeks(track)
    assert sorted(weeks.rows.tolist()) == track.kept_row_numbers.tolist()
    for pair in range(weeks.number):
        rows = weeks.rows[weeks.ends[pair] : weeks.ends[pair + 1]].tolist()
        assert rows == own_rows(track, int(weeks.individual[pair]), int(weeks.week[pair]))
