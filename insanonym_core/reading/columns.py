"""What the columns of a file hold: numbers, dates or texts, decided over all values of a column, with the "
"reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insanonym_core.errors import LINES_SHOWN, DataError, UsageError, brief, listed, shape_of
from insanonym_core.reading.dates import DateForm, Dates, dates_of, in_zone
from insanonym_core.reading.numbers import Decimal, all_match, constant_width, decimal_mark, numbers_of
from insanonym_core.reading.options import ReadingOptions
from insanonym_core.texts import Phrase

MISSING_MARKS = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "#N/A", "NaT")
_MIN_CODE_WIDTH, _NEARLY_ALL = 5, 0.9
_MIN_CODES = 10  # fewer values say nothing about uniqueness
Kind = Literal["number", "date", "text"]


@dataclass(frozen=True, eq=False)
class ReadColumn:
    """A column as read: its values, what they were taken for and why.

    `ambiguous`: these are dates whose order nobody can tell. `zoned`: they have an offset from UTC.
    `proposal` is what somebody might rather say that the column is.
    """

    name: str
    kind: Kind
    values: pa.ChunkedArray
    why: Phrase
    form: DateForm | None = None
    ambiguous: bool = False
    zoned: bool = False
    proposal: str = ""


@dataclass(frozen=True, eq=False)
class _Coded:
    """The different texts of a column, and for each row the place of its text there (null: missing)."""

    name: str
    texts: pa.Array
    places: list[pa.Array]

    @classmethod
    def of(cls, name: str, column: pa.ChunkedArray) -> _Coded:
        chunks = column.dictionary_encode().chunks
        texts = chunks[-1].dictionary if chunks else pa.array([], pa.string())
        return cls(name, texts, [chunk.indices for chunk in chunks])

    @cached_property
    def _trimmed_and_missing(self) -> tuple[pa.Array, pa.Array | None]:
        """The texts without blanks around them, and which of them say that there is no value, if any do."""
        trimmed = pc.utf8_trim_whitespace(self.texts)
        marks = pc.is_in(trimmed, pa.array(MISSING_MARKS))
        return trimmed, marks if pc.any(marks).as_py() else None

    @cached_property
    def present(self) -> pa.Array:
        """The texts that are values."""
        _, missing = self._trimmed_and_missing
        return self.texts if missing is None else self.texts.filter(pc.invert(missing))

    @cached_property
    def trimmed(self) -> pa.Array:
        """The same without blanks around them: they are no part of numbers and dates."""
        trimmed, missing = self._trimmed_and_missing
        return trimmed if missing is None else trimmed.filter(pc.invert(missing))

    def with_values(self, values: pa.Array, of: pa.Array) -> pa.ChunkedArray:
        """The rows with the value of their text; missing where it has none."""
        by_text = values if of is self.texts else pc.take(values, pc.index_in(self.texts, of))
        return pa.chunked_array([pc.take(by_text, places) for places in self.places], values.type)

    def rows_of(self, texts: pa.Array) -> list[int]:
        """The first rows with one of these texts."""
        codes = pc.index_in(texts, self.texts).to_numpy(zero_copy_only=False)
        places = np.concatenate([one.fill_null(-1).to_numpy(zero_copy_only=False) for one in self.places])
        found: list[int] = np.flatnonzero(np.isin(places, codes))[:LINES_SHOWN].tolist()
        return found


def read_types(
    columns: Mapping[str, pa.ChunkedArray],
    options: ReadingOptions,
    *,
    file: str = "",
    first_line: int = 2,
    commas_separate: bool = False,
    typed: bool = False,
) -> tuple[list[ReadColumn], str]:
    """The columns of a file with their types, and its decimal mark.

    Columns of a `typed` file (Parquet) keep the type that they have, unless another is said. Where commas
    separate fields, a decimal comma must be asked for.
    """
    unknown = [name for name in options.types if name not in columns]
    if unknown:
        raise UsageError(
            "types must name columns of the file, got {name}, which is no column; choose from: {columns}.",
            name=brief(unknown[0]),
            columns=listed(columns),
        )
    coded = {
        name: _Coded.of(name, column)
        for name, column in columns.items()
        if _is_text(column) and (not typed or name in options.types)
    }
    trimmed = {name: one.trimmed for name, one in coded.items()}
    asked = [trimmed[name] for name in coded if options.types.get(name, "number") == "number"]
    said = options.decimal or ("." if commas_separate else "")
    decimal = Decimal(said, sure=options.decimal is not None) if said else decimal_mark(asked)
    read = []
    for name, column in columns.items():
        if name in coded:
            where = _Where(file, first_line)
            read.append(_read_texts(coded[name], column, trimmed[name], decimal, options, where))
        else:
            read.append(_typed(name, column, options))
    return _agreed(read, options, coded, trimmed), decimal.mark


def refuse_ambiguous(columns: Iterable[ReadColumn], file: str) -> None:
    """Refuse dates whose order nobody can tell: the user must say it."""
    names = [column.name for column in columns if column.ambiguous]
    if names:
        raise DataError(
            "{file}: nobody can tell day from month in the dates of the column {name}, because no day is "
            "above "
            "12; say --type {plain}=date:dmy or --type {plain}=date:mdy (types under reading in a recipe).",
            file=file,
            name=brief(names[0]),
            plain=listed(names[:1]),
        )


def _is_text(column: pa.ChunkedArray) -> bool:
    return pa.types.is_string(column.type) or pa.types.is_large_string(column.type)


@dataclass(frozen=True)
class _Where:
    file: str
    first_line: int


def _read_texts(
    coded: _Coded,
    column: pa.ChunkedArray,
    texts: pa.Array,
    decimal: Decimal,
    options: ReadingOptions,
    where: _Where,
) -> ReadColumn:
    said = options.types.get(coded.name, "")
    as_text = ReadColumn(coded.name, "text", _without_blanks(coded, column), Phrase("texts"))
    if said == "text":
        return replace(as_text, why=Phrase("as you said"))
    if len(texts) == 0:
        return replace(as_text, why=Phrase("no values"))
    if said.startswith("date"):
        return _said_dates(coded, texts, options, where)
    numbers = numbers_of(texts, decimal)
    if numbers is not None:
        values = coded.with_values(numbers, coded.present)
        return _as_numbers(coded.name, values, numbers, decimal.mark, said=bool(said))
    if said:
        _refuse_values(coded, texts, lambda some: numbers_of(some, decimal) is not None, said, where)
    dates = dates_of(texts)
    if dates is None or not dates.complete:
        return replace(as_text, why=_why_text(texts, dates))
    if dates.form.ambiguous:
        return replace(as_text, why=dates.form.explained(), form=dates.form, ambiguous=True)
    return _as_dates(coded, dates, options)


def _without_blanks(coded: _Coded, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column of texts without the blanks that begin, or end, every one of them: they only fill a field."""
    texts = coded.texts
    if len(texts) == 0 or not (all_match(texts, r"^\s+\S") or all_match(texts, r"\S\s+$")):
        return column
    return coded.with_values(pc.utf8_trim_whitespace(texts), texts)


