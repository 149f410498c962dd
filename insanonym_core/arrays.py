"""Names for arrays, which say to a reader what an array holds, and linear algebra on one core."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any, TypeAlias

from numpy.typing import NDArray

Ints: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[Any]
Bools: TypeAlias = NDArray[Any]


def one_thread() -> AbstractContextManager[Any]:
    """Linear algebra inside takes one core: idle threads of the library wait by spinning.

    Small products gain nothing from threads, and thirty sessions on two cores lose much by them.
    """
    return _linear_algebra().limit(limits=1, user_api="blas")


@cache
def _linear_algebra() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
