"""Compile functions with numba, and decide when compiled code is worth its import time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
MIN_COMPILED_PAIRS = (
    100_000  # pairs of an individual and a token in a week; below, importing numba takes longer than it saves
)


def compiled(work: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Decorator: compile at the first call, and cache the machine code on disk where that is possible."""
    import numba

    # Divisions as in numpy: without a check for 0, loops are vectorised.
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    try:
        return numba.njit(cache=True, **options)(work)
    except RuntimeError:  # no writable folder for numba's cache
        return numba.njit(**options)(work)


def run_compiled_or(plain: Callable[[], Result], work: Callable[[], Result | None], pairs: int) -> Result:
    """Result of `work`, which imports a kernel; of `plain` for few pairs, without numba, or if it is None."""
    if pairs >= MIN_COMPILED_PAIRS:
        try:
            result = work()  # importing numba takes a fifth of a second
        except (ImportError, OSError):  # as in large_files.py
            result = None
        if result is not None:
            return result
    return plain()
