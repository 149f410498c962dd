"""Types of arrays, and linear algebra on one core."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.integer[Any]]
Floats: TypeAlias = NDArray[np.floating[Any]]
Bools: TypeAlias = NDArray[np.bool_]
Complexes: TypeAlias = NDArray[np.complexfloating[Any, Any]]
Dates: TypeAlias = NDArray[np.datetime64]


def one_thread() -> AbstractContextManager[Any]:
    """Linear algebra inside takes one core: idle threads of the library wait by spinning.

    Small products gain nothing from threads, and thirty sessions on two cores lose much by them.
    """
    return _linear_algebra().limit(limits=1, user_api="blas")


@cache
def _linear_algebra() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
