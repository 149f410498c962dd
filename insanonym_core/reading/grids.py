"""A file as a grid: named columns of texts (or of types, where the format has them), whatever its format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from insanonym_core.errors import DataError, brief
from insanonym_core.texts import Phrase

MAX_COLUMNS = 10_000


_BLANKS = " \t\r\n\u00a0\ufeff"  # around a name; what else is in it belongs to it


@dataclass(frozen=True)
class Grid:
    """The cells of a file. `format` says of which sort it is, `separator` and `encoding` how its text is
    written.

    `first_line` is the line of the first row. `notes` say what was left out or put together. `people` is the
    column with the names of files, where each file of a zip is of one person,
    and `numbering` are the columns with another value in every row of each of these files.
    """

    name: str
    table: pa.Table
    format: str
    encoding: str = ""
    separator: str = ""
    sheet: str = ""
    first_line: int = 2
    notes: tuple[Phrase, ...] = field(default=())
    people: str = ""
    numbering: frozenset[str] = frozenset()

    @property
    def commas_separate(self) -> bool:
        """Whether a comma in a cell is no decimal mark unless somebody says so."""
        return self.separator == ","


def check_names(name: str, columns: Sequence[str]) -> None:
    """Refuse a header without names, with too many, empty or repeated ones."""
    if not columns:
        raise DataError(
            "{file}, line 1: the first line is empty; write the names of the columns there.", file=name
        )
    if len(columns) > MAX_COLUMNS:
        raise DataError(
            "{file} has {columns:,} columns, more than {most:,}: leave out some of them.",
            file=name,
            columns=len(columns),
            most=MAX_COLUMNS,
        )
    blank = [place for place, column in enumerate(columns, start=1) if not column.strip()]
    if blank:
        raise DataError(
            "{file}: column {number} has no name; write one into the first line.", file=name, number=blank[0]
        )
    twins = sorted(column for column, times in Counter(columns).items() if times > 1)
    if twins:
        raise DataError(
            "{file} has two columns called {name}: rename one of them.", file=name, name=brief(twins[0])
        )


def named_columns(
    name: str, names: Sequence[str], columns: Sequence[pa.ChunkedArray]
) -> tuple[pa.Table, tuple[Phrase, ...]]:
    """A table of columns with clean names: without blanks around them, without a frame's row numbers.

    Row numbers tell the order of the original. A column without a name and without a value is one too many
    separators at the end of the lines.
    """
    notes: list[Phrase] = []
    kept: dict[int, str] = {}
    stripped = [one.strip(_BLANKS) for one in names]
    for place, column in enumerate(columns):
        if stripped[place]:
            kept[place] = stripped[place]
        elif column.null_count == len(column) and place > 0:
            continue
        elif place == 0 and len(names) > 1 and _are_row_numbers(column):
            notes.append(Phrase("The row numbers in the first column are left out."))
        else:
            kept[place] = ""
    if stripped[:1] == ["Unnamed: 0"] and len(names) > 1 and _are_row_numbers(columns[0]):
        del kept[0]
        notes.append(Phrase("The row numbers in the first column are left out."))
    check_names(name, [kept.get(place, f"left out {place}") for place in range(len(names))])
    return pa.table({kept[place]: columns[place] for place in kept}), tuple(notes)


def _are_row_numbers(column: pa.ChunkedArray) -> bool:
    """Whether whole numbers from 0 or 1 on stand in a column, one after the other; or what is left of "
    "them."""
    if len(column) == 0 or column.null_count:
        return False
    try:
        numbers = column.cast(pa.int64()).to_numpy()
    except pa.ArrowInvalid:
        return False
    return bool(numbers[0] >= 0 and (numbers[1:] > numbers[:-1]).all())
