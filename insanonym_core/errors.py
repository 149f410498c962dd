"""Errors that users can cause, each with a message of one sentence.

A message says who complains, what is allowed, what came, and what to do. It names places (file, line,
field), never a person's values: messages end up in logs and in screenshots. An error carries a template and
values: str(error) is the English sentence, error.say("fr") the French one.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from insanonym_core.texts import Phrase, join_texts, say

LINES_SHOWN = 20
_LONGEST_NAME = 80
_VALUE = re.compile(r"@|\d{5}|^[\d\s.,:/+-]+$")
_NAMES_SHOWN = 30


class InsanonymError(Exception):
    """Base class of our errors: a template of one sentence, and the values that fill it.

    A value may be another error, or a text of ours (Phrase): it is said in the same language.
    """

    exit_code = 1

    def __init__(self, template: str, /, **values: object) -> None:
        said = {name: _sentence_of(value) for name, value in values.items()}
        self.phrase = template if isinstance(template, Phrase) else Phrase(template, **said)
        super().__init__(self.phrase)

    def say(self, lang: str = "en") -> str:
        """Return the sentence in a language."""
        return say(self.phrase, lang)


def _sentence_of(value: object) -> object:
    return value.phrase if isinstance(value, InsanonymError) else value


class UsageError(InsanonymError):
    """The call is wrong: an unknown name, a missing file, a value out of its range."""

    exit_code = 2


class InsanonymWarning(UserWarning):
    """What must be known of a release before it is published."""


class WriteError(UsageError):
    """A file or a folder cannot be written: no room, no rights."""


class DataError(InsanonymError):
    """The data is invalid; `problems` holds every problem that was found."""

    def __init__(self, template: str, /, problems: Sequence[Problem] = (), **values: object) -> None:
        super().__init__(template, **values)
        self.problems = tuple(problems)

    @classmethod
    def of(cls, problems: Sequence[Problem]) -> DataError:
        """Build an error with all these problems, one per line."""
        return cls(join_texts("\n", (problem.sentence() for problem in problems)), problems)


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
    whole: Phrase | None = None  # the sentence, where it was made with its place

    def __post_init__(self) -> None:
        if not isinstance(self.message, Phrase):
            object.__setattr__(self, "message", Phrase(self.message))

    def sentence(self) -> Phrase:
        """The message with its place, ready to print."""
        if self.whole is not None:
            return self.whole
        said: dict[str, object] = {"file": self.file, "message": self.message}
        if not self.lines:
            return Phrase("{file}: {message}", **said) if self.file else join_texts("", [self.message])
        named = ", ".join(map(str, self.lines))
        more = self.count - len(self.lines)
        said["lines"] = _and_more(named, more) if more > 0 else named
        if not self.file:
            return Phrase.plural("line {lines}: {message}", "lines {lines}: {message}", n=self.count, **said)
        return Phrase.plural(
            "{file}, line {lines}: {message}", "{file}, lines {lines}: {message}", n=self.count, **said
        )


def brief(value: object) -> str:
    """Shorten a name or setting for an error message. Never use it for values of the data.

    >>> brief("a" * 1000)
    "'aaaaaaaaaaaa...aaaaaaaaaaaaa'"
    """
    try:
        return reprlib.repr(value) if len(str(value)) > _LONGEST_NAME else repr(value)
    except (ValueError, RecursionError):
        return Phrase("something far too long")  # Python does not write numbers of thousands of digits


def listed(names: Iterable[object]) -> str:
    """Join column names for a sentence: at most thirty, shortened to a line: a file may have a million.

    In a file without a header they are somebody's values: what looks like one is shown as its outline.

    >>> listed(["age", "city", "jean@example.org", "0612345678"])
    'age, city, aaaa@aaaaaaa.aaa, 9999999999'
    """
    texts = [shape_of(text) if _VALUE.search(text) else text for text in map(str, names)]
    shown = [
        text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…" for text in texts[:_NAMES_SHOWN]
    ]
    names, more = ", ".join(shown), len(texts) - len(shown)
    return _and_more(names, more) if more else names


def _and_more(names: str, more: int) -> Phrase:
    return Phrase.plural("{names} and {n:,} more", "{names} and {n:,} more", n=more, names=names)


def choices(names: Iterable[object]) -> str:
    """Names to choose from, for a sentence: 'a, b or c'.

    >>> choices(["v2", "v1"])
    'v2 or v1'
    """
    *first, last = map(str, names)
    return Phrase("{first} or {last}", first=", ".join(first), last=last) if first else last


def shape_of(text: str) -> str:
    """The outline of a value (digits as 9, letters as a): shows what is wrong without showing data.

    >>> shape_of("04/03/2015 7h30")
    '99/99/9999 9a99'
    """
    outline = re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", text))
    outline = re.sub(r"[^ -~]", "?", outline)
    return outline if len(outline) <= 40 else outline[:37] + "..."
