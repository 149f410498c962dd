"""The part of a parameter's range that is worth sweeping on some data."""

from __future__ import annotations

from typing import Any

import numpy as np

from insanonym_core.parameters import Parameter, Range
from insanonym_core.recipe import Recipe

_FEW = 10
_MANY = 400


def sweepable(parameter: Parameter) -> bool:
    """Whether it is a number that sets something."""
    return isinstance(parameter.constraint, Range) and not parameter.constraint.filled_in


def by_factors(allowed: Range) -> bool:
    """Whether its values are better spread by factors: a logarithmic slider, or whole numbers without end."""
    return allowed.scale == "log" or (allowed.whole and allowed.high - allowed.low > _MANY)


def worth_sweeping(parameter: Parameter, recipe: Recipe, data: Any = None) -> tuple[float, float]:
    """From where to where: what a number counts bounds it, where the data is at hand.

    A k of more than a tenth of the rows leaves a handful of classes or nothing at all; more components than
    columns, or more different values than a column has, are not there.
    """
    allowed = parameter.constraint
    if not isinstance(allowed, Range):
        raise TypeError(f"{parameter.name} is no number")
    if not allowed.whole or data is None:
        return allowed.low, allowed.high
    most = float(_most(allowed, recipe, data))
    return allowed.low, max(min(allowed.high, most), min(allowed.high, allowed.low + 1))


def _most(allowed: Range, recipe: Recipe, data: Any) -> float:
    if recipe.kind == "mobility":
        people = len(np.unique(data.individual))
        return max(_FEW, people // 2) if allowed.unit == "individuals" else allowed.high
    if allowed.unit in ("rows", "individuals"):
        return max(_FEW, len(data) // 10)
    if allowed.unit == "values":
        sensitive = [name for name in recipe.roles.get("sensitive", ()) if name in data.columns]
        return min((len(data.columns[name].values) for name in sensitive), default=_FEW)
    return max(_FEW, len(data.columns)) if allowed.high - allowed.low > _MANY else allowed.high
