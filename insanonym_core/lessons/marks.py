"""Check a student's answers."""

from __future__ import annotations

import html
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from numbers import Integral, Real

from insanonym_core.texts import say

_TOLERANCE = 0.005  # accepts numbers rounded to two decimals
_MARK_TEXTS = {True: "right", False: "not yet", None: "no answer yet"}
_MARK_SYMBOLS = {True: "✔", False: "✘", None: "…"}


@dataclass(frozen=True)
class Marks:
    """Result by question: right (True), wrong (False) or not answered (None)."""

    marks: Mapping[str, bool | None]
    lang: str = "en"

    @property
    def right(self) -> int:
        """Number of right answers."""
        return sum(mark is True for mark in self.marks.values())

    def _lines(self) -> list[str]:
        lines = [
            f"{_MARK_SYMBOLS[mark]} {question}: {say(_MARK_TEXTS[mark], self.lang)}"
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


def check(
    answers: Mapping[str, tuple[object, object]], lang: str = "en", *, close: float = _TOLERANCE
) -> Marks:
    """Compare answers, a mapping of question → (given, right); None means no answer yet.

    Integers must be exact; other numbers have an absolute and relative tolerance of `close`. Case and
    spaces of texts and the order of collections are ignored.
    """
    return Marks(
        {
            question: None if given is None else bool(_is_right(given, right, close))
            for question, (given, right) in answers.items()
        },
        lang,
    )


def _is_right(given: object, right: object, close: float) -> bool:
    """Whether an answer is right; see `check` for the tolerances."""
    if isinstance(right, str):
        return isinstance(given, str) and _normalise_text(given) == _normalise_text(right)
    if isinstance(right, Real) and not isinstance(right, bool):
        return (
            isinstance(given, Real)
            and not isinstance(given, bool)
            and (given == right or _is_close(float(given), right, close))
        )
    if isinstance(right, Collection) and not isinstance(right, Mapping):
        if not isinstance(given, Collection) or isinstance(given, str | Mapping) or len(given) != len(right):
            return False
        unmatched = list(given)
        for expected in right:
            index = next(
                (position for position, answer in enumerate(unmatched) if _is_right(answer, expected, close)),
                None,
            )
            if index is None:
                return False
            unmatched.pop(index)
        return True
    return bool(given == right)


def _is_close(given: float, right: Real, close: float) -> bool:
    return not isinstance(right, Integral) and math.isclose(given, float(right), abs_tol=close, rel_tol=close)


def _normalise_text(text: str) -> str:
    return " ".join(text.casefold().split())
