"""Search spaces: which recipes there are, as a sequence of choices that a sampler makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from insanonym_core.errors import UsageError
from insanonym_core.kinds import Data
from insanonym_core.parameters import Choice, ColumnNames, Parameter, Range, Switch
from insanonym_core.recipe import Recipe, Step, method_entry
from insanonym_core.registry import Entry, methods
from insanonym_core.texts import Phrase
from insanonym_core.tuning.values import Sampler, between, free_parameters, sampled, searched

MAX_STEPS = 5
_PLACES = (1 / 6, 1 / 2, 5 / 6)  # of the first range of a method, where a search begins
_NONE = ""


class Space(Protocol):
    """Recipes to choose from."""

    def recipe(self, sampler: Sampler) -> Recipe:
        """The recipe of the sampler's choices."""

    def starts(self) -> Iterator[dict[str, object]]:
        """Choices worth trying first, by name; what they leave open is the sampler's."""


@dataclass(frozen=True)
class AllMethods:
    """Ordered steps out of the methods of a kind, each at most once, with any parameters.

    `base` names the data, roles and headlines; its own steps only tell columns. `only` keeps to some methods.
    Without `defaults` a search does not begin with the default parameters alone.
    """

    base: Recipe
    data: Data
    only: tuple[str, ...] = ()
    defaults: bool = True

    def __post_init__(self) -> None:
        known = [entry.name for entry in self._known()]
        strange = next((name for name in self.only if name not in known), None)
        if strange is not None:
            raise UsageError(
                "There is no {sort} {name} for {data} data; choose from: {known}.",
                sort=Phrase("method"),
                name=strange,
                data=self.base.kind,
                known=", ".join(known),
            )
        if not self._wanted:
            raise UsageError("There is no method to choose from: name at least one.")

    def _known(self) -> list[Entry]:
        kind = self.base.data_kind
        own = list(methods.all(data=kind.name))
        others = (entry for other in kind.uses_methods for entry in methods.all(data=other))
        return [*own, *(entry for entry in others if not entry.last)]

    @cached_property
    def _wanted(self) -> list[Entry]:
        return [entry for entry in self._known() if not self.only or entry.name in self.only]

    @cached_property
    def _final(self) -> list[str]:
        """The methods of which one ends a recipe."""
        named = self.base.data_kind.final_methods
        final = [entry.name for entry in self._wanted if entry.last or entry.name in named]
        return final or list(named)

    @cached_property
    def _before(self) -> list[str]:
        return [entry.name for entry in self._wanted if entry.name not in self._final]

    def recipe(self, sampler: Sampler) -> Recipe:
        """As many steps as the sampler says, then a final one."""
        final = sampler.choice("final", self._final) if self._final else _NONE
        room = MAX_STEPS - bool(final)
        count = int(sampler.choice("steps", range(min(room, len(self._before)) + 1)))
        chosen = [sampler.choice(f"step {number}", self._before) for number in range(1, count + 1)]
        names = [*dict.fromkeys(chosen), *([final] if final else [])]
        if not names:
            names = [sampler.choice("step 1", self._before)]
        steps = [self._step(name, sampler) for name in names]
        return replace(self.base, steps=tuple(steps))

    def starts(self) -> Iterator[dict[str, object]]:
        """Each method alone: with its default parameters, and with its first number at some places."""
        own = [step.method for step in self.base.steps if step.method in self._final]
        first: dict[str, object] = {"final": (own or self._final)[0]} if self._final else {}
        for place in (None, *_PLACES) if self.defaults else _PLACES:
            for name in (*self._before, *self._final):
                values = self._defaults(name) if place is None else self._at(name, place)
                if not values and place not in (None, _PLACES[0]):
                    continue  # it has no range: once is enough
                if name in self._final:
                    yield {"final": name, "steps": 0, **values}
                else:
                    yield {**first, "steps": 1, "step 1": name, **values}

    def _at(self, name: str, place: float) -> dict[str, object]:
        """Its default parameters but for its first number, so far along the range; {} without one."""
        for parameter in free_parameters(method_entry(name, self.base.kind)):
            constraint = parameter.constraint
            if isinstance(constraint, Range):
                low, high = searched(parameter, self.base, self.data)
                label = f"{name}.{parameter.name}"
                return {**self._defaults(name), label: between(low, high, place, constraint)}
        return {}

    def _step(self, name: str, sampler: Sampler) -> Step:
        template = self._templates[name]
        values = dict(template.parameters)
        if name in self.base.data_kind.final_methods:
            return template
        for parameter in free_parameters(method_entry(name, self.base.kind)):
            label = f"{name}.{parameter.name}"
            if isinstance(parameter.constraint, ColumnNames):
                options = self._columns(parameter, values.get(parameter.name, ()))
                if len(options) > 1:
                    values[parameter.name] = (chosen,) if (chosen := sampler.choice(label, options)) else ()
            else:
                values[parameter.name] = sampled(parameter, label, self.base, self.data, sampler)
        return Step(name, values)

    def _columns(self, parameter: Parameter, given: tuple[str, ...]) -> list[str]:
        """Single columns to choose from: those that play the same part, and none where it may be left out."""
        constraint = parameter.constraint
        if not isinstance(constraint, ColumnNames) or not constraint.single or not given:
            return []
        if constraint.optional:
            return [given[0], _NONE]
        quasi = self.base.roles.get("quasi", ())
        return list(dict.fromkeys((given[0], *quasi))) if given[0] in quasi else [given[0]]

    @cached_property
    def _templates(self) -> dict[str, Step]:
        """Steps with the columns that they need: those of the base recipe, or what suits the data."""
        last = tuple(step for step in self.base.steps if step.method in self._final)[-1:]
        return {name: self._new_template(name, last) for name in (*self._before, *self._final)}

    def _new_template(self, name: str, last: tuple[Step, ...]) -> Step:
        own = next((step for step in self.base.steps if step.method == name), None)
        if own is None:
            new_step = self.base.data_kind.code("new_step")
            plan = replace(self.base, steps=last)
            own = Step(name) if new_step is None else new_step(name, plan, self.data, 0, 0)
        declared = method_entry(name, self.base.kind).parameters
        columns = {
            key: value
            for key, value in own.parameters.items()
            if isinstance(declared[key].constraint, ColumnNames)
        }
        return Step(name, columns)

    def _defaults(self, name: str) -> dict[str, object]:
        """Default parameters, as far as they are inside the ranges that are searched."""
        chosen: dict[str, object] = {}
        for parameter in free_parameters(method_entry(name, self.base.kind)):
            constraint = parameter.constraint
            if isinstance(constraint, Choice | Switch):
                chosen[f"{name}.{parameter.name}"] = parameter.default
            elif isinstance(constraint, Range):
                low, high = searched(parameter, self.base, self.data)
                label = f"{name}.{parameter.name}"
                if constraint.zero:
                    chosen[f"{label} is set"] = bool(parameter.default)
                if low <= parameter.default <= high:
                    chosen[label] = parameter.default
        return chosen


