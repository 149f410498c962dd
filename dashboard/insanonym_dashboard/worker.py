"""Work beside the page: one thread, the latest wish wins, stale work is dropped.

A kernel answers sliders in its main thread. Computing there would queue every position of a dragged slider;
here only the newest is computed, and what is under way stops at its next part when it is no longer wanted.
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

SLOW = 0.3  # seconds after which the page says what is being computed

_TURN = 0.001  # seconds: while this thread computes, the page is answered sooner than with Python's own 0.005

_MOST_PATIENCE = 1.0  # seconds: a page that answers something else first is not waited for
# Wishes within _DRAG seconds of each other are a slider being dragged. Then what is done first follows at
# every move, and the rest is begun only where no newer wish comes within _BREATH, or once in _DRAG: a browser
# that draws everything at every move shows nothing in time.
_DRAG, _BREATH = 0.25, 0.06

Tell = Callable[[str], None]
Early = Callable[[Callable[[], None]], None]
"""Takes a call to be made in the main thread, if somebody still waits for this job, and waits until it is."""
Job = Callable[[Tell, Early], Any]


class StaleError(Exception):
    """Nobody waits for this any more."""


class Worker:
    """Runs the newest job; `done(result, error)` and `busy(text)` are called in the main thread.

    With `keep_all` a later job does not replace an earlier one: all are done, in the order they came.
    """

    def __init__(self, busy: Callable[[str], None] = lambda text: None, *, keep_all: bool = False) -> None:
        self._busy, self._keep_all = busy, keep_all
        self._lock = threading.Condition()
        self._wanted: deque[tuple[int, Job, Callable[[Any, Exception | None], None]]] = deque()
        self._number = 0
        self._oldest = 0  # jobs with a smaller number are stale
        self._finished = 0
        self._wished = self._tried = -math.inf  # when something was wished for; when its rest was begun
        self._dragged = False
        self._thread: threading.Thread | None = None
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None

    def submit(self, job: Job, done: Callable[[Any, Exception | None], None], name: str = "") -> None:
        """Do this instead of what was wanted before; at once where there is no event loop (tests).

        A job with a `name` is known to take long: the page shows the name from the start.
        """
        now = time.monotonic()
        with self._lock:
            self._number += 1
            if not self._keep_all:
                self._wanted.clear()
                self._oldest = self._number
            self._wanted.append((self._number, job, done))
            self._dragged, self._wished = now - self._wished < _DRAG and not self._keep_all, now
            self._lock.notify_all()
        if name:
            self._busy(name)
        if self._loop is None:
            self._do_one()
        elif self._thread is None:
            sys.setswitchinterval(_TURN)
            self._thread = threading.Thread(target=self._run, name="insanonym", daemon=True)
            self._thread.start()

    @property
    def idle(self) -> bool:
        """Whether nothing is wanted and nothing under way."""
        return self._finished == self._number

    def soon(self, seconds: float, call: Callable[[], None]) -> None:
        """Call this in the main thread a little later; at once where there is no event loop."""
        if self._loop is None:
            call()
        else:
            self._loop.call_later(seconds, call)

    def cancel(self) -> None:
        """Forget what is wanted and what is under way."""
        with self._lock:
            self._number += 1
            self._finished, self._oldest = self._number, self._number + 1
            self._wanted.clear()

    def _stale(self, number: int) -> bool:
        return number < self._oldest

    def _run(self) -> None:
        while True:
            with self._lock:
                while not self._wanted:
                    self._lock.wait()
            self._do_one()

    def _do_one(self) -> None:
        with self._lock:
            if not self._wanted:
                return
            number, job, done = self._wanted.popleft()

        began = time.monotonic()
        told = False  # something was shown, and more is to come

        def tell(part: str) -> None:
            nonlocal told
            if told:
                told = False
                self._breathe(number)
            if self._stale(number):
                raise StaleError
            if (
                time.monotonic() - began > SLOW
            ):  # each word is a message to the page, and work is mostly short
                self._post(lambda: self._busy(part))

        def early(call: Callable[[], None]) -> None:
            # While it shows what is there, the main thread has Python to itself: that comes first.
            shown = threading.Event()

            def show() -> None:
                try:
                    if not self._stale(number):
                        call()
                finally:
                    shown.set()

            self._post(show)
            shown.wait(_MOST_PATIENCE)
            nonlocal told
            told = True

        try:
            result, error = job(tell, early), None
        except StaleError:
            self._post(lambda: self._busy(""))
            return
        except Exception as caught:
            result, error = None, caught
        self._post(lambda: self._finish(number, done, result, error))

    def _breathe(self, number: int) -> None:
        """Before the rest of a move in a drag: is there a newer wish? Now and then it is tried anyway."""
        if self._loop is None or not self._dragged:
            return
        if time.monotonic() - self._tried < _DRAG:
            with self._lock:
                self._lock.wait_for(lambda: self._stale(number), _BREATH)
        else:
            self._tried = time.monotonic()

    def _finish(
        self, number: int, done: Callable[[Any, Exception | None], None], result: Any, error: Exception | None
    ) -> None:
        self._busy("")
        if not self._stale(number):
            self._finished = number
            self._tried = time.monotonic()
            done(result, error)

    def _post(self, call: Callable[[], None]) -> None:
        if self._loop is None:
            call()
            return
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:
            if not self._loop.is_closed():  # else the page is gone: nobody waits for this
                raise
