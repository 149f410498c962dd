"""Search spaces hold recipes that can be run, over everything that is registered."""

from dataclasses import replace

import numpy as np
import pytest

from insanonym_core.errors import InsanonymError, UsageError
from insanonym_core.experiment import load, make_release
from insanonym_core.kinds import all_kinds
from insanonym_core.parameters import ColumnNames
from insanonym_core.recipe import Recipe, Step, method_entry
from insanonym_core.registry import methods
from insanonym_core.tuning import AllMethods, Around, recipe_for

DEMOS = {"mobility": "demo:mobility", "table": "demo:patients", "traces": "demo:enrolments",
         "avatars": "demo:patients"}  # fmt: skip


class Drawn:
    """Choices at random."""

    def __init__(self, seed):
        self.generator = np.random.default_rng(seed)
        self.made = {}

    def choice(self, name, options):
        options = list(options)
        self.made[name] = options[self.generator.integers(len(options))]
        return self.made[name]

    def number(self, name, low, high, *, whole, log):
        assert low <= high
        assert low > 0 or not log
        drawn = (
            np.exp(self.generator.uniform(np.log(low), np.log(high)))
            if log
            else self.generator.uniform(low, high)
        )
        self.made[name] = round(drawn) if whole else float(drawn)
        return self.made[name]


class First(Drawn):
    """The first of all choices, the lowest of all numbers; or the last and the highest."""

    def __init__(self, place):
        super().__init__(0)
        self.place = place

    def choice(self, name, options):
        return list(options)[self.place]

    def number(self, name, low, high, *, whole, log):
        return high if self.place else low


def space_of(kind):
    base = recipe_for(DEMOS[kind], kind)
    return AllMethods(base, load(base))


@pytest.mark.parametrize("kind", DEMOS)
@pytest.mark.parametrize("seed", range(40))
def test_any_choices_are_a_recipe_of_declared_values(kind, seed):
    recipe = space_of(kind).recipe(Drawn(seed))
    assert 1 <= len(recipe.steps) <= 5
    names = [step.method for step in recipe.steps]
    assert len(set(names)) == len(names)
    entries = [method_entry(name, kind) for name in names]
    final = all_kinds()[kind].final_methods
    if any(entry.last for entry in methods.all(data=kind)) or final:
        assert entries[-1].last or names[-1] in final
    assert not any(one.last for one in entries[:-1])


@pytest.mark.parametrize("kind", DEMOS)
@pytest.mark.parametrize("place", [0, -1])
def test_the_ends_of_all_ranges_are_recipes(kind, place):
    space_of(kind).recipe(First(place))


@pytest.mark.parametrize("kind", DEMOS)
def test_each_method_is_tried_alone_first(kind):
    space = space_of(kind)
    alone = {name for start in space.starts() for name in (start.get("step 1"), start.get("final")) if name}
    own = {entry.name for entry in methods.all(data=kind)}
    assert own <= alone


def test_columns_are_those_of_the_recipe_or_suit_the_data():
    base = recipe_for("demo:enrolments", "traces")
    space = AllMethods(base, load(base))
    for seed in range(20):
        recipe = space.recipe(Drawn(seed))
        count = recipe.steps[-1]
        assert count.parameters["item"] == ("LIB_DIPLOME",)
        assert count.parameters["order"] == ("ANNEE_INSCRIPTION",)
        assert count.parameters["prefix"] in ((), ("REGROUPEMENT_BAC",))
    prefixes = {space.recipe(Drawn(seed)).steps[-1].parameters["prefix"] for seed in range(20)}
    assert len(prefixes) == 2, "a column that may be left out sometimes is"
    declared = [p.constraint for p in method_entry("count_traces", "traces").parameters.values()]
    assert sum(isinstance(one, ColumnNames) and one.optional for one in declared) == 1


@pytest.mark.slow
def test_a_start_recipe_makes_a_release():
    """Every default of a table can be run, and most of what is farther away."""
    base = recipe_for("demo:patients", "table")
    space = AllMethods(base, load(base))
    starts, others = list(space.starts()), list(replace(space, defaults=False).starts())
    assert starts[-len(others) :] == others
    failed = []
    for start in starts:
        sampler = First(0)
        sampler.choice = lambda name, options, start=start: start.get(name, next(iter(options)))
        sampler.number = lambda name, low, high, start=start, **_: start.get(name, low)
        recipe = space.recipe(sampler)
        try:
            make_release(recipe)
        except InsanonymError as error:
            failed.append((start, str(error)))
    assert not [one for one in failed if one[0] not in others]
    assert len(failed) < len(others) / 4


def test_only_some_methods():
    base = recipe_for("demo:mobility", "mobility")
    space = AllMethods(base, load(base), ("cloak", "jitter_time"))
    for seed in range(20):
        names = [step.method for step in space.recipe(Drawn(seed)).steps]
        assert set(names) <= {"cloak", "jitter_time", "pseudonymise"}
        assert names[-1] == "pseudonymise", "a release without pseudonyms protects nobody"
    with pytest.raises(
        UsageError, match="There is no method cloke for mobility data; choose from: pseudonymise"
    ):
        AllMethods(base, load(base), ("cloke",))


def test_around_a_recipe():
    steps = (
        Step("jitter_time", {"hours": 12.0}),
        Step("planar_laplace", {"radius": 800.0}),
        Step("pseudonymise"),
    )
    base = Recipe(steps, data="demo:mobility")
    space = Around(base, load(base))
    order = [step.method for step in steps]
    for seed in range(40):
        recipe = space.recipe(Drawn(seed))
        names = [step.method for step in recipe.steps]
        assert names == [name for name in order if name in names]
        assert names[-1] == "pseudonymise"
        for step in recipe.steps:
            assert 200 <= step.parameters.get("radius", 800) <= 3200
            assert 0 <= step.parameters.get("hours", 12) <= 33
    start = next(space.starts())
    assert (start["1 jitter_time.hours"], start["2 planar_laplace.radius"]) == (12.0, 800.0)
    with pytest.raises(UsageError, match="has no steps"):
        Around(Recipe((), data="demo:mobility"), load(base))
