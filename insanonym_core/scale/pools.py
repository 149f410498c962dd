"""Who does the work: processes of this machine, or the workers of a dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any

from insanonym_core.errors import UsageError
from insanonym_core.memory import keep_freed_memory


def pool(workers: int) -> Executor:
    """Processes of this machine. Forked where that is safe, so that they find what this one holds."""
    if workers < 1:
        raise UsageError(f"--workers must be at least 1, got {workers}.")
    method = "fork" if sys.platform == "linux" else "spawn"
    context = multiprocessing.get_context(method)
    return ProcessPoolExecutor(workers, mp_context=context)


def in_worker(caller: int, work: Callable[..., Any], *given: Any) -> Any:
    """Do some work in a process that has nothing else to do, unless it is the caller's own."""
    if os.getpid() != caller:
        _set_up()
    return work(*given)


@cache
def _set_up() -> None:
    import pyarrow as pa

    pa.set_cpu_count(1)  # as many threads as cores in as many processes would only make each other wait
    keep_freed_memory()


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of a dask cluster, reached at an address such as tcp://10.0.0.1:8786."""
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(
            "A cluster needs the package distributed: pip install 'insanonym[cluster]'."
        ) from None
    connect: Any = Client  # it says nothing about its types
    try:
        client = connect(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise UsageError(
            f"No dask scheduler answers at {address} ({type(error).__name__}): check the address."
        ) from None
    try:
        yield client.get_executor(pure=False)
    finally:
        client.close()
