"""Columns that look like direct identifiers: names, e-mail, telephone, addresses, numbers of people.

By the name of the column (`headers`), by its values, or because nearly every individual has its own value. A
false alarm costs the user an option; a missed column publishes names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from insanonym_core.numeric.grouping import count_pairs
from insanonym_core.tabular.headers import (
    BANK,
    CODES,
    CONTACT,
    EMAIL,
    NATIONAL,
    ONLINE,
    PEOPLE,
    PLAIN_CODE,
    RELATED,
    SOCIAL,
    TELEPHONE,
    TEXT,
    Header,
    holds_other_numbers,
    is_measured,
    read_header,
)
from insanonym_core.tabular.table import MISSING, Column, Table
from insanonym_core.texts import Phrase

NEARLY_ALL = 0.9  # share that counts as nearly all (or nearly unique)
MIN_UNITS = 10  # fewer rows or individuals are not evidence of uniqueness
MAX_CATEGORY_VALUES = 20  # unless there are hardly more individuals
MIN_INDIVIDUALS = 20  # before distinct whole numbers count as identifiers
_MIN_ROWS_PER_INDIVIDUAL = 1.5  # before a number that is constant for each individual counts as identifier
_MAX_PERSON_COLUMNS = 4  # columns with codes of people that others are compared with
_MAX_VALUES_READ = 500  # distinct values that are inspected
_MAX_CHARACTERS = 200  # of each inspected value
_MIN_SHARE_OF_VALUES = 0.1  # of e-mail addresses etc.; above single typing errors
_MIN_TELEPHONE = 100_000  # smaller numbers are counts of telephones
_UNIQUE_TEXT = Phrase("nearly every row has a different text")
_CODE_OF_A_ROW = Phrase("nearly every row has a different number or code")
_UNIQUE_PER_INDIVIDUAL = Phrase("nearly every value belongs to one individual")

_YES_OR_NO = frozenset(
    ["yes", "no", "y", "n", "true", "false", "0", "1", "oui", "non", "o", "vrai", "faux", "t", "f", "x"]
)
_EMAIL_VALUE = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_IP_VALUE = re.compile(
    r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}|(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}", re.I
)
_IBAN_VALUE = re.compile(r"[A-Z]{2}\d\d[A-Z0-9]{11,30}")
_TELEPHONE_VALUE = re.compile(
    r"(?=(?:\D*\d){9,15}\D*$)"
    r"(?:\+[\d\s().\-/]+|\(?0{1,2}[1-9][\d\s().\-/]+|(?:33[ .]?)?[1-9](?:[ .]\d\d){4}|33[1-9]\d{8}"
    r"|(?:1[ .\-])?\(?[2-9]\d\d\)?[ .\-]{1,2}\d{3}[ .\-]\d{4})"
)
_SOCIAL_VALUE = re.compile(r"[12]\d\d(?:0[1-9]|1[0-2])\d[\dAB]\d{6}(?:\d\d)?|\d{3}-\d\d-\d{4}")
_FRENCH_TELEPHONE_NUMBER = re.compile(r"33[1-9]\d{8}")


@dataclass(frozen=True)
class Finding:
    """Why a column looks like a direct identifier; `rank` as in `headers.Header`."""

    why: str
    rank: int | None = None


@dataclass(frozen=True)
class Counts:
    """Counts of the rows with a value: rows, `units` and different values.

    Units are individuals, or rows when individuals are not known. `pairs` are different (unit, value).
    """

    rows: int
    units: int
    pairs: int
    different: int

    @property
    def is_category(self) -> bool:
        """Whether the column looks like a category: few different values, shared by several units."""
        if self.units <= MIN_UNITS and self.units < self.rows:
            return (
                not self.units == self.pairs == self.different
            )  # with few individuals, unless each has its own value
        return self.different <= MAX_CATEGORY_VALUES and 2 * self.different < self.units

    @property
    def is_unique(self) -> bool:
        """Whether nearly every value belongs to one unit only, and nearly every unit has its own value."""
        each = max(self.units, self.pairs)
        return self.units > MIN_UNITS and self.different >= NEARLY_ALL * each


def direct_identifiers(table: Table, identifiers: Iterable[str] = ()) -> Mapping[str, str]:
    """Return the columns that look like direct identifiers, each with the reason; cached with the table.

    Values are compared with the individuals that the `identifiers` tell apart, and with columns that look
    like codes of people.
    """
    named = tuple(name for name in identifiers if name in table.columns)

    def find() -> dict[str, str]:
        findings = _findings_by_column(table)
        codes = [
            name
            for name, finding in findings.items()
            if finding.rank is not None and finding.rank <= PLAIN_CODE
        ]
        best = likely_identifier(table)
        likely = (
            (best,) if best and findings[best].rank != RELATED else ()
        )  # codes of doctors etc. do not identify patients
        person_columns = tuple(dict.fromkeys((*named, *likely, *codes)))[:_MAX_PERSON_COLUMNS]
        reasons = {name: finding.why for name, finding in findings.items()}
        for column in table.columns.values():
            compared = (_finding(column, table[other]) for other in person_columns if other != column.name)
            more = (
                next((finding for finding in compared if finding), None)
                if column.name not in reasons
                else None
            )
            if more:
                reasons[column.name] = more.why
        return {name: reasons[name] for name in table.columns if name in reasons}

    return table.derive(("direct identifiers", named), find)


def likely_identifier(table: Table) -> str | None:
    """Return the column that most likely identifies individuals: codes of people, preferably with repeats."""

    def key(name: str) -> tuple[float, ...]:
        rank, different = findings[name].rank, len(table[name].values)
        # Among contact columns prefer the one with most values; among others the first with repeated values.
        return (rank or 0, -different) if rank == CONTACT else (rank or 0, different >= table.rows)

    findings = _findings_by_column(table)
    candidates = (
        name for name, finding in findings.items() if finding.rank is not None and len(table[name].values) > 1
    )
    return min(candidates, key=key, default=None)


def _findings_by_column(table: Table) -> Mapping[str, Finding]:
    """Return the findings for each column on its own, without comparing it with others."""

    def find() -> dict[str, Finding]:
        findings = {name: _finding(column) for name, column in table.columns.items()}
        return {name: finding for name, finding in findings.items() if finding}

    return table.derive("direct identifiers by themselves", find)


def _finding(column: Column, individuals: Column | None = None) -> Finding | None:
    """Return why a column looks like a direct identifier of rows or of `individuals`; None if not."""
    counts = _counts(column, individuals)
    if column.kind == "date" or counts.different == 0:
        return None
    texts = _sample_texts(column)
    if {text.casefold() for text in texts} <= _YES_OR_NO:
        return None
    header = read_header(column.name)
    if header and _values_fit_header(header, column, counts):
        if header.needs == "unique":
            return Finding(_CODE_OF_A_ROW)  # of a visit or an order, not of a person
        what = CODES if header.what is PEOPLE and column.kind == "number" else header.what
        rank = None if header.rank == CONTACT and counts.is_category else header.rank
        return Finding(Phrase("{what}, by the name of the column", what=what), rank)
    if individuals is not None:
        return Finding(_UNIQUE_PER_INDIVIDUAL) if _is_unique_per_individual(column, counts) else None
    by_values = _kind_of_values(column, texts)
    if by_values:
        rank = (
            NATIONAL
            if by_values is SOCIAL
            else None
            if by_values is ONLINE or counts.is_category
            else CONTACT
        )
        return Finding(Phrase("{what}, by the values", what=by_values), rank)
    if not counts.is_unique or column.kind != "category":
        return None
    event = header is not None and header.rank is None
    return Finding(_UNIQUE_TEXT, None if event or counts.different < counts.rows else TEXT)


def _counts(column: Column, individuals: Column | None) -> Counts:
    """Count rows, units and different values of a column, by individual if they are given."""
    if individuals is None:
        present = column.codes[column.codes != MISSING]
        different = np.count_nonzero(np.bincount(present, minlength=len(column.values)))
        return Counts(len(present), len(present), len(present), int(different))
    both = (column.codes != MISSING) & (individuals.codes != MISSING)
    holder, value = individuals.codes[both], column.codes[both]
    units = np.count_nonzero(np.bincount(holder, minlength=len(individuals.values)))
    different = np.count_nonzero(np.bincount(value, minlength=len(column.values)))
    # Lower bound of the number of pairs: each value with several holders adds at least one. Often sufficient.
    any_holder = np.zeros(len(column.values), dtype=holder.dtype)
    any_holder[value] = holder
    shared = np.count_nonzero(np.bincount(value[any_holder[value] != holder], minlength=1))
    if different < NEARLY_ALL * max(units, different + shared):
        return Counts(len(holder), int(units), len(holder), int(different))
    pairs = len(count_pairs(holder, len(individuals.values), value, len(column.values)).count)
    return Counts(len(holder), int(units), pairs, int(different))


def _sample_texts(column: Column) -> list[str]:
    """Return an even sample of the values that occur, as shortened texts."""
    occurring = np.flatnonzero(
        np.bincount(column.codes[column.codes != MISSING], minlength=len(column.values))
    )
    step = -(-len(occurring) // _MAX_VALUES_READ)
    sample = Column(column.name, column.kind, column.values[occurring[::step]], column.codes[:0])
    return [text[:_MAX_CHARACTERS].strip() for text in sample.texts()]


def _values_fit_header(header: Header, column: Column, counts: Counts) -> bool:
    """Whether the values of a column can be what its name says."""
    if column.kind == "number":
        if header.numbers == "none" or (header.numbers == "long" and not _has_long_numbers(column)):
            return False
        if header.needs != "nothing" and not _is_whole(column):
            return False
    if header.needs == "nothing":
        return True
    return counts.is_unique if header.needs == "unique" else not counts.is_category


def _is_unique_per_individual(column: Column, counts: Counts) -> bool:
    """Whether nearly every individual has its own value.

    Whole numbers must in addition be constant over the rows of an individual, and all different.
    """
    if column.kind == "category":
        return counts.is_unique
    return (
        counts.units > MIN_INDIVIDUALS
        and counts.units == counts.pairs == counts.different
        and counts.rows >= _MIN_ROWS_PER_INDIVIDUAL * counts.units
        and _is_whole(column)
        and not is_measured(column.name)
    )


def _is_whole(column: Column) -> bool:
    numbers = column.numbers()
    return bool((numbers == np.floor(numbers)).all())


def _has_long_numbers(column: Column) -> bool:
    return bool(np.nanmax(np.abs(column.numbers())) >= _MIN_TELEPHONE)


def _kind_of_values(column: Column, texts: list[str]) -> Phrase | None:
    """Return the kind of identifier that the values look like (e-mail, telephone …); None if none."""
    compact = [re.sub(r"[\s.]", "", text) for text in texts]
    other_numbers = holds_other_numbers(column.name)
    if column.kind == "number":
        if other_numbers:
            return None
        if _matching_share(compact, _SOCIAL_VALUE.fullmatch) >= NEARLY_ALL:
            return SOCIAL
        return (
            TELEPHONE if _matching_share(compact, _FRENCH_TELEPHONE_NUMBER.fullmatch) >= NEARLY_ALL else None
        )
    for what, values, matches in (
        (EMAIL, texts, _EMAIL_VALUE.search),
        (ONLINE, texts, _IP_VALUE.fullmatch),
        (BANK, compact, _IBAN_VALUE.fullmatch),
        (SOCIAL, compact, _SOCIAL_VALUE.fullmatch),
        (TELEPHONE, texts, _TELEPHONE_VALUE.fullmatch),
    ):
        skipped = other_numbers and what in (SOCIAL, TELEPHONE)
        if not skipped and _matching_share(values, matches) >= _MIN_SHARE_OF_VALUES:
            return what
    return None


def _matching_share(texts: list[str], matches: Callable[[str], object]) -> float:
    """Return the share of the texts that match."""
    return sum(matches(text) is not None for text in texts) / len(texts)
