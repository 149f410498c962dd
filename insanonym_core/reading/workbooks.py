"""Workbooks of Excel and LibreOffice: one sheet as a grid, read by a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa

from insanonym_core.errors import DataError, brief, listed
from insanonym_core.io.sources import Source
from insanonym_core.reading.grids import Grid, named_columns
from insanonym_core.reading.options import ReadingOptions
from insanonym_core.reading.workbook_child import SECONDS
from insanonym_core.texts import Phrase

_CHILD = Path(__file__).with_name("workbook_child.py")
MAX_BYTES = 100_000_000  # of a workbook: larger data are not kept in one


def read_workbook(source: Source, options: ReadingOptions) -> Grid:
    """Read the sheet that is named, or the only one that holds something; the first full row names the "
    "columns."""
    found = _cells(source, options.sheet or "")
    rows: list[list[str | None]] | None = found["rows"]
    if rows is None:
        _refuse_sheets(source.name, found["sheets"], options.sheet)
        raise AssertionError  # not reached
    header = _header_row(rows)
    names = [name or "" for name in rows[header]]
    body = [row for row in rows[header + 1 :] if any(cell is not None for cell in row)]
    if not body:
        raise DataError(
            "{file} has no rows: give a table with a header and at least one row.", file=source.name
        )
    columns = [pa.chunked_array([pa.array(column, pa.string())]) for column in zip(*body, strict=True)]
    table, notes = named_columns(source.name, names, columns)
    if header:
        above = Phrase.plural(
            "{n:,} line above the names of the columns is left out.",
            "{n:,} lines above the names of the columns are left out.",
            n=header,
        )
        notes = (above, *notes)
    first = int(found["first"]) + header + 1
    return Grid(source.name, table, "workbook", sheet=found["sheet"], first_line=first, notes=notes)


class SheetsError(DataError):
    """A workbook of several sheets, none of which was named: `names` are theirs."""

    names: tuple[str, ...] = ()


def _header_row(rows: list[list[str | None]]) -> int:
    """The first row with more than one cell, if there are several columns: titles stand above it."""
    width = max(map(len, rows), default=0)
    for number, row in enumerate(rows):
        if sum(cell is not None for cell in row) > (1 if width > 1 else 0):
            return number
    return 0


def _refuse_sheets(name: str, sheets: list[str], wanted: str | None) -> None:
    if wanted is not None:
        raise DataError(
            "{file} has no sheet {sheet} that holds something; choose from: {sheets}.",
            file=name,
            sheet=brief(wanted),
            sheets=listed(sheets),
        )
    if not sheets:
        raise DataError("{file} has no sheet with rows: give one that holds a table.", file=name)
    error = SheetsError(
        "{file} has several sheets, or none that holds something: say which one to read with --sheet "
        "(sheet under "
        "reading in a recipe); they are: {sheets}.",
        file=name,
        sheets=listed(sheets),
    )
    error.names = tuple(sheets)
    raise error


def _cells(source: Source, sheet: str) -> dict[str, Any]:  # Any: fields of JSON, each of its own type
    with source.open() as stream:
        content = bytes(stream.read(MAX_BYTES + 1))
    if len(content) > MAX_BYTES:
        raise DataError(
            "{file} is a workbook of more than {most:,} MB: save the sheet as CSV.",
            file=source.name,
            most=MAX_BYTES // 10**6,
        )
    try:
        child = subprocess.run(  # noqa: S603  our own script
            [sys.executable, "-P", str(_CHILD), sheet],
            input=content,
            capture_output=True,
            timeout=2 * SECONDS,
            check=False,
        )
        found: dict[str, Any] = json.loads(child.stdout) if child.returncode == 0 else {"wrong": "ended"}
    except (subprocess.TimeoutExpired, ValueError):
        found = {"wrong": "ended"}
    wrong = found.get("wrong")
    if wrong == "password":
        raise DataError("{file} is protected by a password: save it without one.", file=source.name)
    if wrong == "ended":
        raise DataError(
            "{file} needs too much memory or time: its cells are too many or too far apart; save the sheet "
            "as CSV.",
            file=source.name,
        )
    if wrong:
        raise DataError(
            "{file} is a damaged workbook, or one of a sort that is not read: save it again as .xlsx or CSV.",
            file=source.name,
        )
    return found