@dataclass(frozen=True)
class Around:
    """Recipes like another one: its steps, some left out, with parameters near their values."""

    base: Recipe
    data: Data

    def __post_init__(self) -> None:
        if not self.base.steps:
            raise UsageError("The recipe to search around has no steps: add one.")

    def recipe(self, sampler: Sampler) -> Recipe:
        """The steps that the sampler keeps."""
        last = len(self.base.steps) - 1
        keep = [
            place == last or sampler.choice(f"keep step {place + 1}", (True, False))
            for place in range(last + 1)
        ]
        steps = [
            self._step(place, step, sampler) for place, step in enumerate(self.base.steps) if keep[place]
        ]
        return replace(self.base, steps=tuple(steps))

    def starts(self) -> Iterator[dict[str, object]]:
        """The recipe itself."""
        chosen: dict[str, object] = {f"keep step {place}": True for place in range(1, len(self.base.steps))}
        for place, step in enumerate(self.base.complete().steps, start=1):
            for parameter in free_parameters(method_entry(step.method, self.base.kind)):
                if not isinstance(parameter.constraint, ColumnNames):
                    label = f"{place} {step.method}.{parameter.name}"
                    value = step.parameters[parameter.name]
                    if isinstance(parameter.constraint, Range) and parameter.constraint.zero:
                        chosen[f"{label} is set"] = bool(value)
                    chosen[label] = value
        yield chosen

    def _step(self, place: int, step: Step, sampler: Sampler) -> Step:
        values = dict(step.parameters)
        for parameter in free_parameters(method_entry(step.method, self.base.kind)):
            if isinstance(parameter.constraint, ColumnNames):
                continue
            label = f"{place + 1} {step.method}.{parameter.name}"
            centre = step.parameters.get(parameter.name, parameter.default)
            values[parameter.name] = sampled(parameter, label, self.base, self.data, sampler, centre)
        return Step(step.method, values)
