"""Attack files: guesses as JSON, written and read."""

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
    """Save guesses as an attack file; a footprint is `private`: for its owner's eyes only."""
    with writing(Path(path), force=force, private=private) as beside:
        text = json.dumps(
            {who: {week: list(tried) for week, tried in weeks.items()} for who, weeks in guesses.items()},
            ensure_ascii=False,
            indent=1,
        )
        # Half a sign (\ud800), which somebody's JSON may hold, is no text but can be written so.
        beside.write_bytes(f"{text}\n".encode(errors="backslashreplace"))


def read_guesses(path: Path | str) -> Guesses:
    """Load an attack file; what does not have its shape is said, with the place."""
    path = Path(path)
    form = 'an attack file reads {"id": {"2015-10": ["guess", …]}}'
    text = small_text(path, MAX_ATTACK_FILE_BYTES, "an attack file (JSON)")
    try:
        content: Any = json.loads(text, object_pairs_hook=_without_twins)
    except json.JSONDecodeError as error:
        raise DataError(f"{path.name}, line {error.lineno}: not JSON ({error.msg}); {form}.") from None
    except ValueError:  # a number of thousands of digits
        raise DataError(f"{path.name} holds a number that is too long: {form}.") from None
    except RecursionError:
        raise DataError(f"{path.name} is nested too deeply: {form}.") from None
    except _TwinKeyError as twin:
        raise DataError(f"{path.name} names {twin} twice: join its entries.") from None
    if not isinstance(content, dict):
        raise DataError(f"{path.name} must be one JSON object: {form}.")
    guesses: dict[str, dict[str, tuple[str, ...]]] = {}
    for number, (who, weeks) in enumerate(content.items(), start=1):
        if not isinstance(weeks, dict):
            raise DataError(f"{path.name}, entry {number}: weeks must be a JSON object; {form}.")
        for week, tried in weeks.items():
            if not re.fullmatch(r"[0-9]{4}-([1-9]|[1-4][0-9]|5[0-3])", week):
                raise DataError(
                    f"{path.name}, entry {number}: a week reads 2015-10 or 2016-1, got '{shape_of(week)}'."
                )
            if not isinstance(tried, list) or not all(isinstance(guess, str) for guess in tried):
                raise DataError(
                    f"{path.name}, entry {number}, week {week}: guesses must be a list of texts; {form}."
                )
            guesses.setdefault(who, {})[week] = tuple(tried)
    return guesses


class _TwinKeyError(Exception):
    """A key that stands twice in one JSON object."""


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise _TwinKeyError("an id or a week")
    return content
