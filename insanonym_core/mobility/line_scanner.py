"""Parse lines of a mobility file with compiled code.

Only unambiguous lines are parsed, the plain form: an id without quotation marks, a date to the second,
coordinates of at most 15 digits. Anything else ends the scan, and the caller reads the file with another
reader, which alone decides what is valid.

Positions are unsigned: for signed ones numba checks for negative indices, which doubles the time. No loop
runs past the end of the text, because its last byte is a line feed, which ends every loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numba
import numpy as np

from insanonym_core.numeric.arrays import Bytes, Floats, Ints
from insanonym_core.runtime.compiled import Arguments, Result, compiled

Position: TypeAlias = Any  # Any: np.uint64 when compiled; arithmetic of numpy gives mypy another type


def _inline(work: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Decorator for helpers of compiled functions: inlined, they take a fifth less time."""
    return numba.njit(nogil=True, inline="always")(work)


NOT_PLAIN = -1
_MAX_LINE_BYTES = np.uint64(1 << 20)  # as in Arrow's reader
_LINE_FEED, _RETURN, _QUOTE = ord("\n"), ord("\r"), ord('"')
_POINT, _MINUS, _COLON, _SPACE, _LETTER_T = (ord(character) for character in ".-: T")
_D, _E, _L = (ord(character) for character in "DEL")
_LAST_ASCII = 127
_DATE_LENGTH = np.uint64(len("YYYY-MM-DD HH:MM:SS"))
_POWERS = np.array([float(f"1e{power}") for power in range(16)])  # exact, unlike 10.0 ** power
_MAX_DIGITS = np.uint64(
    15
)  # integers and powers of ten up to here are exact floats, so their quotient is correctly rounded
_ZERO = np.uint64(ord("0"))
_ONE, _NINE, _TEN = np.uint64(1), np.uint64(9), np.uint64(10)
_INVALID_NUMBER = 1_000_000
_FIRST_YEAR, _LAST_YEAR = 1001, 9998  # as in dates.py
_DAYS_TO_EPOCH = 719_468  # days from 1 March of the year 0 to 1970-01-01


@compiled
def count_lines(text: Bytes) -> int:
    """Number of line feeds."""
    number = 0
    for character in text:
        number += character == _LINE_FEED
    return number


@compiled
def scan_lines(
    text: Bytes,
    separator: int,
    code: Ints,
    time: Ints,
    latitude: Floats,
    longitude: Floats,
    first: Ints,
    length: Ints,
    table: Ints,
) -> int:
    """Fill the four columns from whole lines; return the number of distinct ids, or NOT_PLAIN.

    `first` and `length` receive the position of each id. `table` is the hash table of the ids: all -1, its
    size a power of two larger than the number of lines. Deleted lines, of any width, are filled with zeros.
    """
    end, at, row, ids = np.uint64(len(text)), np.uint64(0), np.uint64(0), 0
    previous_start, previous_length, previous_code, line_start = np.uint64(0), np.uint64(0), -1, np.uint64(0)
    while at < end:
        if at - line_start > _MAX_LINE_BYTES:
            return NOT_PLAIN
        start = line_start = at
        if previous_code >= 0 and _same_id_as_before(
            text, previous_start, previous_length, at, end, separator
        ):
            at += previous_length
            code[row] = previous_code
        else:
            at = _end_of_id(text, at, separator)
            size = at - start
            id_code = _find_id(text, start, size, first, length, table, ids)
            ids += id_code == ids
            code[row] = id_code
            if _is_deleted(text, start, size):
                at = _end_of_line(text, at)
                time[row], latitude[row], longitude[row] = 0, 0.0, 0.0
                if at == 0:
                    return NOT_PLAIN
                row += _ONE
                continue
            if size == 0 or text[at] != separator:
                return NOT_PLAIN
            previous_start, previous_length, previous_code = start, size, id_code
        at += _ONE
        if at + _DATE_LENGTH >= end or text[at + _DATE_LENGTH] != separator:
            return NOT_PLAIN
        seconds, legal = _parse_seconds(text, at)
        if not legal:
            return NOT_PLAIN
        time[row] = seconds
        at, latitude[row] = _parse_number(text, at + _DATE_LENGTH + _ONE)
        if at == 0 or text[at] != separator:
            return NOT_PLAIN
        at, longitude[row] = _parse_number(text, at + _ONE)
        if at == 0:
            return NOT_PLAIN
        if text[at] == _RETURN:
            at += _ONE
        if text[at] != _LINE_FEED:
            return NOT_PLAIN
        at += _ONE
        row += _ONE
    return ids if end - line_start <= _MAX_LINE_BYTES else NOT_PLAIN


