"""Lines of a mobility file to numbers, by compiled code.

Only lines in the plain form are scanned, whose value is beyond doubt: an id without quotation marks, a date
to the second, coordinates of at most 15 digits. Anything else ends the scan, and who called reads the file
another way. So this is never a second opinion on what is legal.

Positions are unsigned: numba looks at signed ones for "from the end", which doubles the time. No loop runs
past the end of the text, because its last byte is a line feed and that ends every loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.mobility.compiled import Arguments, Result, compiled


def _inlined(work: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """For parts of what is compiled: put in where they are called, they take a fifth less time."""
    return numba.njit(nogil=True, inline="always")(work)


NOT_PLAIN = -1
_MAX_LINE_BYTES = np.uint64(1 << 20)  # as in Arrow's reader
_LINE_FEED, _RETURN, _QUOTE = ord("\n"), ord("\r"), ord('"')
_POINT, _MINUS, _COLON, _SPACE, _LETTER_T = (ord(sign) for sign in ".-: T")
_D, _E, _L = (ord(sign) for sign in "DEL")
_LAST_PLAIN = 127
_DATE = np.uint64(len("YYYY-MM-DD HH:MM:SS"))
_POWERS = np.array([float(f"1e{power}") for power in range(16)])  # exact, which 10.0 ** power need not be
_MAX_DIGITS = np.uint64(15)  # whole numbers and powers of ten of so many are exact: so is their quotient
_ZERO = np.uint64(ord("0"))
_ONE, _NINE, _TEN = np.uint64(1), np.uint64(9), np.uint64(10)
_NO_NUMBER = 1_000_000
_FIRST_YEAR, _LAST_YEAR = 1001, 9998  # as in dates.py
_EPOCH = 719_468  # days from the first of March of the year 0 to 1970


@compiled
def count_lines(text: Any) -> int:
    """How many line feeds there are."""
    number = 0
    for sign in text:
        number += sign == _LINE_FEED
    return number


@compiled
def scan_lines(
    text: Any,
    separator: int,
    code: Ints,
    time: Ints,
    latitude: Floats,
    longitude: Floats,
    first: Ints,
    length: Ints,
    table: Ints,
) -> int:
    """Fill the four columns from whole lines; how many different ids there are, or NOT_PLAIN.

    `first` and `length` receive where each id stands; `table`, all -1 and of a power of two larger than the
    number of lines, is for finding ids again. A deleted line, of whatever width, is filled with zeros.
    """
    end, at, row, ids = np.uint64(len(text)), np.uint64(0), np.uint64(0), 0
    before, before_length, before_code, line = np.uint64(0), np.uint64(0), -1, np.uint64(0)
    while at < end:
        if at - line > _MAX_LINE_BYTES:
            return NOT_PLAIN
        start = line = at
        if before_code >= 0 and _same_id_as_before(text, before, before_length, at, end, separator):
            at += before_length
            code[row] = before_code
        else:
            at = _end_of_id(text, at, separator)
            size = at - start
            found = _find_id(text, start, size, first, length, table, ids)
            ids += found == ids
            code[row] = found
            if _is_deleted(text, start, size):
                at = _end_of_line(text, at)
                time[row], latitude[row], longitude[row] = 0, 0.0, 0.0
                if at == 0:
                    return NOT_PLAIN
                row += _ONE
                continue
            if size == 0 or text[at] != separator:
                return NOT_PLAIN
            before, before_length, before_code = start, size, found
        at += _ONE
        if at + _DATE >= end or text[at + _DATE] != separator:
            return NOT_PLAIN
        seconds, legal = _seconds(text, at)
        if not legal:
            return NOT_PLAIN
        time[row] = seconds
        at, latitude[row] = _number(text, at + _DATE + _ONE)
        if at == 0 or text[at] != separator:
            return NOT_PLAIN
        at, longitude[row] = _number(text, at + _ONE)
        if at == 0:
            return NOT_PLAIN
        if text[at] == _RETURN:
            at += _ONE
        if text[at] != _LINE_FEED:
            return NOT_PLAIN
        at += _ONE
        row += _ONE
    return ids if end - line <= _MAX_LINE_BYTES else NOT_PLAIN


@_inlined
def _same_id_as_before(text: Any, before: Any, size: Any, at: Any, end: Any, separator: int) -> bool:
    """Whether the id of the line before is also this line's: people's lines often stand together."""
    if at + size >= end or text[at + size] != separator:
        return False
    return _same(text, at, before, size)


@_inlined
def _same(text: Any, one: Any, other: Any, size: Any) -> bool:
    """Whether the same signs stand at two places."""
    place = np.uint64(0)
    while place < size and text[one + place] == text[other + place]:
        place += _ONE
    return place == size


@_inlined
def _end_of_id(text: Any, at: Any, separator: int) -> Any:
    sign = text[at]
    while sign != separator and sign != _LINE_FEED and sign != _RETURN and sign != _QUOTE:
        at += _ONE
        sign = text[at]
    return at


@_inlined
def _find_id(text: Any, start: Any, size: Any, first: Ints, length: Ints, table: Ints, ids: int) -> int:
    """The number of an id; that of a new one is `ids`."""
    mixed = np.uint64(14695981039346656037)  # the hash of Fowler, Noll and Vo
    for place in range(size):
        mixed = (mixed ^ np.uint64(text[start + np.uint64(place)])) * np.uint64(1099511628211)
    mask = np.uint64(len(table) - 1)
    slot = (mixed ^ (mixed >> np.uint64(32))) & mask
    while table[slot] >= 0:
        found = table[slot]
        if length[found] == size and _same(text, start, np.uint64(first[found]), size):
            return found
        slot = (slot + _ONE) & mask
    table[slot], first[ids], length[ids] = ids, start, size
    return ids


@_inlined
def _is_deleted(text: Any, start: Any, size: Any) -> bool:
    two = np.uint64(2)
    return size == 3 and text[start] == _D and text[start + _ONE] == _E and text[start + two] == _L


@_inlined
def _end_of_line(text: Any, at: Any) -> Any:
    """The beginning of the next line; 0 if this one is not of plain signs, whatever it says."""
    while text[at] != _LINE_FEED:
        if text[at] == _QUOTE or text[at] > _LAST_PLAIN:
            return np.uint64(0)
        if text[at] == _RETURN and text[at + _ONE] != _LINE_FEED:
            return np.uint64(0)
        at += _ONE
    return at + _ONE


@_inlined
def _digit(text: Any, at: Any) -> Any:
    """Of one sign; what is no digit is more than 9, because what is below 0 wraps around."""
    return np.uint64(text[at]) - _ZERO


@_inlined
def _two_digits(text: Any, at: Any, distance: int) -> Any:
    """A number of two digits; anything else is out of all bounds."""
    at += np.uint64(distance)
    tens, ones = _digit(text, at), _digit(text, at + _ONE)
    return _NO_NUMBER if (tens > _NINE) | (ones > _NINE) else np.int64(tens * _TEN + ones)


@_inlined
def _seconds(text: Any, at: Any) -> tuple[int, bool]:
    """Seconds since 1970 of YYYY-MM-DD HH:MM:SS, and whether it is one that exists."""
    year = _two_digits(text, at, 0) * 100 + _two_digits(text, at, 2)
    month, day = _two_digits(text, at, 5), _two_digits(text, at, 8)
    hour, minute, second = _two_digits(text, at, 11), _two_digits(text, at, 14), _two_digits(text, at, 17)
    between = text[at + np.uint64(10)]
    if (
        text[at + np.uint64(4)] != _MINUS
        or text[at + np.uint64(7)] != _MINUS
        or (between != _SPACE and between != _LETTER_T)
        or text[at + np.uint64(13)] != _COLON
        or text[at + np.uint64(16)] != _COLON
        or not (_FIRST_YEAR <= year <= _LAST_YEAR and 1 <= month <= 12 and 1 <= day <= 31)
        or not (hour <= 23 and minute <= 59 and second <= 59)
    ):
        return 0, False
    if day > 28:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        if day > (28 + leap if month == 2 else 31 - (month - 1) % 7 % 2):
            return 0, False
    # Years from March to February: the day that some have more is their last.
    year -= month <= 2
    century = year // 100
    days = 1461 * year // 4 - century + century // 4 + (153 * ((month + 9) % 12) + 2) // 5 + day - 1 - _EPOCH
    return ((days * 24 + hour) * 60 + minute) * 60 + second, True


@_inlined
def _number(text: Any, at: Any) -> tuple[Any, float]:
    """A decimal number and the place after it; the place 0 if it is not plain."""
    negative = text[at] == _MINUS
    if negative:
        at += _ONE
    start = at
    whole = np.uint64(0)
    digit = _digit(text, at)
    while digit <= _NINE:
        whole = whole * _TEN + digit
        at += _ONE
        digit = _digit(text, at)
    digits, decimals = at - start, np.uint64(0)
    if digits == 0 or (digits > 1 and text[start] == _ZERO):
        return np.uint64(0), 0.0
    if text[at] == _POINT:
        at += _ONE
        start = at
        digit = _digit(text, at)
        while digit <= _NINE:
            whole = whole * _TEN + digit
            at += _ONE
            digit = _digit(text, at)
        decimals = at - start
        if decimals == 0:
            return np.uint64(0), 0.0
    if digits + decimals > _MAX_DIGITS:
        return np.uint64(0), 0.0
    value = np.int64(whole) / _POWERS[decimals]
    return at, -value if negative else value
