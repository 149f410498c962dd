"""Background jobs of a page: one thread; a newer job cancels older ones.

A kernel answers sliders in its main thread. Computing there would queue every position of a dragged slider;
here only the newest is computed, and what is under way stops at its next part when it is cancelled.
"""

from __future__ import annotations

import asyncio
import math
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import psutil

from insanonym_core.runtime import turns
from insanonym_core.runtime.jobs import CancelledError, Job
from insanonym_core.runtime.memory import give_back
from insanonym_core.runtime.store import Store

SLOW = 0.3  # seconds after which the page says what is being computed

# Seconds. A message takes several turns of Python, each of which waits as long where a worker computes.
_TURN = 0.0002

_MAX_WAIT = 1.0  # seconds: a page that answers something else first is not waited for
# Jobs within _DRAG seconds of each other are a slider being dragged. Then the first partial result is shown
# at every move, and the rest is begun only where no newer job comes within _PAUSE, or once in _DRAG: a
# browser that draws everything at every move shows nothing in time.
_DRAG, _PAUSE = 0.25, 0.06
# Costly measures that the next move would throw away, and keep waiting meanwhile, are not begun: after a move
# that came within _MOVING seconds of the one before, they begin when no other has come for _REST.
_MOVING, _REST = 1.0, 0.5
# Memory goes back to the system when no job has come for this long. What is given back after each move has to
# be mapped and cleared anew by the next one, which takes as long as the scores themselves.
_TIDY = 1.0  # seconds
_WORDS = 0.25  # seconds for which the page says one thing that is computed: each word is a message to it

_LOOK, _IDLE, _MAX_BUSY = 0.4, 0.7, 20.0  # seconds; cores that are idle meanwhile; seconds

Work = Callable[[Job], Any]
Done = Callable[[Any, Exception | None], None]


class PageJob(Job):
    """A job of a worker: partial results and the end are handled in the main thread."""

    def __init__(
        self,
        worker: Worker,
        work: Work,
        done: Done,
        on_partial: Callable[[Any], None] | None,
        store: Store | None,
    ) -> None:
        super().__init__(store=store)
        self._worker, self.work, self.done, self._show = worker, work, done, on_partial
        self._began = self._said = time.monotonic()
        self._word, self._saying = "", False  # the newest part; whether the page is about to be told
        self._showed_part = False  # and more is to come
        self.end_turn: Callable[[], None] | None = None

    def begin(self) -> None:
        """The work starts now."""
        self._began = time.monotonic()

    def progress(self, part: str) -> None:
        """A part begins; told to the page when the job takes long."""
        if self._showed_part:
            self._showed_part = False
            self._worker.pause_in_drag(self)
            if self.end_turn is None:
                self.end_turn = turns.take(lambda: self.cancelled)
        super().progress(part)
        now = time.monotonic()  # work is mostly short
        if now - self._began > SLOW:
            self._word = part  # before it is looked whether a word is about to be said: then it is this one
            if not self._saying:
                self._saying, left = True, self._said + _WORDS - now
                self._worker.post(lambda: self._worker.soon(left, self._say) if left > 0 else self._say())

    def _say(self) -> None:
        """Tell the page the newest part, in the main thread."""
        self._saying, self._said = False, time.monotonic()
        if self._worker.has_open(self):
            self._worker.say_busy(self._word)

    def before_costly(self) -> None:
        """Wait for the slider to rest, without a turn that another page could have meanwhile."""
        if self._worker.is_moving and not self.cancelled:
            self.give_up_turn()
            self._showed_part = True  # a turn is taken again for the rest
            self._worker.wait_for_rest(self)

    def give_up_turn(self) -> None:
        """End the turn that was taken for the part after the first figure, if there is one."""
        if self.end_turn is not None:
            self.end_turn()
            self.end_turn = None

    def partial(self, result: Any) -> None:
        """Show a partial result; waits until that is done, so that the main thread has Python to itself."""
        if self._show is None:
            return
        shown, show = threading.Event(), self._show

        def handle() -> None:
            try:
                if not self.cancelled:
                    show(result)
            finally:
                shown.set()

        self._worker.post(handle)
        shown.wait(_MAX_WAIT)
        self._showed_part = True


