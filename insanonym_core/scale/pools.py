"""Executors: a pool of local processes, or the workers of a dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import platform
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from insanonym_core.errors import UsageError
from insanonym_core.runtime.memory import keep_freed_memory

Value = TypeVar("Value")


def pool(workers: int) -> Executor:
    """Pool of local processes; forked on Linux, so that they share this process's memory."""
    if workers < 1:
        raise UsageError("--workers must be at least 1, got {workers}.", workers=workers)
    method = "fork" if sys.platform == "linux" else "spawn"
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context(method))


def process_name() -> str:
    """A name of this process that is unique across machines."""
    return f"{platform.node()} {os.getpid()}"


def in_worker(caller: str, work: Callable[..., Value], *arguments: object) -> Value:
    """Call `work` with a single Arrow thread, unless this is the caller's own process.

    As many threads as cores in each of many processes would compete for the cores. The thread count is
    restored afterwards; the setting that keeps freed memory is not.
    """
    if process_name() == caller:
        return work(*arguments)
    import pyarrow as pa

    keep_freed_memory()
    threads = pa.cpu_count()
    pa.set_cpu_count(1)
    try:
        return work(*arguments)
    finally:
        pa.set_cpu_count(threads)


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Connect to a dask cluster at an address such as tcp://10.0.0.1:8786; yield its executor."""
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(
            "A cluster needs the package distributed: install it with pip install 'insanonym[cluster]'."
        ) from None
    connect: Any = Client  # distributed has no type annotations
    try:
        client = connect(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise UsageError(
            "No dask scheduler answers at {address} ({reason}): check the address.",
            address=address,
            reason=type(error).__name__,
        ) from None
    try:
        yield client.get_executor(pure=False)
    finally:
        client.close()
