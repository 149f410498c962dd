"""A small Parquet file may not unpack past the limit: all columns count together, nested ones are refused."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from insanonym_core.errors import DataError
from insanonym_core.io import sources
from insanonym_core.io.sources import source_of, source_of_bytes
from insanonym_core.mobility.files import read
from insanonym_core.scale.partition import partition
from insanonym_core.tabular.files import read_frame
from insanonym_dashboard.uploads import read_upload
from tests.fuzz.parquet_bombs import one_long_text, parquet_of_many_texts, parquet_of_nested

LIMIT = 100_000_000


def _partition(path):
    return partition(path, path.with_name("parts"), parts=2)


READERS = {"traces": read, "table": read_frame, "partition": _partition}


@pytest.fixture(params=READERS)
def refused(request, tmp_path, monkeypatch):
    """The sentence that a reader says; meanwhile Arrow decodes no more than a tenth of the limit."""
    monkeypatch.setattr(sources, "UNPACK_LIMIT", LIMIT)
    pool = pa.default_memory_pool()

    def refuse(content: bytes) -> str:
        path = tmp_path / "small.parquet"
        path.write_bytes(content)
        assert len(content) < LIMIT / 100
        decoded: list[int] = []
        for method in ("read", "iter_batches"):
            _watch(monkeypatch, method, decoded)
        before = pool.bytes_allocated()
        with pytest.raises(DataError) as error:
            READERS[request.param](path)
        assert pool.bytes_allocated() - before < LIMIT / 10
        assert max(decoded, default=0) < LIMIT / 10
        return str(error.value)

    return refuse


def _watch(monkeypatch, method: str, decoded: list[int]) -> None:
    """Note how large each table or batch is that Arrow decodes."""
    original = getattr(parquet.ParquetFile, method)

    def watched(self, *given, **named):
        found = original(self, *given, **named)
        if isinstance(found, pa.Table):
            decoded.append(found.nbytes)
            return found
        return _each(found)

    def _each(batches):
        for batch in batches:
            decoded.append(batch.nbytes)
            yield batch

    monkeypatch.setattr(parquet.ParquetFile, method, watched)


def test_the_sum_over_text_columns_counts(refused):
    """Ten columns of 20 MB: each is below the limit of 100 MB."""
    assert "small.parquet unpacks to more than" in refused(parquet_of_many_texts(200))


@pytest.mark.parametrize("kind", ["list", "record", "map"])
def test_nested_columns_are_refused_by_name(refused, kind):
    said = refused(parquet_of_nested(kind))
    assert "small.parquet: the column 'tags' holds lists or records" in said


def test_wide_fixed_cells_count(refused):
    """A thousand bytes in each of a million rows, held once."""
    cell = pa.array([b"x" * 1000] * 10_000, pa.binary(1000))
    made = io.BytesIO()
    with parquet.ParquetWriter(made, pa.schema({"a": cell.type})) as writer:
        for _ in range(15):
            writer.write_table(pa.table({"a": cell}))
    assert "unpacks to more than" in refused(made.getvalue())


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_encodings_without_a_dictionary_count(refused, encoding):
    """Arrow cannot read them as dictionaries: they are measured few rows at a time."""
    made = io.BytesIO()
    table = pa.table({"text": pa.array(["x" * 5_000] * 30_000)})
    parquet.write_table(
        table, made, use_dictionary=False, column_encoding={"text": encoding}, compression="zstd"
    )
    assert "unpacks to more than" in refused(made.getvalue())


@pytest.mark.slow
def test_the_footer_may_lie_about_sizes(refused):
    """Texts are measured: a footer that claims a few bytes does not help."""
    made = io.BytesIO()
    table = pa.table({"text": pa.array(["x" * 100_000] * 1_500)})
    parquet.write_table(table, made, use_dictionary=False, compression="zstd", row_group_size=1)
    content = made.getvalue()
    claimed = parquet.ParquetFile(pa.BufferReader(content)).metadata.row_group(0).total_byte_size
    assert claimed > 100_000
    lied = content.replace(_varint(claimed), _varint(1).ljust(len(_varint(claimed)), b"\0"))
    assert "small.parquet" in refused(content)
    assert "small.parquet" in refused(lied)


def _varint(number: int) -> bytes:
    """As Thrift's compact protocol writes a whole number."""
    zigzag, parts = number << 1, []
    while zigzag > 127:
        parts.append(zigzag & 127 | 128)
        zigzag >>= 7
    return bytes([*parts, zigzag])


def test_a_column_whose_name_has_a_point_is_not_nested(tmp_path):
    made = io.BytesIO()
    parquet.write_table(pa.table({"a.b": [1, 2], "town": ["x", "y"]}), made)
    assert list(read_frame(source_of_bytes("a.parquet", made.getvalue())).columns) == ["a.b", "town"]


def test_a_piece_is_bounded_too(tmp_path, monkeypatch):
    """What is read in pieces may be large as a whole; one piece may not pass --memory-limit."""
    rows = 20_000
    long = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows), pa.int32()), ["x" * 100_000])
    columns = {"id": long, "date": pa.array(["2015-03-04 10:00:00"] * rows)}
    parquet.write_table(
        pa.table({**columns, "latitude": [4.5] * rows, "longitude": [4.5] * rows}), tmp_path / "a.parquet"
    )
    with pytest.raises(DataError, match="raise --memory-limit"):
        partition(tmp_path / "a.parquet", tmp_path / "parts", memory=200_000_000)
    assert source_of(tmp_path / "a.parquet").parquet


def _written(**columns) -> bytes:
    made = io.BytesIO()
    parquet.write_table(pa.table(columns), made, store_schema=False)
    return made.getvalue()


@pytest.mark.parametrize("kind", ["table", "mobility"])
def test_an_upload_has_the_ratio_of_a_zip_file(kind, monkeypatch):
    """30 MB in a few kilobytes, far below the limit for large files."""
    monkeypatch.setattr(sources, "_UNSUSPICIOUS", 10_000_000)
    content = _written(
        **dict.fromkeys(("id", "date"), one_long_text(150)),
        **dict.fromkeys(("latitude", "longitude"), pa.array([4.5] * 100_000)),
    )
    assert len(content) * sources.MAX_RATIO < 10_000_000
    with pytest.raises(DataError, match=r"a\.parquet unpacks to more than .* for a packed file of its size"):
        read_upload("a.parquet", len(content), content, kind)


def test_the_ratio_counts_from_the_size_of_the_file(monkeypatch):
    """The same texts pass where a column that does not shrink makes the file larger."""
    monkeypatch.setattr(sources, "_UNSUSPICIOUS", 10_000_000)
    noise = pa.array(np.random.default_rng(1).random(100_000))
    found = read_frame(source_of_bytes("a.parquet", _written(text=one_long_text(150), noise=noise)))
    assert len(found) == 100_000


@pytest.mark.slow
def test_ordinary_files_that_shrink_well_are_read():
    rows = 1_000_000
    deleted = _written(
        id=pa.array(["DEL"] * rows),
        date=pa.nulls(rows, pa.string()),
        **dict.fromkeys(("latitude", "longitude"), pa.nulls(rows, pa.float64())),
    )
    assert len(read(source_of_bytes("a.parquet", deleted)).track) == rows
    category = np.array(["a category", "another one", "c", "d"])[np.arange(rows) * 4 // rows]
    few = _written(**dict.fromkeys("abcdefgh", pa.array(category)))
    assert max(len(deleted), len(few)) < 100_000
    assert read_upload("a.parquet", len(few), few, "table").data.rows == rows