class Worker:
    """Runs the newest job; `done(result, error)` and `busy(text)` are called in the main thread.

    With `keep_all` a later job does not cancel an earlier one: all are done, in the order they came. `store`
    is that of the session.
    """

    def __init__(
        self,
        busy: Callable[[str], None] = lambda text: None,
        *,
        keep_all: bool = False,
        store: Store | None = None,
    ) -> None:
        self.say_busy, self._keep_all, self._store = busy, keep_all, store
        self._changed = threading.Condition()
        self._waiting: deque[PageJob] = deque()
        self._open: list[PageJob] = []  # neither finished nor cancelled
        self._submitted = self._tried = -math.inf  # when a job came; when the rest of one was begun
        self._dragged = self.is_moving = False
        self._thread: threading.Thread | None = None
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None

    def submit(
        self, work: Work, done: Done, name: str = "", on_partial: Callable[[Any], None] | None = None
    ) -> PageJob:
        """Run a job instead of earlier ones; immediately if there is no event loop (tests).

        A job with a `name` is known to take long: the page shows the name from the start.
        """
        now = time.monotonic()
        job = PageJob(self, work, done, on_partial, self._store)
        with self._changed:
            if not self._keep_all:
                self._cancel_all()
            self._open.append(job)
            self._waiting.append(job)
            self._dragged = now - self._submitted < _DRAG and not self._keep_all
            self.is_moving = now - self._submitted < _MOVING and not self._keep_all
            self._submitted = now
            self._changed.notify_all()
        if name:
            self.say_busy(name)
        if self._loop is None:
            self._do_one()
        elif self._thread is None:
            sys.setswitchinterval(_TURN)
            self._thread = threading.Thread(target=self._run, name="insanonym", daemon=True)
            self._thread.start()
        return job

    @property
    def idle(self) -> bool:
        """Whether no job is queued or running."""
        return not self._open

    def has_open(self, job: PageJob) -> bool:
        """Whether a job is neither finished nor cancelled."""
        return job in self._open

    def soon(self, seconds: float, call: Callable[[], None]) -> None:
        """Call this in the main thread a little later; at once where there is no event loop."""
        if self._loop is None:
            call()
        else:
            self._loop.call_later(seconds, call)

    def wait_until_idle(self, job: Job) -> None:
        """Wait, in a job that nobody waits for, until the machine has time for it."""
        end = time.monotonic() + _MAX_BUSY
        while self._loop is not None and time.monotonic() < end:
            before, began = psutil.cpu_times().idle, time.monotonic()
            for _ in range(5):
                job.checkpoint("Fresh draws")
                time.sleep(_LOOK / 5)
            if psutil.cpu_times().idle - before > _IDLE * (time.monotonic() - began):
                return

    def cancel(self) -> None:
        """Cancel the queued and the running jobs."""
        with self._changed:
            self._cancel_all()
            self._changed.notify_all()

    def _cancel_all(self) -> None:
        for job in self._open:
            job.cancel()
        self._open.clear()
        self._waiting.clear()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    self._changed.wait()
            self._do_one()

    def _do_one(self) -> None:
        with self._changed:
            if not self._waiting:
                return
            job = self._waiting.popleft()
        job.begin()
        result, error = None, None
        try:
            result = job.work(job)
        except CancelledError:
            self.post(self._rest)
            return
        except Exception as caught:
            error = caught
        finally:
            job.give_up_turn()
        self.post(lambda: self._finish(job, result, error))

    def pause_in_drag(self, job: PageJob) -> None:
        """Wait before the slow part of a job while a slider is dragged, as a newer job may cancel it."""
        if self._loop is None or not self._dragged:
            return
        if time.monotonic() - self._tried < _DRAG:
            with self._changed:
                self._changed.wait_for(lambda: job.cancelled, _PAUSE)
        else:
            self._tried = time.monotonic()

    def wait_for_rest(self, job: PageJob) -> None:
        """Wait until no newer job has come for a while."""
        if self._loop is not None:
            with self._changed:
                left = self._submitted + _REST - time.monotonic()
                self._changed.wait_for(lambda: job.cancelled, max(0.0, left))

    def _finish(self, job: PageJob, result: Any, error: Exception | None) -> None:
        if job.cancelled:
            self._rest()
            return
        with self._changed:
            self._open.remove(job)
        self._rest()
        self._tried = time.monotonic()
        job.done(result, error)

    def _rest(self) -> None:
        """Report that nothing is running any more, unless a newer job is."""
        if self.idle:
            self.say_busy("")
            self.soon(_TIDY, self._tidy)

    def _tidy(self) -> None:
        """Give memory back that was freed, where no job came meanwhile."""
        if self._loop is not None and self.idle and time.monotonic() - self._submitted > _TIDY:
            give_back()

    def post(self, call: Callable[[], None]) -> None:
        """Make a call in the main thread."""
        if self._loop is None:
            call()
            return
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:
            if not self._loop.is_closed():  # else the page is gone: nobody waits for this
                raise
