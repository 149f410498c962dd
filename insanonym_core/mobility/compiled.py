"""When compiled code pays: importing it takes longer than all attacks on a small city."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Made = TypeVar("Made")
COMPILED_FROM = 100_000  # pairs of a person and a pseudonym in a week


def compiled_or(plain: Callable[[], Made], work: Callable[[Any], Made | None], pairs: int) -> Made:
    """What the compiled `work` gives, which is the same; the plain one where few pairs, None or no numba."""
    if pairs >= COMPILED_FROM:
        try:
            from insanonym_core.mobility import kernels  # importing numba takes a fifth of a second

            made = work(kernels)
        except (ImportError, OSError):  # as in large_files.py
            made = None
        if made is not None:
            return made
    return plain()
