"""Everything that can go wrong for a user, as one sentence.

A message says who complains, what is allowed, what came, and what to do. It names places (file, line,
field), never a person's values: messages end up in logs and in screenshots.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LINES_SHOWN = 20
_LONGEST_NAME = 80
_VALUE = re.compile(r"@|\d{5}|^[\d\s.,:/+-]+$")
_NAMES_SHOWN = 30


class InsanonymError(Exception):
    """The family of every error we raise on purpose."""

    exit_code = 1


class UsageError(InsanonymError):
    """The call is wrong: an unknown name, a missing file, a value out of its range."""

    exit_code = 2


class WriteError(UsageError):
    """A file or a folder cannot be written: no room, no rights."""


class DataError(InsanonymError):
    """The data is invalid; `problems` holds every problem that was found."""

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


@dataclass(frozen=True)
class Problem:
    """One kind of problem in a file, with the first lines where it stands and how often it occurs."""

    code: str
    message: str
    count: int = 1
    lines: tuple[int, ...] = ()
    file: str = ""
    warning: bool = False
    role: str = ""

    def sentence(self) -> str:
        """The message with its place, ready to print."""
        if not self.lines:
            return f"{self.file}: {self.message}" if self.file else self.message
        named = ", ".join(map(str, self.lines))
        more = f" and {self.count - len(self.lines)} more" if self.count > len(self.lines) else ""
        word = "line" if self.count == 1 else "lines"
        where = f"{self.file}, {word} {named}{more}" if self.file else f"{word} {named}{more}"
        return f"{where}: {self.message}"


def brief(value: object) -> str:
    """A name or a setting as it came, for a sentence: cut where it is long. Never for a person's values.

    >>> brief("a" * 1000)
    "'aaaaaaaaaaaa...aaaaaaaaaaaaa'"
    """
    try:
        return reprlib.repr(value) if len(str(value)) > _LONGEST_NAME else repr(value)
    except (ValueError, RecursionError):
        return "something far too long"  # Python does not write numbers of thousands of digits


def listed(names: Iterable[object]) -> str:
    """Names of columns for a sentence, thirty of them and none longer than a line: a file may have a million.

    In a file without a header they are somebody's values: what looks like one is shown as its outline.

    >>> listed(["age", "city", "jean@example.org", "0612345678"])
    'age, city, aaaa@aaaaaaa.aaa, 9999999999'
    """
    texts = [shape_of(text) if _VALUE.search(text) else text for text in map(str, names)]
    shown = [
        text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…" for text in texts[:_NAMES_SHOWN]
    ]
    more = f" and {len(texts) - len(shown)} more" if len(texts) > len(shown) else ""
    return ", ".join(shown) + more


def shape_of(text: str) -> str:
    """The outline of a value (digits as 9, letters as a): shows what is wrong without showing data.

    >>> shape_of("04/03/2015 7h30")
    '99/99/9999 9a99'
    """
    outline = re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", text))
    outline = re.sub(r"[^ -~]", "?", outline)
    return outline if len(outline) <= 40 else outline[:37] + "..."
