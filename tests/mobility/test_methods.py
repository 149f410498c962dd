"""What each method promises, by value."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.mobility.geometry import haversine_km
from insanonym_core.mobility.methods.pseudonymise import lookup_table
from insanonym_core.mobility.track import DELETED, Track
from insanonym_core.numeric.randomness import step_generator
from insanonym_core.registry import methods
from tests.helpers import lines, track
from tests.levels import examples


def apply(name: str, to: Track, seed: int | None = 1, **parameters: object) -> Track:
    return methods.get(name, data="mobility").item(**parameters).apply(to, step_generator(seed, 1, name))


def many(number: int = 20_000, latitude: float = 45.0) -> Track:
    """One person at one place, once a second."""
    zeros = np.zeros(number, dtype=np.int32)
    time = 1_425_250_800 + np.arange(number)
    return Track(zeros, ("a",), zeros.copy(), ("a",), time, np.full(number, latitude), np.full(number, 4.0))


def metres_moved(before: Track, after: Track) -> np.ndarray:
    return 1000 * haversine_km(before.latitude, before.longitude, after.latitude, after.longitude)


TWO_WEEKS = lines(
    "a, 2015-12-31 10:00:00, 45.7, 4.8",
    "a, 2016-01-03 10:00:00, 45.7, 4.8",
    "a, 2016-01-04 10:00:00, 45.7, 4.8",
    "b, 2015-12-31 10:00:00, 45.7, 4.8",
    "DEL",
)


def test_pseudonyms_per_week():
    result = apply("pseudonymise", track(TWO_WEEKS.replace("DEL\n", "")))
    first, same, next_week, other = result.token.tolist()
    assert first == same
    assert len({first, next_week, other}) == 3
    assert len(result.tokens) == 3
    assert all(len(token) == 12 and int(token, 16) >= 0 for token in result.tokens)


def test_pseudonyms_per_individual_and_deleted_rows():
    result = apply("pseudonymise", track(TWO_WEEKS), per="individual")
    assert result.token[0] == result.token[1] == result.token[2] != result.token[3]
    assert result.token[4] == DELETED


def test_the_lookup_inverts_the_pseudonyms():
    result = apply("pseudonymise", track(TWO_WEEKS))
    table = lookup_table(result)
    assert [(who, week) for who, week, _ in table] == [("a", "2015-53"), ("a", "2016-1"), ("b", "2015-53")]
    assert [token for *_, token in table] == [result.tokens[result.token[row]] for row in (0, 2, 3)]


def test_pseudonyms_without_a_seed_never_repeat():
    once, again = (apply("pseudonymise", track(TWO_WEEKS), seed=None) for _ in range(2))
    assert not set(once.tokens) & set(again.tokens)


@pytest.mark.parametrize("latitude", [0.0, 45.0, 80.0])
def test_gaussian_noise_is_sigma_metres_per_axis(latitude):
    before = many(latitude=latitude)
    after = apply("gaussian_noise", before, sigma=100)
    north = (after.latitude - before.latitude) * math.radians(1) * 6_371_008.8
    east = (
        (after.longitude - before.longitude)
        * math.radians(1)
        * 6_371_008.8
        * math.cos(math.radians(latitude))
    )
    for axis in (north, east):
        assert axis.std() == pytest.approx(100, rel=0.03)
        assert abs(axis.mean()) < 4


def test_uniform_noise_stays_in_the_disc_and_fills_it():
    moved = metres_moved(many(), apply("uniform_noise", many(), radius=300))
    assert moved.max() <= 300.1
    assert np.mean(moved < 150) == pytest.approx(0.25, abs=0.015)


@pytest.mark.parametrize("name", ["planar_laplace", "stop_noise"])
def test_planar_laplace_keeps_95_percent_within_the_radius(name):
    # For stop_noise every record must be a stay of its own: two far places in turn.
    before = many()
    if name == "stop_noise":
        before = before.changed(latitude=45.0 + np.arange(len(before)) % 2)
    moved = metres_moved(before, apply(name, before, radius=400))
    assert np.mean(moved <= 400) == pytest.approx(0.95, abs=0.006)
    assert moved.mean() == pytest.approx(2 * 400 / 4.743864518, rel=0.03)


def test_stop_noise_draws_once_per_stay():
    rows = [f"a, 2015-03-02 10:00:{i:02d}, 45.7{i % 4}, 4.8" for i in (0, 4, 8, 1, 5, 12)]
    result = apply("stop_noise", track(lines(*rows)), radius=500)
    # In time order: 0 | 1 | 4 | 5 | 8, 12: the cells are those of i modulo 4, so only 8 and 12 share a stay.
    steps = np.round(result.latitude - track(lines(*rows)).latitude, 6)
    assert steps[2] == steps[5]
    assert len(set(steps.tolist())) == 5


@pytest.mark.parametrize("name", ["uniform_noise", "planar_laplace", "stop_noise"])
def test_kept_draws_are_those_that_would_be_drawn(name):
    """A track keeps the steps of its last noise: nobody can tell, not even by drawing twice."""
    method = methods.get(name, data="mobility").item(radius=300)
    longer = methods.get(name, data="mobility").item(radius=600)

    def drawn(of: Track, first: object) -> list[np.ndarray]:
        generator = np.random.default_rng(5)
        return [one.apply(of, generator).latitude for one in (first, method, method)]

    same = many(50)
    expected = [drawn(many(50), method), drawn(many(50), longer)]
    for _ in range(2):
        for first, wanted in zip((method, longer), expected, strict=True):
            for ours, theirs in zip(drawn(same, first), wanted, strict=True):
                assert np.array_equal(ours, theirs)
    assert not np.array_equal(expected[0][0], expected[0][1])


def test_poles_and_antimeridian():
    before = many(1000, latitude=89.9999)
    before = before.changed(longitude=np.full(1000, 179.9999))
    after = apply("gaussian_noise", before, sigma=5000)
    assert np.abs(after.latitude).max() <= 90
    assert np.abs(after.longitude).max() <= 180
    assert (after.longitude < 0).any()


def test_noise_of_zero_changes_nothing():
    for name in ("gaussian_noise", "uniform_noise", "planar_laplace", "stop_noise"):
        parameter = "sigma" if name == "gaussian_noise" else "radius"
        assert metres_moved(many(100), apply(name, many(100), **{parameter: 0})).max() == 0


def test_snap_to_grid():
    result = apply("snap_to_grid", track(lines("a, 2015-03-02 10:00:00, 45.76449, -4.8351")), decimals=3)
    assert (result.latitude[0], result.longitude[0]) == (45.764, -4.835)


def test_k_counts_people_and_not_their_weekly_pseudonyms():
    rows = [f"a, 2015-12-{21 + 7 * (i % 2)} 10:00:00, 45.7, 4.8" for i in range(4)] + [
        "b, 2015-12-21 10:00:00, 45.7, 4.8"
    ]
    renamed = apply("pseudonymise", track(lines(*rows)))
    assert len(renamed.tokens) == 3
    assert (apply("suppress_rare_cells", renamed, k=3).token == DELETED).all()
    assert (apply("suppress_rare_cells", renamed, k=2).token != DELETED).all()


def test_suppress_rare_cells():
    rows = [
        "a, 2015-03-02 10:00:00, 45.7, 4.8",
        "b, 2015-03-02 10:00:00, 45.7, 4.8",
        "b, 2015-03-02 11:00:00, 45.8, 4.8",
    ]
    assert (apply("suppress_rare_cells", track(lines(*rows)), k=2).token == DELETED).tolist() == [
        False,
        False,
        True,
    ]


@pytest.mark.parametrize("hours", [1, 84])
def test_jitter_time_stays_in_the_week_and_spreads_evenly(hours):
    before = many()  # starts on Sunday, 2015-03-01 23:00:00, an hour before the week ends
    after = apply("jitter_time", before, hours=hours)
    assert (after.week == before.week).all()
    assert np.abs(after.time - before.time).max() <= hours * 3600
    middle = before.changed(time=np.full(len(before), 1_425_556_800))  # Thursday noon
    moved = apply("jitter_time", middle, hours=hours).time - middle.time
    assert np.mean(moved < 0) == pytest.approx(0.5, abs=0.02)
    assert np.abs(moved).mean() == pytest.approx(hours * 1800, rel=0.03)


@given(share=st.floats(0, 1))
@examples(40)
def test_delete_at_random_deletes_exactly_the_share_of_the_kept_rows(share):
    before = many(101).changed(token=np.where(np.arange(101) < 50, DELETED, 0).astype(np.int32))
    after = apply("delete_at_random", before, share=share)
    assert (after.token == DELETED).sum() == 50 + round(share * 51)


def test_smooth_speed_makes_equal_steps_along_the_path():
    # Three records at A, one at B two hundredths north: four equal steps of one third of the way.
    rows = [f"a, 2015-03-02 1{i}:00:00, {lat}, 4.8" for i, lat in enumerate((45.7, 45.7, 45.7, 45.73))]
    result = apply("smooth_speed", track(lines(*rows)))
    assert result.latitude.tolist() == pytest.approx([45.7, 45.71, 45.72, 45.73], abs=1e-6)


def test_smooth_speed_keeps_days_and_people_apart_and_single_places():
    rows = [
        "a, 2015-03-02 10:00:00, 45.7, 4.8",
        "a, 2015-03-02 11:00:00, 45.7, 4.8",
        "a, 2015-03-03 10:00:00, 45.9, 4.8",
        "b, 2015-03-02 10:00:00, 45.5, 179.9",
        "b, 2015-03-02 11:00:00, 45.5, 179.9",
        "b, 2015-03-02 12:00:00, 45.5, -179.9",
    ]
    result = apply("smooth_speed", track(lines(*rows)))
    assert result.latitude.tolist() == pytest.approx([45.7, 45.7, 45.9, 45.5, 45.5, 45.5])
    # The short way round the antimeridian.
    assert np.abs(result.longitude[4]) == pytest.approx(180)
    assert result.longitude[5] == pytest.approx(-179.9)
