"""Memory settings of the whole process: for programs to call, not for libraries."""

from __future__ import annotations

import ctypes
from functools import cache

_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3  # of glibc's mallopt
_KEPT = 1 << 30
_OF_A_THREAD = 1 << 26  # as much as glibc ever gives a thread in one piece
_FROM_THE_SYSTEM = 1 << 28, 1 << 25


@cache
def keep_freed_memory() -> bool:
    """Use the memory of freed arrays again instead of returning it to the system; whether that is possible.

    Every page that comes from the system must be mapped and cleared first, which costs more than the
    arithmetic done in it: a quarter of the time of scoring, more in threads other than the first, where
    dask works. Arrays of over 256 MB still come and go.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError, TypeError):  # not glibc: Windows, macOS, Alpine
        return False
    # First what older versions refuse above 32 MB: the others without it would make things worse.
    if not any(mallopt(_MMAP_THRESHOLD, size) for size in _FROM_THE_SYSTEM):
        return False
    return bool(mallopt(_TRIM_THRESHOLD, _KEPT) and mallopt(_TOP_PAD, _OF_A_THREAD))


def give_back() -> None:
    """Return memory that is free, but kept for later, to the system: what a program can do while it rests."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, AttributeError, TypeError):  # not glibc
        return
