"""The next recipe: between those of optuna come some that are like one of the best."""

import math
from collections import Counter

import numpy as np
import pytest

from insanonym_core.recipe import Recipe, Step
from insanonym_core.tuning.study import Study


class Valley:
    """A recipe of one choice and two numbers; `loss` is how far they are from where they should be."""

    def recipe(self, sampler):
        sampler.choice("method", ("a", "b", "c"))
        low = sampler.number("low", 0.001, 1.0, whole=False, log=True)
        many = sampler.number("many", 1, 1000, whole=True, log=True)
        assert 0.001 <= low <= 1
        assert 1 <= many <= 1000
        assert many == int(many)
        return Recipe((Step("mondrian", {"k": 2}),), kind="table")

    def starts(self):
        return iter(({"method": "a"}, {"method": "b"}, {"method": "c"}))


def loss(choices):
    away = abs(math.log(choices["low"] / 0.02)) + abs(math.log(choices["many"] / 50))
    return away / 10 + 0.5 * (choices["method"] != "b")


def tried(seed, *, random=False, trials=80, bounded=True):
    study = Study(Valley(), 1 if bounded else 2, seed, random)
    told = []
    for _ in range(trials):
        trial = study.ask()
        study.recipe(trial)
        choices = study.choices(trial)
        far = loss(choices)
        study.tell(
            trial, [1 - far] if bounded else [1 - far, far], {"0 privacy": 0.4 - far} if bounded else {}
        )
        told.append(choices)
    return told, study


@pytest.mark.parametrize("seed", range(5))
def test_it_comes_nearer_than_random_draws(seed):
    found, drawn = (min(map(loss, tried(seed, random=random)[0])) for random in (False, True))
    assert found < 0.05
    assert found < drawn


@pytest.mark.parametrize(("random", "fewest", "most"), [(False, 15, 80), (True, 0, 3)])
def test_many_recipes_keep_the_values_of_an_earlier_one(random, fewest, most):
    told, _ = tried(1, random=random)
    alike = [any(one["low"] == other["low"] for other in told[:place]) for place, one in enumerate(told)]
    assert fewest <= sum(alike) <= most
    assert len({one["method"] for one in told[40:]}) > 1, "and other methods are looked at still"


@pytest.mark.slow
def test_what_is_kept_no_other_beats():
    _, study = tried(2)
    numbers = [one.numbers for one in study._best]
    assert numbers == sorted(numbers, key=lambda one: -one[-1])
    assert sum(one.beats(other) for one in study._best for other in numbers) == len(numbers), "only itself"
    assert len(numbers) <= 10
    _, study = tried(2, bounded=False)
    assert len(study._best) > 10, "without bounds the whole front"


def test_of_two_aims_the_large_gaps_are_looked_at():
    study = Study(Valley(), 2, 1)
    for place, numbers in enumerate([(0.1, 0.9), (0.2, 0.89), (0.8, 0.2), (0.81, 0.19)]):
        study.add({"method": "a", "low": 0.01 + place / 100, "many": 5}, numbers, {})
    generator = np.random.default_rng(1)
    looked = Counter(study._best[study._worth_a_look(generator)].numbers for _ in range(200))
    assert looked[0.2, 0.89] + looked[0.8, 0.2] > 190


@pytest.mark.slow
def test_a_seed_repeats_it():
    assert tried(3)[0] == tried(3)[0] != tried(4)[0]
