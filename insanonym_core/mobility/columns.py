"""Arrow's columns as numpy arrays and back, by the memory they share.

Arrow's own conversions ask pandas first, and importing pandas takes longer than reading most files.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from insanonym_core.arrays import Bools, Ints


def numbers(column: pa.Array | pa.ChunkedArray, missing: float = 0) -> Any:
    """The numbers of a column, `missing` where there is none; not a copy where one piece holds them all."""
    if isinstance(column, pa.ChunkedArray):
        found = [numbers(chunk, missing) for chunk in column.chunks]
        return found[0] if len(found) == 1 else np.concatenate([*found, np.zeros(0, _dtype(column.type))])
    if len(column) == 0:
        return np.zeros(0, _dtype(column.type))
    dtype = _dtype(column.type)
    values = np.frombuffer(column.buffers()[1], dtype, len(column), column.offset * dtype.itemsize)
    if not column.null_count:
        return values
    return np.where(nulls(column), dtype.type(missing), values)


def nulls(column: pa.Array | pa.ChunkedArray) -> Bools:
    """Where a column has no value."""
    if isinstance(column, pa.ChunkedArray):
        return np.concatenate([*map(nulls, column.chunks), np.zeros(0, dtype=bool)])
    if not column.null_count:
        return np.zeros(len(column), dtype=bool)
    bits = np.frombuffer(column.buffers()[0], dtype=np.uint8)
    there = np.unpackbits(bits, count=column.offset + len(column), bitorder="little")[column.offset :]
    return there == 0


def _dtype(kind: pa.DataType) -> np.dtype[Any]:
    return np.dtype(np.int64) if pa.types.is_timestamp(kind) else np.dtype(kind.to_pandas_dtype())


def array_of(values: Any, kind: pa.DataType) -> pa.Array:
    """A column over the memory of a numpy array."""
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


def texts_of(written: list[bytes]) -> pa.Array:
    """Texts; ArrowInvalid if one is not UTF-8."""
    ends: Ints = np.cumsum([0, *map(len, written)], dtype=np.int32)
    found = pa.StringArray.from_buffers(len(written), pa.py_buffer(ends), pa.py_buffer(b"".join(written)))
    found.validate(full=True)
    return found
