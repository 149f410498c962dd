"""Compiled code: how it is compiled, and when it pays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Made = TypeVar("Made")
MIN_COMPILED_PAIRS = (
    100_000  # pairs of a person and a pseudonym in a week: importing numba takes as long as fewer
)


def compiled(work: Callable[Given, Made]) -> Callable[Given, Made]:
    """Compiled at the first call; the result is kept on disk for the next process, where that is possible."""
    import numba

    try:
        return numba.njit(cache=True, nogil=True)(work)
    except RuntimeError:  # neither beside this file nor in the home folder may anything be written
        return numba.njit(nogil=True)(work)


def compiled_or(plain: Callable[[], Made], work: Callable[[Any], Made | None], pairs: int) -> Made:
    """What the compiled `work` gives, which is the same; the plain one where few pairs, None or no numba."""
    if pairs >= MIN_COMPILED_PAIRS:
        try:
            from insanonym_core.mobility import kernels  # importing numba takes a fifth of a second

            made = work(kernels)
        except (ImportError, OSError):  # as in large_files.py
            made = None
        if made is not None:
            return made
    return plain()
