"""Split a large file into a folder of Parquet parts, each individual in one part, in bounded memory.

The file is read some hundred thousand lines at a time; each line goes to the part of its individual. A
release does not name the individuals; its original does, so both files are read in parallel.
"""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

from insanonym_core.errors import DataError, UsageError
from insanonym_core.io.output import unwritable
from insanonym_core.io.parquet_files import open_parquet
from insanonym_core.io.sources import Source, source_of, source_of_bytes
from insanonym_core.mobility.files import Reading, read, refuse
from insanonym_core.mobility.layout import layout_of
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.writer import to_table
from insanonym_core.numeric.arrays import Ints

MEMORY = 1_000_000_000
MIN_MEMORY = 200_000_000
_BASE_MEMORY = 150_000_000  # bytes used by Python, numpy and pyarrow before the first line is read
_BYTES_PER_LINE = 1_200  # while it is read, coded, sorted and written; measured, see benchmarks/scale.py
_MAX_PARTS = 512
_READ_BYTES = 1 << 22
OnRows = Callable[[int], None]


def partition(
    path: Path,
    folder: Path,
    *,
    original: Path | None = None,
    parts: int | None = None,
    memory: int = MEMORY,
    columns: Sequence[str] | None = None,
    on_rows: OnRows = lambda _: None,
) -> int:
    """Write `path` as Parquet files into a new folder; return the number of rows.

    `original` gives the individuals of a release. `memory` bounds the memory used, in bytes; `on_rows` is
    called with the number of rows of each block after it is written.
    """
    if memory < MIN_MEMORY:
        raise UsageError(
            "--memory-limit must be at least {min_memory} MB, got {memory}.",
            min_memory=MIN_MEMORY // 10**6,
            memory=memory // 10**6,
        )
    if folder.exists():
        raise UsageError("{folder} exists already: give a new folder, or remove it first.", folder=folder)
    for source_path in (path, *([original] if original else [])):
        source_of(source_path)  # report a missing file before creating anything
    number = parts or _default_parts(original or path)
    if not 1 <= number <= _MAX_PARTS:
        raise UsageError(
            "--parts must be from 1 to {max_parts:,}, got {number}.", max_parts=_MAX_PARTS, number=number
        )
    lines = _lines_per_block(memory, 2 if original else 1)
    temporary = folder.with_name(f".{folder.name}.partial")
    try:
        # Whole seconds first: they are faster to score, and most files have no fractions.
        for unit in ("s", "us"):
            shutil.rmtree(temporary, ignore_errors=True)
            folder.parent.mkdir(parents=True, exist_ok=True)
            temporary.mkdir(mode=0o700)  # parts of an original are personal data
            try:
                rows = _write(
                    temporary, number, _hashed_blocks(path, original, columns, lines), unit, on_rows
                )
                break
            except _SubsecondError:
                continue
        temporary.rename(folder)
    except OSError as error:
        raise unwritable(folder, error) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return rows


class _SubsecondError(Exception):
    """A block has times with fractions of a second."""


