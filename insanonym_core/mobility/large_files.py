"""Large text files: pieces of whole lines, scanned by compiled code in as many threads as Arrow may use."""

from __future__ import annotations

import codecs
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from insanonym_core.arrays import Floats, Ints
from insanonym_core.mobility.columns import arrow_array, arrow_strings
from insanonym_core.mobility.layout import COLUMNS, Layout
from insanonym_core.sources import Source

_PIECE_BYTES = 1 << 21  # bytes
_BUFFER_ROWS = (
    1 << 20
)  # rows: of arrays that large the system gives large pages, and a first touch costs little


def scan(source: Source, layout: Layout) -> pa.Table | None:
    """The columns of a file all of whose lines are plain; None if it must be read another way."""
    if layout.columns != COLUMNS:
        return None
    try:
        from insanonym_core.mobility import line_scanner  # importing numba takes a fifth of a second

        return _scan_file(source, layout, line_scanner)
    except (ImportError, OSError):
        # numba is missing, does not load, or cannot write its cache: the other readers do not need it.
        return None


def _scan_file(source: Source, layout: Layout, line_scanner: Any) -> pa.Table | None:
    threads = pa.cpu_count()
    waiting: deque[Future[pa.Array | None]] = deque()
    ids, buffers = [], [_ColumnBuffer.allocate(_BUFFER_ROWS)]
    with ThreadPoolExecutor(threads) as pool, source.open() as file:
        for text in _whole_lines(file, header=layout.header):
            signs = np.frombuffer(text, dtype=np.uint8)
            lines = line_scanner.count_lines(signs) if text.endswith(b"\n") else 0
            if not lines:
                return None
            if lines > buffers[-1].left:
                buffers.append(_ColumnBuffer.allocate(max(_BUFFER_ROWS, lines)))
            filled = buffers[-1].taken(lines)
            waiting.append(pool.submit(_scan, line_scanner, signs, ord(layout.separator), filled))
            if len(waiting) > threads:  # a file is never held as a whole
                ids.append(waiting.popleft().result())
                if ids[-1] is None:
                    return None
        ids += [future.result() for future in waiting]
    if not ids or any(some is None for some in ids):
        return None
    columns = pa.chunked_array(ids), *_ColumnBuffer.columns(buffers)
    return pa.table(dict(zip(COLUMNS, columns, strict=True)))


@dataclass(eq=False)
class _ColumnBuffer:
    """Columns for many rows, `used` of which are filled."""

    code: Ints
    time: Ints
    latitude: Floats
    longitude: Floats
    used: int = 0

    @classmethod
    def allocate(cls, rows: int) -> _ColumnBuffer:
        """Room for so many rows."""
        return cls(
            np.empty(rows, dtype=np.int32), np.empty(rows, dtype=np.int64), np.empty(rows), np.empty(rows)
        )

    @property
    def left(self) -> int:
        """How many more rows there is buffer for."""
        return len(self.code) - self.used

    def taken(self, rows: int) -> tuple[Ints, Ints, Floats, Floats]:
        """The columns of the next rows."""
        here = slice(self.used, self.used + rows)
        self.used += rows
        return self.code[here], self.time[here], self.latitude[here], self.longitude[here]

    @staticmethod
    def columns(buffers: list[_ColumnBuffer]) -> Iterator[pa.ChunkedArray]:
        """Dates, latitudes and longitudes of all buffers, not copied."""
        for name in ("time", "latitude", "longitude"):
            kind = pa.timestamp("s") if name == "time" else pa.float64()
            yield pa.chunked_array(
                [arrow_array(getattr(buffer, name)[: buffer.used], kind) for buffer in buffers]
            )


def _whole_lines(file: Any, *, header: bool) -> Iterator[bytes]:
    """Pieces that end with a line feed, but one whose line is longer than a piece."""
    rest = file.read(_PIECE_BYTES).removeprefix(codecs.BOM_UTF8)
    if header:
        first, _, rest = rest.partition(b"\n")
        if b"\r" in first.removesuffix(b"\r"):
            yield b""  # to other readers a line ends there, too
            return
    while piece := file.read(_PIECE_BYTES):
        cut = piece.rfind(b"\n") + 1
        yield b"".join((rest, memoryview(piece)[:cut])) if cut else rest
        rest = piece[cut:]
    if rest:
        yield rest if rest.endswith(b"\n") else rest + b"\n"


def _scan(
    line_scanner: Any, signs: Any, separator: int, columns: tuple[Ints, Ints, Floats, Floats]
) -> pa.Array | None:
    """Fill the columns of some lines; their ids, or None if a line is not plain."""
    lines = len(columns[0])
    first, length = np.empty(lines, dtype=np.int64), np.empty(lines, dtype=np.int64)
    table = np.full(1 << (2 * lines).bit_length(), -1, dtype=np.int32)
    ids = line_scanner.scan_lines(signs, separator, *columns, first, length, table)
    if ids == line_scanner.NOT_PLAIN:
        return None
    starts, ends = first[:ids].tolist(), (first + length)[:ids].tolist()
    try:
        texts = arrow_strings([signs[start:end].tobytes() for start, end in zip(starts, ends, strict=True)])
    except pa.ArrowInvalid:
        return None
    return pa.DictionaryArray.from_arrays(arrow_array(columns[0], pa.int32()), texts)
