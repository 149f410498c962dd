"""A recipe: which data, which steps with which parameters, which seed. Data in a file, never code.

With a seed it decides every number: the same recipe gives the same report on the command line, in Python, in
a notebook and in the dashboard. Without a seed, as for every upload, each run draws anew. recipe_file reads
and writes it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from insanonym_core.errors import UsageError, brief, choices
from insanonym_core.kinds import Kind, all_kinds, kind_named
from insanonym_core.numeric.holders import min_holders
from insanonym_core.numeric.randomness import Draws
from insanonym_core.parameters import ParameterValues
from insanonym_core.registry import Entry, Method, methods
from insanonym_core.results.scores import JsonObject
from insanonym_core.texts import Phrase

DEFAULT_RULES = "v2"
_LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True)
class Step:
    """A method and the parameters that are set; the others keep their defaults."""

    method: str
    parameters: ParameterValues = field(default_factory=dict)

    def written(self) -> str:
        """The step as written on the command line: 'planar_laplace radius=200'."""
        return " ".join(
            [self.method, *(f"{name}={_plain(value)}" for name, value in self.parameters.items())]
        )


def _plain(value: object) -> str:
    if isinstance(value, tuple | list):
        return ",".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Recipe:
    """Everything that determines the numbers of a run (without a seed, except for random draws).

    `kind` of data follows from data and steps unless it is given. `settings` sets parameters of measures
    ('share', or 'meet.share' by name); `headline` names what stands for privacy and utility;
    `descriptions` tell the readers of a report what columns mean. `folder` is where the recipe's file lies:
    its data is looked for there first.
    """

    steps: tuple[Step, ...]
    data: str | None = None
    kind: str = ""
    seed: int | None = None
    rules: str = ""
    roles: ParameterValues = field(default_factory=dict)
    reading: ParameterValues = field(default_factory=dict)
    settings: ParameterValues = field(default_factory=dict)
    headline: Mapping[str, str] = field(default_factory=dict)
    descriptions: Mapping[str, str] = field(default_factory=dict)
    folder: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not self.kind:
            object.__setattr__(self, "kind", _kind_of(self.data, self.steps))
        kind = kind_named(self.kind)
        for name, known in (("reading", kind.reading), ("roles", kind.roles)):
            strange = [key for key in getattr(self, name) if key not in known]
            if strange:
                allowed = ", ".join(known) or Phrase("none")
                raise UsageError(
                    "A recipe of {kind} data has no {name} {strange}; allowed are: {allowed}.",
                    kind=self.kind,
                    name=name,
                    strange=brief(strange[0]),
                    allowed=allowed,
                )
        object.__setattr__(self, "settings", {name: _number(value) for name, value in self.settings.items()})
        checked = []
        for number, step in enumerate(self.steps, start=1):
            try:
                checked.append(checked_step(step, self.kind))
            except UsageError as error:
                raise UsageError("Step {number}: {error}", number=number, error=error) from None
        object.__setattr__(self, "steps", tuple(checked))
        if not self.rules:
            object.__setattr__(self, "rules", next(iter(kind.rules), DEFAULT_RULES))
        rules = sorted(kind.rules or {name for other in all_kinds().values() for name in other.rules})
        if self.rules not in rules:
            raise UsageError(
                "The rules of a recipe must be {allowed}, got {rules}.",
                allowed=choices(rules),
                rules=brief(self.rules),
            )
        if self.seed is not None and (
            isinstance(self.seed, bool)
            or not isinstance(self.seed, int)
            or not 0 <= self.seed <= _LARGEST_SEED
        ):
            raise UsageError(
                "The seed of a recipe must be a whole number from 0 to 2^63 − 1, got {seed}.",
                seed=brief(self.seed),
            )

    @property
    def data_kind(self) -> Kind:
        """The kind of data."""
        return kind_named(self.kind)

    @property
    def min_holders(self) -> int:
        """How many people must stand in a cell or a week for it to be shown: the largest k of the steps."""
        return min_holders(*(getattr(method, "k", 1) for method in self.methods()))

    def methods(self) -> Iterator[Method]:
        """Each step's method, built."""
        return (method_entry(step.method, self.kind).item(**step.parameters) for step in self.steps)

    def built(self, draws: Draws) -> Iterator[tuple[Method, np.random.Generator]]:
        """Each step's method, built, with its own generator."""
        seen: dict[str, int] = {}
        so_far = _roles_said(self.roles)
        for step, method in zip(self.steps, self.methods(), strict=True):
            seen[step.method] = seen.get(step.method, 0) + 1
            so_far += f" {method!r}"
            yield method, draws.generator(seen[step.method], step.method, so_far)

    def with_parameter(self, place: int, name: str, value: object) -> Recipe:
        """The recipe with one parameter of one step changed."""
        steps = list(self.steps)
        steps[place] = Step(steps[place].method, {**steps[place].parameters, name: value})
        return replace(self, steps=tuple(steps))

    def complete(self) -> Recipe:
        """The same recipe with every parameter of its steps written out, defaults included."""
        return replace(self, steps=tuple(_complete(step, self.kind) for step in self.steps))

    def without_folders(self) -> Recipe:
        """The same recipe with its data file by base name: folders of this machine are not handed over."""
        return replace(self, data=self.data_name or None)

    def written(self) -> str:
        """The steps in one line."""
        return " → ".join(step.written() for step in self.steps) or "unchanged"

    def plain(self) -> JsonObject:
        """The fields that are set, as in a recipe file."""
        return self._plain(self.steps, self.data)

    def _plain(self, steps: tuple[Step, ...], data: str | None) -> JsonObject:
        content: JsonObject = {"data": data, "kind": self.kind, "seed": self.seed}
        if self.data_kind.rules:
            content["rules"] = self.rules
        for name in ("roles", "reading", "settings", "headline", "descriptions"):
            content[name] = {key: _listed(value) for key, value in getattr(self, name).items()} or None
        content["steps"] = [
            {step.method: {name: _listed(value) for name, value in step.parameters.items()}} for step in steps
        ]
        return {name: value for name, value in content.items() if value is not None}

    @property
    def data_name(self) -> str:
        """The name of the data without its folders; empty if the recipe names none."""
        if not self.data or self.data.startswith("demo:"):
            return self.data or ""
        name = Path(self.data).name
        return f"./{name}" if name.startswith("demo:") else name  # a file, not demonstration data

    @property
    def place(self) -> Path | None:
        """The file of the data: beside the recipe if it is there, else where one is; None for made data."""
        if not self.data or self.data.startswith("demo:"):
            return None
        beside = Path(self.folder) / self.data
        try:
            return beside if self.folder and beside.exists() else Path(self.data)
        except OSError:  # a name that is too long: who opens it says so
            return Path(self.data)

    @property
    def hash(self) -> str:
        """Twelve digits that tell recipes apart.

        Defaults that are written out and the folder of the data make no difference: a report has the same
        hash as the recipe in it.
        """
        steps = tuple(_complete(step, self.kind) for step in self.steps)
        text = json.dumps(self._plain(steps, self.data_name or None), sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def __hash__(self) -> int:
        return hash(self.hash)


def identifiers_of(roles: ParameterValues) -> tuple[str, ...]:
    """The identifiers that a recipe's roles name, one or several; the first tells individuals apart."""
    named = roles.get("identifier") or ()
    return (named,) if isinstance(named, str) else tuple(named)


def _roles_said(roles: ParameterValues) -> str:
    """Roles as one text, the same whether they come from a file, options or a page."""
    said = {name: value for name, value in roles.items() if name not in ("identifier", "guessed")}
    lists = {
        name: (value,) if isinstance(value, str) else tuple(value) for name, value in said.items() if value
    }
    lists |= {"identifier": found} if (found := identifiers_of(roles)) else {}
    return repr(sorted(lists.items()))


def _number(value: object) -> object:
    """Write whole floats as integers, so that 3.0 and 3 are the same setting."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _listed(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _kind_of(data: str | None, steps: tuple[Step, ...]) -> str:
    """The first kind of data that is possible for this data and has all these methods.

    Of demonstration data a kind that offers it on its tab comes before one that only takes it.
    """
    kinds = all_kinds().values()
    demos = [kind for kind in kinds if data in kind.demos]
    demos.sort(key=lambda kind: not kind.demos[data or ""].offered)
    possible = [kind.name for kind in demos or kinds]
    fitting = [kind for kind in possible if all(_has(kind, step.method) for step in steps)]
    return fitting[0] if fitting else possible[0]


def _has(kind: str, method: str) -> bool:
    try:
        method_entry(method, kind)
    except UsageError:
        return False
    return True


def method_entry(name: str, kind: str) -> Entry:
    """The registered method of this name: one of the kind's own, or of a kind whose methods it uses."""
    for other in kind_named(kind).uses_methods:
        if name in {entry.name for entry in methods.all(data=other)}:
            return methods.get(name, data=other)
    return methods.get(name, data=kind)


def checked_step(step: Step, kind: str) -> Step:
    """The step with clean values: 200 and 200.0 are the same radius."""
    entry = method_entry(step.method, kind)
    method = entry.item(**step.parameters)
    return Step(
        step.method, {name: getattr(method, name) for name in entry.parameters if name in step.parameters}
    )


def _complete(step: Step, kind: str) -> Step:
    """The step with defaults filled in; what a run counts from its data (`filled_in`) is not written."""
    values = {
        name: parameter.default
        for name, parameter in method_entry(step.method, kind).parameters.items()
        if not getattr(parameter.constraint, "filled_in", False)
    }
    return Step(step.method, values | dict(step.parameters))


def step_from_text(text: str) -> Step:
    """A step as written on the command line: 'planar_laplace radius=200'."""
    name, *settings = text.split() or [""]
    if not name:
        raise UsageError(
            "A step must be written as 'method name=value …', such as 'cloak k=5', and this one is empty."
        )
    parameters: dict[str, Any] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key or not value:
            raise UsageError(
                "A step must be written as 'method name=value …', got {setting} in {text}.",
                setting=brief(setting),
                text=brief(text),
            )
        if key in parameters:
            raise UsageError("The step {text} sets {key} twice: leave one out.", text=brief(text), key=key)
        parameters[key] = value
    return Step(name, parameters)
