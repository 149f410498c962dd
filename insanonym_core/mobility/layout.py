"""Detect the layout of a text file: separator, header, order of the columns."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.io.sources import Source
from insanonym_core.mobility.track import DELETED_ID

COLUMNS = ("id", "date", "latitude", "longitude")
_ALIASES = {
    "id": ("id", "user", "userid", "user_id", "uid", "individual", "pseudonym", "identifiant"),
    "date": ("date", "datetime", "date_time", "timestamp", "time", "horodatage"),
    "latitude": ("latitude", "lat"),
    "longitude": ("longitude", "lon", "lng", "long"),
}
_ROLE = {alias: role for role, aliases in _ALIASES.items() for alias in aliases}
_SEPARATORS = ("\t", ",", ";", "|")
_SAMPLE_BYTES = 1 << 16
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Layout:
    """Separator, column order, and whether line 1 is a header."""

    separator: str
    columns: tuple[str, ...] = COLUMNS
    header: bool = False


def column_order(text: str) -> tuple[str, ...]:
    """Parse the value of --columns: the four names in the order of the file, or names as in "
    "id=who,date=when."""
    parts = [part.strip() for part in text.split(",")]
    roles = [part.partition("=")[0].strip() for part in parts]
    if all("=" in part for part in parts) and len({*roles}) == len(roles) and {*roles} <= {*COLUMNS}:
        return tuple(
            f"{role}={part.partition('=')[2].strip()}" for role, part in zip(roles, parts, strict=True)
        )
    names = roles_of(text.split(","))
    if names is None:
        raise UsageError(
            "The columns must name id, date, latitude and longitude once each, as "
            "id,date,longitude,latitude or "
            "id=who,date=when,latitude=y,longitude=x does, got {text}.",
            text=brief(text),
        )
    return names


def role_of(name: str) -> str:
    """Role of a column (id, date, latitude or longitude) by its name; "" if it is not recognised."""
    return _ROLE.get(name.strip().strip('"').lower(), "")


def roles_of(names: Sequence[str]) -> tuple[str, ...] | None:
    """Roles of four column names; None if they are not recognised."""
    roles = tuple(role_of(name) for name in names)
    return roles if sorted(roles) == sorted(COLUMNS) else None


def layout_of(
    source: Source, columns: Sequence[str] | None = None, separator: str | None = None
) -> Layout | None:
    """Detect the layout of a text file from its first lines.

    None if its header names other columns than the four, or if their names are said: then it is a table like
    any other.
    """
    start = _read_sample(source)
    if not start.removeprefix(codecs.BOM_UTF8).strip():
        raise DataError("{file} is empty: give a file with one row per line.", file=source.name)
    text = start.decode("utf-8-sig", errors="replace")
    lines = text.splitlines()
    if len(start) >= _SAMPLE_BYTES and len(lines) > 1:
        lines.pop()  # the sample may end inside a line
    if lines[0].lower().startswith(("sep=", '"sep=')):
        return None
    mark = separator or _separator(lines, source.name)
    if separator is None and mark not in lines[0] and any(one in lines[0] for one in _SEPARATORS):
        return None  # decimal commas, as many as a line has separators
    first = next(csv.reader([lines[0]], delimiter=mark), [])
    named = roles_of(first)
    if any("=" in one for one in columns or ()):
        rows = [next(csv.reader([line], delimiter=mark), []) for line in lines[1:50]]
        if named is None and (len(first) != len(COLUMNS) or _is_header(first, rows)):
            return None
        columns = None  # names are those of the original: a release has the four columns
    if named and columns and tuple(columns) != named:
        raise UsageError(
            "{file} has a header with the order {named}, but --columns says {columns}: leave "
            "--columns out, or fix the header.",
            file=source.name,
            named=",".join(named),
            columns=",".join(columns),
        )
    if named is None and _is_header(
        first, [next(csv.reader([line], delimiter=mark), []) for line in lines[1:50]]
    ):
        return None
    return Layout(mark, named or tuple(columns or COLUMNS), named is not None)


def _is_header(first: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first line names columns: no digits, where most other lines have some in as many fields."""
    if len(first) < 3 or len({*first}) < len(first) or any(_DIGIT.search(name) for name in first):
        return False
    alike = [row for row in rows if len(row) == len(first) and sum(map(bool, map(_DIGIT.search, row))) > 2]
    return 2 * len(alike) > len([row for row in rows if row[:1] != [DELETED_ID]])


def _read_sample(source: Source) -> bytes:
    """Read the beginning of a file, up to a block with a row that is not deleted."""
    with source.open() as file:
        start: bytes = file.read(_SAMPLE_BYTES)
        while start[-_SAMPLE_BYTES:].count(b"\n") and not _has_kept_row(start[-_SAMPLE_BYTES:]):
            piece = file.read(_SAMPLE_BYTES)
            if not piece:
                break
            start = start[:_SAMPLE_BYTES] + piece if len(start) > _SAMPLE_BYTES else start + piece
    return start


def _has_kept_row(piece: bytes) -> bool:
    marks = (DELETED_ID.encode(), b'"' + DELETED_ID.encode())
    if not piece.strip():
        return len(piece) < _SAMPLE_BYTES
    different = {*piece.split(b"\n")[1:-1]}  # a set: there may be millions of equal deleted rows
    return len(piece) < _SAMPLE_BYTES or any(
        line.strip() and not line.startswith(marks) for line in different
    )


def _separator(lines: Sequence[str], name: str) -> str:
    marks = (DELETED_ID, f'"{DELETED_ID}"')
    rows = [line for line in lines if line.strip() and not line.startswith(marks)][:200]
    if not rows:
        with_fields = [line for line in lines[:200] if line.strip() != DELETED_ID]
        return max(_SEPARATORS, key=lambda mark: sum(line.count(mark) for line in with_fields))
    lines_with_three = {mark: sum(line.count(mark) == 3 for line in rows) for mark in _SEPARATORS}
    lines_with_any = {mark: sum(mark in line for line in rows) for mark in _SEPARATORS}
    best = max(_SEPARATORS, key=lambda mark: (lines_with_three[mark], lines_with_any[mark]))
    if not lines_with_any[best]:
        raise DataError(
            "{file}: no line can be split into fields; separate id, date, latitude and longitude "
            "by a tab, a comma, a semicolon or a vertical bar.",
            file=name,
        )
    return best
