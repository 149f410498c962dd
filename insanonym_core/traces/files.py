"""Read and write tables of traces: a count first, then one field per step.

Read with care for what other programs would change: an item that reads NA or 01 is a text, and lines may be
as long as their trace.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.io.output import writing
from insanonym_core.io.sources import source_of
from insanonym_core.io.spreadsheets import defused_frame, restored
from insanonym_core.traces.table import TraceTable, table_from_rows


def write_trace_table(
    table: TraceTable,
    path: Path | str,
    *,
    separator: str = ",",
    force: bool = False,
    sources: tuple[Path, ...] = (),
) -> None:
    """Write a table as CSV with the header count, step_1, …."""
    _check_separator(separator)
    # Most readers end a line at a lone carriage return, which pandas does not quote.
    stray = any("\r" in step for trace in table.traces for step in trace)
    with writing(Path(path), force=force, sources=sources) as beside:
        defused_frame(table.to_frame()).to_csv(
            beside,
            index=False,
            sep=separator,
            lineterminator="\n",
            encoding="utf-8",
            quoting=csv.QUOTE_ALL if stray else csv.QUOTE_MINIMAL,
        )


def read_trace_table(path: Path | str, threshold: int | None = None, *, separator: str = ",") -> TraceTable:
    """Read a published table back; counts below `threshold` and counts like "<10" are taken as masked."""
    _check_separator(separator)
    source = source_of(Path(path))
    if source.parquet:
        raise DataError(
            "{file} is a Parquet file, and a table of traces is read from CSV: save it as CSV.",
            file=source.name,
        )
    with source.open() as stream:
        content: bytes = stream.read()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError("{file} is not UTF-8 text: save it as UTF-8.", file=source.name) from None
    return table_from_rows(_csv_rows(text, separator, source.name), threshold, source.name)


def _check_separator(separator: str) -> None:
    if len(separator) != 1 or separator in '"\r\n':
        raise UsageError(
            "'separator' must be one character, such as a comma or a semicolon, got {separator}.",
            separator=brief(separator),
        )


def _csv_rows(text: str, separator: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (first line, fields) of each row; blank lines and a header are skipped."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line, first = 1, True
    try:
        for row in reader:
            if any(row) and not (first and not re.match(r"\s*<?\s*[0-9]", row[0])):
                yield line, [restored(text) for text in row]
            first, line = first and not any(row), reader.line_num + 1
    except csv.Error:
        raise DataError(
            "{file}, line {line}: this is not CSV; look for a quotation mark that is not closed, "
            "or for a field that is far too long.",
            file=name,
            line=line,
        ) from None
