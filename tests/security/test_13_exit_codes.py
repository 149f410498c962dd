"""Arrow reads ahead in threads of its own. With a Python stream they aborted the process at its end (134)."""

from __future__ import annotations

import gzip
import io
import os
import threading
import zipfile

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from insanonym_core.errors import DataError
from insanonym_core.io.sources import Source, source_of, source_of_bytes
from insanonym_core.mobility.reader import read_columns
from insanonym_core.tabular.files import read_frame
from tests.levels import at_level
from tests.security.processes import busy_machine, finish_many

RUNS = int(os.environ.get("INSANONYM_RUNS") or at_level(1, 1, 60))
TRACE = b"a\t2015-03-04 10:00:00\t45.5\t4.5\n" * 200_000
TABLE = b"age,town\n" + b"31,Lyon\n" * 400_000


class WatchedStream(io.BytesIO):
    """Remembers which threads read from it."""

    readers: set[int]

    def read(self, size=-1, /):
        self.readers.add(threading.get_ident())
        return super().read(size)

    def readinto(self, buffer, /):
        self.readers.add(threading.get_ident())
        return super().readinto(buffer)


def _readers(content: bytes, read, **kind: bool) -> set[int]:
    threads: set[int] = set()

    def opened() -> WatchedStream:
        stream = WatchedStream(content)
        stream.readers = threads
        return stream

    read(Source("watched", opened, **kind))
    return threads


def _parquet() -> bytes:
    raw = io.BytesIO()
    rows = 200_000
    columns = {"id": ["a"] * rows, "date": ["2015-03-04 10:00:00"] * rows}
    numbers = dict.fromkeys(("latitude", "longitude"), [4.5] * rows)
    parquet.write_table(pa.table({**columns, **numbers}), raw, row_group_size=20_000)
    return raw.getvalue()


@pytest.mark.parametrize(
    ("read", "content", "kind"),
    [
        (read_columns, TRACE, {}),
        (read_columns, TRACE + b"DEL\n", {}),  # not quick: line by line
        (read_columns, TRACE, {"large": True}),
        (read_columns, _parquet(), {"parquet": True}),
        (read_frame, TABLE, {}),
        (read_frame, _parquet(), {"parquet": True}),
    ],
    ids=["traces", "traces, carefully", "traces, large", "traces, Parquet", "table", "table, Parquet"],
)
def test_no_thread_of_arrow_reads_a_python_stream(read, content, kind):
    assert _readers(content, read, **kind) == {threading.get_ident()}


@pytest.mark.parametrize("content", [TABLE, gzip.compress(TABLE)])
def test_arrow_gets_all_of_a_file(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    for source in (source_of(tmp_path / "file"), source_of_bytes("file", content)):
        for one in (source, source.unpacked()):
            with one.open_native() as stream:
                assert stream.read() == TABLE


def test_the_limit_holds_while_unpacking(monkeypatch):
    """In bounded memory: not more than the limit and a piece is ever unpacked."""
    monkeypatch.setattr("insanonym_core.io.sources._UNSUSPICIOUS", 1_000_000)
    before = pa.default_memory_pool().bytes_allocated()
    with pytest.raises(DataError, match="unpacks to more than"):
        source_of_bytes("a.gz", gzip.compress(b"1,2\n" * 10_000_000)).open_native()
    assert pa.default_memory_pool().bytes_allocated() - before < 10_000_000


def _zip(path, content: bytes):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("file.tsv", content)
    return path


@pytest.mark.slow
def test_score_on_a_busy_machine(golden, tmp_path):
    """A good zip always ends with 0, a bad one with 1."""
    original, release = (_zip(tmp_path / f"{file.stem}.zip", file.read_bytes()) for file in golden)
    rows = golden[1].read_bytes().splitlines(keepends=True)
    bad = _zip(tmp_path / "bad.zip", b"".join([*rows, b"one field\n", *rows]))
    with busy_machine():
        good_runs = finish_many(RUNS, "score", original, release, "--json")
        bad_runs = finish_many(RUNS, "score", original, bad)
    assert {code for code, _ in good_runs} == {0}, good_runs
    assert {code for code, _ in bad_runs} == {1}, bad_runs
    assert all(len(errors.splitlines()) >= 1 and "terminate" not in errors for _, errors in bad_runs)


@pytest.mark.slow
def test_anonymise_on_a_busy_machine(golden, tmp_path):
    packed = tmp_path / "original.tsv.gz"
    packed.write_bytes(gzip.compress(golden[0].read_bytes()))
    with busy_machine():
        runs = finish_many(
            RUNS, "anonymise", packed, "--step", "jitter_time", "-o", tmp_path / "out.gz", "--force"
        )
    assert {code for code, _ in runs} == {0}, runs
