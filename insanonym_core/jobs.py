"""A job: work under way, with progress, partial results and a cancel flag. It knows no widget."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from insanonym_core.store import PROCESS_STORE, Store


class CancelledError(Exception):
    """The job was cancelled: nobody waits for its result."""


class Job:
    """What a computation reports to, and asks whether to go on.

    `on_progress` is called with the title of each part before it begins, `on_partial` with each partial
    result (a Report with one family of measures). `store` holds what is kept between runs; it belongs to
    the session that made the job (without one: to this process). A job writes to nothing else that another
    job reads.
    """

    def __init__(
        self,
        on_progress: Callable[[str], None] | None = None,
        on_partial: Callable[[Any], None] | None = None,
        store: Store | None = None,
    ) -> None:
        self._on_progress, self._on_partial = on_progress, on_partial
        self.store = PROCESS_STORE if store is None else store
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Stop at the next part; may be called from any thread."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the result any more."""
        return self._cancelled.is_set()

    def progress(self, part: str) -> None:
        """A part begins; raises CancelledError when the job was cancelled."""
        if self.cancelled:
            raise CancelledError
        if self._on_progress is not None:
            self._on_progress(part)

    def partial(self, result: Any) -> None:
        """A partial result is there."""
        if self._on_partial is not None and not self.cancelled:
            self._on_partial(result)
