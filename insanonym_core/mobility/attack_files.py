"""Read and write attack files: guesses as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from insanonym_core.errors import DataError, shape_of
from insanonym_core.mobility.competition import Guesses
from insanonym_core.output import writing
from insanonym_core.sources import small_text

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
    form = 'an attack file reads {"id": {"2015-10": ["guess", …]}}'
    text = small_text(path, MAX_ATTACK_FILE_BYTES, "an attack file (JSON)")
    try:
        content: Any = json.loads(text, object_pairs_hook=_unique_keys)
    except json.JSONDecodeError as error:
        raise DataError(f"{path.name}, line {error.lineno}: not JSON ({error.msg}); {form}.") from None
    except ValueError:  # an integer with thousands of digits
        raise DataError(f"{path.name} holds a number that is too long: {form}.") from None
    except RecursionError:
        raise DataError(f"{path.name} is nested too deeply: {form}.") from None
    except _DuplicateKeyError as duplicate:
        raise DataError(f"{path.name} names {duplicate} twice: join its entries.") from None
    if not isinstance(content, dict):
        raise DataError(f"{path.name} must be one JSON object: {form}.")
    guesses: dict[str, dict[str, tuple[str, ...]]] = {}
    for number, (who, weeks) in enumerate(content.items(), start=1):
        if not isinstance(weeks, dict):
            raise DataError(f"{path.name}, entry {number}: weeks must be a JSON object; {form}.")
        for week, guessed in weeks.items():
            if not re.fullmatch(r"[0-9]{4}-([1-9]|[1-4][0-9]|5[0-3])", week):
                raise DataError(
                    f"{path.name}, entry {number}: a week reads 2015-10 or 2016-1, got '{shape_of(week)}'."
                )
            if not isinstance(guessed, list) or not all(isinstance(guess, str) for guess in guessed):
                raise DataError(
                    f"{path.name}, entry {number}, week {week}: guesses must be a list of texts; {form}."
                )
            guesses.setdefault(who, {})[week] = tuple(guessed)
    return guesses


class _DuplicateKeyError(Exception):
    """A key occurs twice in one JSON object."""


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise _DuplicateKeyError("an id or a week")
    return content
