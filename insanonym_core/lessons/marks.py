"""Marks of a student's answers, with hints for the usual slips."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass

from insanonym_core.lessons.compare import is_answered, is_right
from insanonym_core.lessons.hints import hint
from insanonym_core.texts import Phrase, say

_TEXTS = {True: "right", False: "not yet", None: "no answer yet"}
_SYMBOLS = {True: "✔", False: "✘", None: "…"}


@dataclass(frozen=True)
class Mark:
    """One answer: right (True), wrong (False) or not marked (None), and what may help."""

    right: bool | None
    hint: Phrase | None = None

    def lines(self, lang: str) -> list[str]:
        """The mark in words, then the hint; what cannot be marked only says what is missing."""
        told = [say(self.hint, lang)] if self.hint else []
        if self.right is None and told:
            return [f"{_SYMBOLS[None]} {told[0]}"]
        return [f"{_SYMBOLS[self.right]} {say(_TEXTS[self.right], lang)}", *told]

    def as_html(self, lang: str) -> str:
        """The same, one line below the other."""
        first, *told = map(html.escape, self.lines(lang))
        return "".join([first, *(f"<br><i>{line}</i>" for line in told)])


@dataclass(frozen=True)
class Marks:
    """Marks by question."""

    marks: Mapping[str, Mark]
    lang: str = "en"

    @property
    def right(self) -> int:
        """Number of right answers."""
        return sum(mark.right is True for mark in self.marks.values())

    @property
    def total(self) -> str:
        """How many are right, in words."""
        return say("{right} of {all} right", self.lang, right=self.right, all=len(self.marks))

    def __repr__(self) -> str:
        return "\n".join(
            "\n   ".join([f"{question}: {first}", *told])
            for question, (first, *told) in (
                (name, mark.lines(self.lang)) for name, mark in self.marks.items()
            )
        )

    def _repr_html_(self) -> str:
        return "".join(
            f"<div><b>{html.escape(question)}</b> {mark.as_html(self.lang)}</div>"
            for question, mark in self.marks.items()
        )


def mark_of(given: object, right: object) -> Mark:
    """Compare an answer with the right one; None means no answer yet."""
    if not is_answered(given):
        return Mark(None)
    given = plain(given)
    return Mark(True) if is_right(given, right) else Mark(False, hint(given, right))


def plain(given: object) -> object:
    """A number of numpy as a number of Python."""
    item = getattr(given, "item", None)
    return item() if callable(item) and getattr(given, "ndim", None) == 0 else given
