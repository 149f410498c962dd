"""What is computed from data is kept with it, because data is never changed after it is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

Derived = TypeVar("Derived")


class KeepsDerived:
    """Data with a store of what was derived from it; several threads may ask at once."""

    _derived: dict[Any, Any]

    def derive(self, key: object, compute: Callable[[], Derived]) -> Derived:
        """Something computed from this data, once; of two threads the first decides, for both."""
        if key not in self._derived:
            self._derived.setdefault(key, compute())
        return cast(Derived, self._derived[key])

    def has_derived(self, key: object) -> bool:
        """Whether that was computed already."""
        return key in self._derived

    def remembered(self, key: object) -> Any:
        """What was stored last under this key; None before. It must never be changed, only replaced."""
        return self._derived.get(key)

    def remember(self, key: object, value: object) -> None:
        """Store an immutable value for the next run, in one assignment: other threads read the same data."""
        self._derived[key] = value
