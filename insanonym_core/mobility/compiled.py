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

    try:
        return numba.njit(cache=True, nogil=True)(work)
    except RuntimeError:  # no writable folder for numba's cache
        return numba.njit(nogil=True)(work)


def run_compiled_or(plain: Callable[[], Result], work: Callable[[Any], Result | None], pairs: int) -> Result:
    """Result of the compiled `work`; of `plain` for few pairs, without numba, or if `work` returns None."""
    if pairs >= MIN_COMPILED_PAIRS:
        try:
            from insanonym_core.mobility import kernels  # importing numba takes a fifth of a second

            result = work(kernels)
        except (ImportError, OSError):  # as in large_files.py
            result = None
        if result is not None:
            return result
    return plain()
