"""Values derived from data that never changes, computed once and kept with it.

They are functions of that data alone, the same whoever asks. What depends on a run (a seed, settings) is kept
in the store of its session (runtime/store.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

Derived = TypeVar("Derived")


class KeepsDerived:
    """Data with a store of what was derived from it; several threads may ask at once."""

    _derived: dict[object, object]

    def derive(self, key: object, compute: Callable[[], Derived]) -> Derived:
        """Something computed from this data, once; of two threads the first decides, for both."""
        if key not in self._derived:
            self._derived.setdefault(key, compute())
        return cast(Derived, self._derived[key])