def _as_numbers(
    name: str, values: pa.ChunkedArray, different: pa.Array, decimal: str, *, said: bool
) -> ReadColumn:
    why = Phrase("whole numbers") if pa.types.is_integer(values.type) else Phrase("decimal numbers")
    if pa.types.is_floating(values.type) and decimal == ",":
        why = Phrase("numbers with a decimal comma")
    width = constant_width(different)
    rows = len(values) - values.null_count
    unique = len(different) >= _NEARLY_ALL * rows and rows >= _MIN_CODES
    code = not said and width >= _MIN_CODE_WIDTH and unique
    return ReadColumn(name, "number", values, Phrase("as you said") if said else why, proposal="text" * code)


def _why_text(texts: pa.Array, dates: Dates | None) -> Phrase:
    if all_match(texts, r"^\d+$") and pc.any(pc.starts_with(texts, "0")).as_py():
        return Phrase("codes with leading zeros")
    if dates is not None:
        return Phrase("texts, some of them like dates")
    return Phrase("texts")


def _said_dates(coded: _Coded, texts: pa.Array, options: ReadingOptions, where: _Where) -> ReadColumn:
    order = options.order_of(coded.name)
    dates = dates_of(texts, order)
    if dates is None:
        _refuse_values(coded, texts, lambda _: False, "date", where)
        raise AssertionError  # not reached
    if not dates.complete:
        bad = pa.array(dates.values.is_null().to_numpy(zero_copy_only=False))
        _refuse_texts(coded, coded.present.filter(bad), "date", where)
    read = _as_dates(coded, dates, options)
    return replace(read, ambiguous=dates.form.ambiguous)


