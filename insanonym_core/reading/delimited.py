"""CSV, TSV and their like: separator and header are found in the first lines, every cell is read as text."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable, Sequence

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from insanonym_core.errors import LINES_SHOWN, DataError, Problem
from insanonym_core.io.sources import Source
from insanonym_core.io.spreadsheets import restored
from insanonym_core.reading.encodings import UTF8, OtherEncodingError, as_utf8, refuse_other_encodings
from insanonym_core.reading.grids import Grid, check_names, named_columns
from insanonym_core.reading.options import ReadingOptions
from insanonym_core.texts import Phrase

SEPARATORS = (",", ";", "\t", "|")
_SAMPLE_BYTES = 1 << 16
_MAX_LINE_BYTES = 1 << 20  # block size of Arrow
_SAMPLE_RECORDS = 50
_RECORD = re.compile(rb'(?:[^"\r\n]+|"[^"]*")*')
_EXCEL_SEPARATOR = re.compile(rb'"?sep=(.)"?\r?\n', re.IGNORECASE)
_MAX_BROKEN_LINES = 100_000


def read_delimited(source: Source, options: ReadingOptions) -> Grid:
    """Read all cells as texts; empty ones are missing."""
    source, encoding = as_utf8(source.unpacked(), options.encoding)
    try:
        return _read(source, encoding, options)
    except OtherEncodingError:
        if options.encoding or encoding != "utf-8":
            raise
        source, encoding = as_utf8(source, options.encoding, whole=True)
        return _read(source, encoding, options)


def _read(source: Source, encoding: str, options: ReadingOptions) -> Grid:
    start = _read_beginning(source).removeprefix(codecs.BOM_UTF8)
    if not start.strip():
        raise DataError("{file} is empty: give a table with a header and at least one row.", file=source.name)
    said = _EXCEL_SEPARATOR.match(start)  # a line that only Excel reads
    start = start[said.end() :] if said else start
    mark = options.separator or (said[1].decode(errors="replace") if said else separator_of(start))
    # Same line ends as Arrow: a lone carriage return counts too.
    reader = csv.reader(io.StringIO(start.decode(errors="replace"), newline=""), delimiter=mark)
    try:
        names = [restored(name) for name in next(reader)]
    except csv.Error:
        raise DataError(
            "{file} has a name of a column that is far too long: fix line 1.", file=source.name
        ) from None
    if len(names) == 1 and not options.separator and not said and _other_lines_are_split(start):
        raise _title_error(source.name)
    numbered = [name if name.strip() else f" {place}" for place, name in enumerate(names)]
    check_names(source.name, numbered)
    lines = reader.line_num + bool(said)
    columns = _text_columns(source, [str(place) for place in range(len(names))], mark, lines)
    table, notes = named_columns(source.name, names, [_restored(column) for column in columns])
    if encoding not in UTF8:
        notes = (*notes, Phrase("The text is in the encoding {encoding}.", encoding=encoding))
    return Grid(source.name, table, "text", encoding, mark, first_line=lines + 1, notes=notes)


def separator_of(start: bytes) -> str:
    """The separator of the first lines: that which splits most of them into as many fields as the header."""
    header = _first_record(start).decode(errors="replace")
    best = max(SEPARATORS, key=header.count)
    text = start.decode(errors="replace")
    text = text[: text.rfind("\n") + 1] or text  # the last line may be cut
    found: dict[str, int] = {}
    for mark in SEPARATORS:
        if mark not in header:
            continue
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
        try:
            widths = [len(row) for row, _ in zip(reader, range(_SAMPLE_RECORDS), strict=False) if row]
        except csv.Error:
            continue
        if widths and 10 * widths.count(widths[0]) >= 9 * len(widths) and widths[0] > 1:
            found[mark] = widths[0]
    return max(found, key=lambda mark: (found[mark], mark == best)) if found else best


def _other_lines_are_split(start: bytes) -> bool:
    """Whether the lines after the first have a separator, the same number of times."""
    lines = start.decode(errors="replace").splitlines()[1:_SAMPLE_RECORDS]
    lines = [line for line in lines if line.strip()]
    counts = [{line.count(mark) for line in lines} for mark in ";\t|"]
    return len(lines) > 1 and any(len(count) == 1 and count != {0} for count in counts)


def _title_error(name: str) -> DataError:
    return DataError(
        "{file}: line 1 has a single field and other lines have more; delete what stands above the names "
        "of the columns, or name the separator (--separator).",
        file=name,
    )


def _restored(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Remove the apostrophes that protect texts from spreadsheets (see spreadsheets.py)."""
    marked = pc.starts_with(column, "'")
    if not pc.any(marked).as_py():
        return column
    different = column.filter(marked).unique().to_pylist()
    texts = [(text, back) for text in different if (back := restored(text)) != text]
    if not texts:
        return column
    old, new = (pa.array(side, pa.string()) for side in zip(*texts, strict=True))
    place = pc.index_in(column, old)
    return pc.if_else(place.is_valid(), pc.take(new, place), column)


