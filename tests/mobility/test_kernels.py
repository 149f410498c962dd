"""Compiled loops of the attackers give what the plain ones give, to the last tie."""

import os
import pkgutil
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from insanonym_core.demo.city import make_city
from insanonym_core.experiment import make_release
from insanonym_core.mobility import kernels
from insanonym_core.mobility.attacks.join import Values, count_common_values
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.geometry import great_circle_km
from insanonym_core.mobility.kernels import common_values, matching, nearness
from insanonym_core.mobility.matching import min_cost_matching
from insanonym_core.recipe import Recipe, step_from_text
from insanonym_core.registry import attacks
from insanonym_core.runtime import compiled
from tests.levels import at_level

pytestmark = pytest.mark.slow  # the compiler


@pytest.fixture
def always(monkeypatch):
    monkeypatch.setattr(compiled, "MIN_COMPILED_PAIRS", 0)


def random_table(draw):
    """Full of ties, rectangular both ways; some with very large costs, some nearly constant."""
    rows, columns = draw.integers(1, 150, size=2)
    table = draw.integers(-9, draw.integers(-8, 40), size=(rows, columns)).astype(float)
    scale = draw.random()
    if scale < 0.2:
        table = table * 1e9 + draw.integers(0, 3, size=table.shape)
    elif scale < 0.4:  # around the limits of 32 bits, and past them
        table = table * draw.choice([2**25, 2**26, 2**27, 2**30]) + draw.integers(0, 3, size=table.shape)
    return np.minimum(table, 0) if draw.random() < 0.2 else table


def twins_table(draw):
    """Distances on a line of people and pseudonyms who are often at the same place, as in `row_count`."""
    places = [np.log(draw.integers(1, draw.integers(2, 60), size=draw.integers(1, 150))) for _ in range(2)]
    return np.rint(np.abs(places[0][:, None] - places[1]) * 1e9)


def expected_matching(table, order):
    """What scipy says of whole costs, with the columns in that order."""
    rows, places = linear_sum_assignment(table[:, order])
    return rows, order[places]


def check_table(table, order):
    np.testing.assert_array_equal(min_cost_matching(table / 1e9, order), expected_matching(table, order))


def check_tables(seeds):
    for seed in seeds:
        draw = np.random.default_rng(seed)
        table = (random_table, twins_table)[seed % 3 == 0](draw)
        check_table(table, draw.permutation(table.shape[1]))


@pytest.mark.parametrize("hundred", range(at_level(1, 10, 30)))
def test_a_matching_is_that_of_scipy(hundred, always):
    check_tables(range(hundred * 100, hundred * 100 + 100))


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (1, 1), (1, 200), (200, 1), (64, 64), (65, 128)])
@pytest.mark.parametrize("value", [0.0, -3.0, 1e10])
def test_a_matching_of_equal_costs_is_that_of_scipy(shape, value, always):
    check_table(np.full(shape, value), np.random.default_rng(0).permutation(shape[1]))


def widths_used(monkeypatch):
    """The integers with which matchings are looked for, and whether they sufficed."""
    used, search = [], matching.min_cost_columns

    def noted(costs, *rest):
        found = search(costs, *rest)
        used.append((costs.dtype, len(found) == len(costs)))
        return found

    monkeypatch.setattr(matching, "min_cost_columns", noted)
    return used


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ([[0, 5], [3, 9]], [(np.uint32, True)]),
        ([[0, 2**30 + 5], [0, 2**30 + 7]], [(np.uint32, False), (np.int64, True)]),  # the path is that long
        ([[0, 2**30 + 5], [2**30 + 7, 0]], [(np.uint32, True)]),  # long, but not on any path
        ([[0, 2**30 - 9, 2**31 - 99], [0, 2**30 - 8, 2**31 - 99], [7, 0, 2**30]], None),
        ([[0, 2**31], [3, 0]], [(np.int64, True)]),
        ([[-(2**47), 2**47], [2**47, 2**46]], [(np.int64, True)]),
    ],
)
def test_numbers_that_do_not_fit_are_computed_with_wider_ones(table, expected, always, monkeypatch):
    used = widths_used(monkeypatch)
    check_table(np.array(table, dtype=float), np.arange(len(table[0])))
    assert used[-1][1]
    assert expected is None or used == expected


