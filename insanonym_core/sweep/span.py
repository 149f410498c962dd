"""The part of a parameter's range that is worth sweeping on some data."""

from __future__ import annotations

from insanonym_core.kinds import Data
from insanonym_core.parameters import Parameter, Range
from insanonym_core.recipe import Recipe

_MANY = 400


def sweepable(parameter: Parameter) -> bool:
    """Whether a parameter is numeric and set by the user."""
    return isinstance(parameter.constraint, Range) and not parameter.constraint.filled_in


def by_factors(allowed: Range) -> bool:
    """Whether its values are better spread by factors: a logarithmic slider, or whole numbers without end."""
    return allowed.scale == "log" or (allowed.whole and allowed.high - allowed.low > _MANY)


def worth_sweeping(parameter: Parameter, recipe: Recipe, data: Data | None = None) -> tuple[float, float]:
    """Range of a parameter to sweep: what the number counts limits it, if the data is available."""
    allowed = parameter.constraint
    if not isinstance(allowed, Range):
        raise TypeError(f"{parameter.name} is no number")
    if not allowed.whole or data is None:
        return allowed.low, allowed.high
    largest = recipe.data_kind.largest_value(parameter, recipe, data)
    return allowed.low, max(min(allowed.high, largest), min(allowed.high, allowed.low + 1))
