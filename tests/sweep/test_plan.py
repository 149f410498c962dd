"""Plans of sweeps: axes, what they cover, and what is worth sweeping."""

import pytest

from insanonym_core.errors import UsageError
from insanonym_core.experiment import load
from insanonym_core.recipe import method_entry
from insanonym_core.recipe_file import recipe_from_text
from insanonym_core.sweep import axis_from_text, plan_sweep, sweepable, worth_sweeping
from tests.sweep.helpers import GAUSS, LAPLACE, OVER


def test_values_of_an_axis():
    radius = axis_from_text("planar_laplace.radius=10:1000:3").values(LAPLACE)
    assert radius == (10, 100, 1000) or radius == (10, 505, 1000)
    assert axis_from_text("planar_laplace.radius=5,10,5").values(LAPLACE) == (5, 10)
    avatars = recipe_from_text("data: demo:diabetes\nsteps: [mix_neighbours]")
    assert axis_from_text("mix_neighbours.k=2:8:3").values(avatars) == (2, 4, 8)
    assert axis_from_text("mix_neighbours.weights=published,exponential").values(avatars) == (
        "published",
        "exponential",
    )
    assert axis_from_text("mix_neighbours.k=2:4:50").values(avatars) == (2, 3, 4)


def test_long_ranges_of_whole_numbers_are_spread_by_factors():
    table = recipe_from_text("data: demo:patients\nsteps: [{mondrian: {k: 5}}]\nroles: {quasi: [age]}")
    assert axis_from_text("mondrian.k=1:64:7").values(table) == (1, 2, 4, 8, 16, 32, 64)
    city = recipe_from_text("data: demo:mobility\nsteps: [{delete_at_random: {}}]")
    assert axis_from_text("delete_at_random.share=0:1:4").values(city) == (0, 0.33, 0.67, 1)
    assert axis_from_text("delete_at_random.share=0.005:0.02:2").values(city) == (0.005, 0.02)


@pytest.mark.parametrize(
    ("over", "message"),
    [
        (["radius=1:2"], "An axis must be written as"),
        (["planar_laplace.radius="], "An axis must be written as"),
        (["planar_laplace.size=1:2:3"], "has no parameter 'size'"),
        (["planar_laplace.radius=a:b:c"], "low:high:points in numbers"),
        (["planar_laplace.radius=9:1:3"], "low ≤ high"),
        (["planar_laplace.radius=-5:1:3"], "must be a number from 0"),
        (["planar_laplace.radius=1:2:100000"], "1 to 1000 points"),
        (
            ["cloak.k=2:5:3"],
            "No recipe has a step for cloak.k; their steps are: planar_laplace, pseudonymise",
        ),
        (["planar_laplace#2.radius=1:2:3"], "No recipe has a step for planar_laplace#2.radius"),
        (OVER * 2, "swept twice"),
        ([], "at least one recipe and one axis"),
    ],
)
def test_wrong_axes(over, message):
    with pytest.raises(UsageError, match=message):
        plan_sweep({"a": LAPLACE}, over)


def test_a_plan_is_every_value_and_seed_of_every_recipe():
    plan = plan_sweep({"l": LAPLACE, "g": GAUSS}, [*OVER, "gaussian_noise.sigma=0,50"], seeds=3)
    assert len(plan.points) == (4 + 2) * 3
    assert {point.recipe.seed for point in plan.points} == {3, 4, 5}
    assert plan.units == {"planar_laplace.radius": "m", "gaussian_noise.sigma": "m"}
    assert (
        plan.hash
        == plan_sweep({"l": LAPLACE, "g": GAUSS}, [*OVER, "gaussian_noise.sigma=0,50"], seeds=3).hash
    )
    assert (
        plan.hash
        != plan_sweep({"l": LAPLACE, "g": GAUSS}, [*OVER, "gaussian_noise.sigma=0,51"], seeds=3).hash
    )
    other = recipe_from_text("data: demo:mobility\nrules: v1\nsteps: [{gaussian_noise: {}}]")
    with pytest.raises(UsageError, match="must have the same data"):
        plan_sweep({"l": LAPLACE, "o": other}, [*OVER, "gaussian_noise.sigma=0,50"])
    with pytest.raises(UsageError, match="number of seeds"):
        plan_sweep({"l": LAPLACE}, OVER, seeds=0)


def test_two_axes_make_a_grid():
    recipe = recipe_from_text("data: demo:mobility\nsteps: [{planar_laplace: {}}, {cloak: {}}]")
    plan = plan_sweep({"a": recipe}, ["planar_laplace.radius=0,100", "cloak.k=1,2,3"])
    assert len(plan.points) == 6
    assert dict(plan.points[-1].values) == {"planar_laplace.radius": 100, "cloak.k": 3}


def test_recipes_that_read_or_measure_otherwise_share_no_plot():
    base = "data: demo:diabetes\nkind: table\nroles: {quasi: [age, sex]}\nsteps: [mondrian]"
    for extra in ("\nreading: {decimal: ','}", "\nsettings: {linkage.known: 1}"):
        with pytest.raises(UsageError, match="must have the same data"):
            plan_sweep({"a": recipe_from_text(base), "b": recipe_from_text(base + extra)}, ["mondrian.k=2,3"])


@pytest.mark.parametrize(
    ("text", "method", "parameter", "span"),
    [
        ("data: demo:patients\nkind: table", "mondrian", "k", (1, 60)),
        ("data: demo:patients\nroles: {sensitive: [sex]}\nkind: table", "bucketise", "l", (1, 2)),
        ("data: demo:breast_cancer", "mix_neighbours", "k", (1, 56)),
        ("data: demo:breast_cancer", "mix_neighbours", "components", (0, 30)),
        ("data: demo:breast_cancer", "mix_neighbours", "variance", (0.01, 1)),
        ("data: demo:mobility", "cloak", "k", (1, 40)),
        ("data: demo:mobility", "planar_laplace", "radius", (0, 5000)),
    ],
)
def test_what_is_worth_sweeping_follows_from_the_data(text, method, parameter, span):
    recipe = recipe_from_text(f"{text}\nsteps: [{method}]")
    declared = method_entry(method, recipe.kind).parameters[parameter]
    assert sweepable(declared)
    assert worth_sweeping(declared, recipe, load(recipe)) == span
    allowed = declared.constraint
    assert worth_sweeping(declared, recipe) == (allowed.low, allowed.high)


def test_what_only_keeps_the_books_is_not_swept():
    declared = method_entry("grow_projection", "table").parameters
    assert [name for name, one in declared.items() if sweepable(one)] == ["max_loss", "k"]
