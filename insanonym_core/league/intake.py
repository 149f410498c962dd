"""Copy a team's file once into the teacher's folder; only the copy is read afterwards.

A file in a team's folder may change, vanish or become a link while the league runs. So it is opened once,
without following a link, and the copy is what is hashed, judged and published.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from insanonym_core.errors import DataError, UsageError

_OPEN_FLAGS = ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")  # those that the system has


def copy_submission(source: Path, target: Path, max_bytes: int, too_large_message: str) -> None:
    """Copy a team's file; raise OSError or DataError for problems of the file, DiskError for a full disk."""
    handle = os.open(source, os.O_RDONLY | sum(getattr(os, name, 0) for name in _OPEN_FLAGS))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise DataError("{file} is not a regular file: hand in the file itself.", file=source.name)
        size = 0
        with _TeacherCopy(target) as copy:
            while chunk := file.read(1 << 20):
                size += len(chunk)
                if size > max_bytes:
                    raise DataError("{file} {reason}", file=source.name, reason=too_large_message)
                copy.write(chunk)


class DiskError(UsageError):
    """The teacher's folder cannot be written to, which ends the run."""


class _TeacherCopy:
    """A new file in the teacher's folder whose errors are DiskErrors, not problems of the team's file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> _TeacherCopy:
        try:
            self._file = self._path.open("wb")
        except OSError as error:
            raise self._failure(error) from None
        return self

    def write(self, chunk: bytes) -> None:
        """Append a chunk."""
        try:
            self._file.write(chunk)
        except OSError as error:
            raise self._failure(error) from None

    def __exit__(self, *_: object) -> None:
        try:
            self._file.close()
        except OSError as error:
            raise self._failure(error) from None

    def _failure(self, error: OSError) -> DiskError:
        folder = self._path.parent.parent
        return DiskError(
            "{folder} cannot be written to ({reason}): make room there.",
            folder=folder,
            reason=error.strerror or error,
        )
