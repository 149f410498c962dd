"""A wrong answer of each usual kind gets its hint, in every question; and no hint is the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pandas as pd
import plotly.graph_objects as go
import pytest

from insanonym_core.lessons import hints, mark_of
from insanonym_core.texts import Phrase, say
from insanonym_dashboard.plot import Plot
from tests.notebooks.solutions import SOLUTIONS

QUESTIONS = [(lesson, name, right) for lesson, all in SOLUTIONS.items() for name, right in all.items()]


def for_a_number(right: float) -> Iterator[tuple[object, Phrase]]:
    """Wrong answers where a number is asked for."""
    whole, tenth = int(right), round(right * 10) % 10
    yield f"{right:.2f}".replace(".", ","), hints.COMMA_IN_TEXT
    yield f"{right:.1f}".replace(".", ",") + " %", hints.COMMA_IN_TEXT
    yield (whole, tenth), hints.COMMA_IN_NUMBER
    yield (right,), hints.COMMA_BEHIND
    yield f"{right:.2f}", hints.QUOTED_NUMBER
    yield f"{100 * right:.0f} %", hints.QUOTED_NUMBER
    yield "about as much", hints.NUMBER_WANTED
    yield {"a": right}, hints.NUMBER_WANTED
    yield True, hints.NUMBER_WANTED
    yield [right], hints.ONE_NUMBER_WANTED
    yield pd.Series([right, right]), hints.ONE_NUMBER_WANTED
    yield pd.DataFrame({"a": [right]}), hints.ONE_NUMBER_WANTED
    yield float("nan"), hints.NOT_A_NUMBER
    if right:
        yield -right, hints.SIGN
        yield right * 1000, hints.UNIT
    if isinstance(right, int):
        yield right + 0.5, hints.WHOLE
        if right >= 100 and right % 10:
            yield round(right, -1), hints.ROUNDED_COUNT
        return
    if right:
        if abs(right) < 10:
            yield 100 * right, hints.PERCENT
            yield round(100 * right), hints.PERCENT
        if abs(right - round(right, 1)) > 0.01 * max(1, right):
            yield round(right, 1), hints.ROUNDED
    if 0 <= right <= 1 and right != 0.5:
        yield 1 - right, hints.COMPLEMENT


def for_a_text(right: str) -> Iterator[tuple[object, Phrase]]:
    """Wrong answers where one text is asked for."""
    yield [right], hints.ONE_TEXT_WANTED
    yield tuple(right.split()), hints.ONE_TEXT_WANTED
    yield 3, hints.TEXT_WANTED
    yield f'"{right}"', hints.SPELLING
    if "_" in right:
        yield right.replace("_", " "), hints.SPELLING
    if " " in right:
        yield right.replace(" ", ", "), hints.SPELLING
        yield right.replace(" ", ""), hints.SPELLING
        yield " ".join(reversed(right.split())), hints.ORDER


def for_a_list(right: set | list) -> Iterator[tuple[object, Phrase]]:
    """Wrong answers where several values are asked for."""
    items = sorted(right)
    first, *rest = items
    numbers = isinstance(first, int)
    a_list = hints.LIST_OF_NUMBERS if numbers else hints.LIST_OF_TEXTS
    yield ", ".join(map(str, items)), a_list
    yield first, a_list
    yield dict.fromkeys(items, 1), a_list
    yield [items], hints.NESTED
    yield rest, hints.MISSING
    yield [*items, first], hints.TWICE
    yield [*items, 7 if numbers else "something_else"], hints.TOO_MANY
    yield [*rest, 7 if numbers else "something_else"], hints.MIXED
    if numbers:
        yield [str(one) for one in items], hints.QUOTED_ITEMS
    else:
        yield [1, 2], hints.LIST_OF_TEXTS
        yield [f"{one}." for one in items], hints.SPELLING


def wrong_answers(right: object) -> Iterator[tuple[object, Phrase]]:
    yield len, hints.CALL
    yield object(), Phrase(hints.OBJECT, kind="object")
    yield go.Figure(), Phrase(hints.OBJECT, kind="Figure")
    yield Plot(), Phrase(hints.OBJECT, kind="Plot")
    if isinstance(right, str):
        yield from for_a_text(right)
    elif isinstance(right, int | float):
        yield from for_a_number(right)
    else:
        yield from for_a_list(right)


@pytest.mark.parametrize(("lesson", "name", "right"), QUESTIONS)
def test_every_usual_slip_gets_its_hint(lesson, name, right):
    assert mark_of(right, right).right is True
    for given, expected in wrong_answers(right):
        mark = mark_of(given, right)
        assert (mark.right, mark.hint) == (False, expected), given


@pytest.mark.parametrize(("lesson", "name", "right"), QUESTIONS)
def test_no_hint_is_the_answer(lesson, name, right):
    answer = {right} if isinstance(right, str | int | float) else set(right)
    for given, _ in wrong_answers(right):
        for lang in ("en", "fr"):
            words = set(re.findall(r"[\w-]+(?:\.\d+)?", say(mark_of(given, right).hint, lang)))
            shown = {float(one) if re.fullmatch(r"\d+(\.\d+)?", one) else one for one in words}
            assert not shown & answer, (given, say(mark_of(given, right).hint, lang))


@pytest.mark.parametrize("empty", [None, ..., "", "  "])
def test_what_is_not_answered_is_not_wrong(empty):
    assert mark_of(empty, 0.84).right is None


def test_every_hint_is_tried_and_said_in_both_languages():
    named = {one for one in vars(hints).values() if isinstance(one, Phrase)}
    tried = {hint for *_, right in QUESTIONS for _, hint in wrong_answers(right)}
    assert named <= tried
    assert all(say(one, "fr") != one for one in tried)


def test_answers_far_off_get_no_hint():
    assert mark_of(0.123, 0.84).hint is None
    assert mark_of("x", "y").hint is None
    assert mark_of(["a"], {"b", "c"}).hint is None


def test_a_number_cut_off_is_close():
    assert mark_of(0.66, 2 / 3).hint == hints.ROUNDED
    assert mark_of(86, 86.9).hint == hints.ROUNDED
    assert mark_of(0.67, 2 / 3).right is True
