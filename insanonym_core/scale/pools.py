"""Who does the work: processes of this machine, or the workers of a dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import platform
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from insanonym_core.errors import UsageError
from insanonym_core.memory import keep_freed_memory


def pool(workers: int) -> Executor:
    """Processes of this machine. Forked where that is safe, so that they find what this one holds."""
    if workers < 1:
        raise UsageError(f"--workers must be at least 1, got {workers}.")
    method = "fork" if sys.platform == "linux" else "spawn"
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context(method))


def this_process() -> str:
    """What no other process is called, here or on another machine."""
    return f"{platform.node()} {os.getpid()}"


def in_worker(caller: str, work: Callable[..., Any], *given: Any) -> Any:
    """Do some work in one thread, unless the process is the caller's own.

    As many threads as cores in as many processes would only make each other wait. A cluster's worker has its
    threads back afterwards; that it keeps freed memory stays.
    """
    if this_process() == caller:
        return work(*given)
    import pyarrow as pa

    keep_freed_memory()
    threads = pa.cpu_count()
    pa.set_cpu_count(1)
    try:
        return work(*given)
    finally:
        pa.set_cpu_count(threads)


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