def _text_columns(
    source: Source, names: Sequence[str], mark: str, header_lines: int
) -> list[pa.ChunkedArray]:
    """Every cell as text, or what is wrong; a packed file was unpacked for all passes."""
    _refuse_open_quotes(source)
    try:
        return _parse_cells(source, names, mark, header_lines).columns
    except pa.ArrowInvalid:
        refuse_other_encodings(source)
        raise _why_unreadable(source, names, mark, header_lines) from None


def _read_beginning(source: Source) -> bytes:
    """Read enough of a file to contain its header; refuse a header longer than Arrow can read."""
    with source.open() as file:
        start: bytes = file.read(_SAMPLE_BYTES)
        if len(start) == _SAMPLE_BYTES and _first_record(start) == start:
            start += file.read(_MAX_LINE_BYTES - _SAMPLE_BYTES)
    if len(start) == _MAX_LINE_BYTES and _first_record(start) == start:
        raise DataError(
            "{file} has a line of over a million characters: split or shorten it.", file=source.name
        )
    return start


def _first_record(start: bytes) -> bytes:
    """Return the first record: one line, or more if quoted names contain line breaks."""
    match = _RECORD.match(start)
    return match[0] if match else b""


def _refuse_open_quotes(source: Source) -> None:
    """Refuse a quotation mark that is never closed: the rest of the file would become one cell."""
    with source.open() as file:
        marks = sum(piece.count(b'"') for piece in iter(lambda: file.read(1 << 20), b""))
    if marks % 2 == 0:
        return
    opened, inside = 0, False
    with source.open() as file:
        for number, line in enumerate(
            io.BufferedReader(file) if hasattr(file, "readinto") else file, start=1
        ):
            if line.count(b'"') % 2:
                opened, inside = (opened, False) if inside else (number, True)
    raise DataError(
        "{file}, line {line}: a quotation mark is opened and never closed; remove it.",
        file=source.name,
        line=opened,
    )


def _parse_cells(
    source: Source,
    names: Sequence[str],
    mark: str,
    header_lines: int,
    broken_line: Callable[[arrow_csv.InvalidRow], str] | None = None,
) -> pa.Table:
    """Parse every cell as text; column types are inferred afterwards."""
    with source.open_native() as file:
        return arrow_csv.read_csv(
            file,
            # Arrow reports line numbers only with a single thread.
            arrow_csv.ReadOptions(
                column_names=names, skip_rows=header_lines, use_threads=broken_line is None
            ),
            arrow_csv.ParseOptions(
                delimiter=mark,
                newlines_in_values=True,
                ignore_empty_lines=len(names) > 1,  # in a single column an empty line is a missing value
                invalid_row_handler=broken_line,
            ),
            arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), null_values=[""], strings_can_be_null=True
            ),
        )


def _why_unreadable(source: Source, names: Sequence[str], mark: str, header_lines: int) -> DataError:
    """Return an error: the lines with a wrong number of fields, or what else is wrong."""
    broken: list[int] = []

    def remember(row: arrow_csv.InvalidRow) -> str:
        broken.append(row.number)
        return "skip" if len(broken) < _MAX_BROKEN_LINES else "error"

    why = ""
    try:
        _parse_cells(source, names, mark, header_lines, remember)
    except pa.ArrowInvalid as error:
        why = str(error)
    if broken:
        if len(names) == 1 and len(broken) > 1:
            return _title_error(source.name)
        message = Phrase.plural(
            "a line must have the {n:,} field of the header; fix it.",
            "a line must have the {n:,} fields of the header; fix it.",
            n=len(names),
        )
        lines = tuple(broken[:LINES_SHOWN])
        return DataError(Problem("columns", message, len(broken), lines, source.name).sentence())
    if "straddling" in why:
        return DataError(
            "{file} has a line of over a million characters: split or shorten it.", file=source.name
        )
    return DataError(
        "{file} cannot be split into lines and fields: check separator and quotation marks.", file=source.name
    )
