"""SIGTERM ends a command as Ctrl-C does: temporary files are removed, the exit code is 143."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

EXIT_CODE = 128 + signal.SIGTERM


@contextmanager
def clean_termination() -> Iterator[None]:
    """Turn SIGTERM into SystemExit while the block runs, so that every `finally` is reached.

    Then the process ends at once: Python's own way out would wait for the processes of a pool, of which one
    may have been forked at that very moment. A caller that ignores SIGTERM, or handles it already, keeps its
    way.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    owner, stopped = os.getpid(), False

    def stop(number: int, _: FrameType | None) -> None:
        nonlocal stopped
        if os.getpid() != owner:  # a forked worker: it has nothing to clean, and must not go on
            os._exit(EXIT_CODE)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not interrupt the cleaning
        stopped = True
        _stop_workers()
        raise SystemExit(EXIT_CODE)

    signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        if stopped:
            _stop_workers()
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError):
                    stream.flush()
            os._exit(EXIT_CODE)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _stop_workers() -> None:
    """Kill the processes of pools, which would otherwise finish their tasks first."""
    multiprocessing = sys.modules.get("multiprocessing")
    for process in multiprocessing.active_children() if multiprocessing else ():
        process.terminate()
