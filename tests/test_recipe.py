"""Recipes: the same numbers from the same file, and errors that say which step and field."""

from dataclasses import replace

import numpy as np
import pytest

from insanonym_core.errors import DataError, UsageError
from insanonym_core.experiment import make_release
from insanonym_core.numeric.randomness import SystemGenerator, random_tokens, step_generator
from insanonym_core.recipe import Recipe, Step, step_from_text
from insanonym_core.recipe_file import read_recipe, recipe_from_text, recipe_to_text, write_recipe
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


def released(recipe: Recipe):
    return make_release(recipe, track(ROWS)).release.release


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
    once, again = (released(seeded).latitude.tolist() for _ in range(2))
    assert once == again
    assert released(free).latitude.tolist() != released(free).latitude.tolist()


def test_adding_a_step_leaves_the_draws_of_the_others():
    """In demonstration data; over own data two such releases could be subtracted (tests/security/test_03)."""

    def released(recipe: Recipe):
        return make_release(recipe, replace(track(ROWS), demonstration=True)).release.release

    alone = released(Recipe((Step("gaussian_noise"),), seed=3))
    longer = released(Recipe((Step("pseudonymise"), Step("gaussian_noise")), seed=3))
    assert alone.latitude.tolist() == longer.latitude.tolist()
    twice = released(Recipe((Step("gaussian_noise"), Step("gaussian_noise")), seed=3))
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
        ("step: []", "no field 'step'; its fields are data, kind, seed, rules, roles"),
        ("steps: {a: 1}", "steps must be a list"),
        ("steps: [3]", "Step 1 must be written as"),
        ("steps: [{a: 1, b: 2}]", "Step 1 must be written as"),
        ("steps: [pseudonymise, {blur: {}}]", "Step 2: There is no method 'blur'"),
        ("steps: [{cloak: {k: 0}}]", "Step 1: The 'k' of cloak must be a whole number from 1 to 100"),
        ("steps: [{cloak: {size: 3}}]", "Step 1: cloak has no parameter 'size'; its parameters are: k"),
        ("seed: x\nsteps: []", "seed of a recipe must be a whole number"),
        ("seed: -1\nsteps: []", "seed of a recipe must be a whole number"),
        ("rules: v3\nsteps: []", "rules of a recipe must be v1 or v2"),
        ("data: 3\nsteps: []", "data must be a file name"),
        ("a: &x [1]\nb: *x", "cannot use YAML aliases"),
        ("steps: " + "[" * 5000, "too deeply nested"),
        ("steps: []\nsteps: []", "line 1: 'steps' is written twice"),
        ("steps:\n  - cloak: {k: 1, k: 2}", "line 2: 'k' is written twice"),
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


TABLE = """
data: demo:enrolments
seed: 1
roles:
  identifier: CODE_INDIVIDU
  quasi: [REGROUPEMENT_BAC, CONTINENT]
  by: ANNEE_INSCRIPTION
headline: {privacy: linkage}
steps:
  - suppress_rare_values: {k: 5, columns: [REGROUPEMENT_BAC, CONTINENT]}
  - mondrian: {k: 10}
"""


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TABLE,
        "data: demo:breast_cancer\nsteps: [{mix_neighbours: {k: 5, include_self: true}}]",
        "data: my.csv\nkind: avatars\nreading: {separator: ;, decimal: ',', without: [id]}\nsteps: []",
        "steps: []",
    ],
)
def test_written_and_read_back_it_is_the_same(text, tmp_path):
    recipe = recipe_from_text(text)
    assert recipe_from_text(recipe_to_text(recipe)) == recipe
    write_recipe(recipe, tmp_path / "r.yaml")
    assert read_recipe(tmp_path / "r.yaml").hash == recipe.hash


def test_the_hash_sees_what_decides_numbers_and_nothing_else():
    base = recipe_from_text(TEXT)
    assert recipe_from_text(TEXT.replace("200", "200.0")).hash == base.hash
    for old, new in (("200", "201"), ("seed: 7", "seed: 8"), ("rules: v2", "rules: v1")):
        assert recipe_from_text(TEXT.replace(old, new)).hash != base.hash
    assert len({base, recipe_from_text(TEXT)}) == 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (TEXT, "mobility"),
        (TABLE, "table"),
        ("steps: [{mondrian: {k: 3}}]", "table"),
        ("steps: [{mix_neighbours: {}}]", "avatars"),
        ("data: demo:diabetes\nsteps: []", "avatars"),
        ("steps: [{suppress_rare_values: {}}, {count_traces: {}}]", "traces"),
        ("steps: [pseudonymise]", "mobility"),
        ("kind: table\nsteps: [pseudonymise]", "table"),
        ("steps: []", "mobility"),
    ],
)
def test_the_kind_of_data_follows_from_data_and_steps(text, kind):
    assert recipe_from_text(text).kind == kind


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind: music", "kind must be one of mobility, table, traces, avatars, got 'music'"),
        ("roles: {qi: [a]}", "roles has no field 'qi'; its fields are identifier, quasi, sensitive, by"),
        ("roles: {quasi: 3}", "quasi must be names of columns"),
        ("roles: {identifier: 3}", "identifier must be the name of a column or a list of names, got 3"),
        ("roles: 3", "roles must be fields with values"),
        ("reading: {separator: 3}", "separator in reading must be a text"),
        ("headline: {beauty: x}", "headline has no field 'beauty'"),
        ("kind: table\nsteps: [cloak]", "Step 1: There is no method 'cloak' for table data"),
    ],
)
def test_fields_that_are_wrong(text, message):
    with pytest.raises(UsageError, match=message):
        recipe_from_text(text)
