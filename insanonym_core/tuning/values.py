"""Which values of a parameter a search chooses from: parts of ranges, choices, switches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from insanonym_core.kinds import Data
from insanonym_core.parameters import Choice, ColumnNames, Parameter, Range, Switch
from insanonym_core.recipe import Recipe
from insanonym_core.registry import Entry
from insanonym_core.sweep import worth_sweeping
from insanonym_core.sweep.span import by_factors

_STEPS_OF_A_SLIDER = 500
_REACH = 4.0  # how far around a recipe: so many times smaller or larger,
_SHARE_OF_RANGE = 0.25  # or this share of an evenly spaced range to both sides
Option = TypeVar("Option", bool, int, str)


class Sampler(Protocol):
    """Makes the choices; a name always stands for the same choice."""

    def choice(self, name: str, options: Sequence[Option]) -> Option: ...  # noqa: D102

    def number(  # noqa: D102
        self, name: str, low: float, high: float, *, whole: bool, log: bool
    ) -> float: ...


def free_parameters(entry: Entry) -> Iterator[Parameter]:
    """The parameters that a search may set."""
    for parameter in entry.parameters.values():
        constraint = parameter.constraint
        if isinstance(constraint, Choice | Switch | ColumnNames) or (
            isinstance(constraint, Range) and not constraint.filled_in
        ):
            yield parameter


def sampled(
    parameter: Parameter, label: str, recipe: Recipe, data: Data, sampler: Sampler, centre: object = None
) -> object:
    """The value of a parameter by the sampler's choices; near `centre`, if it is given."""
    constraint = parameter.constraint
    if isinstance(constraint, Switch):
        return sampler.choice(label, (False, True))
    if isinstance(constraint, Choice):
        return sampler.choice(label, constraint.values)
    assert isinstance(constraint, Range)  # noqa: S101  free_parameters has seen to it
    if constraint.zero and not sampler.choice(f"{label} is set", (False, True)):
        return 0
    low, high = searched(parameter, recipe, data)
    log = by_factors(constraint) and low > 0
    if isinstance(centre, int | float) and centre:
        low, high = _near(centre, low, high, log)
    if low == high:
        return low
    value = sampler.number(label, low, high, whole=constraint.whole, log=log)
    return _rounded(value, constraint, low, high)


def searched(parameter: Parameter, recipe: Recipe, data: Data) -> tuple[float, float]:
    """The part of a range that is searched: on this data, and above 0 where factors are counted."""
    constraint = parameter.constraint
    assert isinstance(constraint, Range)  # noqa: S101
    low, high = worth_sweeping(parameter, recipe, data)
    if low <= 0 and by_factors(constraint):
        low = 1.0 if constraint.whole else constraint.step or high / _STEPS_OF_A_SLIDER
    return (int(low), int(high)) if constraint.whole else (low, high)


def between(low: float, high: float, place: float, allowed: Range) -> float:
    """The number so far along a range, by factors where factors are counted."""
    log = by_factors(allowed) and low > 0
    value = low * (high / low) ** place if log else low + (high - low) * place
    return _rounded(value, allowed, low, high)


def _near(centre: float, low: float, high: float, log: bool) -> tuple[float, float]:
    below, above = (
        (centre / _REACH, centre * _REACH)
        if log
        else (centre - (high - low) * _SHARE_OF_RANGE, centre + (high - low) * _SHARE_OF_RANGE)
    )
    if isinstance(low, int):
        below, above = int(below), max(int(above), int(centre) + 1)
    near = max(low, below), min(high, above)
    return near if near[0] <= near[1] else (low, high)


def _rounded(value: float, allowed: Range, low: float, high: float) -> float:
    """Where a slider can stand: 0.86, not 0.857142; 316, not 316.22776."""
    if allowed.whole:
        return int(value)
    if allowed.step and allowed.scale == "linear":
        value = round(value / allowed.step) * allowed.step
    return float(f"{min(high, max(low, value)):.3g}")
