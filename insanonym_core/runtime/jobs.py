"""A job: work under way, with progress, partial results and a cancel flag. It knows no widget."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from insanonym_core.runtime.store import PROCESS_STORE, Store


class CancelledError(Exception):
    """The job was cancelled: nobody waits for its result."""


class Job:
    """Receives progress and partial results of a computation, and can cancel it.

    `on_progress` is called with the title of each part before it begins, `on_partial` with each partial
    result (a Report with one family of measures). `store` holds what is kept between runs; it belongs to
    the session that made the job (without one: to this process). A job writes to nothing else that another
    job reads.
    """

    def __init__(
        self,
        on_progress: Callable[[str], None] | None = None,
        on_partial: Callable[[Any], None] | None = None,  # Any: a Report, which this module cannot import
        store: Store | None = None,
    ) -> None:
        self._on_progress, self._on_partial = on_progress, on_partial
        self.store = PROCESS_STORE if store is None else store
        self._cancelled = threading.Event()
        self._part = ""

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

    def checkpoint(self, part: str) -> None:
        """Report progress inside a part; cheap, as only a change of the part is passed on."""
        if self.cancelled:
            raise CancelledError
        if part != self._part:
            self._part = part
            self.progress(part)

    def before_costly(self) -> None:
        """Costly measures come next: where a slider moves, a page waits here for it to rest."""

    def with_store(self, store: Store) -> Job:
        """A job that reports its progress to this one and is cancelled with it, with a store of its own."""
        job = Job(self.progress, store=store)
        job._cancelled = self._cancelled
        return job

    def partial(self, result: object) -> None:
        """Report a partial result."""
        if self._on_partial is not None and not self.cancelled:
            self._on_partial(result)


_active: ContextVar[Job | None] = ContextVar("insanonym_job", default=None)


@contextmanager
def working_for(job: Job) -> Iterator[None]:
    """Make a job the one that long computations of this thread report to."""
    before = _active.set(job)
    try:
        yield
    finally:
        _active.reset(before)


def stop_if_cancelled() -> None:
    """Raise CancelledError where the job of this thread was cancelled; for the loops of long computations."""
    job = _active.get()
    if job is not None and job.cancelled:
        raise CancelledError


def checkpoint(part: str) -> None:
    """Report a part of a long computation to the job of this thread, if there is one: `Job.checkpoint`."""
    job = _active.get()
    if job is not None:
        job.checkpoint(part)