def test_costs_past_exact_sums_and_infinite_ones_are_left_to_scipy(always, monkeypatch):
    monkeypatch.setattr(matching, "min_cost_columns", None)
    for large in (2.0**51, np.inf):
        check_table(np.array([[1, large], [2, 3]]), np.arange(2))
    with pytest.raises(ValueError, match="infeasible"):
        min_cost_matching(np.full((2, 2), np.inf), np.arange(2))
    with pytest.raises(ValueError, match="invalid"):
        min_cost_matching(np.array([[1, np.nan], [2, 3]]), np.arange(2))


def test_the_series_is_the_arcsine():
    straight = np.append(np.linspace(0, 30, 1000), np.linspace(0, nearness.MAX_SERIES_KM, 1000))
    places = np.stack([straight, *np.zeros((2, 2000))])
    ends, units = np.array([0, 2000]), np.arange(2000)
    one = np.zeros((3, 1)), np.array([0, 1])
    found = nearness.nearness((1, 2000), np.zeros(1, dtype=np.int64), *one, units, places, ends)
    np.testing.assert_allclose(found[0], 1 / np.maximum(great_circle_km(straight), 1), rtol=2e-15)


def random_values(draw, few):
    """Values of some units, many of them equal; some units have none, some have one value very often."""
    number = draw.integers(0, 30, size=draw.integers(1, 60)) * draw.integers(0, 2)
    value = draw.integers(0, few, size=number.sum())
    if draw.random() < 0.3:
        number[0] += 300
        value = np.append(np.full(300, 3), value)
    return Values(value, np.append(0, np.cumsum(number)), 1)


def test_values_in_common_are_counted_as_multisets():
    for seed in range(at_level(20, 100, 200)):
        draw = np.random.default_rng(seed)
        few = draw.integers(4, 40)
        sides = [random_values(draw, few) for _ in range(2)]
        units = [draw.permutation(len(side.ends) - 1)[: draw.integers(1, 60)] for side in sides]
        given = [(side.value, side.ends, some) for side, some in zip(sides, units, strict=True)]
        ours, theirs = (
            [Counter(side.value[side.ends[unit] : side.ends[unit + 1]].tolist()) for unit in some]
            for side, some in zip(sides, units, strict=True)
        )
        expected = [[(mine & yours).total() for yours in theirs] for mine in ours]
        size = 1 + max(side.largest for side in sides)
        for kind in (np.uint16, np.int32):
            found = common_values.values_in_common(*given[0], *given[1], size, np.empty(0, dtype=kind))
            np.testing.assert_array_equal(found, expected)
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
@pytest.mark.parametrize(
    "name", ["heatmap", "assignment", "row_count", "hours", "join", "gaps", "path", "everything"]
)
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
    for _, name, _ in pkgutil.iter_modules(kernels.__path__, f"{kernels.__name__}."):
        monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.delattr(name, raising=False)
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
from insanonym_core.mobility import kernels
from insanonym_core.runtime import compiled
from tests.mobility.test_kernels import check_tables, test_the_series_is_the_arcsine
from tests.mobility.test_kernels import test_values_in_common_are_counted_as_multisets
assert numba.config.BOUNDSCHECK
compiled.MIN_COMPILED_PAIRS = 0
check_tables(range(300))
test_the_series_is_the_arcsine()
test_values_in_common_are_counted_as_multisets()
"""


@pytest.mark.long
def test_nothing_outside_the_arrays_is_looked_at(tmp_path):
    # The compiler can check every position; kept elsewhere, that code does not take the fast one's place.
    checked = os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", BOUNDS], check=True, env=checked)
