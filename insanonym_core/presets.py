"""Recipes worth starting from: YAML files in the folder `presets` of a kind's package.

Each file is a recipe with three fields more: `title`, `order` (its place in menus) and `measured`, the
headlines of this recipe with its seed, and the data they were measured on. The one with `opens: true` is
what the tab of its kind opens with; without one it is the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from insanonym_core.errors import UsageError, brief
from insanonym_core.kinds import Kind, all_kinds
from insanonym_core.recipe import Recipe
from insanonym_core.recipe_file import content_from_text, recipe_from_content
from insanonym_core.texts import Phrase

_OWN_FIELDS = ("title", "order", "opens", "measured")


@dataclass(frozen=True)
class Preset:
    """A recipe on demonstration data, and its measured headlines there."""

    name: str
    title: str
    recipe: Recipe
    order: int = 100
    opens: bool = False
    measured: Mapping[str, Any] = field(default_factory=dict)  # Any: numbers and a name
    """utility, privacy and `on`, the name of the data; empty where nobody measured."""

    def facts(self) -> dict[str, Any]:  # Any: what JSON holds
        """The preset as printed by `insanonym list presets --json`."""
        return {
            "name": self.name,
            "kind": self.recipe.kind,
            "title": self.title,
            "steps": self.recipe.plain()["steps"],
            "measured": dict(self.measured),
        }


@cache
def presets_of(kind: Kind) -> tuple[Preset, ...]:
    """The presets of a kind, in the order of its menu."""
    folder = files(kind.presets).joinpath("presets")
    found = [
        _preset(kind, file.name.removesuffix(".yaml"), file.read_text("utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".yaml")
    ]
    if not found:
        raise UsageError(
            "{kind} data has no preset: put one into the folder presets of its package.", kind=kind.name
        )
    return tuple(sorted(found, key=lambda one: (one.order, one.name)))


def all_presets() -> tuple[Preset, ...]:
    """The presets of every kind that is installed."""
    return tuple(one for kind in all_kinds().values() for one in presets_of(kind))


def preset_recipe(kind: Kind, name: str = "") -> Recipe:
    """The recipe of a preset; without a name, of the one that the tab of the kind opens with."""
    known = presets_of(kind)
    if not name:
        return next((one for one in known if one.opens), known[0]).recipe
    found = next((one for one in known if one.name == name), None)
    if found is None:
        names = ", ".join(one.name for one in known)
        raise UsageError(
            "There is no preset {name} for {data}; choose from: {names}.",
            name=brief(name),
            data=Phrase(kind.data_title),
            names=names,
        )
    return found.recipe


def _preset(kind: Kind, name: str, text: str) -> Preset:
    content = content_from_text(text)
    own = {field_name: content.pop(field_name) for field_name in _OWN_FIELDS if field_name in content}
    recipe = recipe_from_content(content | {"kind": kind.name})
    demo = kind.demos.get(recipe.data or "")
    if demo is not None and not recipe.roles:
        recipe = replace(recipe, roles=demo.roles)
    return Preset(name, recipe=recipe, **own)
