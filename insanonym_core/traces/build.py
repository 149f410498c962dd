"""From enrolments to traces: one sequence of items per individual, by ascending year.

A *step* of a trace is an *item*: the values of a few columns joined with "." (`IUTSD.DUT.1.S1TC`). The years
themselves, gaps between them and everything else about the individual are forgotten, save one value put first
when a prefix is asked for (the type of bac).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pandas as pd
from pandas.api.types import is_datetime64_any_dtype, is_numeric_dtype

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.numeric.arrays import Ints
from insanonym_core.numeric.grouping import combine, starts_of_runs
from insanonym_core.texts import Phrase
from insanonym_core.traces.renamed import last_names, renamed
from insanonym_core.traces.texts import Texts, check_columns, column_texts

JOINT = "."


@dataclass(frozen=True, eq=False)
class Traces:
    """The steps of all individuals, one after the other: those of individual i are `start[i]:start[i + 1]`.

    `code` numbers the texts in `items`. `left_out` individuals were first seen before the year asked for.
    """

    code: Ints
    start: Ints
    items: tuple[str, ...]
    prefixed: bool = False
    left_out: int = 0
    identifiers: tuple[str, ...] = field(default=(), repr=False)

    @property
    def individuals(self) -> int:
        """Number of individuals with a trace."""
        return len(self.start) - 1

    def __len__(self) -> int:
        return self.individuals

    def steps(self, individual: int) -> tuple[str, ...]:
        """Return the trace of one individual, by number."""
        codes = self.code[self.start[individual] : self.start[individual + 1]]
        return tuple(self.items[code] for code in codes.tolist())


def build_traces(
    frame: pd.DataFrame,
    id: str,
    order: str,
    item: Sequence[str],
    prefix: str | None = None,
    several: Literal["last", "all"] = "last",
    since: object = None,
    semester: str | None = None,
    names: Mapping[str, str] | None = None,
) -> Traces:
    """Build one trace per individual of `id`: the items by ascending `order` (the year).

    Rows of one individual with the same value of `order` are *several in one year*: the last of them in file
    order counts, or `all` in that order. `since` leaves out individuals first seen before that year. `prefix`
    is the column whose value comes first: that of the first row of the first year. A missing value in an item
    or a prefix is written "?"; a row without id or year cannot be placed and is refused. Years may be
    numbers, dates or texts; texts that all read as numbers are ordered as numbers, others as texts.

    A `semester` is a column that orders the rows of a year (1 and 2, and 0 for a whole year, say): then
    there is one item per semester. `names` gives the last name of what was renamed: values of the columns
    of an item, or whole items.
    """
    item = [item] if isinstance(item, str) else list(item)
    _check_call(id, order, item, prefix, several, semester)
    optional = [name for name in (prefix, semester) if name is not None]
    check_columns(frame, [id, order, *item, *optional])
    person = column_texts(frame[id])
    _refuse_missing(person.missing, id, "nobody knows whose trace it is")
    years, first_kept = _rank_years(frame[order], order, since)
    within = years if semester is None else _rank_years(frame[semester], semester, None)[0]

    # The key sorts by individual, year and semester; a stable sort keeps the file order within them.
    sizes = int(years.max()) + 1, int(within.max()) + 1
    key = combine((person.code, len(person.values)), (years, sizes[0]), (within, sizes[1]))
    rows = np.argsort(key, kind="stable")
    first = starts_of_runs(person.code[rows])
    kept = years[rows[first]] >= first_kept
    if not kept.any():
        raise UsageError(
            "No individual is first seen in {since} or later: choose an earlier 'since'.", since=brief(since)
        )
    left_out = int(np.count_nonzero(~kept))
    if left_out:
        rows = rows[np.repeat(kept, np.diff(first, append=len(rows)))]
        first = starts_of_runs(person.code[rows])

    chosen = rows if several == "all" else rows[_ends_of_runs(key[rows])]
    start = np.append(starts_of_runs(person.code[chosen]), len(chosen))
    last = last_names(names or {})
    code, texts = _join_items([renamed(column_texts(frame[name]), last) for name in item])
    code, texts = code[chosen], [last.get(text, text) for text in texts]
    if prefix is not None:
        leading, firsts = column_texts(frame[prefix]).with_missing()
        code = np.insert(code, start[:-1], leading[rows[first]] + len(texts))
        texts = [*texts, *firsts]
        start = start + np.arange(len(start))
    code, items = _sorted_items(code, texts)
    identifiers = tuple(person.values[code] for code in person.code[rows[first]].tolist())
    return Traces(code, start, items, prefix is not None, left_out, identifiers)


def _check_call(
    id: str, order: str, item: list[str], prefix: str | None, several: str, semester: str | None
) -> None:
    """Refuse invalid parameters of build_traces."""
    if several not in ("last", "all"):
        raise UsageError("'several' must be last or all, got {several}.", several=brief(several))
    if not item:
        raise UsageError("'item' must name at least one column and names none: name one.")
    repeated = sorted({name for name in item if item.count(name) > 1})
    if repeated:
        raise UsageError("'item' must name each column once, got {name} twice.", name=brief(repeated[0]))
    if order == id:
        raise UsageError(
            "'order' must be another column than the identifier {id}, such as the year.", id=brief(id)
        )
    if semester in (id, order):
        raise UsageError(
            "'semester' must be a column that orders the rows of one year, got {column}: leave it out.",
            column=brief(semester),
        )
    if id in item or prefix == id:
        raise UsageError(
            "The identifier {id} cannot be part of a trace, because traces are published: choose "
            "another column.",
            id=brief(id),
        )


def _refuse_missing(rows: int, column: str, why: str) -> None:
    if rows:
        raise DataError(
            Phrase.plural(
                "{n:,} row has no value in {column}: {why}; fill it in or drop the row first.",
                "{n:,} rows have no value in {column}: {why}; fill them in or drop the rows first.",
                n=rows,
                column=brief(column),
                why=Phrase(why),
            )
        )


def _rank_years(column: pd.Series, name: str, since: object) -> tuple[Ints, int]:
    """Return the rank of each row's year, and the first rank that `since` admits."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.dtype.categories.dtype)
    if is_numeric_dtype(column) or is_datetime64_any_dtype(column):
        rank, ordered = pd.factorize(column, sort=True)
        levels = pd.Series(ordered)
        missing = int(np.count_nonzero(rank < 0))
    else:
        texts = column_texts(column)
        missing = texts.missing
        numbers = pd.to_numeric(pd.Series(texts.values, dtype="str"), errors="coerce")
        readable = pd.Series(texts.values, dtype="str") if numbers.isna().any() else numbers
        rank, ordered = pd.factorize(readable, sort=True)
        rank = np.append(rank, -1)[texts.code]
        levels = pd.Series(ordered)
    _refuse_missing(missing, name, "it cannot be put in order")
    if since is None:
        return rank.astype(np.int64), 0
    try:
        return rank.astype(np.int64), int((levels < _comparable_since(levels, since)).sum())
    except (ValueError, TypeError):
        raise UsageError(
            "'since' must be a value such as those of the column {name}, got {since}.",
            name=brief(name),
            since=brief(since),
        ) from None


