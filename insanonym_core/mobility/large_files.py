"""Read large text files in pieces of whole lines, with compiled code in as many threads as Arrow may use."""

from __future__ import annotations

import codecs
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import ModuleType
from typing import IO

import numpy as np
import pyarrow as pa

from insanonym_core.io.sources import Source
from insanonym_core.mobility.columns import arrow_array, arrow_strings
from insanonym_core.mobility.layout import COLUMNS, Layout
from insanonym_core.numeric.arrays import Bytes, Floats, Ints

_PIECE_BYTES = 1 << 21  # bytes
_BUFFER_ROWS = 1 << 20  # arrays this large get huge pages from the system, which are faster to fill


def scan(source: Source, layout: Layout) -> pa.Table | None:
    """Read a file in the plain form (see line_scanner.py); None if it must be read another way."""
    if layout.columns != COLUMNS:
        return None
    try:
        from insanonym_core.mobility import line_scanner  # importing numba takes a fifth of a second

        return _scan_file(source, layout, line_scanner)
    except (ImportError, OSError):
        # numba is missing, does not load, or cannot write its cache: the other readers do not need it.
        return None


def _scan_file(source: Source, layout: Layout, line_scanner: ModuleType) -> pa.Table | None:
    threads = pa.cpu_count()
    waiting: deque[Future[pa.Array | None]] = deque()
    ids, buffers = [], [_ColumnBuffer.allocate(_BUFFER_ROWS)]
    with ThreadPoolExecutor(threads) as pool, source.open() as file:
        for text in _whole_lines(file, header=layout.header):
            characters = np.frombuffer(text, dtype=np.uint8)
            lines = line_scanner.count_lines(characters) if text.endswith(b"\n") else 0
            if not lines:
                return None
            if lines > buffers[-1].free_rows:
                buffers.append(_ColumnBuffer.allocate(max(_BUFFER_ROWS, lines)))
            columns_of_piece = buffers[-1].take_rows(lines)
            waiting.append(
                pool.submit(_scan, line_scanner, characters, ord(layout.separator), columns_of_piece)
            )
            if len(waiting) > threads:  # bound the memory: never hold the whole text
                ids.append(waiting.popleft().result())
                if ids[-1] is None:
                    return None
        ids += [future.result() for future in waiting]
    if not ids or any(chunk is None for chunk in ids):
        return None
    columns = pa.chunked_array(ids), *_ColumnBuffer.columns(buffers)
    return pa.table(dict(zip(COLUMNS, columns, strict=True)))


@dataclass(eq=False)
class _ColumnBuffer:
    """Preallocated columns, of which the first `used` rows are filled."""

    code: Ints
    time: Ints
    latitude: Floats
    longitude: Floats
    used: int = 0

    @classmethod
    def allocate(cls, rows: int) -> _ColumnBuffer:
        """Allocate columns of `rows` rows."""
        return cls(
            np.empty(rows, dtype=np.int32), np.empty(rows, dtype=np.int64), np.empty(rows), np.empty(rows)
        )

    @property
    def free_rows(self) -> int:
        """Number of rows that are still free."""
        return len(self.code) - self.used

    def take_rows(self, rows: int) -> tuple[Ints, Ints, Floats, Floats]:
        """Reserve the next rows; return views of their columns."""
        here = slice(self.used, self.used + rows)
        self.used += rows
        return self.code[here], self.time[here], self.latitude[here], self.longitude[here]

    @staticmethod
    def columns(buffers: list[_ColumnBuffer]) -> Iterator[pa.ChunkedArray]:
        """Dates, latitudes and longitudes of all buffers as Arrow columns, without copies."""
        for name in ("time", "latitude", "longitude"):
            kind = pa.timestamp("s") if name == "time" else pa.float64()
            yield pa.chunked_array(
                [arrow_array(getattr(buffer, name)[: buffer.used], kind) for buffer in buffers]
            )


def _whole_lines(file: IO[bytes], *, header: bool) -> Iterator[bytes]:
    """Yield pieces that end with a line feed; a piece without one means that a line is too long."""
    rest = file.read(_PIECE_BYTES).removeprefix(codecs.BOM_UTF8)
    if header:
        first, _, rest = rest.partition(b"\n")
        if b"\r" in first.removesuffix(b"\r"):
            yield b""  # not plain: other readers also end a line at a lone carriage return
            return
    while piece := file.read(_PIECE_BYTES):
        cut = piece.rfind(b"\n") + 1
        yield b"".join((rest, memoryview(piece)[:cut])) if cut else rest
        rest = piece[cut:]
    if rest:
        yield rest if rest.endswith(b"\n") else rest + b"\n"


def _scan(
    line_scanner: ModuleType, characters: Bytes, separator: int, columns: tuple[Ints, Ints, Floats, Floats]
) -> pa.Array | None:
    """Fill the columns from whole lines; return their ids, or None if a line is not plain."""
    lines = len(columns[0])
    first, length = np.empty(lines, dtype=np.int64), np.empty(lines, dtype=np.int64)
    table = np.full(1 << (2 * lines).bit_length(), -1, dtype=np.int32)
    ids = line_scanner.scan_lines(characters, separator, *columns, first, length, table)
    if ids == line_scanner.NOT_PLAIN:
        return None
    starts, ends = first[:ids].tolist(), (first + length)[:ids].tolist()
    try:
        texts = arrow_strings(
            [characters[start:end].tobytes() for start, end in zip(starts, ends, strict=True)]
        )
    except pa.ArrowInvalid:
        return None
    return pa.DictionaryArray.from_arrays(arrow_array(columns[0], pa.int32()), texts)
