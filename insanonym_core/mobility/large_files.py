"""Large text files: pieces of whole lines, scanned by compiled code in as many threads as Arrow may use."""

from __future__ import annotations

import codecs
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import pyarrow as pa

from insanonym_core.mobility.layout import COLUMNS, Layout
from insanonym_core.sources import Source

_PIECE = 1 << 21  # bytes: what is made of them stays in a core's own cache


def scan(source: Source, layout: Layout) -> pa.Table | None:
    """The columns of a file all of whose lines are plain; None if it must be read another way."""
    if layout.columns != COLUMNS:
        return None
    try:
        from insanonym_core.mobility import line_scanner  # importing numba takes a fifth of a second
    except ImportError:  # there is none for this Python or this numpy yet
        return None
    separator = ord(layout.separator)
    threads = pa.cpu_count()
    waiting: deque[Future[pa.Table | None]] = deque()
    tables = []
    with ThreadPoolExecutor(threads) as pool, source.open() as file:
        for text in _whole_lines(file, header=layout.header):
            waiting.append(pool.submit(_scan_lines, line_scanner, text, separator))
            if len(waiting) > threads:  # a file is never held as a whole
                tables.append(waiting.popleft().result())
                if tables[-1] is None:
                    return None
        tables += [future.result() for future in waiting]
    return None if any(table is None for table in tables) else pa.concat_tables(tables)


def _whole_lines(file: Any, *, header: bool) -> Iterator[bytes]:
    """Pieces that end with a line feed, but one whose line is longer than a piece."""
    rest = file.read(_PIECE).removeprefix(codecs.BOM_UTF8)
    if header:
        rest = rest.partition(b"\n")[2]
    while piece := file.read(_PIECE):
        cut = piece.rfind(b"\n") + 1
        yield b"".join((rest, memoryview(piece)[:cut])) if cut else rest
        rest = piece[cut:]
    if rest:
        yield rest if rest.endswith(b"\n") else rest + b"\n"


def _scan_lines(line_scanner: Any, text: bytes, separator: int) -> pa.Table | None:
    if not text.endswith(b"\n"):
        return None
    signs = np.frombuffer(text, dtype=np.uint8)
    lines = line_scanner.count_lines(signs)
    code, time = np.empty(lines, dtype=np.int32), np.empty(lines, dtype=np.int64)
    latitude, longitude = np.empty(lines), np.empty(lines)
    first, length = np.empty(lines, dtype=np.int64), np.empty(lines, dtype=np.int64)
    table = np.full(1 << (2 * lines).bit_length(), -1, dtype=np.int32)
    ids = line_scanner.scan_lines(signs, separator, code, time, latitude, longitude, first, length, table)
    if ids == line_scanner.NOT_PLAIN:
        return None
    ends = zip(first[:ids].tolist(), length[:ids].tolist(), strict=True)
    try:
        texts = pa.array([text[start : start + size].decode() for start, size in ends], pa.string())
    except UnicodeDecodeError:
        return None
    columns = (
        pa.DictionaryArray.from_arrays(pa.array(code), texts),
        pa.array(time).view(pa.timestamp("s")),
        pa.array(latitude),
        pa.array(longitude),
    )
    return pa.table(dict(zip(COLUMNS, columns, strict=True)))
