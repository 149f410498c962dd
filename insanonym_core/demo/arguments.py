"""Check the arguments of the generators of demonstration data."""

from __future__ import annotations

from collections.abc import Iterable

from insanonym_core.errors import UsageError, brief


def check_whole_numbers(owner: str, numbers: Iterable[tuple[str, object, int, int]]) -> None:
    """Raise a UsageError if a (name, value, minimum, maximum) is not an integer in its range."""
    for name, value, minimum, maximum in numbers:
        if isinstance(value, bool) or not isinstance(value, int) or not minimum <= value <= maximum:
            raise UsageError(
                "The '{name}' of {owner} must be a whole number from {minimum} to {maximum}, got {value}.",
                name=name,
                owner=owner,
                minimum=minimum,
                maximum=maximum,
                value=brief(value),
            )
