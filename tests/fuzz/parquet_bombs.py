"""Parquet files that are small until they are read."""

from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.parquet as parquet


def parquet_bomb(rows: int, column: pa.Array) -> bytes:
    """A few kilobytes that spread out to gigabytes: one value and how often it is repeated."""
    table = pa.table(dict.fromkeys(("id", "date", "latitude", "longitude"), column))
    made = io.BytesIO()
    with parquet.ParquetWriter(made, table.schema, store_schema=False) as writer:
        for _ in range(rows // table.num_rows):
            writer.write_table(table)
    return made.getvalue()


def one_long_text(length: int = 1_000_000) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(bytes(100_000), pa.int8()), ["x" * length])


def parquet_of_many_texts(length: int, columns: int = 10) -> bytes:
    """Text columns each of which is below the limit; all of them together are not."""
    made = io.BytesIO()
    more = {f"text {number}": one_long_text(length) for number in range(columns)}
    places = {"latitude": pa.array([4.5] * 100_000), "longitude": pa.array([4.5] * 100_000)}
    table = pa.table({"id": one_long_text(3), "date": one_long_text(3), **places, **more})
    parquet.write_table(table, made, store_schema=False)
    return made.getvalue()


def parquet_of_nested(kind: str, length: int = 1_000) -> bytes:
    """A column each cell of which is a list, record or map of repeated values; the rows are few."""
    rows, times = 1_000, 1_000
    texts = pa.array(["x" * length] * times)
    cell = {
        "list": lambda: pa.ListArray.from_arrays([0, times], texts),
        "record": lambda: pa.StructArray.from_arrays([texts[:1]], ["text"]),
        "map": lambda: pa.MapArray.from_arrays([0, 1], texts[:1], texts[:1]),
    }[kind]()
    made = io.BytesIO()
    others = {"id": ["a"], "date": ["2015-03-04 10:00:00"], "latitude": [4.5], "longitude": [4.5]}
    table = pa.table({**others, "tags": cell})
    with parquet.ParquetWriter(made, table.schema, store_schema=False) as writer:
        for _ in range(rows // 100):
            writer.write_table(pa.concat_tables([table] * 100))
    return made.getvalue()
