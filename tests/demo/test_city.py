"""The demonstration city: its rows and weeks, what attackers make of it, and wrong calls."""

import numpy as np
import pytest

import insanonym_core.mobility.attacks
import insanonym_core.mobility.methods  # noqa: F401  (both fill their registries)
from insanonym_core.demo import city as city_module
from insanonym_core.demo.city import make_city
from insanonym_core.errors import UsageError
from insanonym_core.mobility.attacks.heatmap import topsoe_costs
from insanonym_core.mobility.competition import footprint
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.geometry import haversine_km
from insanonym_core.mobility.methods.pseudonymise import Pseudonymise
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.scoring import score_guesses
from insanonym_core.mobility.track import week_label
from insanonym_core.registry import attacks

COLUMNS = ("individual", "time", "latitude", "longitude")


@pytest.fixture(scope="module")
def city():
    return make_city()


@pytest.fixture(scope="module")
def track(city):
    return city.track


def labels(track):
    return [week_label(week) for week in np.unique(track.week).tolist()]


def person(city, name):
    return city.track.individuals.index(name)


# --- the rows --------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_rows_and_another_does_not(city):
    again, other = make_city(seed=7), make_city(seed=8)
    assert (again.twins, again.shift_workers) == (city.twins, city.shift_workers)
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(again.track, name), getattr(city.track, name))
    assert not np.array_equal(other.track.time[:100], city.track.time[:100])


def test_rows_are_sorted_by_id_then_time_and_no_second_comes_twice(track):
    same = track.individual[1:] == track.individual[:-1]
    assert (np.diff(track.individual) >= 0).all()
    assert (np.diff(track.time)[same] > 0).all()


def test_ids_are_padded_texts_and_coordinates_have_six_decimals(track):
    assert track.resolution == 1
    assert track.time.dtype.kind == "i"
    assert track.individuals == track.tokens == tuple(f"{number:03}" for number in range(1, 81))
    assert set(track.individual.tolist()) == set(range(80))
    assert (track.token == track.individual).all()
    for column in (track.latitude, track.longitude):
        np.testing.assert_array_equal(column, np.round(column, 6))


def test_everything_lies_around_lyon(track):
    distance = haversine_km(track.latitude, track.longitude, np.float64(45.76), np.float64(4.84))
    assert np.median(distance) < 10
    assert 0.05 < (distance > 12).mean() < 0.4
    assert distance.max() < 60


@pytest.mark.parametrize(
    ("weeks", "expected"),
    [
        (1, ["2015-53"]),
        (2, ["2015-53", "2016-1"]),
        (3, ["2015-52", "2015-53", "2016-1"]),
        (6, ["2015-51", "2015-52", "2015-53", "2016-1", "2016-2", "2016-3"]),
    ],
)
def test_the_turn_of_the_iso_years_lies_in_the_middle(weeks, expected):
    assert labels(make_city(20, weeks).track) == expected


def test_ten_years_work_too():
    found = labels(make_city(3, 520).track)
    assert len(found) == 520
    assert found[259:261] == ["2015-53", "2016-1"]


def test_people_record_very_unequally_and_nearly_every_week(track):
    assert 70_000 < len(track) < 82_000
    by_week = np.zeros((80, 6), dtype=int)
    np.add.at(by_week, (track.individual, track.week - track.week.min()), 1)
    total = np.sort(by_week.sum(axis=1))
    assert total[-8:].mean() > 3 * np.median(total)
    assert total[0] >= 40
    assert 0 < (by_week == 0).mean() < 0.06
    assert (np.count_nonzero(by_week, axis=1) >= 3).all()


@pytest.mark.parametrize("users", [80, 300])
def test_size_grows_with_users_and_weeks(users):
    rows = len(make_city(users, 4, seed=1).track)
    assert rows / (users * 4) == pytest.approx(160, rel=0.08)


def test_rows_come_in_bursts_with_gaps_of_hours_between(track):
    gap = np.diff(track.time)[np.diff(track.individual) == 0]
    assert 20 < np.median(gap) < 120
    assert (gap > 2 * 3600).mean() > 0.05
    assert (gap < 10).mean() > 0.1


def test_groups_of_people_make_one_city(monkeypatch):
    monkeypatch.setattr(city_module, "USER_WEEKS_PER_GROUP", 20)
    city = make_city(30, 2)
    same = city.track.individual[1:] == city.track.individual[:-1]
    assert (np.diff(city.track.individual) >= 0).all()
    assert (np.diff(city.track.time)[same] > 0).all()
    assert len(set(city.track.individual.tolist())) == 30
    assert max(map(int, city.twins)) <= 10


# --- what attackers make of it ---------------------------------------------------------------------


@pytest.mark.parametrize("seed", [7, 8, 9])
def test_twins_are_the_pair_that_is_hardest_to_tell_apart(seed):
    city = make_city(seed=seed)
    crowd = Crowd.known(city.track)
    costs = topsoe_costs(crowd, crowd, 2)
    total, weeks = np.zeros((80, 80)), np.zeros((80, 80))
    for week in np.unique(crowd.week):
        units = crowd.units_in_week(week)
        among = np.ix_(crowd.name[units], crowd.name[units])
        total[among] += costs(units, units)
        weeks[among] += 1
    one, other = (person(city, name) for name in city.twins)
    apart = np.where(weeks >= 3, total / np.maximum(weeks, 1), np.inf)
    np.fill_diagonal(apart, np.inf)
    assert apart.min() == apart[one, other] > 0
    rows = [np.count_nonzero(city.track.individual == twin) for twin in (one, other)]
    assert rows[0] == pytest.approx(rows[1], rel=0.15)


def test_twins_are_different_people(city):
    ours, theirs = (city.track.individual == person(city, name) for name in city.twins)
    assert np.isin(city.track.time[ours], city.track.time[theirs]).mean() < 0.05


def test_pseudonyms_alone_protect_nobody(track):
    release = Pseudonymise().apply(track, np.random.default_rng(1))
    secret = footprint(Pair.from_tracks(track, release))
    known, seen = Crowd.known(track), Crowd.seen(release)
    found = {
        attack.name: score_guesses(secret, attack.item(known, seen)).value
        for attack in attacks.all(data="mobility")
    }
    assert found["naive"] > 0.6
    assert found["heatmap"] > 0.95
    assert found["poi"] > 0.6
    assert found["dictionary"] == 0


# --- wrong calls -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "name", "got"),
    [
        ({"users": 0}, "users", "got 0"),
        ({"users": 1_000_001}, "users", "got 1000001"),
        ({"users": 2.5}, "users", "got 2.5"),
        ({"users": True}, "users", "got True"),
        ({"weeks": 0}, "weeks", "got 0"),
        ({"weeks": 521}, "weeks", "got 521"),
        ({"seed": -1}, "seed", "got -1"),
        ({"users": 10_000, "weeks": 101}, "users × weeks", "got 10000 × 101"),
    ],
)
def test_a_wrong_size_is_refused_in_one_sentence(arguments, name, got):
    with pytest.raises(UsageError, match="demonstration city must") as refused:
        make_city(**arguments)
    assert name in str(refused.value)
    assert got in str(refused.value)