def _lines_per_block(memory: int, files: int) -> int:
    return max(10_000, (memory - _BASE_MEMORY) // _BYTES_PER_LINE // files)


def _default_parts(path: Path) -> int:
    """Default number of parts: about half a million rows each, at 50 bytes per line (compressed files: 10).

    Small parts keep all workers busy until the end.
    """
    packed = path.suffix.lower() in (".gz", ".zip", ".parquet")
    return int(np.clip(path.stat().st_size * (5 if packed else 1) // 25_000_000, 4, _MAX_PARTS))


def _write(
    folder: Path, number: int, blocks: Iterator[tuple[Track, Ints]], unit: str, on_rows: OnRows
) -> int:
    rows = 0
    schema = pa.schema(
        {
            "id": pa.string(),
            "date": pa.timestamp(unit),
            "latitude": pa.float64(),
            "longitude": pa.float64(),
        }
    )
    with ExitStack() as open_files:
        writers: dict[int, parquet.ParquetWriter] = {}
        for track, part in ((track, owner % number) for track, owner in blocks):
            if unit == "s" and track.resolution > 1:
                raise _SubsecondError
            order = np.argsort(part, kind="stable")
            table = to_table(track).take(order).cast(schema)
            ends = np.searchsorted(part[order], np.arange(number + 1))
            for place in np.flatnonzero(np.diff(ends)).tolist():  # do not create empty parts
                if place not in writers:
                    name = folder / f"part-{place:03d}.parquet"
                    name.touch(mode=0o600, exist_ok=False)
                    writers[place] = open_files.enter_context(
                        # Dates and coordinates hardly repeat: without a dictionary, reading is twice as fast.
                        parquet.ParquetWriter(name, schema, use_dictionary=["id"], compression="lz4")
                    )
                writers[place].write_table(table.slice(ends[place], ends[place + 1] - ends[place]))
            rows += len(track)
            on_rows(len(track))
    return rows


def _hashed_blocks(
    path: Path, original: Path | None, columns: Sequence[str] | None, lines: int
) -> Iterator[tuple[Track, Ints]]:
    """Yield blocks of rows with a hash of the individual of each row, equal for equal ids."""
    if original is None:
        for reading in _read_blocks(path, columns, lines, original=True):
            yield reading.track, _individual_hashes(reading.track)
        return
    original_readings, release_readings = (
        _read_blocks(original, columns, lines, original=True),
        _read_blocks(path, columns, lines),
    )
    for original_reading, reading in _side_by_side(original_readings, release_readings, original, path):
        yield reading.track, _individual_hashes(original_reading.track)


def _side_by_side(
    original_readings: Iterator[Reading], release_readings: Iterator[Reading], original: Path, release: Path
) -> Iterator[tuple[Reading, Reading]]:
    for original_reading, release_reading in zip_longest(original_readings, release_readings):
        if (
            original_reading is None
            or release_reading is None
            or len(original_reading.track) != len(release_reading.track)
        ):
            raise DataError(
                "{release} must have the rows of {original}, one for one: mark deleted rows with the "
                "id DEL instead of removing them.",
                release=release.name,
                original=original.name,
            )
        yield original_reading, release_reading


def _individual_hashes(track: Track) -> Ints:
    """CRC-32 of the id of each row's individual."""
    hashes = np.array([zlib.crc32(text.encode()) for text in track.individuals], dtype=np.int64)
    return hashes[track.individual]


def _read_blocks(
    path: Path, columns: Sequence[str] | None, lines: int, *, original: bool = False
) -> Iterator[Reading]:
    """Read and check a file block by block; problems carry line numbers of the whole file."""
    source = source_of(path)
    if source.parquet:
        yield from _read_parquet_blocks(source, columns, lines, original)
        return
    layout = layout_of(source, columns)
    if layout is None or source.workbook or source.tracks:
        raise DataError(
            "{file} has other columns than id, date, latitude and longitude: give a text or Parquet file "
            "of these.",
            file=path.name,
        )
    first, head = 1, b""
    for block, last in _line_blocks(source, lines):
        block_source = replace(source_of_bytes(path.name, head + block), large=source.large)
        reading = read(block_source, columns, original=original)
        shift = first - 1 - head.count(b"\n")
        refuse([replace(p, lines=tuple(line + shift for line in p.lines)) for p in reading.problems])
        expected = block.count(b"\n") - (layout.header and first == 1)
        if not last and len(reading.track) != expected:
            raise DataError(
                "{file}, line {line}: there is an empty line among the rows; remove it.",
                file=path.name,
                line=first + lines - 1,
            )
        if first == 1 and layout.header:
            head = block.partition(b"\n")[0] + b"\n"
        first += block.count(b"\n")
        yield reading


def _line_blocks(source: Source, lines: int) -> Iterator[tuple[bytes, bool]]:
    """Yield blocks of `lines` whole lines, and whether each is the last. Ids hold no line breaks."""
    pieces: list[bytes] = []
    number = 0
    with source.open() as file:
        piece = bytes(file.read(_READ_BYTES))
        while piece:
            following = bytes(file.read(_READ_BYTES))
            breaks = np.flatnonzero(np.frombuffer(piece, dtype=np.uint8) == ord("\n"))
            start = 0
            while number + len(breaks) >= lines:
                end = int(breaks[lines - number - 1]) + 1
                last = not following and end == len(piece)
                yield b"".join([*pieces, piece[start:end]]), last
                if last:
                    return
                pieces, breaks, start, number = [], breaks[lines - number :], end, 0
            pieces.append(piece[start:])
            number += len(breaks)
            piece = following
    if any(pieces):
        yield b"".join(pieces), True


def _read_parquet_blocks(
    source: Source, columns: Sequence[str] | None, lines: int, original: bool
) -> Iterator[Reading]:
    memory = lines * _BYTES_PER_LINE
    with open_parquet(source, piece_rows=lines, piece_bytes=memory) as opened:
        for batch in opened.iter_batches(lines):
            buffer = pa.BufferOutputStream()
            parquet.write_table(pa.Table.from_batches([batch]), buffer)
            batch_source = Source(source.name, partial(pa.BufferReader, buffer.getvalue()), parquet=True)
            reading = read(batch_source, columns, original=original)
            refuse(reading.problems)
            yield reading
