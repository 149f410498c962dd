"""What there is to describe: every registered item and preset, and what items.yaml adds to each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from insanonym_core.kinds import Kind, all_kinds
from insanonym_core.presets import Preset, presets_of
from insanonym_core.registry import Entry, attacks, methods, metrics

FAMILIES = {
    "methods": "Methods",
    "privacy": "Privacy measures",
    "attacks": "Attacks",
    "utility": "Utility measures",
    "presets": "Presets",
}


@dataclass(frozen=True)
class Item:
    """One page: an item of a registry with all its rule sets, or a preset."""

    kind: Kind
    family: str
    name: str
    title: str
    entries: tuple[Entry, ...] = ()
    preset: Preset | None = None

    @property
    def path(self) -> str:
        """The place of its page in the site."""
        return f"reference/{self.kind.name}/{self.family}/{self.name}.md"

    @property
    def entry(self) -> Entry:
        """The first of its rule sets, which is the default one."""
        return self.entries[0]

    @property
    def first_sentence(self) -> str:
        """What it does, in one line."""
        if self.preset is not None:
            return "; ".join(step.written() for step in self.preset.recipe.steps) or "no step"
        return self.entry.help.partition("\n")[0]

    @property
    def added(self) -> Mapping[str, Any]:
        """What items.yaml says of it."""
        return additions().get(self.kind.name, {}).get(self.family, {}).get(self.name, {})


@cache
def additions() -> Mapping[str, Any]:
    """Rules of methods, limits of measures, and what examples need."""
    return yaml.safe_load(Path(__file__).with_name("items.yaml").read_text("utf-8"))


@cache
def our_kinds() -> tuple[Kind, ...]:
    """The kinds of this project, in the order of the tabs; a kind of another package documents itself."""
    return tuple(kind for kind in all_kinds().values() if kind.methods.startswith("insanonym_core."))


@cache
def items() -> tuple[Item, ...]:
    """All of them, in the order of the navigation."""
    return tuple(item for kind in our_kinds() for family in FAMILIES for item in _of_family(kind, family))


def _of_family(kind: Kind, family: str) -> list[Item]:
    if family == "presets":
        return [Item(kind, family, one.name, one.title, preset=one) for one in presets_of(kind)]
    registry = {"methods": methods, "attacks": attacks}.get(family, metrics)
    found: dict[str, list[Entry]] = {}
    for entry in registry.all(data=kind.name):
        if registry is not metrics or entry.family == family:
            found.setdefault(entry.name, []).append(entry)
    order = list(kind.rules)
    return [
        Item(kind, family, name, entries[0].title, tuple(sorted(entries, key=lambda one: _place(one, order))))
        for name, entries in found.items()
    ]


def _place(entry: Entry, order: list[str]) -> int:
    return order.index(entry.rules) if entry.rules in order else -1
