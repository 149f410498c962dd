"""The lives in the demonstration city: each trait that a lesson relies on, measured in the rows."""

import numpy as np
import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.demo.city_life import (
    DAY,
    EXPLORE_GAMMA,
    EXPLORE_RHO,
    Moments,
    explore_and_return,
    positions_at,
)
from insanonym_core.demo.city_phones import NOISE_CORRELATION, draw_gps_noise
from insanonym_core.mobility.geometry import haversine_km
from insanonym_core.mobility.stays import WINDOWS_V2, stay_totals


@pytest.fixture(scope="module")
def city():
    return make_city()


@pytest.fixture(scope="module")
def track(city):
    return city.track


def weekday(track):
    return (track.day + 3) % 7


def share_at(track, home, when):
    """For each person the share of the rows at `when` that lie in their home cell."""
    rows = np.bincount(track.individual[when], minlength=len(home))
    there = when & (track.cells(2).code == home[track.individual])
    return np.bincount(track.individual[there], minlength=len(home)) / np.maximum(rows, 1), rows


def home_cells(track):
    """The cell in which each person records most on Sundays before six: nobody works then."""
    rows = (weekday(track) == 6) & (track.hour < 6)
    table = np.zeros((len(track.individuals), track.cells(2).number), dtype=int)
    np.add.at(table, (track.individual[rows], track.cells(2).code[rows]), 1)
    return np.where(table.any(axis=1), table.argmax(axis=1), -1)


# --- the lives -------------------------------------------------------------------------------------


def test_most_people_have_a_home_work_and_leisure_to_find_each_week(track):
    pois = stay_totals(track, WINDOWS_V2, 2).longest()
    units = len(np.unique(track.individual.astype(np.int64) * 10_000 + track.week))
    share = np.bincount(pois.kind, minlength=3) / units
    assert share.min() > 0.7
    hours = [np.median(pois.seconds[pois.kind == kind]) / 3600 for kind in range(3)]
    assert min(hours) > 0.4


def test_day_people_are_home_at_night_and_out_by_day_and_shift_workers_the_reverse(city):
    track, home = city.track, home_cells(city.track)
    day = weekday(track)
    nightly, night_rows = share_at(track, home, (day >= 1) & (day <= 4) & (track.hour < 5))
    daily, day_rows = share_at(track, home, (day <= 4) & (track.hour >= 10) & (track.hour < 16))
    enough = (home >= 0) & (night_rows >= 20) & (day_rows >= 20)
    shift = np.isin(track.individuals, city.shift_workers)
    assert (enough & shift).any()
    assert np.median(nightly[enough & ~shift]) > 0.95
    assert np.median(daily[enough & ~shift]) < 0.2
    assert np.median(nightly[enough & shift]) < 0.3
    assert np.median(daily[enough & shift]) > 0.8


def test_working_days_peak_at_both_commutes_and_weekends_in_the_afternoon(city):
    track, day = city.track, weekday(city.track)
    working = np.bincount(track.hour[day < 5], minlength=24)
    weekend = np.bincount(track.hour[day >= 5], minlength=24)
    assert working[7:9].mean() > 1.4 * working[9:15].mean()
    assert working[16:19].mean() > 1.4 * working[9:15].mean()
    assert weekend[10:18].mean() > 2 * weekend[0:8].mean()


@pytest.mark.parametrize(
    ("users", "twins", "shift_workers"),
    [(1, 0, 0), (2, 2, 0), (9, 2, 0), (10, 2, 1), (80, 2, 5), (300, 2, 20)],
)
def test_twins_and_shift_workers_are_named_from_the_sizes_that_allow_them(users, twins, shift_workers):
    city = make_city(users, 1)
    known = set(city.track.individuals)
    assert len(known & set(city.twins)) == twins
    assert city.twins == tuple(sorted(city.twins))
    assert twins == 2 or city.twins == ("", "")
    assert len(set(city.shift_workers) & known - set(city.twins)) == shift_workers


