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
from insanonym_core.io.sources import Source, source_of
from insanonym_core.io.spreadsheets import restored
from insanonym_core.reading.encodings import as_utf8
from insanonym_core.reading.style import Style
from insanonym_core.tabular.files import write_frame
from insanonym_core.traces.table import TraceTable, table_from_rows

_AFTER_COUNT = re.compile(r'^[ "]*<?[ ]*[0-9]+(?: to [0-9]+)?[ "]*([,;\t|])', re.MULTILINE)


def write_trace_table(
    table: TraceTable,
    path: Path | str,
    *,
    style: Style | None = None,
    force: bool = False,
    sources: tuple[Path, ...] = (),
) -> None:
    """Write a table with the header count, step_1, … in the format of its name, and text in a `style`."""
    write_frame(table.to_frame(), path, style, force=force, sources=sources)


def read_trace_table(
    path: Path | str, threshold: int | None = None, *, separator: str | None = None
) -> TraceTable:
    """Read a published table back; counts below `threshold` and counts like "<10" are taken as masked.

    Without a `separator` it is what follows the first count.
    """
    return read_with_style(path, threshold, separator=separator)[0]


def read_with_style(
    path: Path | str, threshold: int | None = None, *, separator: str | None = None
) -> tuple[TraceTable, Style]:
    """Read a published table back, and how it is written."""
    _check_separator(separator)
    source = source_of(Path(path))
    if source.parquet or source.workbook:
        raise DataError(
            "{file} is no text, and a table of traces is read from CSV: save it as CSV.", file=source.name
        )
    source, encoding = source.unpacked(), "utf-8"
    try:
        text = _text_of(source)
    except UnicodeDecodeError:
        source, encoding = as_utf8(source, whole=True)
        text = _text_of(source)
    after = _AFTER_COUNT.search(text)
    mark = separator or (after[1] if after else ",")
    table = table_from_rows(_csv_rows(text, mark, source.name), threshold, source.name)
    return table, Style(mark, encoding=encoding)


def _text_of(source: Source) -> str:
    with source.open() as stream:
        return bytes(stream.read()).decode("utf-8-sig")


def _check_separator(separator: str | None) -> None:
    if separator is not None and (len(separator) != 1 or separator in '"\r\n'):
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
