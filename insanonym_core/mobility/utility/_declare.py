"""Decorator that registers the utility scores of mobility."""

from __future__ import annotations

import functools
from collections.abc import Callable

from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.sums import Sums
from insanonym_core.parameters import parameters_of
from insanonym_core.registry import Item, metrics
from insanonym_core.results.scores import Score


def utility_score(
    name: str,
    *,
    title: str,
    formula: str,
    rules: str = "",
    order: int = 100,
    sums: Callable[..., Sums] | None = None,
) -> Callable[[Item], Callable[..., Score]]:
    """Decorator: register a score between 0 and 1; an unchanged release scores 1.

    The decorated function takes the pair; with `sums`, it takes the result of `sums(pair)`, added over parts.
    """

    def declare(function: Item) -> Callable[..., Score]:
        defaults = {name: parameter.default for name, parameter in parameters_of(function).items()}

        @functools.wraps(function)
        def score_pair(pair: Pair, **values: object) -> Score:
            return function(sums(pair, **defaults | values) if sums else pair, **values)

        return metrics.add(
            name,
            data="mobility",
            family="utility",
            rules=rules,
            title=title,
            formula=formula,
            order=order,
            better="higher",
            bounds=(0, 1),
            ideal=1.0,
            sums=sums,
            finish=function if sums else None,
        )(score_pair)

    return declare
