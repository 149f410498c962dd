"""Problems for a team from whatever went wrong with one of its files."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from insanonym_core.errors import DataError, InsanonymError, Problem
from insanonym_core.league.layout import printable
from insanonym_core.texts import Phrase


def file_problems(path: Path, error: Exception) -> tuple[Problem, ...]:
    """Problems for the team from an exception; they name the file but not its path."""
    name = printable(path.name)
    if isinstance(error, DataError) and error.problems:
        return error.problems
    if isinstance(error, InsanonymError):
        text = str(error).replace(str(path), path.name).removeprefix(path.name).lstrip(":, ")
        whole = _without_folder(error.phrase, path) if len(text.splitlines()) == 1 else None
        return tuple(
            replace(_problem_from_sentence(printable(sentence), name), whole=whole)
            for sentence in text.splitlines()
        )
    if isinstance(error, MemoryError):
        message = "takes more memory than this machine has: hand in a smaller file."
        return (Problem("unreadable", message, file=name),)
    reason = str(getattr(error, "strerror", None) or type(error).__name__)
    return (
        Problem(
            "unreadable", Phrase("cannot be read ({reason}): hand it in again.", reason=reason), file=name
        ),
    )


def _without_folder(said: Phrase, path: Path) -> Phrase | None:
    """The sentence of an error with the file's name for its path; None if the path is elsewhere in it."""
    named = Phrase(
        said.template,
        **{
            key: value
            if isinstance(value, Phrase)
            else printable(value.replace(str(path), path.name))
            if isinstance(value, str)
            else value
            for key, value in said.values.items()
        },
    )
    return None if str(path.parent) in named or said.many else named


def _problem_from_sentence(sentence: str, file: str) -> Problem:
    """A Problem from a sentence; a leading 'line 3: ' becomes its line number."""
    match = re.fullmatch(r"line ([0-9]+): (.+)", sentence)
    if match:
        return Problem("unreadable", match[2], lines=(int(match[1]),), file=file)
    return Problem("unreadable", sentence, file=file)