def test_some_places_are_shared_and_some_are_private(track):
    people = np.bincount(track.visits(2).item)
    assert (people == 1).mean() > 0.25
    assert (people >= 15).sum() >= 5
    home = home_cells(track)
    neighbours = np.bincount(home[home >= 0])
    assert neighbours.max() >= 3
    assert (neighbours == 1).sum() >= 15


def test_new_places_become_rarer_and_old_favourites_stay():
    random = np.random.default_rng(3)
    visits = 60
    places = explore_and_return(np.zeros(3_000, dtype=complex), np.ones((3_000, visits), dtype=bool), random)
    distinct = np.mean([len(np.unique(row)) for row in places[:500]])
    # dS/dn = ρ · S^−γ; a little less, because a popular place can be discovered twice.
    expected = (1 + EXPLORE_RHO * (1 + EXPLORE_GAMMA) * visits) ** (1 / (1 + EXPLORE_GAMMA))
    assert 0.75 * expected < distinct < 1.02 * expected
    favourite = np.mean([np.unique(row, return_counts=True)[1].max() for row in places[:500]])
    assert favourite > 3 * visits / distinct


def test_nobody_visits_when_not_going_out():
    goes = np.array([[False, True, False, True]])
    places = explore_and_return(np.array([5_000 + 0j]), goes, np.random.default_rng(1))
    assert ((places != 0) == goes).all()


# --- positions -------------------------------------------------------------------------------------


def test_people_travel_in_straight_lines_and_stay_home_around_their_days():
    time = np.array([[[100.0, 200, 300, 400, 500, 600]], [[50, 150, 250, 350, 450, 550]]])
    place = np.array([[[0, 10, 10, 10j, 10j, 0]], [[7, 8, 8, 9, 9, 7]]], dtype=complex)
    who = np.array([0, 0, 0, 0, 0, 1, 1, 1])
    seconds = np.array([0, 150, 250, 350, DAY - 1, 0, 100, DAY - 1])
    found = positions_at(Moments(time, place), who, seconds)
    np.testing.assert_allclose(found, [0, 5, 10, 5 + 5j, 0, 7, 7.5, 7])


def test_nobody_jumps_except_by_an_outlier(track):
    seconds = np.diff(track.time)
    metres = 1000 * haversine_km(
        track.latitude[:-1], track.longitude[:-1], track.latitude[1:], track.longitude[1:]
    )
    same = np.diff(track.individual) == 0
    too_fast = metres[same] > 8.1 * seconds[same] + 100
    assert 0 < too_fast.mean() < 0.011


def test_gps_noise_has_its_size_memory_and_outliers():
    error = draw_gps_noise(np.full(200_000, 10.0), np.random.default_rng(5))
    far = np.abs(error) > 95
    assert far.mean() == pytest.approx(0.005, rel=0.15)
    assert np.abs(error).max() <= 1000
    near = np.where(far, 0, error)
    assert near.real.std() == pytest.approx(10, rel=0.03)
    assert near.imag.std() == pytest.approx(10, rel=0.03)
    memory = np.mean(near.real[1:] * near.real[:-1]) / near.real.var()
    assert memory == pytest.approx(NOISE_CORRELATION, abs=0.02)


def test_the_noise_of_a_person_at_home_is_5_to_15_metres(city):
    track = city.track
    shift = np.isin(track.individuals, city.shift_workers)
    asleep = ~shift[track.individual] & (track.hour < 5)
    spreads = []
    for who in range(80):
        north = track.latitude[asleep & (track.individual == who)] * 111_195
        if len(north) >= 80:
            off = np.abs(north - np.median(north))
            spreads.append(1.4826 * np.median(off))  # the median ignores outliers
    assert len(spreads) >= 20
    assert min(spreads) > 3
    assert max(spreads) < 20
    assert 7 < np.median(spreads) < 13
