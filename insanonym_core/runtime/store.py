"""Cache between runs: each session has a store of its own, keyed by content.

A run activates the store of its job for its own thread. A method that can reuse something (the noise drawn
for another length, the neighbours searched for a larger k) calls `kept` or `updated`; without an active store
it computes. Keys must hold everything that decides the value (the digest of the data, parameters, the state
of a generator), and values are never changed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

Value = TypeVar("Value")
MAX_ITEMS = 16
MAX_ITEMS_OF = {"data": 4, "steps": 6, "noise": 2, "neighbours": 2, "common_week": 4}  # these are large


class _Turn:
    """The lock of a key, and how many threads hold it or wait for it."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.threads = 0


class Store:
    """Values by section and key; the least recently used of a section are dropped.

    Threads that want the same key wait for the first one; other keys are not blocked.
    """

    def __init__(self, max_items: int = MAX_ITEMS) -> None:
        self._max_items = max_items
        self._lock = threading.Lock()
        self._sections: dict[str, OrderedDict[Hashable, Any]] = {}
        self._turns: dict[tuple[str, Hashable], _Turn] = {}

    def get(self, section: str, key: Hashable, compute: Callable[[], Value]) -> Value:
        """The value, computed the first time."""

        def change(before: Value | None) -> Value:
            return compute() if before is None else before

        return self.update(section, key, change)

    def update(self, section: str, key: Hashable, change: Callable[[Value | None], Value]) -> Value:
        """The value that `change` makes of the one that is there (None at first); it replaces that one."""
        with self._turn(section, key):
            before = self.peek(section, key)
            after = change(cast("Value | None", before))
            if after is not before:
                self._put(section, key, after)
            return after

    @contextmanager
    def _turn(self, section: str, key: Hashable) -> Iterator[None]:
        """One thread at a time for each key; its lock is forgotten when nobody waits for it."""
        with self._lock:
            turn = self._turns.setdefault((section, key), _Turn())
            turn.threads += 1
        try:
            with turn.lock:
                yield
        finally:
            with self._lock:
                turn.threads -= 1
                if not turn.threads:
                    self._turns.pop((section, key), None)

    def peek(self, section: str, key: Hashable) -> object:
        """The value that is there; None without one."""
        with self._lock:
            values = self._sections.get(section)
            if values is None or key not in values:
                return None
            values.move_to_end(key)
            return values[key]

    def clear(self, *sections: str) -> None:
        """Forget what was kept: all sections, or some."""
        with self._lock:
            for section in sections or list(self._sections):
                self._sections.pop(section, None)

    def _put(self, section: str, key: Hashable, value: object) -> None:
        with self._lock:
            values = self._sections.setdefault(section, OrderedDict())
            values[key] = value
            values.move_to_end(key)
            while len(values) > min(self._max_items, MAX_ITEMS_OF.get(section, self._max_items)):
                values.popitem(last=False)


PROCESS_STORE = Store()
"""For whoever has no session: a notebook, a script."""
_active: ContextVar[Store | None] = ContextVar("insanonym_store", default=None)


@contextmanager
def using(store: Store) -> Iterator[None]:
    """Make a store the active one of this thread."""
    before = _active.set(store)
    try:
        yield
    finally:
        _active.reset(before)


def kept(section: str, key: Hashable, compute: Callable[[], Value]) -> Value:
    """A value from the active store, computed the first time; without a store it is computed."""
    store = _active.get()
    return compute() if store is None else store.get(section, key, compute)


def updated(section: str, key: Hashable, change: Callable[[Value | None], Value]) -> Value:
    """Like `kept`, for a value that is replaced when a better one is computed."""
    store = _active.get()
    return change(None) if store is None else store.update(section, key, change)
