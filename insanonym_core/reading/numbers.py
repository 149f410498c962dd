"""Numbers as people write them: 1234.56, 1234,56, 1 234,56, 1.234,56 and 1,234.56."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

_BLANKS = "[ \u00a0\u2009\u202f]"
_WHOLE = r"^[+-]?(0|[1-9]\d{0,17})$"
_TOO_LONG = r"^[+-]?\d{19,}$"  # a float would take neighbouring codes for one
_FEW = 100
_MIN_CODE_DIGITS = 9  # 552 100 554 is rather the number of a company than an amount


@dataclass(frozen=True)
class Decimal:
    """The decimal mark of a file; `sure` where numbers show it that cannot be read with the other mark.

    Then the other mark can only group digits: beside 1,75 the text 1.234 is more than a thousand.
    """

    mark: str = "."
    sure: bool = False


def decimal_mark(columns: Iterable[pa.Array]) -> Decimal:
    """The decimal mark of a file: a comma if a column is written like 1234,56 and none like 1234.56."""
    found = [_mark_of_column(column) for column in columns]
    sure = {one.mark for one in found if one and one.sure}
    if len(sure) == 1:
        return Decimal(sure.pop(), sure=True)
    possible = {one.mark for one in found if one}
    return Decimal(",") if possible == {","} else Decimal()


def _mark_of_column(texts: pa.Array) -> Decimal | None:
    """The decimal mark of different texts; None for whole numbers and other texts."""
    for mark, other in ((",", "."), (".", ",")):
        groups = rf"\d{{1,3}}(({_BLANKS}\d{{3}})+|([{other}]\d{{3}})+)"
        if all_match(texts, rf"^[+-]?(\d+|{groups})([{mark}]\d+)?$") and _any(texts, re.escape(mark)):
            unsure = all_match(texts, rf"^[+-]?[1-9]\d{{0,2}}([{mark}]\d{{3}})?$")
            return Decimal(mark, sure=not unsure)
    return None


def numbers_of(texts: pa.Array, written: Decimal) -> pa.Array | None:
    """Different texts as numbers; None unless all are.

    01000 is no number: it would equal 1000, and k would count them together. Nor is a code of more than 18
    digits.
    """
    decimal = written.mark
    if all_match(texts, _WHOLE):
        return _cast(texts, pa.int64())
    point = re.escape(decimal)
    if all_match(texts, rf"^[+-]?(0|[1-9]\d*)?({point}\d+)?([eE][+-]?\d+)?$") and not _any(texts, _TOO_LONG):
        return _cast(_with_point(texts, decimal), pa.float64())
    return _grouped(texts, decimal, sure=written.sure)


def _grouped(texts: pa.Array, decimal: str, *, sure: bool) -> pa.Array | None:
    """Numbers whose digits stand in groups of three."""
    point, other = re.escape(decimal), re.escape("." if decimal == "," else ",")
    ungrouped, end = r"0|[1-9]\d*", rf"({point}\d+)?$"
    with_blanks = rf"^[+-]?({ungrouped}|[1-9]\d{{0,2}}({_BLANKS}\d{{3}})+){end}"
    if all_match(texts, with_blanks) and _any(texts, _BLANKS):
        plain = pc.replace_substring_regex(texts, _BLANKS, "")
        if _looks_like_codes(plain):
            return None
    else:
        # A point or comma groups digits only where another column, or this one, shows what the other is for.
        with_marks = rf"^[+-]?({ungrouped}|[1-9]\d{{0,2}}({other}\d{{3}})+){end}"
        if not (all_match(texts, with_marks) and (sure or _any(texts, rf"{other}\d{{3}}{point}"))):
            return None
        plain = pc.replace_substring_regex(texts, other, "")
    if _any(plain, _TOO_LONG):
        return None
    return (
        _cast(plain, pa.int64())
        if all_match(plain, _WHOLE)
        else _cast(_with_point(plain, decimal), pa.float64())
    )


def _looks_like_codes(texts: pa.Array) -> bool:
    """Whether whole numbers all have the same many digits."""
    lengths = pc.binary_length(texts).to_numpy(zero_copy_only=False)
    alike = lengths[0] >= _MIN_CODE_DIGITS and (lengths == lengths[0]).all()
    return bool(alike) and all_match(texts, r"^\d+$")


def constant_width(numbers: pa.Array) -> int:
    """The number of digits that all these whole numbers have; 0 if they differ."""
    if len(numbers) == 0 or not pa.types.is_integer(numbers.type):
        return 0
    values = numbers.to_numpy(zero_copy_only=False)
    low, high = int(values.min()), int(values.max())
    return len(str(low)) if low >= 0 and len(str(low)) == len(str(high)) else 0


def all_match(texts: pa.Array, pattern: str) -> bool:
    """Whether all texts match; a few tell nearly always that they do not."""
    some = texts.slice(0, _FEW)
    if not pc.all(pc.match_substring_regex(some, pattern)).as_py():
        return False
    return len(texts) <= _FEW or bool(pc.all(pc.match_substring_regex(texts, pattern)).as_py())


def _any(texts: pa.Array, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(texts, pattern)).as_py())


def _with_point(texts: pa.Array, decimal: str) -> pa.Array:
    return pc.replace_substring(texts, ",", ".") if decimal == "," else texts


def _cast(texts: pa.Array, target: pa.DataType) -> pa.Array | None:
    try:
        return texts.cast(target)
    except pa.ArrowInvalid:
        return None
