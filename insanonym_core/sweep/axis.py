"""An axis of a sweep: a parameter of a step and the values it takes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from insanonym_core.errors import UsageError, brief, choices
from insanonym_core.parameters import Parameter, Range
from insanonym_core.recipe import Recipe, method_entry
from insanonym_core.sweep.span import by_factors

MAX_VALUES = 1000
_FORM = re.compile(r"(?P<method>\w+)(#(?P<nth>\d+))?\.(?P<parameter>\w+)=(?P<values>.+)")
_HOW = ("method.parameter=low:high:points", "method.parameter=a,b,c")


@dataclass(frozen=True)
class Axis:
    """A parameter of the nth step of a method, and how its values were written."""

    method: str
    parameter: str
    written: str
    nth: int = 1

    @property
    def label(self) -> str:
        """planar_laplace.radius, or planar_laplace#2.radius for the second step of that method."""
        return f"{self.method}{'' if self.nth == 1 else f'#{self.nth}'}.{self.parameter}"

    def place(self, recipe: Recipe) -> int | None:
        """Which step of a recipe it moves; None where the recipe has no such step."""
        places = [place for place, step in enumerate(recipe.steps) if step.method == self.method]
        return places[self.nth - 1] if len(places) >= self.nth else None

    def declared(self, recipe: Recipe) -> Parameter:
        """The declaration of the parameter."""
        known = method_entry(self.method, recipe.kind).parameters
        if self.parameter not in known:
            raise UsageError(
                "{method} has no parameter '{parameter}'; its parameters are: {known}.",
                method=self.method,
                parameter=self.parameter,
                known=", ".join(known),
            )
        return known[self.parameter]

    def values(self, recipe: Recipe) -> tuple[object, ...]:
        """The values it takes, each once, checked against the declaration."""
        parameter = self.declared(recipe)
        span = self.written.split(":")
        if len(span) in (2, 3) and isinstance(parameter.constraint, Range):
            raw: Sequence[object] = _spaced(self.label, span, parameter.constraint)
        else:
            raw = [text.strip() for text in self.written.split(",") if text.strip()]
        if not raw or len(raw) > MAX_VALUES:
            raise UsageError(
                "{label} must take from 1 to {max_values} values, got {count}.",
                label=self.label,
                max_values=MAX_VALUES,
                count=len(raw),
            )
        checked = [parameter.check(value, self.method) for value in raw]
        return tuple(dict.fromkeys(checked))


def axis_from_text(text: str) -> Axis:
    """An axis as written on the command line: planar_laplace.radius=10:2000:20."""
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise UsageError(
            "An axis must be written as {how}, got {text}.", how=choices(map(repr, _HOW)), text=brief(text)
        )
    nth = int(found["nth"] or 1)
    if nth < 1:
        raise UsageError("The number after # counts the steps from 1, got {text}.", text=brief(text))
    return Axis(found["method"], found["parameter"], found["values"], nth)


def _spaced(label: str, span: list[str], allowed: Range) -> list[float]:
    """Evenly spaced values, by factors where the parameter's slider is logarithmic or without end."""
    try:
        low, high = float(span[0]), float(span[1])
        points = int(span[2]) if len(span) == 3 else 10
    except ValueError:
        raise UsageError(
            "{label} must be written as low:high:points in numbers, got {span}.",
            label=label,
            span=brief(":".join(span)),
        ) from None
    if not (np.isfinite([low, high]).all() and low <= high and 1 <= points <= MAX_VALUES):
        raise UsageError(
            "{label} needs low ≤ high and from 1 to {max_values} points, got {span}.",
            label=label,
            max_values=MAX_VALUES,
            span=brief(":".join(span)),
        )
    factors = low > 0 and by_factors(allowed)
    spaced = np.geomspace(low, high, points) if factors else np.linspace(low, high, points)
    if allowed.whole:
        return [int(value) for value in np.rint(spaced)]
    if allowed.step and allowed.scale == "linear":  # where the slider can stand: 0.86, not 0.8571
        spaced = np.clip(np.rint(spaced / allowed.step) * allowed.step, low, high)
    return [float(f"{value:.4g}") for value in spaced]  # 316.2, not 316.2277660168379
