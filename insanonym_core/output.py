"""Files we write: never half-written under their final name, never over somebody's work."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from insanonym_core.errors import UsageError


@contextmanager
def writing(path: Path, *, force: bool = False, sources: tuple[Path, ...] = ()) -> Iterator[Path]:
    """A temporary path beside `path`; it takes the final name only when all went well.

    An existing file is refused without `force`, and one of the `sources` the command reads always.
    """
    check_writable(path, force=force, sources=sources)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    beside = Path(name)
    try:
        yield beside
        beside.chmod(0o666 & ~_umask())
        beside.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: could not be written ({error.strerror or error}).") from None
    finally:
        beside.unlink(missing_ok=True)


def check_writable(path: Path, *, force: bool = False, sources: tuple[Path, ...] = ()) -> None:
    """Refuse early, before any work is done, what could not be written at the end."""
    if path.is_dir():
        raise UsageError(f"{path} is a folder: give the name of a file to write.")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: the folder {path.parent} does not exist; make it first.")
    if any(path.exists() and source.exists() and path.samefile(source) for source in sources):
        raise UsageError(f"{path} is also read by this command: write to another file.")
    if path.exists() and not force:
        raise UsageError(f"{path} exists already: choose another name, or overwrite it with --force.")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
