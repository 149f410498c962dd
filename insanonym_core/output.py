"""Files we write: never half-written under their final name, never over somebody's work."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from insanonym_core.errors import UsageError, WriteError


@contextmanager
def writing(
    path: Path, *, force: bool = False, sources: tuple[Path, ...] = (), private: bool = False
) -> Iterator[Path]:
    """A temporary path beside `path`; it takes the final name only when all went well.

    An existing file is refused without `force`, and one of the `sources` the command reads always. What is
    `private` (a lookup, a footprint) only its owner may read; an overwritten file keeps its rights. A link
    is replaced by the file, what it pointed to stays as it was.
    """
    check_writable(path, force=force, sources=sources)
    try:
        rights = 0o600 if private else path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        handle, name = tempfile.mkstemp(prefix=".insanonym-", dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise unwritable(path, error) from None
    beside = Path(name)
    try:
        yield beside
        beside.chmod(rights)
        beside.replace(path)
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        beside.unlink(missing_ok=True)


def unwritable(path: Path, error: OSError) -> WriteError:
    """The sentence for what the system refuses: no room, no rights."""
    return WriteError(f"{path} cannot be written ({error.strerror or error}): choose another place.")


def check_writable(path: Path, *, force: bool = False, sources: tuple[Path, ...] = ()) -> None:
    """Refuse early, before any work is done, what could not be written at the end."""
    try:
        path.exists()
    except OSError as error:  # a name that is too long, say
        raise unwritable(path, error) from None
    if path.is_dir():
        raise UsageError(f"{path} is a folder: give the name of a file to write.")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: the folder {path.parent} does not exist; make it first.")
    if path.exists() and not path.is_file():
        raise UsageError(f"{path} is not a regular file: give the name of a file to write.")
    if any(path.exists() and source.exists() and path.samefile(source) for source in sources):
        raise UsageError(f"{path} is also read by this command: write to another file.")
    if path.exists() and not force:
        raise UsageError(f"{path} exists already: choose another name, or overwrite it with --force.")


def check_apart(*paths: Path | None) -> None:
    """Refuse two outputs of one command under one name: the second would overwrite the first."""
    given = [path.resolve() for path in paths if path is not None]
    if len(set(given)) < len(given):
        raise UsageError(f"{given[0].name} is named twice for writing: give every output a name of its own.")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
