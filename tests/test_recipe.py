"""Recipes: the same numbers from the same file, and errors that say which step and field."""

import numpy as np
import pytest

from insanonym_core.errors import DataError, UsageError
from insanonym_core.randomness import SystemGenerator, random_tokens, step_generator
from insanonym_core.recipe import Recipe, Step, read_recipe, recipe_from_text, step_from_text
from tests.helpers import lines, track

TEXT = """
data: demo:mobility
seed: 7
rules: v2
steps:
  - pseudonymise: {}
  - planar_laplace: {radius: 200}
  - snap_to_grid: {decimals: 3}
"""
ROWS = lines(*(f"a, 2015-03-02 10:00:{i:02d}, 45.7, 4.8" for i in range(50)))


def test_a_recipe_of_the_specification():
    recipe = recipe_from_text(TEXT)
    assert recipe == Recipe(
        steps=(
            Step("pseudonymise"),
            Step("planar_laplace", {"radius": 200}),
            Step("snap_to_grid", {"decimals": 3}),
        ),
        data="demo:mobility",
        seed=7,
    )


def test_a_seed_repeats_and_no_seed_does_not():
    seeded, free = recipe_from_text(TEXT), recipe_from_text(TEXT.replace("seed: 7", ""))
    once, again = (seeded.apply(track(ROWS)).latitude.tolist() for _ in range(2))
    assert once == again
    assert free.apply(track(ROWS)).latitude.tolist() != free.apply(track(ROWS)).latitude.tolist()


def test_adding_a_step_leaves_the_draws_of_the_others():
    alone = Recipe((Step("gaussian_noise"),), seed=3).apply(track(ROWS))
    longer = Recipe((Step("pseudonymise"), Step("gaussian_noise")), seed=3).apply(track(ROWS))
    assert alone.latitude.tolist() == longer.latitude.tolist()
    twice = Recipe((Step("gaussian_noise"), Step("gaussian_noise")), seed=3).apply(track(ROWS))
    steps = (twice.latitude - alone.latitude, alone.latitude - 45.7)
    assert not np.allclose(steps[0], steps[1])


def test_steps_of_the_command_line():
    assert step_from_text("planar_laplace radius=200") == Step("planar_laplace", {"radius": "200"})
    for bad in ("cloak k", "cloak k=", "cloak =3", "cloak k=3 k=4", ""):
        with pytest.raises(UsageError):
            step_from_text(bad)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must have the fields"),
        ("- a", "must have the fields"),
        ("steps: [", "line 1: this is not YAML"),
        ("step: []", "no field 'step'; its fields are data, seed, rules, steps"),
        ("steps: {a: 1}", "steps must be a list"),
        ("steps: [3]", "Step 1 must read"),
        ("steps: [{a: 1, b: 2}]", "Step 1 must read"),
        ("steps: [pseudonymise, {blur: {}}]", "Step 2: There is no method 'blur'"),
        ("steps: [{cloak: {k: 0}}]", "Step 1: The 'k' of cloak must be a whole number from 1 to 100"),
        ("steps: [{cloak: {size: 3}}]", "Step 1: cloak has no parameter 'size'; its parameters are: k"),
        ("seed: x\nsteps: []", "seed of a recipe must be a whole number"),
        ("seed: -1\nsteps: []", "seed of a recipe must be a whole number"),
        ("rules: v3\nsteps: []", "rules of a recipe must be v1 or v2"),
        ("data: 3\nsteps: []", "data must be a file name"),
        ("a: &x [1]\nb: *x", "cannot use YAML aliases"),
        ("steps: " + "[" * 5000, "too deeply nested"),
        ("steps: []\nsteps: []", "line 1: 'steps' stands twice"),
        ("steps:\n  - cloak: {k: 1, k: 2}", "line 2: 'k' stands twice"),
        ("!!python/object/apply:os.system ['true']", "not YAML"),
        ("steps: [{2024-13-45: 1}]", "this is not YAML"),
    ],
)
def test_errors_name_the_place(tmp_path, text, message):
    path = tmp_path / "recipe.yaml"
    path.write_text(text)
    with pytest.raises(DataError, match=message) as caught:
        read_recipe(path)
    assert str(caught.value).startswith("recipe.yaml: ")


def test_files_that_are_none(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_recipe(tmp_path / "none.yaml")
    (tmp_path / "a.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="not UTF-8"):
        read_recipe(tmp_path / "a.yaml")


def test_tokens_differ_and_come_from_the_system_without_a_seed():
    assert len(set(random_tokens(step_generator(1, 1, "x"), 5000))) == 5000
    assert random_tokens(step_generator(1, 1, "x"), 3) == random_tokens(step_generator(1, 1, "x"), 3)
    free = step_generator(None, 1, "x")
    assert isinstance(free, SystemGenerator)
    assert random_tokens(free, 3) != random_tokens(free, 3)
    assert len(set(random_tokens(step_generator(1, 1, "x"), 16, digits=1))) == 16
