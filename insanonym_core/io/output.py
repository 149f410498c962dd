"""Write files safely: complete or not at all, and never over an existing file without `force`."""

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
    """Context manager: a temporary path in the folder of `path`, renamed to `path` if there is no error.

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
    """The error for a path that the system does not let us write: disk full, no permission."""
    return WriteError(
        "{path} cannot be written ({reason}): choose another place.",
        path=path,
        reason=error.strerror or error,
    )


def check_writable(path: Path, *, force: bool = False, sources: tuple[Path, ...] = ()) -> None:
    """Raise an error before any work is done if `path` could not be written at the end."""
    try:
        path.exists()
    except OSError as error:  # a name that is too long, say
        raise unwritable(path, error) from None
    if path.is_dir():
        raise UsageError("{path} is a folder: give the name of a file to write.", path=path)
    if not path.parent.is_dir():
        raise UsageError(
            "{path}: the folder {parent} does not exist; create it first.", path=path, parent=path.parent
        )
    if path.exists() and not path.is_file():
        raise UsageError("{path} is not a regular file: give the name of a file to write.", path=path)
    if any(path.exists() and source.exists() and path.samefile(source) for source in sources):
        raise UsageError("{path} is also read by this command: write to another file.", path=path)
    if path.exists() and not force:
        raise UsageError(
            "{path} exists already: choose another name, or overwrite it with --force.", path=path
        )


def check_apart(*paths: Path | None) -> None:
    """Refuse two outputs of one command under one name: the second would overwrite the first."""
    given = [path.resolve() for path in paths if path is not None]
    if len(set(given)) < len(given):
        raise UsageError(
            "{name} is named twice for writing: give every output a name of its own.", name=given[0].name
        )


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
