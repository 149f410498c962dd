"""Sentences with numbers, as data: the caller decides how the numbers are formatted and recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Number:
    """A number of a sentence: a share or a plain number, known by a name and a detail (scores.csv)."""

    name: str
    detail: str
    value: float
    share: bool = False
    decimals: int | None = None


@dataclass(frozen=True)
class Given:
    """A text from the data, such as names of columns, which is never translated."""

    text: str


@dataclass(frozen=True)
class Sentence:
    """An English text of ours with places; what fills them is a Number, a Given or another text of ours.

    `beside_headline` marks what the headline does not count: it stands on the first page of a report as well.
    """

    text: str
    values: Mapping[str, Number | Given | str] = field(default_factory=dict)
    beside_headline: bool = False


def share_of(key: str, value: float, detail: str = "value") -> Number:
    """A share, written as a percentage."""
    return Number(key, detail, value, share=True)
