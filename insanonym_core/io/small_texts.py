"""Short texts that are taken in one piece, such as recipes."""

from __future__ import annotations

from pathlib import Path

from insanonym_core.errors import DataError, UsageError
from insanonym_core.texts import Phrase


def small_text(path: Path, most: int, what: str) -> str:
    """The text of a file that is taken in one piece: a regular file in UTF-8 of at most so many bytes."""
    try:
        if path.exists() and not path.is_file():
            raise UsageError("{path} is not a file: give {what}.", path=path, what=Phrase(what))
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise UsageError(
            "{path} cannot be read ({reason}): check the name.", path=path, reason=error.strerror or error
        ) from None
    if len(content) > most:
        raise DataError(
            "{file} has more than {most:,} bytes, the limit for {what}: give a smaller one.",
            file=path.name,
            most=most,
            what=Phrase(what),
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError("{file} is not UTF-8 text: give {what}.", file=path.name, what=Phrase(what)) from None
