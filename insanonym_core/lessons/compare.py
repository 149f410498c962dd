"""Compare a student's answer with the right one."""

from __future__ import annotations

import math
from collections.abc import Collection, MappingView, Sequence, Set
from numbers import Integral, Real
from typing import TypeGuard

CLOSE = 0.005
"""Tolerance, absolute and relative: accepts numbers rounded to two decimals."""


def is_answered(given: object) -> bool:
    """Whether somebody has written something: not None, an ellipsis or an empty text."""
    return not (given is None or given is Ellipsis or (isinstance(given, str) and not given.strip()))


def is_number(value: object) -> TypeGuard[Real]:
    """Whether a value is one real number; True and False are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_several(value: object) -> TypeGuard[Collection[object]]:
    """Whether a value is a list, a set, an array, a column …: not a text, a dictionary or a figure."""
    return not isinstance(value, str) and (
        isinstance(value, Sequence | Set | MappingView) or hasattr(value, "__array__")
    )


def is_right(given: object, right: object) -> bool:
    """Whether an answer is right.

    Whole numbers must be exact; other numbers have a tolerance. Case and spaces of texts and the order of
    collections are ignored.
    """
    if isinstance(right, str):
        return isinstance(given, str) and _normalise(given) == _normalise(right)
    if is_number(right):
        return is_number(given) and (given == right or _is_close(float(given), right))
    if is_several(right):
        return is_several(given) and len(given) == len(right) and not left_over(given, right)
    return bool(given == right)


def left_over(given: Collection[object], right: Collection[object]) -> list[object]:
    """The items of `given` that are none of `right`, or stand there more often."""
    wanted, others = list(right), []
    for one in given:
        place = next((index for index, item in enumerate(wanted) if is_right(one, item)), None)
        if place is None:
            others.append(one)
        else:
            wanted.pop(place)
    return others


def _is_close(given: float, right: Real) -> bool:
    return not isinstance(right, Integral) and math.isclose(given, float(right), abs_tol=CLOSE, rel_tol=CLOSE)


def _normalise(text: str) -> str:
    return " ".join(text.casefold().split())