def _as_dates(coded: _Coded, dates: Dates, options: ReadingOptions) -> ReadColumn:
    values = in_zone(dates.values, options.zone) if dates.form.zone else dates.values
    column = coded.with_values(values, coded.present)
    why = _with_zone(dates.form.explained(), options.zone) if dates.form.zone else dates.form.explained()
    return ReadColumn(coded.name, "date", column, why, dates.form, zoned=dates.form.zone)


def _with_zone(why: Phrase, zone: str | None) -> Phrase:
    if zone:
        return Phrase("{why}; hours of {zone}", why=why, zone=zone)
    return Phrase("{why}; hours are UTC", why=why)


def _refuse_values(
    coded: _Coded, texts: pa.Array, fits: Callable[[pa.Array], bool], said: str, where: _Where
) -> None:
    bad = [place for place in range(len(texts)) if not fits(texts.slice(place, 1))]
    _refuse_texts(coded, coded.present.take(pa.array(bad, pa.int64())), said, where)


def _refuse_texts(coded: _Coded, texts: pa.Array, said: str, where: _Where) -> None:
    """Say in which lines the values are that do not have the type that was said."""
    rows = coded.rows_of(texts)
    raise DataError(
        "{file}, line {line}: the column {name} was said to be {said}, and the first value that is none "
        "looks "
        "like {shape}; correct it, or say another type.",
        file=where.file,
        line=rows[0] + where.first_line if rows else where.first_line,
        name=brief(coded.name),
        said=said,
        shape=f"'{shape_of(texts[0].as_py())}'",
    )


def _agreed(
    read: Sequence[ReadColumn],
    options: ReadingOptions,
    coded: Mapping[str, _Coded],
    trimmed: Mapping[str, pa.Array],
) -> list[ReadColumn]:
    """Ambiguous dates in the order of the other dates of the file, where these agree."""
    orders = {
        column.form.order
        for column in read
        if column.form is not None and not column.ambiguous and column.form.order != "ymd"
    }
    if len(orders) != 1:
        return list(read)
    (order,) = orders

    def agreed(column: ReadColumn) -> ReadColumn:
        dates = dates_of(trimmed[column.name], order) if column.ambiguous else None
        if dates is None or not dates.complete:
            return column
        dates = replace(dates, form=replace(dates.form, decided_by="other column"))
        return _as_dates(coded[column.name], dates, options)

    return [agreed(column) for column in read]


def _typed(name: str, column: pa.ChunkedArray, options: ReadingOptions) -> ReadColumn:
    """A column that has a type already: of Parquet, or of a format with times."""
    said = options.types.get(name, "")
    kind = column.type
    if said == "text":
        return ReadColumn(name, "text", pc.cast(column, pa.string()), Phrase("as you said"))
    why = Phrase("as the file says")
    zone = getattr(kind, "tz", None)
    if zone:
        if options.zone:
            column = column.cast(pa.timestamp(kind.unit, options.zone))
            zone = options.zone
        return ReadColumn(
            name, "date", column, Phrase("{why}; hours of {zone}", why=why, zone=zone), zoned=True
        )
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return ReadColumn(name, "date", column, why)
    number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    return ReadColumn(name, "number" if number else "text", column, why)
