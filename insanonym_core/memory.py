"""How a process keeps its memory. For programs to call, not for libraries: it concerns all of the process."""

from __future__ import annotations

import ctypes
from functools import cache

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of glibc's mallopt
_KEPT = 1 << 30
_FROM_THE_SYSTEM = 1 << 28


@cache
def keep_freed_memory() -> bool:
    """Use the memory of freed arrays again instead of returning it to the system; whether that is possible.

    Every page that comes from the system must be mapped and cleared first, which costs more than the
    arithmetic done in it: a quarter of the time of scoring. (dask goes to the other extreme, and its workers
    take three times as long.) Arrays of over 256 MB still come and go.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError, TypeError):  # not glibc: Windows, macOS, Alpine
        return False
    return bool(mallopt(_TRIM_THRESHOLD, _KEPT) and mallopt(_MMAP_THRESHOLD, _FROM_THE_SYSTEM))
