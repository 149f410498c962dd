"""Taking a team's file in: copied once into the teacher's folder, and only that copy is looked at afterwards.

A file in a team's folder may change, vanish or become a link while the league runs. So it is opened once,
without following a link, and the copy is what is hashed, judged and published.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from insanonym_core.errors import DataError, UsageError

_FLAGS = ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")  # those that the system has


def take(source: Path, target: Path, limit: int, too_large: str) -> None:
    """Copy a team's file. What is wrong with it is an OSError or a DataError; a full disk a DiskError."""
    handle = os.open(source, os.O_RDONLY | sum(getattr(os, name, 0) for name in _FLAGS))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise DataError(f"{source.name} is not a regular file: hand in the file itself.")
        size = 0
        with _Copy(target) as copy:
            while piece := file.read(1 << 20):
                size += len(piece)
                if size > limit:
                    raise DataError(f"{source.name} {too_large}")
                copy.write(piece)


class DiskError(UsageError):
    """The teacher's folder cannot be written to: no team's fault, so it ends the run."""


class _Copy:
    """A new file of the teacher's; what goes wrong with it is never taken for a fault of the team's file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> _Copy:
        try:
            self._file = self._path.open("wb")
        except OSError as error:
            raise self._failure(error) from None
        return self

    def write(self, piece: bytes) -> None:
        """Add a piece."""
        try:
            self._file.write(piece)
        except OSError as error:
            raise self._failure(error) from None

    def __exit__(self, *_: object) -> None:
        try:
            self._file.close()
        except OSError as error:
            raise self._failure(error) from None

    def _failure(self, error: OSError) -> DiskError:
        folder = self._path.parent.parent
        return DiskError(f"{folder} cannot be written to ({error.strerror or error}): make room there.")
