"""What all utility scores of mobility have in common, said once."""

from __future__ import annotations

from collections.abc import Callable

from insanonym_core.registry import Item, metrics


def utility_score(
    name: str, *, title: str, formula: str, rules: str = "", order: int = 100
) -> Callable[[Item], Item]:
    """Decorator: register a score between 0 and 1, of which an unchanged release gets 1."""
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
    )
