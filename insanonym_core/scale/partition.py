"""A large file as a folder of parts that hold whole individuals, made in bounded memory.

The file is read some hundred thousand lines at a time; each line goes to the part of its individual. A
release does not say whose a line is, its original does: both are then read side by side.
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

from insanonym_core.arrays import Ints
from insanonym_core.errors import DataError, UsageError
from insanonym_core.mobility.files import Reading, read, refuse
from insanonym_core.mobility.layout import layout_of
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.writer import to_table
from insanonym_core.output import unwritable
from insanonym_core.parquet_files import open_parquet
from insanonym_core.sources import Source, source_of, source_of_bytes

MEMORY = 1_000_000_000
LEAST_MEMORY = 200_000_000
_RESTING = 150_000_000  # what Python, numpy and pyarrow take before the first line
_BYTES_OF_A_LINE = 1_200  # while it is read, coded, sorted and written; measured, see benchmarks/scale.py
_MOST_PARTS = 512
_READ_AT_ONCE = 1 << 22
Told = Callable[[int], None]


def partition(
    path: Path,
    folder: Path,
    *,
    original: Path | None = None,
    parts: int | None = None,
    memory: int = MEMORY,
    columns: Sequence[str] | None = None,
    told: Told = lambda _: None,
) -> int:
    """Write `path` as Parquet files into a new folder; how many rows there are.

    `original` gives the individuals of a release. `memory` bounds what this takes, in bytes; `told` hears the
    rows of each block when it is written.
    """
    if memory < LEAST_MEMORY:
        raise UsageError(
            f"--memory-limit must be at least {LEAST_MEMORY // 10**6} MB, got {memory // 10**6}."
        )
    if folder.exists():
        raise UsageError(f"{folder} is there already: give a new folder, or remove it first.")
    for read_too in (path, *([original] if original else [])):
        source_of(read_too)  # a missing file is said before anything is made
    number = parts or _parts_of(original or path)
    if not 1 <= number <= _MOST_PARTS:
        raise UsageError(f"--parts must lie between 1 and {_MOST_PARTS}, got {number}.")
    lines = _lines_at_once(memory, 2 if original else 1)
    beside = folder.with_name(f".{folder.name}.partial")
    try:
        for unit in ("s", "us"):  # whole seconds are quicker to score; most files have no other
            shutil.rmtree(beside, ignore_errors=True)
            folder.parent.mkdir(parents=True, exist_ok=True)
            beside.mkdir(mode=0o700)  # parts of an original are personal data
            try:
                rows = _write(beside, number, _blocks(path, original, columns, lines), unit, told)
                break
            except _FinerError:
                continue
        beside.rename(folder)
    except OSError as error:
        raise unwritable(folder, error) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return rows


class _FinerError(Exception):
    """A block has fractions of seconds."""


def _lines_at_once(memory: int, files: int) -> int:
    return max(10_000, (memory - _RESTING) // _BYTES_OF_A_LINE // files)


def _parts_of(path: Path) -> int:
    """About half a million rows a part, for a file of about 50 bytes a line; packed files hold more.

    So many that no worker is left with a large one while the others have nothing more to do.
    """
    packed = path.suffix.lower() in (".gz", ".zip", ".parquet")
    return int(np.clip(path.stat().st_size * (5 if packed else 1) // 25_000_000, 4, _MOST_PARTS))


def _write(folder: Path, number: int, blocks: Iterator[tuple[Track, Ints]], unit: str, told: Told) -> int:
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
                raise _FinerError
            order = np.argsort(part, kind="stable")
            table = to_table(track).take(order).cast(schema)
            ends = np.searchsorted(part[order], np.arange(number + 1))
            for place in np.flatnonzero(np.diff(ends)).tolist():  # a part that nobody is in is not made
                if place not in writers:
                    name = folder / f"part-{place:03d}.parquet"
                    name.touch(mode=0o600, exist_ok=False)
                    writers[place] = open_files.enter_context(
                        # Dates and places hardly repeat: this is read in half of the time.
                        parquet.ParquetWriter(name, schema, use_dictionary=["id"], compression="lz4")
                    )
                writers[place].write_table(table.slice(ends[place], ends[place + 1] - ends[place]))
            rows += len(track)
            told(len(track))
    return rows


def _blocks(
    path: Path, original: Path | None, columns: Sequence[str] | None, lines: int
) -> Iterator[tuple[Track, Ints]]:
    """Rows in blocks, with a number for the individual of each: one for the same text, everywhere."""
    if original is None:
        for reading in _readings(path, columns, lines, original=True):
            yield reading.track, _numbered(reading.track)
        return
    ours, theirs = _readings(original, columns, lines, original=True), _readings(path, columns, lines)
    for whose, reading in _side_by_side(ours, theirs, original, path):
        yield reading.track, _numbered(whose.track)


def _side_by_side(
    ours: Iterator[Reading], theirs: Iterator[Reading], original: Path, release: Path
) -> Iterator[tuple[Reading, Reading]]:
    for whose, reading in zip_longest(ours, theirs):
        if whose is None or reading is None or len(whose.track) != len(reading.track):
            raise DataError(
                f"{release.name} must have the rows of {original.name}, one for one: mark deleted rows with "
                "the id DEL instead of removing them."
            )
        yield whose, reading


def _numbered(track: Track) -> Ints:
    """A number for the individual of each row, made from its text."""
    texts = np.array([zlib.crc32(text.encode()) for text in track.individuals], dtype=np.int64)
    return texts[track.individual]


def _readings(
    path: Path, columns: Sequence[str] | None, lines: int, *, original: bool = False
) -> Iterator[Reading]:
    """A file block by block, each checked; a problem names the line of the file."""
    source = source_of(path)
    if source.parquet:
        yield from _parquet_readings(source, columns, lines, original)
        return
    layout = layout_of(source, columns)
    first, head = 1, b""
    for block, last in _line_blocks(source, lines):
        held = replace(source_of_bytes(path.name, head + block), large=source.large)
        reading = read(held, columns, original=original)
        shift = first - 1 - head.count(b"\n")
        refuse([replace(p, lines=tuple(line + shift for line in p.lines)) for p in reading.problems])
        expected = block.count(b"\n") - (layout.header and first == 1)
        if not last and len(reading.track) != expected:
            raise DataError(
                f"{path.name}, line {first + lines - 1}: an empty line stands among the rows; remove it."
            )
        if first == 1 and layout.header:
            head = block.partition(b"\n")[0] + b"\n"
        first += block.count(b"\n")
        yield reading


def _line_blocks(source: Source, lines: int) -> Iterator[tuple[bytes, bool]]:
    """Pieces of so many whole lines, and whether each is the last. (Ids with line breaks are refused.)"""
    pieces: list[bytes] = []
    number = 0
    with source.open() as file:
        piece = bytes(file.read(_READ_AT_ONCE))
        while piece:
            following = bytes(file.read(_READ_AT_ONCE))
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


def _parquet_readings(
    source: Source, columns: Sequence[str] | None, lines: int, original: bool
) -> Iterator[Reading]:
    memory = lines * _BYTES_OF_A_LINE
    with open_parquet(source, piece_rows=lines, piece_bytes=memory) as opened:
        for batch in opened.iter_batches(lines):
            held = pa.BufferOutputStream()
            parquet.write_table(pa.Table.from_batches([batch]), held)
            piece = Source(source.name, partial(pa.BufferReader, held.getvalue()), parquet=True)
            reading = read(piece, columns, original=original)
            refuse(reading.problems)
            yield reading
