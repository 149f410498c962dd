"""Hints for the usual slips in an answer. A hint says what kind of slip it is, never the right answer."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from numbers import Integral, Real

from insanonym_core.lessons.compare import CLOSE, is_number, is_right, is_several, left_over
from insanonym_core.texts import Phrase

_EXAMPLE = "3.14"
_FACTORS_OF_UNITS = (24, 60, 1000, 3600)
_NEAR = 0.05  # relative: as far off as a number rounded to whole units may be

COMMA_IN_TEXT = Phrase(
    "Write a decimal point, not a comma, and no quotation marks, as in {example}.", example=_EXAMPLE
)
COMMA_IN_NUMBER = Phrase(
    "Python reads two numbers where there is a comma. Write a decimal point, as in {example}.",
    example=_EXAMPLE,
)
COMMA_BEHIND = Phrase("The comma after the number makes a list of it: leave it out.")
QUOTED_NUMBER = Phrase(
    "Write a number without quotation marks and without a unit, as in {example}.", example=_EXAMPLE
)
NUMBER_WANTED = Phrase("A number is wanted here.")
ONE_NUMBER_WANTED = Phrase("This holds several values, or a table. A single number is wanted.")
NOT_A_NUMBER = Phrase(
    "This is not a number (nan or inf): a value is missing, or something is divided by zero."
)
SIGN = Phrase("Look at the sign: what is subtracted from what?")
PERCENT = Phrase("This looks like percent. A quarter is {example}, not 25.", example="0.25")
COMPLEMENT = Phrase("Which part does the question ask for: this one, or the rest?")
UNIT = Phrase("Look at the unit that the question asks for.")
WHOLE = Phrase("A whole number is wanted.")
ROUNDED_COUNT = Phrase("Close, but a count must be exact: do not round it.")
ROUNDED = Phrase("Close, but rounded or cut off too early: keep at least two decimals.")
CALL = Phrase("This is a function, not its result: add parentheses, as in {example}.", example="len(rows)")
OBJECT = "This is an object ({kind}), not a value: take the value from it."
TEXT_WANTED = Phrase("A text is wanted here, between quotation marks.")
ONE_TEXT_WANTED = Phrase("One text is wanted, not a list: everything between one pair of quotation marks.")
SPELLING = Phrase("Nearly: write it exactly as in the lesson, with the same spaces, hyphens and underscores.")
ORDER = Phrase("The words are right. Look at their order.")
_LIST = "A list is wanted, even for one item, in square brackets, as in {example}."
LIST_OF_TEXTS = Phrase(_LIST, example='["one", "two"]')
LIST_OF_NUMBERS = Phrase(_LIST, example="[1, 2]")
NESTED = Phrase("This is a list within a list: one pair of square brackets is enough.")
QUOTED_ITEMS = Phrase("Write the numbers of the list without quotation marks.")
TWICE = Phrase("Something is in the list twice.")
MISSING = Phrase("All of these are right, but something is missing.")
TOO_MANY = Phrase("Not all of these belong there.")
MIXED = Phrase("Some of these belong there and some do not.")


def hint(given: object, right: object) -> Phrase | None:
    """What slip a wrong answer looks like, or None."""
    if callable(given):
        return CALL
    if not (is_number(given) or isinstance(given, str | bool | Mapping) or is_several(given)):
        return Phrase(OBJECT, kind=type(given).__name__)
    if isinstance(right, str):
        return _hint_for_text(given, right)
    if is_number(right):
        return _hint_for_value(given, right) if is_number(given) else _hint_for_no_number(given)
    return _hint_for_list(given, right) if is_several(right) else None


def _hint_for_no_number(given: object) -> Phrase:
    """A number is wanted, and something else came."""
    if isinstance(given, str):
        written = re.sub(r"[\s%]", "", given).replace("−", "-")
        if re.fullmatch(r"-?\d*,\d+", written):
            return COMMA_IN_TEXT
        return QUOTED_NUMBER if _reads_as_number(written) else NUMBER_WANTED
    if isinstance(given, tuple) and all(is_number(one) for one in given):
        if len(given) == 1:
            return COMMA_BEHIND
        if len(given) == 2:
            return COMMA_IN_NUMBER
    return ONE_NUMBER_WANTED if is_several(given) else NUMBER_WANTED


def _reads_as_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _hint_for_value(given: Real, right: Real) -> Phrase | None:
    """A number, but the wrong one."""
    value, wanted = float(given), float(right)
    if not math.isfinite(value):
        return NOT_A_NUMBER
    slips: tuple[tuple[Phrase, Callable[[], bool]], ...] = (
        (SIGN, lambda: is_right(-value, right)),
        (PERCENT, lambda: not _counts(right) and _in_percent(value, wanted)),
        (COMPLEMENT, lambda: not _counts(right) and 0 <= wanted <= 1 and is_right(1 - value, right)),
        (
            UNIT,
            lambda: any(_same(value, wanted * by) or _same(value * by, wanted) for by in _FACTORS_OF_UNITS),
        ),
        (WHOLE, lambda: _counts(right) and not value.is_integer()),
        (ROUNDED_COUNT, lambda: _counts(right) and _rounded(value, wanted)),
        (ROUNDED, lambda: _rounded(value, wanted)),
    )
    return next((text for text, applies in slips if applies()), None)


def _counts(right: Real) -> bool:
    return isinstance(right, Integral)


def _in_percent(value: float, wanted: float) -> bool:
    """Whether a share or a ratio was given in percent, rounded to whole ones at most."""
    return abs(wanted) < 10 and abs(value - 100 * wanted) <= max(0.5, CLOSE * abs(value))


def _same(one: float, other: float) -> bool:
    return other != 0 and math.isclose(one, other, rel_tol=CLOSE)


def _rounded(value: float, wanted: float) -> bool:
    """Whether a value is the wanted one with fewer digits: rounded, or cut off."""
    if value == 0 or wanted == 0:
        return False
    near = abs(value - wanted) <= _NEAR * abs(wanted)
    return any(
        (near or places >= 1)
        and any(math.isclose(value, shorter(wanted, places)) for shorter in (round, _cut_off))
        for places in range(-6, 3)
    )


def _cut_off(value: float, places: int) -> float:
    return math.trunc(value * 10.0**places) / 10.0**places


def _hint_for_text(given: object, right: str) -> Phrase | None:
    if is_several(given):
        return ONE_TEXT_WANTED
    if not isinstance(given, str):
        return TEXT_WANTED
    if _letters(given) == _letters(right):
        return SPELLING
    return ORDER if sorted(given.casefold().split()) == sorted(right.casefold().split()) else None


def _letters(text: object) -> str:
    return re.sub(r"[\W_]", "", str(text)).casefold()


def _hint_for_list(given: object, right: Collection[object]) -> Phrase | None:
    numbers = all(is_number(one) for one in right)
    if not is_several(given):
        return LIST_OF_NUMBERS if numbers else LIST_OF_TEXTS
    if any(is_several(one) for one in given):
        return NESTED
    if numbers and any(isinstance(one, str) for one in given):
        return QUOTED_ITEMS
    if not numbers and any(is_number(one) for one in given):
        return LIST_OF_TEXTS
    too_many, missing = left_over(given, right), left_over(right, given)
    if not numbers and sorted(map(_letters, too_many)) == sorted(map(_letters, missing)):
        return SPELLING
    if too_many and not missing:
        return TWICE if all(any(is_right(one, item) for item in right) for one in too_many) else TOO_MANY
    if len(too_many) == len(given):
        return None
    return MIXED if too_many else MISSING
