"""Every kind of data is one declaration: what it names is there, and nothing else asks which kind it is."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

import insanonym_core
import insanonym_dashboard
from insanonym_core.errors import UsageError
from insanonym_core.experiment import load
from insanonym_core.kinds import Kind, all_kinds, kind_named
from insanonym_core.parameters import Choice
from insanonym_core.presets import preset_recipe, presets_of
from insanonym_core.recipe import Recipe
from insanonym_core.registry import attacks, methods, metrics

KINDS = [pytest.param(kind, id=name) for name, kind in all_kinds().items()]
OWN = ("mobility", "tabular", "traces", "avatars", "demo")
BRANCH = re.compile(r"(==|!=|\bin|case) [\[({]?\"(" + "|".join(all_kinds()) + r")\"")


@pytest.mark.parametrize("kind", KINDS)
def test_what_it_names_is_there(kind: Kind) -> None:
    for field in dataclasses.fields(kind):
        if field.type.startswith("Code"):
            found = kind.code(field.name)
            assert (found is None) == (getattr(kind, field.name) is None), field.name
    assert kind.code("panel") is not None
    assert list(methods.all(data=kind.name))
    assert list(metrics.all(data=kind.name))
    assert bool(list(attacks.all(data=kind.name))) == bool(kind.attacks)


@pytest.mark.parametrize("kind", KINDS)
def test_its_rule_sets_name_registered_scores(kind: Kind) -> None:
    for rules, names in kind.rules.items():
        for name in names:
            assert metrics.get(name, data=kind.name, rules=rules).family == "utility"


@pytest.mark.parametrize("kind", KINDS)
def test_the_settings_that_its_tab_offers_are_choices_of_its_measures(kind: Kind) -> None:
    for name in kind.chosen_settings:
        having = [entry for entry in metrics.all(data=kind.name) if name in entry.parameters]
        declared = {entry.parameters[name] for entry in having}
        assert len(declared) == 1, "one menu sets it for all of them"
        assert isinstance(declared.pop().constraint, Choice)


@pytest.mark.parametrize("kind", KINDS)
def test_its_presets_and_demonstrations_load(kind: Kind) -> None:
    for preset in presets_of(kind):
        assert preset.recipe == preset_recipe(kind, preset.name)
        assert preset.recipe.kind == kind.name
        assert preset.recipe.data in kind.demos
    with pytest.raises(UsageError, match="There is no preset 'x' for"):
        preset_recipe(kind, "x")
    for name in kind.demos:
        data = load(Recipe((), data=name, kind=kind.name))
        assert data.demonstration
        assert len(data) > 0
        assert len(data.digest()) >= 16


def test_an_unknown_kind_is_a_sentence() -> None:
    with pytest.raises(UsageError, match=r"must be one of mobility, table, traces, avatars.*, got 'moon'"):
        kind_named("moon")


def test_nothing_else_asks_which_kind_it_is() -> None:
    found = []
    for package in (insanonym_core, insanonym_dashboard):
        root = Path(package.__file__).parent
        for path in root.rglob("*.py"):
            inside = path.relative_to(root)
            if inside.parts[0] not in OWN and re.search(BRANCH, path.read_text("utf-8")):
                found.append(str(inside))
    assert found == []
    assert BRANCH.search('if recipe.kind not in ("mobility", "table"):')
