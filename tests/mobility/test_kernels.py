"""Compiled loops of the attackers give what the plain ones give, to the last tie."""

import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from insanonym_core.demo.city import make_city
from insanonym_core.experiment import make_release
from insanonym_core.mobility import compiled, kernels
from insanonym_core.mobility.attacks.join import Values, count_common_values
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.geometry import great_circle_km
from insanonym_core.mobility.matching import min_cost_matching
from insanonym_core.recipe import Recipe, step_from_text
from insanonym_core.registry import attacks


@pytest.fixture
def always(monkeypatch):
    monkeypatch.setattr(compiled, "MIN_COMPILED_PAIRS", 0)


def random_table(draw):
    """Full of ties, rectangular both ways; some with very large costs, some nearly constant."""
    rows, columns = draw.integers(1, 150, size=2)
    table = draw.integers(-9, draw.integers(-8, 40), size=(rows, columns)).astype(float)
    if draw.random() < 0.2:
        table = table * 1e9 + draw.integers(0, 3, size=table.shape)
    return np.minimum(table, 0) if draw.random() < 0.2 else table


def check_tables(seeds):
    for seed in seeds:
        table = random_table(np.random.default_rng(seed))
        np.testing.assert_array_equal(min_cost_matching(table), linear_sum_assignment(table))


@pytest.mark.parametrize("hundred", range(30))
def test_a_matching_is_that_of_scipy(hundred, always):
    check_tables(range(hundred * 100, hundred * 100 + 100))


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (1, 1), (1, 200), (200, 1), (64, 64), (65, 128)])
@pytest.mark.parametrize("value", [0.0, -3.0, 1e10])
def test_a_matching_of_equal_costs_is_that_of_scipy(shape, value, always):
    table = np.full(shape, value)
    np.testing.assert_array_equal(min_cost_matching(table), linear_sum_assignment(table))


def test_costs_past_exact_sums_and_infinite_ones_are_left_to_scipy(always, monkeypatch):
    monkeypatch.setattr(kernels, "min_cost_columns", None)
    for large in (2.0**51, np.inf):
        table = np.array([[1, large], [2, 3]])
        np.testing.assert_array_equal(min_cost_matching(table), linear_sum_assignment(table))
    with pytest.raises(ValueError, match="infeasible"):
        min_cost_matching(np.full((2, 2), np.inf))


def test_the_series_is_the_arcsine():
    straight = np.append(np.linspace(0, 30, 1000), np.linspace(0, kernels.MAX_SERIES_KM, 1000))
    places = np.column_stack([straight, np.zeros((2000, 2))])
    ends, units = np.array([0, 2000]), np.arange(2000)
    one = np.zeros((1, 3)), np.array([0, 1])
    found = kernels.nearness((1, 2000), np.zeros(1, dtype=np.int64), *one, units, places, ends)
    np.testing.assert_allclose(found[0], 1 / np.maximum(great_circle_km(straight), 1), rtol=2e-15)


def random_values(draw):
    """Values of some units, many of them equal; some units have none."""
    number = draw.integers(0, 30, size=draw.integers(1, 20)) * draw.integers(0, 2)
    return Values(draw.integers(0, 12, size=number.sum()), np.append(0, np.cumsum(number)), 1)


def test_values_in_common_are_counted_as_multisets():
    for seed in range(200):
        draw = np.random.default_rng(seed)
        sides = [random_values(draw) for _ in range(2)]
        units = [draw.permutation(len(side.ends) - 1)[: draw.integers(1, 20)] for side in sides]
        given = [(side.value, side.ends, some) for side, some in zip(sides, units, strict=True)]
        size = 1 + max(kernels.largest_value(*one) for one in given)
        ours, theirs = (
            [Counter(side.value[side.ends[unit] : side.ends[unit + 1]].tolist()) for unit in some]
            for side, some in zip(sides, units, strict=True)
        )
        expected = [[(mine & yours).total() for yours in theirs] for mine in ours]
        np.testing.assert_array_equal(kernels.values_in_common(*given[0], *given[1], size), expected)
        np.testing.assert_array_equal(count_common_values(*sides, *units), expected)


def far_apart(track):
    """Half of the people on the other side of the earth."""
    return track.changed(longitude=np.where(track.individual % 2, -track.longitude, track.longitude))


@pytest.fixture(scope="module")
def city():
    """Everybody, and a release that hides little."""
    original = make_city(users=40, weeks=2).track
    texts = "delete_at_random share=0.2", "jitter_time hours=0.01", "gaussian_noise sigma=300", "pseudonymise"
    recipe = Recipe(tuple(map(step_from_text, texts)), seed=1)
    return original, make_release(recipe, original).release.release


@pytest.mark.parametrize("change", [lambda track: track, far_apart])
@pytest.mark.parametrize("name", ["row_count", "hours", "join", "gaps", "path", "assignment", "everything"])
def test_guesses_are_those_of_the_plain_loops(name, change, city, monkeypatch):
    attack, made = attacks.get(name, data="mobility").item, []
    for smallest in (10**9, 0):
        monkeypatch.setattr(compiled, "MIN_COMPILED_PAIRS", smallest)
        original, release = (change(track.changed(token=track.token)) for track in city)
        made.append(attack(Crowd.known(original), Crowd.seen(release)))
    plain, fast = made
    np.testing.assert_array_equal(fast.which, plain.which)
    np.testing.assert_array_equal(fast.start, plain.start)
    np.testing.assert_array_equal(fast.token, plain.token)


def test_without_the_compiler_attacks_are_the_same(city, monkeypatch):
    known, seen = (side(track) for side, track in zip((Crowd.known, Crowd.seen), city, strict=True))
    attack = attacks.get("row_count", data="mobility").item
    expected = attack(known, seen)
    monkeypatch.setattr(compiled, "MIN_COMPILED_PAIRS", 0)
    monkeypatch.delitem(sys.modules, "insanonym_core.mobility.kernels", raising=False)
    monkeypatch.delattr("insanonym_core.mobility.kernels", raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    assert dict(attack(known, seen)) == dict(expected)


def test_a_small_city_does_not_load_the_compiler():
    code = (
        "import sys; from insanonym_core.demo.city import make_city; "
        "from insanonym_core.experiment import score_release; from insanonym_core.mobility.pair import Pair; "
        "city = make_city(users=20, weeks=1).track; score_release(Pair.from_tracks(city, city)); "
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


BOUNDS = """
import numba
from insanonym_core.mobility import compiled
from tests.mobility.test_kernels import check_tables, test_the_series_is_the_arcsine
from tests.mobility.test_kernels import test_values_in_common_are_counted_as_multisets
assert numba.config.BOUNDSCHECK
compiled.MIN_COMPILED_PAIRS = 0
check_tables(range(300))
test_the_series_is_the_arcsine()
test_values_in_common_are_counted_as_multisets()
"""


def test_nothing_outside_the_arrays_is_looked_at(tmp_path):
    # The compiler can check every position; kept elsewhere, that code does not take the fast one's place.
    checked = os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", BOUNDS], check=True, env=checked)
