"""Types of arrays, and linear algebra on one core."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, ExitStack
from threading import Lock
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.integer[Any]]  # Any: of any width, as in the lines below
Floats: TypeAlias = NDArray[np.floating[Any]]  # Any: of any width
Bools: TypeAlias = NDArray[np.bool_]
Complexes: TypeAlias = NDArray[np.complexfloating[Any, Any]]  # Any: of any width
Bytes: TypeAlias = NDArray[np.uint8]
AnyArray: TypeAlias = NDArray[Any]  # Any: numbers, truth values, texts or Python objects
Dates: TypeAlias = NDArray[np.datetime64]


class _OneThread:
    """A context that any number of threads may be in: the first one sets the limit, the last one lifts it."""

    def __init__(self) -> None:
        self._lock, self._inside, self._limits = Lock(), 0, ExitStack()
        self._modules = 0  # with more of them another library of linear algebra may have been loaded
        self._controller: Any = None  # Any: threadpoolctl has no types

    def __enter__(self) -> None:
        with self._lock:
            stale = self._modules != len(sys.modules)
            if stale:
                from threadpoolctl import ThreadpoolController

                self._controller, self._modules = ThreadpoolController(), len(sys.modules)
            if stale or not self._inside:
                self._limits.enter_context(self._controller.limit(limits=1, user_api="blas"))
            self._inside += 1

    def __exit__(self, *raised: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._limits.close()


_ONE_THREAD = _OneThread()


def one_thread() -> AbstractContextManager[None]:
    """Linear algebra inside takes one core: idle threads of the library wait by spinning.

    Small products gain nothing from threads: a regression takes a quarter of the processor time with one.
    Sums are then also added in the same order whatever the number of cores.
    """
    return _ONE_THREAD
