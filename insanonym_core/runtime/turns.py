"""Turns: processes that share a machine, and agree how many of them do at a time what can wait a little.

Thirty pages that compute everything at once all show their first figure late. A page shows that one first;
for the rest it takes a turn. A turn ends with its process, however that ends.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from typing import IO

try:
    import fcntl
except ImportError:  # Windows, where nothing is shared and nobody waits
    fcntl = None  # type: ignore[assignment]

_LOOK = 0.02  # seconds between two looks at the turns
TURNS = max(1, (os.cpu_count() or 1) // 2)
"""At a time: the other cores are for first figures."""
_file: IO[bytes] | None = None


def share() -> None:
    """Agree with all processes that are forked from this one."""
    global _file
    if fcntl is not None:
        _file = tempfile.TemporaryFile()  # noqa: SIM115  for as long as the process lives


def take(is_cancelled: Callable[[], bool]) -> Callable[[], None]:
    """Wait for a turn, or until `is_cancelled`; returns what gives it back. Nobody waits alone."""
    while _file is not None and not is_cancelled():
        for place in range(TURNS):
            try:
                # A lock of a byte belongs to the process, and no byte has to be there.
                fcntl.lockf(_file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            except OSError:
                continue
            file = _file
            return lambda: fcntl.lockf(file, fcntl.LOCK_UN, 1, place)
        time.sleep(_LOOK)
    return lambda: None
