"""Processes that share many runs over one data set: started once, the data stays in them."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Any, TypeVar

from insanonym_core.errors import DataError, UsageError
from insanonym_core.kinds import Data
from insanonym_core.runtime.store import Store

Key = TypeVar("Key")
Result = TypeVar("Result")
MAX_WORKERS = 64
_data: Data | None = None
_store: Store | None = None


class Workers:
    """Runs tasks over one data set: in this process, or in several.

    A task is a function of a module, `task(data, store, *arguments)`; what a process keeps between runs is
    in its own store.
    """

    def __init__(self, data: Data | None, workers: int = 1, store: Store | None = None) -> None:
        if not 1 <= workers <= MAX_WORKERS:
            raise UsageError(
                "The number of workers must be from 1 to {max_workers}, got {workers}.",
                max_workers=MAX_WORKERS,
                workers=workers,
            )
        self.workers, self._data, self._store = workers, data, store
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def results(
        self,
        task: Callable[..., Result],
        todo: Iterator[tuple[Key, tuple[Any, ...]]],  # Any: arguments of the task
        *,
        ahead: int = 4,
    ) -> Iterator[tuple[Key, Result]]:
        """The results of a task for keys and arguments, as they come.

        `todo` is asked when there is room for more: `ahead` tasks wait for a free process. It may have
        nothing now and more when a result has come.
        """
        if self.workers == 1:
            while (one := next(todo, None)) is not None:
                yield one[0], task(self._data, self._store, *one[1])
            return
        self._pool = self._pool or self._new_pool()
        waiting: dict[Future[Result], Key] = {}
        try:
            while True:
                # A few ahead of the workers: enough to keep them busy, few enough to stop soon.
                for key, arguments in itertools.islice(todo, self.workers + ahead - len(waiting)):
                    waiting[self._pool.submit(_in_worker, task, *arguments)] = key
                if not waiting:
                    return
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    yield waiting.pop(future), future.result()
        except BrokenProcessPool:
            raise DataError(
                "A worker process ended (out of memory, perhaps), and what was done is kept: run the "
                "same again with fewer workers to go on."
            ) from None
        finally:
            for future in waiting:
                future.cancel()

    def _new_pool(self) -> ProcessPoolExecutor:
        """A process pool; forked on Linux while only the main thread runs, which is safe and fast."""
        forking = sys.platform == "linux" and threading.active_count() == 1
        context = multiprocessing.get_context("fork" if forking else "spawn")
        return ProcessPoolExecutor(
            self.workers, mp_context=context, initializer=_initialise, initargs=(self._data,)
        )


def _in_worker(task: Callable[..., Result], *arguments: object) -> Result:
    return task(_data, _store, *arguments)


def _initialise(data: Data | None) -> None:
    from threadpoolctl import threadpool_limits

    global _data, _store
    _data, _store = data, Store()
    threadpool_limits(1)  # each process has a core; more threads would wait for each other
    threading.Thread(target=_exit_with_parent, args=(os.getppid(),), daemon=True).start()


def _exit_with_parent(parent: int) -> None:
    """Exit when the parent process is gone: otherwise the worker would wait for work forever."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
