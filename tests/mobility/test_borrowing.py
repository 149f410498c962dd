"""borrow_weeks, swap_places, partner_places, shift_time, equalise_rows, delete_identifying by definition."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.demo.city import make_city
from insanonym_core.experiment import score_release
from insanonym_core.mobility.geometry import haversine_km
from insanonym_core.mobility.methods.borrow import draw_partners
from insanonym_core.mobility.methods.pseudonymise import Pseudonymise
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.person_weeks import person_weeks
from insanonym_core.mobility.similar_people import groups_of_similar
from insanonym_core.mobility.track import DELETED, Track
from insanonym_core.registry import methods
from tests.helpers import random_release
from tests.levels import examples
from tests.mobility.test_similar_people import literal_nearest, own_rows

RANDOM = {"seed": st.integers(0, 2**32), "k": st.integers(1, 4)}


def apply(name: str, to: Track, seed: int = 1, **parameters: object) -> Track:
    return methods.get(name, data="mobility").item(**parameters).apply(to, np.random.default_rng(seed))


def drawn(track: Track, k: int, seed: int) -> dict[tuple[int, int], int]:
    """Individual and week → the partner, as the methods draw it with this seed."""
    weeks = person_weeks(track)
    partner = draw_partners(track, k, np.random.default_rng(seed))
    pairs = list(zip(weeks.individual.tolist(), weeks.week.tolist(), strict=True))
    assert all(pairs[other][1] == week for (_, week), other in zip(pairs, partner.tolist(), strict=True))
    return {pair: pairs[other][0] for pair, other in zip(pairs, partner.tolist(), strict=True)}


@given(**RANDOM)
@examples(40)
def test_partners_are_a_permutation_inside_each_group_and_week(seed, k):
    track = random_release(seed)
    group, partner = groups_of_similar(track, k), drawn(track, k, seed)
    assert Counter(partner.keys()) == Counter((who, week) for (_, week), who in partner.items())
    assert all(group[who] == group[other] for (who, _), other in partner.items())


def test_every_permutation_is_drawn_equally_often():
    """A group of three: six permutations; a derangement only would tell who is not behind a pseudonym."""
    city = make_city(users=3, weeks=1).track
    counts = Counter(
        tuple(draw_partners(city, 3, np.random.default_rng(seed)).tolist()) for seed in range(1200)
    )
    assert len(counts) == 6
    assert max(abs(count - 200) for count in counts.values()) < 60


@given(**RANDOM)
@examples(40)
def test_borrowed_weeks_and_swapped_places_are_those_nearest_in_time(seed, k):
    before = random_release(seed)
    partner = drawn(before, k, seed)
    swapped = apply("swap_places", before, seed, k=k)
    borrowed = apply("borrow_weeks", before, seed, k=k, share=0)
    assert (swapped.token == before.token).all()
    assert (swapped.time == before.time).all()
    for (who, week), other in partner.items():
        mine, theirs = own_rows(before, who, week), own_rows(before, other, week)
        there = {row: literal_nearest(before, row, theirs) for row in mine}
        for row in mine:
            assert (swapped.latitude[row], swapped.longitude[row]) == (
                before.latitude[there[row]],
                before.longitude[there[row]],
            )
        gone = _literal_surplus(before, there, len(theirs))
        assert {row for row in mine if borrowed.token[row] == DELETED} == gone
        for row in set(mine) - gone:
            assert borrowed.token[row] == before.token[row]
            for column in ("time", "latitude", "longitude"):
                assert getattr(borrowed, column)[row] == getattr(before, column)[there[row]]


def _literal_surplus(track: Track, there: dict[int, int], wanted: int) -> set[int]:
    """Rows to delete: who repeats a point of the partner most goes first, then the furthest in time."""
    far = {row: abs(int(track.time[row]) - int(track.time[point])) for row, point in there.items()}
    order = list(there)  # in order of time
    repeats = {
        row: sum(
            there[other] == there[row] and (far[other], order.index(other)) < (far[row], order.index(row))
            for other in order
        )
        for row in order
    }
    leaving = sorted(order, key=lambda row: (-repeats[row], -far[row], order.index(row)))
    return set(leaving[: max(0, len(order) - wanted)])


@given(**RANDOM, share=st.floats(0, 1))
@examples(30)
def test_borrowed_weeks_delete_exactly_the_share_of_what_is_left(seed, k, share):
    before = random_release(seed)
    left = int((apply("borrow_weeks", before, seed, k=k, share=0).token != DELETED).sum())
    after = apply("borrow_weeks", before, seed, k=k, share=share)
    assert (after.token != DELETED).sum() == left - round(share * left)


def _cell(track: Track, row: int, decimals: int) -> tuple[int, ...]:
    return tuple(int(np.rint(side[row] * 10.0**decimals)) for side in (track.latitude, track.longitude))


@given(**RANDOM, decimals=st.integers(0, 4))
@examples(30)
def test_rows_move_to_the_nearest_place_of_the_partner(seed, k, decimals):
    before = random_release(seed)
    after = apply("partner_places", before, seed, k=k, decimals=decimals)
    for (who, week), other in drawn(before, k, seed).items():
        cells: dict[tuple[int, int], list[int]] = {}
        for row in own_rows(before, other, week):
            cell = tuple(
                int(np.rint(side[row] * 10**decimals)) for side in (before.latitude, before.longitude)
            )
            cells.setdefault(cell, []).append(row)
        places = [(before.latitude[rows].mean(), before.longitude[rows].mean()) for rows in cells.values()]
        for row in own_rows(before, who, week):
            here = before.latitude[row], before.longitude[row]
            nearest = min(haversine_km(*here, *place) for place in places)
            there = after.latitude[row], after.longitude[row]
            assert haversine_km(*here, *there) == pytest.approx(nearest, abs=1e-4)
            assert min(haversine_km(*there, *place) for place in places) < 1e-4


@given(seed=st.integers(0, 2**32), hours=st.floats(0, 84))
@examples(40)
def test_a_week_is_shifted_as_a_whole_and_stays_in_its_week(seed, hours):
    before = random_release(seed)
    after = apply("shift_time", before, seed, hours=hours)
    kept = before.is_kept
    assert (after.week[kept] == before.week[kept]).all()
    for who, week in set(zip(before.individual[kept].tolist(), before.week[kept].tolist(), strict=True)):
        rows = own_rows(before, who, week)
        shifts = set((after.time[rows] - before.time[rows]).tolist())
        assert len(shifts) == 1
        assert abs(shifts.pop()) <= round(hours * 3600 * before.resolution)


def test_shifts_are_uniform_where_the_week_leaves_room():
    city = make_city(users=2, weeks=1).track
    weeks = person_weeks(city)
    middle = city.take(weeks.rows[(weeks.time > 40 * 3600) & (weeks.time < 120 * 3600)])
    method, generator = methods.get("shift_time", data="mobility").item(hours=10), np.random.default_rng(0)
    shift = np.array([method.apply(middle, generator).time[0] - middle.time[0] for _ in range(2000)])
    assert abs(shift.mean()) < 2000  # four standard errors
    assert np.abs(shift).mean() == pytest.approx(18_000, rel=0.06)


@given(**RANDOM)
@examples(40)
def test_groups_of_k_get_the_fewest_rows_of_their_group(seed, k):
    before = random_release(seed)
    after = apply("equalise_rows", before, seed, k=k)
    for week in set(before.kept.week.tolist()):
        people = sorted(set(before.individual[before.is_kept & (before.week == week)].tolist()))
        order = sorted(people, key=lambda who: (len(own_rows(before, who, week)), who))
        groups = [order[start : start + k] for start in range(0, len(order), k)]
        if len(groups) > 1 and len(groups[-1]) < k:
            rest = groups.pop()
            groups[-1] += rest
        for group in groups:
            fewest = min(len(own_rows(before, who, week)) for who in group)
            assert [len(own_rows(after, who, week)) for who in group] == [fewest] * len(group)


@given(seed=st.integers(0, 2**32), share=st.floats(0, 1), decimals=st.integers(-1, 4))
@examples(40)
def test_the_most_particular_rows_are_deleted(seed, share, decimals):
    before = random_release(seed)
    after = apply("delete_identifying", before, seed, share=share, decimals=decimals)
    value: dict[int, float] = {}
    cells = {row: _cell(before, row, decimals) for row in before.kept_row_numbers.tolist()}
    for row, cell in cells.items():
        there = [other for other, its in cells.items() if its == cell]
        visitors = {int(before.individual[other]) for other in there}
        own = sum(before.individual[other] == before.individual[row] for other in there)
        value[row] = own / len(visitors)
    gone = [row for row in cells if after.token[row] == DELETED]
    assert len(gone) == round(share * len(cells))
    left = [value[row] for row in cells if after.token[row] != DELETED]
    assert (
        min((value[row] for row in gone), default=0) >= max(left, default=0) - 1e-12 or not gone or not left
    )


@pytest.fixture(scope="module")
def city() -> Track:
    return make_city().track


# What the help of each method says, measured on the demo city: attack, at least, at most.
SAID = {
    "borrow_weeks": [("heatmap", 0.28, 0.42), ("join", 0.28, 0.42), ("hours", 0.38, 0.5)],
    "swap_places": [("hours", 1, 1), ("join", 1, 1), ("heatmap", 0.28, 0.42), ("poi", 0.28, 0.42)],
    "partner_places": [("hours", 1, 1), ("join", 1, 1), ("heatmap", 0.28, 0.45)],
    "shift_time": [("gaps", 1, 1), ("heatmap", 0.99, 1), ("join", 0, 0.1)],
    "equalise_rows": [("row_count", 0.2, 0.36), ("naive", 0, 0.36), ("join", 0.99, 1), ("heatmap", 0.99, 1)],
    "delete_identifying": [("join", 0.99, 1), ("hours", 0.99, 1)],
}


@pytest.mark.parametrize("name", SAID)
def test_who_still_finds_whom_is_as_the_help_says(city, name):
    release = Pseudonymise().apply(apply(name, city, 7), np.random.default_rng(1))
    keys = tuple(f"attack.{attack}" for attack, *_ in SAID[name])
    report = score_release(Pair.from_tracks(city, release), only=keys)
    for attack, low, high in SAID[name]:
        share = float(report.scores[f"attack.{attack}"].details["reidentified"])
        assert low - 1e-9 <= share <= high + 1e-9, (attack, share)
