"""A student's answers beside the right ones."""

from __future__ import annotations

import html
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from insanonym_core.texts import say

_CLOSE = 0.005  # a number rounded to two decimals is right
_SAID = {True: "right", False: "not yet", None: "no answer yet"}
_SIGNS = {True: "✔", False: "✘", None: "…"}


@dataclass(frozen=True)
class Marks:
    """What is right (True), wrong (False) and not answered (None), by question."""

    marks: Mapping[str, bool | None]
    lang: str = "en"

    @property
    def right(self) -> int:
        """How many answers are right."""
        return sum(mark is True for mark in self.marks.values())

    def _lines(self) -> list[str]:
        lines = [
            f"{_SIGNS[mark]} {question}: {say(_SAID[mark], self.lang)}"
            for question, mark in self.marks.items()
        ]
        total = say("{right} of {all} right", self.lang, right=self.right, all=len(self.marks))
        return [*lines, total]

    def __str__(self) -> str:
        return "\n".join(self._lines())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        *lines, total = map(html.escape, self._lines())
        return "".join(f"<div>{line}</div>" for line in lines) + f"<p><b>{total}</b></p>"


def check(answers: Mapping[str, tuple[Any, Any]], lang: str = "en", *, close: float = _CLOSE) -> Marks:
    """Compare answers, question → (given, right). None is no answer yet.

    A whole number must be exact, another may be off by `close` (by that share of it, above 1); texts may
    differ in capitals and spaces, collections in order.
    """
    return Marks(
        {
            question: None if given is None else bool(_same(given, right, close))
            for question, (given, right) in answers.items()
        },
        lang,
    )


def _same(given: Any, right: Any, close: float) -> bool:
    if isinstance(right, str):
        return isinstance(given, str) and _plain(given) == _plain(right)
    if isinstance(right, Real) and not isinstance(right, bool):
        return (
            isinstance(given, Real)
            and not isinstance(given, bool)
            and (given == right or _near(float(given), right, close))
        )
    if isinstance(right, Collection) and not isinstance(right, Mapping):
        if not isinstance(given, Collection) or isinstance(given, str | Mapping) or len(given) != len(right):
            return False
        left = list(given)
        for one in right:
            found = next((place for place, other in enumerate(left) if _same(other, one, close)), None)
            if found is None:
                return False
            left.pop(found)
        return True
    return bool(given == right)


def _near(given: float, right: Real, close: float) -> bool:
    return not isinstance(right, Integral) and math.isclose(given, float(right), abs_tol=close, rel_tol=close)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
