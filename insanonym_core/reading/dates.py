"""Dates as people write them: the order of day and month is decided over the whole column, and told.

A number above 12 decides. Where there is none, nobody can tell: the caller asks, instead of guessing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insanonym_core.numeric.arrays import Bools, Ints
from insanonym_core.reading.numbers import all_match
from insanonym_core.texts import Phrase

Order = Literal["ymd", "dmy", "mdy"]
Time = Literal["", "minute", "second"]
_MARKS = ("-", "/", ".", " ")
_TIME = (
    r"(?:(?P<t>[ T,]+)(?P<h>\d{1,2})[:hH](?P<i>\d{2})(?::(?P<s>\d{2})(?:[.,](?P<f>\d{1,9}))?)?"
    r"\s*(?P<p>[AaPp][Mm])?)?"
    r"\s*(?P<z>Z|[+-]\d{2}:?\d{2})?"
)
_COMPACT = r"^(?P<a>\d{4})(?P<b>\d{2})(?P<c>\d{2})" + _TIME + "$"
_ISO = r"^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?$"
_FIRST_YEAR_1900 = 30  # of two digits, as in spreadsheets: 00 to 29 are of this century
_DAY = 86_400_000_000  # microseconds
_NAMES = {
    1: "january jan janvier janv",
    2: "february feb février fevrier févr fevr fév",
    3: "march mar mars",
    4: "april apr avril avr",
    5: "may mai",
    6: "june jun juin",
    7: "july jul juillet juil",
    8: "august aug août aout",
    9: "september sep sept septembre",
    10: "october oct octobre",
    11: "november nov novembre",
    12: "december dec décembre decembre déc",
}
_MONTHS = {name: month for month, names in _NAMES.items() for name in names.split()}
_DAY_MONTH_NAME = re.compile(
    r"(\d{1,2})(?:er|st|nd|rd|th)?[ -]([^\W\d_]{3,9})\.?,?[ -](\d{4}|\d{2})(?!\d)(.*)", re.S
)
_MONTH_NAME_DAY = re.compile(r"([^\W\d_]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)(.*)", re.S)
_ORDERS: dict[str, Phrase] = {
    "ymd": Phrase("year, month, day"),
    "dmy": Phrase("day, month, year"),
    "mdy": Phrase("month, day, year"),
}


@dataclass(frozen=True)
class DateForm:
    """How the dates of a column are written, and how their order was found."""

    order: Order = "ymd"
    mark: str = "-"
    time: Time = ""
    between: str = " "
    zone: bool = False
    two_digits: bool = False
    named_month: bool = False
    decided_by: Literal["year", "day", "dots", "name", "said", "other column", ""] = "year"

    @property
    def ambiguous(self) -> bool:
        """Whether nothing tells day from month."""
        return not self.decided_by

    def explained(self) -> Phrase:
        """The order and why, in words."""
        reasons = {
            "year": Phrase("the year comes first"),
            "day": Phrase("a day is above 12"),
            "dots": Phrase("dates with points begin with the day"),
            "name": Phrase("the month has a name"),
            "said": Phrase("as you said"),
            "other column": Phrase("as in another column of this file"),
            "": Phrase("no day is above 12, so nobody can tell the order"),
        }
        return Phrase("{order}: {why}", order=_ORDERS[self.order], why=reasons[self.decided_by])

    def strftime(self) -> str:
        """The form in which the dates of a release are written: years have four digits."""
        if self.named_month:
            return replace(self, named_month=False, order="dmy", mark="/").strftime()
        day = self.mark.join({"y": "%Y", "m": "%m", "d": "%d"}[part] for part in self.order)
        time = {"": "", "minute": "%H:%M", "second": "%H:%M:%S"}[self.time]
        return f"{day}{self.between}{time}" if time else day


@dataclass(frozen=True, eq=False)
class Dates:
    """The texts of a column as dates: microseconds of the wall clock, or of UTC where they have an offset."""

    values: pa.Array
    form: DateForm

    @property
    def complete(self) -> bool:
        """Whether every text is a date."""
        return self.values.null_count == 0


def dates_of(texts: pa.Array, order: str | None = None) -> Dates | None:
    """Read texts, none missing and without blanks around them, as dates; null where one is no date, None
    where hardly any is.

    `order` is what somebody said. The form is that of most texts.
    """
    iso = iso_dates(texts) if order in (None, "ymd") else None
    if iso is not None:
        return iso
    named = _with_numbered_months(texts)
    parts = _parts(texts if named is None else named, order)
    if parts is None:
        return None
    found, mark = parts
    form = _form(found, mark, order, named=named is not None)
    return Dates(_values(found, form), form)


def iso_dates(texts: pa.Array) -> Dates | None:
    """The form that Arrow reads by itself; None for any other."""
    if not all_match(texts, _ISO):
        return None
    try:
        values = texts.cast(pa.timestamp("us"))
    except pa.ArrowInvalid:
        return None
    first = texts[0].as_py() if len(texts) else ""
    time: Time = "second" if len(first) > 16 else "minute" if len(first) > 10 else ""
    return Dates(values, DateForm(time=time, between="T" if first[10:11] == "T" else " "))


@cache
def _pattern(mark: str) -> str:
    sign = re.escape(mark)
    return rf"^(?P<a>\d{{1,4}}){sign}(?P<b>\d{{1,2}}){sign}(?P<c>\d{{1,4}}){_TIME}$"


def _parts(texts: pa.Array, order: str | None) -> tuple[pa.StructArray, str] | None:
    """The fields of each text, by the mark between them that most texts have."""
    if len(texts) == 0:
        return None
    patterns = {mark: _pattern(mark) for mark in _MARKS}
    if order == "ymd":
        patterns[""] = _COMPACT
    sample = texts.slice(0, 200)
    hits = {
        mark: pc.sum(pc.match_substring_regex(sample, pattern)).as_py() or 0
        for mark, pattern in patterns.items()
    }
    mark = max(hits, key=lambda one: hits[one])
    if 2 * hits[mark] <= len(sample):
        return None
    return pc.extract_regex(texts, patterns[mark]), mark


def _with_numbered_months(texts: pa.Array) -> pa.Array | None:
    """The texts with names of months replaced: 3 mars 2024 → 3/3/2024; None if they have no names."""
    sample = texts.slice(0, 200).to_pylist()
    hits = sum(_numbered(text) != text for text in sample)
    if 2 * hits <= len(sample):
        return None
    return pa.array([_numbered(text) for text in texts.to_pylist()], pa.string())


def _numbered(text: str) -> str:
    match = _DAY_MONTH_NAME.fullmatch(text)
    if match and (month := _MONTHS.get(match[2].lower())):
        return f"{match[1]}/{month}/{match[3]}{match[4]}"
    match = _MONTH_NAME_DAY.fullmatch(text)
    if match and (month := _MONTHS.get(match[1].lower())):
        return f"{match[2]}/{month}/{match[3]}{match[4]}"
    return text


def _numbers(parts: pa.StructArray, name: str) -> Ints:
    """A field as whole numbers, 0 where it is empty."""
    texts = pc.struct_field(parts, name)
    texts = pc.if_else(pc.equal(pc.fill_null(texts, ""), ""), "0", texts)
    return texts.cast(pa.int64()).to_numpy(zero_copy_only=False)


def _given(parts: pa.StructArray, name: str) -> Bools:
    return pc.not_equal(pc.fill_null(pc.struct_field(parts, name), ""), "").to_numpy(zero_copy_only=False)


def _lengths(parts: pa.StructArray, name: str) -> Ints:
    return pc.binary_length(pc.fill_null(pc.struct_field(parts, name), "")).to_numpy(zero_copy_only=False)


def _form(parts: pa.StructArray, mark: str, said: str | None, *, named: bool) -> DateForm:
    matched = parts.is_valid().to_numpy(zero_copy_only=False)
    year_first = _lengths(parts, "a")[matched] >= 3
    first, second = _numbers(parts, "a")[matched], _numbers(parts, "b")[matched]
    order: Order
    decided: Any = "said"  # Any: one of the words of DateForm.decided_by
    if said:
        order = said  # type: ignore[assignment]  # checked by ReadingOptions
    elif 2 * np.count_nonzero(year_first) > len(first):
        order, decided = "ymd", "year"
    else:
        days, months = np.count_nonzero(first > 12), np.count_nonzero(second > 12)
        order = "mdy" if months > days else "dmy"
        decided = "name" if named else "day" if days or months else "dots" if mark == "." else ""
        if named or (mark == "." and not months):
            order = "dmy"
    time: Time = "second" if _given(parts, "s").any() else "minute" if _given(parts, "h").any() else ""
    between = pc.struct_field(parts, "t").filter(pa.array(_given(parts, "t"))).slice(0, 1).to_pylist()
    year = _lengths(parts, "a" if order == "ymd" else "c")[matched]
    return DateForm(
        order,
        mark or "-",
        time,
        "T" if between == ["T"] else " ",
        bool(2 * np.count_nonzero(_given(parts, "z")[matched]) > len(first)),
        bool((year <= 2).all()),
        named,
        decided,
    )


def _values(parts: pa.StructArray, form: DateForm) -> pa.Array:
    """The dates in microseconds; null where there is no such date, or where only others have a time zone."""
    places = dict(zip(form.order, "abc", strict=True))
    year, month, day = (_numbers(parts, places[name]) for name in "ymd")
    widths = {name: _lengths(parts, places[name]) for name in "ymd"}
    good = parts.is_valid().to_numpy(zero_copy_only=False).copy()
    good &= (widths["y"] == (2 if form.two_digits else 4)) & (widths["d"] <= 2) & (widths["m"] <= 2)
    if form.two_digits:
        year = year + np.where(year < _FIRST_YEAR_1900, 2000, 1900)
    good &= (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31) & (year >= 1)
    months = (np.where(good, year, 1970) - 1970) * 12 + np.where(good, month, 1) - 1
    start = months.astype("datetime64[M]")
    days = start.astype("datetime64[D]").astype(np.int64) + np.where(good, day, 1) - 1
    good &= days.astype("datetime64[D]").astype("datetime64[M]") == start
    hour, minute, second = (_numbers(parts, name) for name in "his")
    half = pc.fill_null(pc.utf8_lower(pc.struct_field(parts, "p")), "").to_numpy(zero_copy_only=False)
    good &= (half == "") | ((hour >= 1) & (hour <= 12))
    hour = np.where(half == "", hour, hour % 12 + np.where(half == "pm", 12, 0))
    good &= (hour <= 23) & (minute <= 59) & (second <= 59)
    fraction = pc.struct_field(parts, "f")
    padded = pc.utf8_slice_codeunits(pc.utf8_rpad(pc.fill_null(fraction, ""), 6, "0"), 0, 6)
    micro = padded.cast(pa.int64()).to_numpy(zero_copy_only=False)
    micro = ((hour * 60 + minute) * 60 + second) * 1_000_000 + micro
    good &= _given(parts, "z") == form.zone
    if form.zone:
        micro = micro - _offsets(parts) * 60_000_000
    return pa.array(np.where(good, days * _DAY + micro, 0), mask=~good).cast(pa.timestamp("us"))


def _offsets(parts: pa.StructArray) -> Ints:
    """The offset from UTC in minutes."""
    texts = pc.fill_null(pc.struct_field(parts, "z"), "Z")
    different = {text: _minutes(text) for text in texts.unique().to_pylist()}
    encoded = texts.dictionary_encode()
    minutes = np.array([different[text] for text in encoded.dictionary.to_pylist()], dtype=np.int64)
    return minutes[encoded.indices.to_numpy(zero_copy_only=False)]


def _minutes(offset: str) -> int:
    if offset in ("", "Z"):
        return 0
    digits = offset[1:].replace(":", "")
    return (-1 if offset[0] == "-" else 1) * (int(digits[:2]) * 60 + int(digits[2:]))


def in_zone(values: pa.Array, zone: str | None) -> pa.Array:
    """UTC times on the wall clock of a zone; unchanged without one."""
    if not zone:
        return values
    import pandas as pd

    times = pd.Series(values.to_numpy(zero_copy_only=False)).dt.tz_localize("UTC").dt.tz_convert(zone)
    local = times.dt.tz_localize(None).astype("datetime64[us]")
    return pa.array(local, pa.timestamp("us"), from_pandas=True)
