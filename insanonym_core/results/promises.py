"""Promises: the k (or l) that a step was asked for, and the one measured on the release."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from insanonym_core.texts import Phrase, join_texts

_COMBINATIONS = (
    "Every combination of these columns is shared by at least {n} row: {columns}.",
    "Every combination of these columns is shared by at least {n} rows: {columns}.",
)
_VALUES = (
    "Every single value of these columns is shared by at least {n} row: {columns}.",
    "Every single value of these columns is shared by at least {n} rows: {columns}.",
)
_OF_INDIVIDUALS = (
    "Every single value of these columns is shared by at least {n} individual: {columns}.",
    "Every single value of these columns is shared by at least {n} individuals: {columns}.",
)
_GROUPS = (
    "Every group holds at least {n} row. The columns {columns} stay exact: k counts the rows that share "
    "them, and is another number.",
    "Every group holds at least {n} rows. The columns {columns} stay exact: k counts the rows that share "
    "them, and is another number.",
)
_WEEKS = (
    "Every published week is that of at least {n} pseudonym, with the same times and places: whoever does "
    "not see the order of the rows cannot tell them apart.",
    "Every published week is that of at least {n} pseudonyms, with the same times and places: whoever does "
    "not see the order of the rows cannot tell them apart.",
)
_COMBINATIONS_OF_INDIVIDUALS = (
    "Every combination of these columns is shared by at least {n} individual: {columns}.",
    "Every combination of these columns is shared by at least {n} individuals: {columns}.",
)
_COUNTS = (
    "Whoever subtracts the published tables from each other, and knows how many individuals there are, "
    "leaves every masked count {n} possible value.",
    "Whoever subtracts the published tables from each other, and knows how many individuals there are, "
    "leaves every masked count at least {n} possible values.",
)
_L = (
    "Every class of rows that look alike holds at least {n} different value of {columns}.",
    "Every class of rows that look alike holds at least {n} different values of {columns}.",
)
_OF_CLASSES = {
    "entropy_l": "In every class of rows that look alike the values of {columns} are as mixed as {n} equally "
    "frequent ones.",
    "t": "In every class of rows that look alike the values of {columns} are at most {n} away from those of "
    "all rows.",
}
_SYMBOLS = {
    "groups": Phrase("group size"),
    "weeks": Phrase("smallest class"),
    "counts": Phrase("possible values"),
    "l": "l",
    "entropy_l": Phrase("entropy l"),
    "t": "t",
}
_TOLERANCE = 1e-9
_CLEANED = Phrase("(In the table from which the traces were counted.)")


@dataclass(frozen=True)
class Promise:
    """What a step asked for, and what is measured on the table that is published in the end.

    `of`: combinations of the columns, single values of each, groups, weeks of GPS traces, masked counts of
    study traces, or what is asked of the sensitive columns in each class (l, entropy_l, t). `cleaned`: the
    table is not published itself, traces were counted from it. `individuals`: k counts people, each once,
    and not rows.
    """

    method: str
    title: str
    asked: float
    measured: float
    columns: tuple[str, ...]
    of: str = "combinations"
    cleaned: bool = False
    individuals: bool = False

    @property
    def holds(self) -> bool:
        """Whether the measured number is within the promised limit."""
        if self.of == "t":
            return self.measured <= self.asked + _TOLERANCE
        return self.measured >= self.asked - _TOLERANCE

    @property
    def rounded(self) -> float:
        """What was measured, as a number to read: never rounded to what looks safer."""
        if self.of == "t":
            return math.ceil(self.measured * 1e4 - 1e-4) / 1e4
        if self.of == "entropy_l":
            return math.floor(self.measured * 1e4 + 1e-4) / 1e4
        return int(self.measured)

    @property
    def is_limit(self) -> bool:
        """Whether it is about something else than the k of the step: individuals, l or t of its classes."""
        return self.of in ("l", *_OF_CLASSES) or (self.of == "combinations" and self.individuals)

    @property
    def text(self) -> Phrase:
        """What holds, and no more; n is the number that was measured."""
        values: dict[str, Any] = {"n": self.rounded, "columns": f"[{', '.join(self.columns)}]"}
        if self.of == "groups":
            return Phrase.plural(_GROUPS[0], _GROUPS[1], **values)
        if self.of == "weeks":
            return Phrase.plural(_WEEKS[0], _WEEKS[1], **values)
        if self.of == "counts":
            return Phrase.plural(_COUNTS[0], _COUNTS[1], **values)
        if self.of == "l":
            return Phrase.plural(_L[0], _L[1], **values)
        if self.of in _OF_CLASSES:
            return Phrase(_OF_CLASSES[self.of], **values)
        if self.of == "combinations" and self.individuals:
            return Phrase.plural(_COMBINATIONS_OF_INDIVIDUALS[0], _COMBINATIONS_OF_INDIVIDUALS[1], **values)
        if self.of == "combinations":
            return Phrase.plural(_COMBINATIONS[0], _COMBINATIONS[1], **values)
        if self.individuals:
            return Phrase.plural(_OF_INDIVIDUALS[0], _OF_INDIVIDUALS[1], **values)
        return Phrase.plural(_VALUES[0], _VALUES[1], **values)

    @property
    def note(self) -> str:
        """Of which table that holds, where it is not the published one."""
        return _CLEANED if self.cleaned else ""

    @property
    def symbol(self) -> str:
        """What the numbers are: k counts rows that look alike, groups have a size, and weeks a class."""
        if self.of == "combinations" and self.individuals:
            return "k in individuals"
        return _SYMBOLS.get(self.of, "k")

    def sentence(self) -> Phrase:
        """Asked and measured in one sentence."""
        return Phrase(
            "Asked {symbol} = {asked}, measured {symbol} = {measured}: {text}",
            symbol=Phrase(self.symbol),
            asked=self.asked,
            measured=self.rounded,
            text=join_texts(" ", filter(None, [self.text, self.note])),
        )