@_inline
def _same_id_as_before(
    text: Bytes, previous_start: Position, size: Position, at: Position, end: Position, separator: int
) -> bool:
    """Whether this line has the id of the previous line, as most lines do."""
    if at + size >= end or text[at + size] != separator:
        return False
    return _equal_bytes(text, at, previous_start, size)


@_inline
def _equal_bytes(text: Bytes, start: Position, other_start: Position, size: Position) -> bool:
    """Whether the same `size` bytes are at two positions."""
    place = np.uint64(0)
    while place < size and text[start + place] == text[other_start + place]:
        place += _ONE
    return place == size


@_inline
def _end_of_id(text: Bytes, at: Position, separator: int) -> Position:
    character = text[at]
    while character != separator and character != _LINE_FEED and character != _RETURN and character != _QUOTE:
        at += _ONE
        character = text[at]
    return at


@_inline
def _find_id(
    text: Bytes, start: Position, size: Position, first: Ints, length: Ints, table: Ints, ids: int
) -> int:
    """Code of an id; a new id gets the code `ids`."""
    hash_value = np.uint64(14695981039346656037)  # FNV-1a
    for place in range(size):
        hash_value = (hash_value ^ np.uint64(text[start + np.uint64(place)])) * np.uint64(1099511628211)
    mask = np.uint64(len(table) - 1)
    slot = (hash_value ^ (hash_value >> np.uint64(32))) & mask
    while table[slot] >= 0:
        code = table[slot]
        if length[code] == size and _equal_bytes(text, start, np.uint64(first[code]), size):
            return code
        slot = (slot + _ONE) & mask
    table[slot], first[ids], length[ids] = ids, start, size
    return ids


@_inline
def _is_deleted(text: Bytes, start: Position, size: Position) -> bool:
    two = np.uint64(2)
    return size == 3 and text[start] == _D and text[start + _ONE] == _E and text[start + two] == _L


@_inline
def _end_of_line(text: Bytes, at: Position) -> Position:
    """Start of the next line; 0 if this one has a quotation mark, a non-ASCII byte or a lone return."""
    while text[at] != _LINE_FEED:
        if text[at] == _QUOTE or text[at] > _LAST_ASCII:
            return np.uint64(0)
        if text[at] == _RETURN and text[at + _ONE] != _LINE_FEED:
            return np.uint64(0)
        at += _ONE
    return at + _ONE


@_inline
def _digit(text: Bytes, at: Position) -> Position:
    """Value of a digit; more than 9 for any other byte (bytes below '0' wrap around)."""
    return np.uint64(text[at]) - _ZERO


@_inline
def _two_digits(text: Bytes, at: Position, distance: int) -> Position:
    """Value of two digits; _INVALID_NUMBER for anything else."""
    at += np.uint64(distance)
    tens, ones = _digit(text, at), _digit(text, at + _ONE)
    return _INVALID_NUMBER if (tens > _NINE) | (ones > _NINE) else np.int64(tens * _TEN + ones)


@_inline
def _parse_seconds(text: Bytes, at: Position) -> tuple[int, bool]:
    """Seconds since 1970 of YYYY-MM-DD HH:MM:SS, and whether that date exists."""
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
    # Count years from March to February, so that a leap day is the last day of its year.
    year -= month <= 2
    century = year // 100
    days = (
        1461 * year // 4
        - century
        + century // 4
        + (153 * ((month + 9) % 12) + 2) // 5
        + day
        - 1
        - _DAYS_TO_EPOCH
    )
    return ((days * 24 + hour) * 60 + minute) * 60 + second, True


@_inline
def _parse_number(text: Bytes, at: Position) -> tuple[Position, float]:
    """Position after a decimal number, and its value; position 0 if it is not plain."""
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
