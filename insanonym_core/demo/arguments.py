"""What the generators of demonstration data accept."""

from __future__ import annotations

from collections.abc import Iterable

from insanonym_core.errors import UsageError


def check_whole_numbers(owner: str, numbers: Iterable[tuple[str, object, int, int]]) -> None:
    """Refuse an argument (name, value, least, most) that is no whole number in its range."""
    for name, value, least, most in numbers:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise UsageError(
                f"The '{name}' of {owner} must be a whole number from {least} to {most}, got {value!r}."
            )
