"""What was understood of a file, column by column, without a value of anybody: outlines stand for them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from insanonym_core.errors import listed, shape_of
from insanonym_core.reading.columns import MISSING_MARKS, ReadColumn
from insanonym_core.reading.files import ReadFile
from insanonym_core.texts import Phrase

_OUTLINES, _VALUES = 3, 1000
_VALUE = re.compile(r"\s*(\d+[.,]\d+|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*|\S+@\S+)\s*")


@dataclass(frozen=True)
class LookedColumn:
    """A column: what it holds and why, how many different values and missing ones, outlines of some values.

    `role` is what was proposed, or said, and `role_why` its reason. `proposal` is another type that it may
    have.
    """

    name: str
    type: str
    why: Phrase
    distinct: int
    missing: int
    outlines: tuple[str, ...]
    proposal: str = ""
    role: str = ""
    role_why: str = ""
    published: bool = True


@dataclass(frozen=True)
class Look:
    """A file as understood: its form, its columns, and sentences on what was decided or must be said.

    `questions` are what the file cannot tell: it is not read before somebody answers them. `asks` says that
    types or roles of columns are an answer.
    """

    file: str
    kind: str
    rows: int
    form: Mapping[str, str]
    columns: tuple[LookedColumn, ...]
    notes: tuple[Phrase, ...] = ()
    questions: tuple[Phrase, ...] = ()
    people: int | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)  # Any: numbers and texts of one kind of data
    asks: bool = False

    @property
    def names(self) -> list[str]:
        """The names of the columns as they may be shown."""
        return shown_names([one.name for one in self.columns])

    def as_json(self) -> dict[str, Any]:  # Any: values of JSON
        """Everything as plain values."""
        return {
            "file": self.file,
            "kind": self.kind,
            "rows": self.rows,
            "people": self.people,
            **self.form,
            **self.facts,
            "columns": [
                {
                    "name": name,
                    "type": one.type,
                    "why": str(one.why),
                    "distinct": one.distinct,
                    "missing": one.missing,
                    "outlines": list(one.outlines),
                    "proposed_type": one.proposal or None,
                    "role": one.role or None,
                    "role_why": str(one.role_why) or None,
                    "published": one.published,
                }
                for name, one in zip(self.names, self.columns, strict=True)
            ],
            "notes": [str(note) for note in self.notes],
            "questions": [str(question) for question in self.questions],
        }


def shown_names(names: Sequence[str]) -> list[str]:
    """The names of columns; outlines where one is a value: then the file has no header, and all are."""
    if any(map(_VALUE.fullmatch, names)):
        return [shape_of(name) for name in names]
    return [str(listed([name])) for name in names]


def notes_on_names(names: Sequence[str]) -> tuple[Phrase, ...]:
    """What is said where the first line seems to hold values."""
    if not any(map(_VALUE.fullmatch, names)):
        return ()
    return (Phrase("Line 1 looks like values: if the columns have no names, write some above it."),)


def look_at_column(column: ReadColumn) -> LookedColumn:
    """What a column holds, without its roles."""
    missing = pc.is_null(column.values)
    if column.kind == "text" and pa.types.is_string(column.values.type):
        missing = pc.or_(missing, pc.fill_null(pc.is_in(column.values, pa.array(MISSING_MARKS[:1])), False))
    present = column.values.filter(pc.invert(missing)).unique()
    kind = "date?" if column.ambiguous else column.kind
    return LookedColumn(
        column.name,
        kind,
        column.why,
        len(present),
        pc.sum(missing).as_py() or 0,
        _outlines(column, present.slice(0, _VALUES)),
        column.proposal,
    )


def _outlines(column: ReadColumn, values: pa.Array) -> tuple[str, ...]:
    """The most frequent outlines of the different values."""
    if column.form is not None and column.kind == "date" and not column.form.named_month:
        texts = [value.strftime(column.form.strftime()) for value in values.to_pylist()]
    else:
        texts = [str(value) for value in values.to_pylist()]
    return tuple(shape for shape, _ in Counter(map(shape_of, texts)).most_common(_OUTLINES))


def form_of(found: ReadFile) -> dict[str, str]:
    """How the file is written."""
    grid = found.grid
    form = {name: getattr(grid, name) for name in ("format", "encoding", "separator", "sheet")}
    decimal = found.decimal if any(column.kind == "number" for column in found.columns) else ""
    return {name: value for name, value in {**form, "decimal": decimal}.items() if value}


def questions_of(columns: tuple[ReadColumn, ...]) -> tuple[Phrase, ...]:
    """What somebody must say before the file can be read."""
    return tuple(
        Phrase(
            "Is {name} written day/month or month/day? No day is above 12: say --type {name}=date:dmy or "
            "--type {name}=date:mdy.",
            name=listed([column.name]),
        )
        for column in columns
        if column.ambiguous
    )


def notes_of(columns: tuple[ReadColumn, ...], options_zone: str | None) -> tuple[Phrase, ...]:
    """What should be known of types: codes that may be texts, hours that are UTC."""
    codes = [column.name for column in columns if column.proposal == "text"]
    notes = []
    if codes:
        notes.append(
            Phrase(
                "Nearly every row has a number of its own, all of the same width: if they are codes, say "
                "--type "
                "{name}=text ({columns}).",
                name=listed(codes[:1]),
                columns=listed(codes),
            )
        )
    if any(column.zoned for column in columns) and not options_zone:
        notes.append(
            Phrase(
                "Times with an offset are converted to UTC; --zone Europe/Paris converts them to another "
                "zone."
            )
        )
    return tuple(notes)
