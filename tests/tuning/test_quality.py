"""What a search is good for: it reaches what our presets have, without having seen one.

These searches begin with each method alone at a few places of its ranges: no preset, no default.
"""

from dataclasses import replace
from functools import cache

import pytest

from insanonym_core.experiment import load
from insanonym_core.presets import all_presets
from insanonym_core.tuning import AllMethods, Search, Tuned, recipe_for, tune, wish_of
from insanonym_core.tuning.measure import Measured, joined_draws, measure, measures_of, seed_of

pytestmark = pytest.mark.long

PRESETS = [one for one in all_presets() if one.recipe.kind in ("table", "traces", "avatars")]
NAMED = pytest.mark.parametrize("preset", PRESETS, ids=lambda one: f"{one.recipe.kind}-{one.name}")
SEED = 4711  # of no search during development
TRIALS = 300
CLOSE = 0.01
DRAWS = 5


@cache
def beginning(data, kind):
    """The data and roles of a search."""
    base = recipe_for(data, kind)
    return base, load(base)


def found(data, kind, privacy, trials=TRIALS) -> Tuned:
    base, rows = beginning(data, kind)
    wish = wish_of(base, {"privacy": privacy})
    return tune(Search(base, wish, AllMethods(base, rows, defaults=False), trials, seed=SEED), data=rows)


def of_preset(preset) -> Measured:
    """Its numbers on fresh draws, by every attacker, with the roles that a search has."""
    base, rows = beginning(preset.recipe.data, preset.recipe.kind)
    recipe = replace(preset.recipe, roles=base.roles, seed=None)
    measures = measures_of(recipe, wish_of(recipe))
    seeds = (seed_of(SEED, "preset", number) for number in range(DRAWS))
    return joined_draws([measure(rows, None, recipe, seed, measures.every) for seed in seeds])


def test_no_preset_is_among_the_starts():
    for preset in all_presets():
        base, rows = beginning(preset.recipe.data, preset.recipe.kind)
        steps = preset.recipe.complete().steps
        for start in AllMethods(base, rows, defaults=False).starts():
            chosen = {name.partition(".")[2]: value for name, value in start.items() if "." in name}
            names = (start.get("step 1"), start.get("final"))
            same = all(step.method in names and chosen.items() <= step.parameters.items() for step in steps)
            assert not (chosen and same), (preset.name, start)


@NAMED
def test_what_a_preset_has_is_found(preset):
    """With the privacy of the preset as the bound, as much utility."""
    wanted = of_preset(preset)
    tuned = found(preset.recipe.data, preset.recipe.kind, wanted.privacy)
    assert tuned.found, tuned.reason()
    assert tuned.wish.holds(tuned.final.values)
    assert tuned.utility >= wanted.utility - CLOSE, tuned.recipe.written()


def test_the_city():
    tuned = found("demo:mobility", "mobility", 0.6)
    assert tuned.found, tuned.reason()
    assert tuned.privacy >= 0.6
    assert tuned.utility >= 0.68
    assert set(tuned.final.held_out) == {"attack.path", "attack.everything"}
