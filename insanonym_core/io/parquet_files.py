"""Opening Parquet: one check for every reader, before any value is decoded.

Parquet holds a value once and its repetitions as a number, so a few bytes may stand for a billion rows, or
for a million times one long text. What the footer says about sizes is only a claim: texts are measured, as
dictionaries, in which each text stands once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as parquet

from insanonym_core.errors import DataError, brief
from insanonym_core.io import sources
from insanonym_core.io.sources import MAX_RATIO, Source, check_unpacked_size, unpack_limit

BROKEN_PARQUET = (pa.ArrowException, OSError, UnicodeDecodeError)
_BYTES_OF_A_CELL = 8
_CODED_ROWS, _DECODED_ROWS = 65_536, 1_024  # at once, while texts are measured


@contextmanager
def open_parquet(
    source: Source,
    *,
    piece_rows: int | None = None,
    piece_bytes: int = 0,
    max_bytes: int | None = None,
    check: Callable[[parquet.ParquetFile], None] = lambda _: None,
) -> Iterator[parquet.ParquetFile]:
    """The file, checked; what Arrow cannot read, here or in the block, is one sentence.

    A file that is read as a whole may unpack to as much as a zip file of its size. One that is read in pieces
    of `piece_rows` may be larger, but no piece may take more than `piece_bytes`. With `max_bytes` it may not
    unpack to more than that. `check` looks at the footer before anything is measured.
    """
    try:
        with source.open_native() as file:
            opened = parquet.ParquetFile(file)
            refuse_nested_columns(source.name, opened)
            check(opened)
            size = file.size()  # of the file itself: what the footer says is only a claim
            limit = max(sources.UNPACK_LIMIT, MAX_RATIO * size) if piece_rows else unpack_limit(size)
            limit = limit if max_bytes is None else min(limit, max_bytes)
            _check_size(source, opened, limit, piece_rows, piece_bytes)
            yield opened
    except BROKEN_PARQUET:
        raise DataError("{file} is a damaged Parquet file: write it again.", file=source.name) from None


def refuse_nested_columns(name: str, opened: parquet.ParquetFile) -> None:
    """Every column must hold single values: in lists and records, rows say nothing about the size."""
    for number in range(len(opened.schema)):
        column = opened.schema.column(number)
        if column.max_repetition_level or column.path != column.name:
            outer = column.path.partition(".")[0]
            raise DataError(
                "{file}: the column {column} holds lists or records; give one value for each row, or "
                "leave the column out.",
                file=name,
                column=brief(outer),
            )


def _check_size(
    source: Source, opened: parquet.ParquetFile, limit: int, piece_rows: int | None, piece_bytes: int
) -> None:
    """Refuse a file that unpacks past the limit: the sum over all columns, fixed widths first."""
    about = opened.metadata
    # Not by column: with damaged statistics, group.column(0) ends the process instead of raising anything.
    groups = [about.row_group(number) for number in range(about.num_row_groups)]
    rows = max(about.num_rows, sum(group.num_rows for group in groups))
    columns = [about.schema.column(number) for number in range(about.num_columns)]
    row_bytes = sum(_fixed_width(column) for column in columns)
    total = rows * row_bytes
    if not piece_rows:
        total = max(total, sum(group.total_byte_size for group in groups))
    check_unpacked_size(source.name, total, limit)
    total = rows * row_bytes
    pieces: Counter[int] = Counter()
    for column in columns:
        if column.physical_type != "BYTE_ARRAY":
            continue
        sizes = _text_sizes(source, column.path, piece_rows or rows, limit - total)
        total += sum(sizes.values())
        check_unpacked_size(source.name, total, limit)
        pieces += sizes
        if piece_rows and max(pieces.values(), default=0) + piece_rows * row_bytes > piece_bytes:
            raise DataError(
                "{file} has texts that are too long for {rows:,} rows at once, at most {size:,} MB: "
                "shorten them, or raise --memory-limit.",
                file=source.name,
                rows=piece_rows,
                size=piece_bytes // 10**6,
            )


def _fixed_width(column: parquet.ColumnSchema) -> int:
    length = column.length if column.physical_type == "FIXED_LEN_BYTE_ARRAY" else 0
    return max(_BYTES_OF_A_CELL, length)


def _text_sizes(source: Source, column: str, piece_rows: int, limit: int) -> Counter[int]:
    """How many bytes the texts of a column take in each piece, written out for every row.

    Counting ends when the limit is passed. Encodings that Arrow cannot read as a dictionary are decoded, few
    rows at a time.
    """
    try:
        return _measured(source, column, piece_rows, limit, coded=True)
    except BROKEN_PARQUET:
        return _measured(source, column, piece_rows, limit, coded=False)


def _measured(source: Source, column: str, piece_rows: int, limit: int, *, coded: bool) -> Counter[int]:
    sizes: Counter[int] = Counter()
    row = total = 0
    at_once = max(1, min(_CODED_ROWS if coded else _DECODED_ROWS, piece_rows))
    with source.open_native() as file:
        opened = parquet.ParquetFile(file, read_dictionary=[column] if coded else None)
        for batch in opened.iter_batches(at_once, columns=[column]):
            size = _written_out(batch.column(0))
            sizes[row // max(1, piece_rows)] += size
            row, total = row + batch.num_rows, total + size
            if total > limit:
                break
    return sizes


def _written_out(texts: pa.Array) -> int:
    if not pa.types.is_dictionary(texts.type):
        return int(texts.nbytes)
    lengths = pc.take(pc.binary_length(texts.dictionary), texts.indices)
    return pc.sum(lengths.cast(pa.int64())).as_py() or 0