def _comparable_since(levels: pd.Series, since: object) -> float | str | pd.Timestamp:
    """Convert `since` to the type of the years in the column."""
    if is_numeric_dtype(levels):
        number = float(str(since))
        if not np.isfinite(number):
            raise ValueError
        return number
    if not is_datetime64_any_dtype(levels):
        return str(since)
    zone = levels.dtype.tz if isinstance(levels.dtype, pd.DatetimeTZDtype) else None
    date = pd.Timestamp(str(since), tz=zone)
    if pd.isna(date):
        raise ValueError
    return date


def _ends_of_runs(sorted_codes: Ints) -> Ints:
    """Return the last position of each run of equal codes."""
    return np.append(starts_of_runs(sorted_codes)[1:], len(sorted_codes)) - 1


def _join_items(columns: list[Texts]) -> tuple[Ints, list[str]]:
    """Return each row's item as a code, and the texts of the items that occur."""
    parts = [column.with_missing() for column in columns]
    key = combine(*((code, len(texts)) for code, texts in parts))
    _, example, code = np.unique(key, return_index=True, return_inverse=True)
    words = [[texts[number] for number in codes[example].tolist()] for codes, texts in parts]
    return code, [JOINT.join(word) for word in zip(*words, strict=True)]


def _sorted_items(code: Ints, texts: Sequence[str]) -> tuple[Ints, tuple[str, ...]]:
    """Recode the items in the order of their texts; equal texts become one item."""
    present, code = np.unique(code, return_inverse=True)
    used = [texts[number] for number in present.tolist()]
    items = sorted(set(used))
    number = {text: place for place, text in enumerate(items)}
    return np.array([number[text] for text in used], dtype=np.int64)[code], tuple(items)
