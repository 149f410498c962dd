"""Convert Arrow columns to numpy arrays and back without copies.

Arrow's own conversions import pandas, which takes longer than reading most files.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from insanonym_core.numeric.arrays import AnyArray, Bools, Ints


def numbers(column: pa.Array | pa.ChunkedArray, missing: float = 0) -> Any:  # Any: Ints or Floats
    """Values of a column, `missing` for nulls; a view if the column is one chunk without nulls."""
    if isinstance(column, pa.ChunkedArray):
        chunks = [numbers(chunk, missing) for chunk in column.chunks]
        return chunks[0] if len(chunks) == 1 else np.concatenate([*chunks, np.zeros(0, _dtype(column.type))])
    if len(column) == 0:
        return np.zeros(0, _dtype(column.type))
    dtype = _dtype(column.type)
    values = np.frombuffer(column.buffers()[1], dtype, len(column), column.offset * dtype.itemsize)
    if not column.null_count:
        return values
    return np.where(nulls(column), dtype.type(missing), values)


def nulls(column: pa.Array | pa.ChunkedArray) -> Bools:
    """Mask of the nulls of a column."""
    if isinstance(column, pa.ChunkedArray):
        return np.concatenate([*map(nulls, column.chunks), np.zeros(0, dtype=bool)])
    if not column.null_count:
        return np.zeros(len(column), dtype=bool)
    bits = np.frombuffer(column.buffers()[0], dtype=np.uint8)
    valid = np.unpackbits(bits, count=column.offset + len(column), bitorder="little")[column.offset :]
    return valid == 0


def _dtype(kind: pa.DataType) -> np.dtype[Any]:  # Any: as the column is
    return np.dtype(np.int64) if pa.types.is_timestamp(kind) else np.dtype(kind.to_pandas_dtype())


def arrow_array(values: AnyArray, kind: pa.DataType) -> pa.Array:
    """Arrow array that shares the memory of a numpy array."""
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


def arrow_strings(encoded: list[bytes]) -> pa.Array:
    """Arrow string array from encoded texts; raises ArrowInvalid if one is not UTF-8."""
    ends: Ints = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    strings = pa.StringArray.from_buffers(len(encoded), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded)))
    strings.validate(full=True)
    return strings
