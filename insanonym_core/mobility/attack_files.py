"""Read and write attack files: guesses as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from insanonym_core.errors import DataError, shape_of
from insanonym_core.io.output import writing
from insanonym_core.io.small_texts import small_text
from insanonym_core.mobility.competition import Guesses
from insanonym_core.texts import Phrase

MAX_ATTACK_FILE_BYTES = 100_000_000  # bytes: a million (id, week) with a few guesses each


def write_guesses(guesses: Guesses, path: Path | str, *, force: bool = False, private: bool = False) -> None:
    """Write guesses as an attack file; `private` makes it readable by its owner only (for footprints)."""
    with writing(Path(path), force=force, private=private) as temporary:
        text = json.dumps(
            {who: {week: list(guessed) for week, guessed in weeks.items()} for who, weeks in guesses.items()},
            ensure_ascii=False,
            indent=1,
        )
        # A lone surrogate (\ud800), which JSON may hold, cannot be encoded as UTF-8: write its escape.
        temporary.write_bytes(f"{text}\n".encode(errors="backslashreplace"))


def read_guesses(path: Path | str) -> Guesses:
    """Read an attack file; raise a DataError with the entry that is malformed."""
    path = Path(path)
    return guesses_from_text(small_text(path, MAX_ATTACK_FILE_BYTES, "an attack file (JSON)"), path.name)


def guesses_from_text(text: str, name: str) -> Guesses:
    """Guesses of the text of an attack file called `name`; raise a DataError with what is malformed."""
    form = Phrase("an attack file is written as {example}", example='{"id": {"2015-10": ["guess", …]}}')
    try:
        content: Any = json.loads(text, object_pairs_hook=_unique_keys)
    except json.JSONDecodeError as error:
        raise DataError(
            "{file}, line {line}: this is not JSON ({reason}); {form}.",
            file=name,
            line=error.lineno,
            reason=error.msg,
            form=form,
        ) from None
    except ValueError:  # an integer with thousands of digits
        raise DataError("{file} holds a number that is too long: {form}.", file=name, form=form) from None
    except RecursionError:
        raise DataError("{file} is nested too deeply: {form}.", file=name, form=form) from None
    except _DuplicateKeyError:
        raise DataError(
            "{file} names {duplicate} twice: join its entries.",
            file=name,
            duplicate=Phrase("an id or a week"),
        ) from None
    if not isinstance(content, dict):
        raise DataError("{file} must be one JSON object: {form}.", file=name, form=form)
    guesses: dict[str, dict[str, tuple[str, ...]]] = {}
    for number, (who, weeks) in enumerate(content.items(), start=1):
        if not isinstance(weeks, dict):
            raise DataError(
                "{file}, entry {number}: weeks must be a JSON object; {form}.",
                file=name,
                number=number,
                form=form,
            )
        for week, guessed in weeks.items():
            if not re.fullmatch(r"[0-9]{4}-([1-9]|[1-4][0-9]|5[0-3])", week):
                raise DataError(
                    "{file}, entry {number}: a week must be written as 2015-10 or 2016-1, got '{week}'.",
                    file=name,
                    number=number,
                    week=shape_of(week),
                )
            if not isinstance(guessed, list) or not all(isinstance(guess, str) for guess in guessed):
                raise DataError(
                    "{file}, entry {number}, week {week}: guesses must be a list of texts; {form}.",
                    file=name,
                    number=number,
                    week=week,
                    form=form,
                )
            guesses.setdefault(who, {})[week] = tuple(guessed)
    return guesses


class _DuplicateKeyError(Exception):
    """A key occurs twice in one JSON object."""


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise _DuplicateKeyError("an id or a week")
    return content
