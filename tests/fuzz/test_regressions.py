"""What the hostile files found, one small case each: how it failed, and what is said now."""

from __future__ import annotations

import gzip
import io
import json
import os

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from insanonym_core.errors import DataError, UsageError, brief, listed
from insanonym_core.experiment import make_release
from insanonym_core.io import sources
from insanonym_core.io.sources import source_of_bytes
from insanonym_core.mobility.attack_files import MAX_ATTACK_FILE_BYTES, read_guesses, write_guesses
from insanonym_core.mobility.files import read, read_track
from insanonym_core.recipe import Recipe, step_from_text
from insanonym_core.recipe_file import read_recipe, recipe_from_text
from insanonym_core.scale.partition import partition
from insanonym_core.sweep import run_sweep
from insanonym_core.tabular.files import read_frame, read_table, write_frame
from insanonym_core.tabular.table import Table
from insanonym_core.traces import read_trace_table
from tests.fuzz.packed import zipped
from tests.fuzz.parquet_bombs import parquet_of_many_texts, parquet_of_nested
from tests.fuzz.readers import _half_done as plan_of_a_sweep
from tests.fuzz.readers import half_done
from tests.fuzz.seeds import SECRET
from tests.helpers import reading


def _parquet(**columns: pa.Array) -> bytes:
    raw = io.BytesIO()
    parquet.write_table(pa.table(columns), raw)
    return raw.getvalue()


def _table(content: bytes) -> Table:
    return read_table(source_of_bytes("a.csv", content))


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf", b"\xef\xbb\xbf\n", b"\xef\xbb\xbf \r\n"])
def test_a_byte_order_mark_alone(content):
    """An IndexError: the file is not empty, its text is."""
    with pytest.raises(DataError, match="is empty"):
        reading(content)
    with pytest.raises(DataError, match="is empty"):
        _table(content)


def test_a_table_that_begins_with_an_empty_line():
    """It had no columns, and Arrow was asked for none."""
    with pytest.raises(DataError, match="line 1: the first line is empty"):
        _table(b"\n\na,b\n1,2\n")


def test_a_header_longer_than_the_sample():
    """Names were cut at 65,536 bytes: 'has two columns called' a name that stood there once."""
    names = [f"column_{number}_{'x' * 100}" for number in range(700)]
    found = _table((",".join(names) + "\n" + ",".join("1" * 700) + "\n").encode())
    assert list(found.columns) == names


def test_a_million_columns():
    """Minutes, and gigabytes: each name was counted among all."""
    with pytest.raises(DataError, match="over a million characters"):
        _table(b",".join(b"c%d" % n for n in range(10**6)) + b"\n")
    with pytest.raises(DataError, match="more than 10,000"):
        _table(b"a" + b",a" * 20_000 + b"\n1\n")
    with pytest.raises(DataError, match="at most 10,000 steps"):
        _traces(b"1" + b",a" * 20_000 + b"\n")


def _traces(content: bytes):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.csv").write_bytes(content)
        return read_trace_table(Path(folder) / "a.csv")


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_a_name_with_a_line_break(tmp_path, name):
    """The separator was guessed from what stood before the break: one column, or two, of six."""
    names = ["a\nb", "c,d", "e\r\nf", "g\rh", "i\tj"]
    write_frame(pd.DataFrame([range(5)], columns=names), tmp_path / name)
    assert list(read_table(tmp_path / name).columns) == names


def test_a_zip_that_points_before_its_beginning():
    """A ValueError from the zip reader, for uploads alone: a file on disk gives an OSError."""
    made = bytearray(zipped(b"a,b\n1,2\n"))
    end = made.index(b"PK\x05\x06")
    made[end + 16 : end + 20] = (10_000).to_bytes(4, "little")
    with pytest.raises(DataError, match=r"damaged|not supported"):
        _table(bytes(made))


def test_avatars_of_one_huge_number():
    """The mean overflowed: a column of one value was not looked at."""
    frame = pd.DataFrame({"a": [1e308] * 9, "b": range(9)})
    with pytest.raises(DataError, match="too large"):
        make_release(Recipe((step_from_text("mix_neighbours k=2"),), kind="avatars"), Table.from_frame(frame))


def test_whole_numbers_with_a_plus():
    """An ArrowInvalid: +7 looks like a whole number, but Arrow does not read it as one."""
    found = _table(b"phone,n\n+33612345678,1\n+7,2\n")
    assert found["phone"].texts() == ["+33612345678", "+7"]
    assert found["n"].kind == "number"


@pytest.mark.parametrize("about", [b"{", b"[]", b'{"index_columns": 3}', b"\xff"])
def test_what_pandas_left_in_a_parquet_file_may_be_anything(about):
    """JSONDecodeError, AttributeError, TypeError, UnicodeDecodeError."""
    raw = io.BytesIO()
    parquet.write_table(pa.table({"a": [1]}).replace_schema_metadata({b"pandas": about}), raw)
    assert _table(raw.getvalue()).rows == 1


def test_parquet_texts_that_are_no_utf8():
    """An ArrowException much later, with the text in its message."""
    broken = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe")]
    )
    with pytest.raises(DataError, match="damaged Parquet"):
        _table(_parquet(a=broken))


def test_parquet_decimals_are_numbers():
    """They were taken for texts: 1.0000000000."""
    found = _table(_parquet(a=pa.array([1, 2], pa.decimal128(38, 10))))
    assert found["a"].kind == "number"
    assert found["a"].texts() == ["1", "2"]


def test_parquet_dates_can_be_written_again(tmp_path):
    """Nanoseconds and time zones came back from CSV as texts; dates after 9999 failed or lost their year."""
    late = pa.array([2**62], pa.timestamp("us"))
    with pytest.raises(DataError, match="beyond the years 1 to 9999"):
        _table(_parquet(a=late))
    fine = _table(
        _parquet(a=pa.array([1], pa.timestamp("ns")), b=pa.array([0], pa.timestamp("s", "Europe/Paris")))
    )
    assert fine["a"].texts() == ["1970-01-01"]
    assert fine["b"].texts() == ["1970-01-01 01:00:00"]


def test_parquet_dates_out_of_range_in_traces():
    """An OverflowError, while the message about it was made."""
    rows = {"id": pa.array(["a"]), "date": pa.array([2**62], pa.timestamp("us"))}
    raw = _parquet(**rows, latitude=pa.array([1.0]), longitude=pa.array([1.0]))
    (problem,) = read(source_of_bytes("a.parquet", raw)).problems
    assert "1001 to 9998" in problem.message


@pytest.mark.parametrize("reads", [read_table, read])
def test_parquet_bombs(monkeypatch, reads):
    """One value and its repetitions: it filled the memory, or the process ended."""
    monkeypatch.setattr(sources, "UNPACK_LIMIT", 10_000_000)
    names = ("id", "date", "latitude", "longitude")
    many = _parquet(**dict.fromkeys(names, pa.nulls(1_000_000)))
    long = pa.DictionaryArray.from_arrays(pa.array(bytes(1000), pa.int8()), ["x" * 100_000])
    for content in (many, _parquet(**dict.fromkeys(names, long))):
        assert len(content) < 2_000_000
        with pytest.raises(DataError, match="unpacks to more than"):
            reads(source_of_bytes("a.parquet", content))


@pytest.mark.parametrize("reads", [read_table, read])
def test_parquet_bombs_in_many_columns_or_lists(monkeypatch, reads):
    """Each column was below the limit, all together took 7.4 GB; a column of lists took 10.7 GB."""
    monkeypatch.setattr(sources, "UNPACK_LIMIT", 100_000_000)
    with pytest.raises(DataError, match="unpacks to more than"):
        reads(source_of_bytes("a.parquet", parquet_of_many_texts(200)))
    with pytest.raises(DataError, match="holds lists or records"):
        reads(source_of_bytes("a.parquet", parquet_of_nested("list")))


def test_an_archive_that_shrinks_a_thousandfold(monkeypatch):
    """A gzip of a few megabytes unpacked to four gigabytes before anybody stopped it."""
    monkeypatch.setattr(sources, "_UNSUSPICIOUS", 1_000_000)
    content = gzip.compress(b"DEL\n" * 1_000_000)
    for reads in (read, read_frame):
        with pytest.raises(DataError, match="the limit for a packed file of its size"):
            reads(source_of_bytes("a.gz", content))


def test_a_text_that_ends_in_the_middle_of_a_sign(capfd):
    """Arrow's own complaint went to standard error, past us."""
    with pytest.raises(DataError, match="line 2: the text ends in the middle of a character"):
        reading(b"a\t2015-03-04 10:00:00\t1\t2\n" + b"\xc3")
    assert capfd.readouterr().err == ""


def test_half_a_sign_in_an_attack(tmp_path):
    """Read, it could not be written: UnicodeEncodeError."""
    (tmp_path / "a.json").write_text(json.dumps({"a": {"2015-10": ["\ud800", "\U0001f600"]}}))
    found = read_guesses(tmp_path / "a.json")
    write_guesses(found, tmp_path / "b.json")
    assert read_guesses(tmp_path / "b.json") == found


def test_files_without_an_end(tmp_path):
    """Attack files and recipes were read whole, whatever their size; a pipe waited for ever."""
    for name, reads, size in (
        ("a.json", read_guesses, MAX_ATTACK_FILE_BYTES),
        ("a.yaml", read_recipe, 100_000),
    ):
        with (tmp_path / name).open("wb") as file:
            file.truncate(size + 1)
        with pytest.raises(DataError, match=rf"{name} has more than {size:,} bytes"):
            reads(tmp_path / name)
        os.mkfifo(tmp_path / f"pipe {name}")
        with pytest.raises(UsageError, match="is not a file"):
            reads(tmp_path / f"pipe {name}")
        with pytest.raises(UsageError, match="cannot be read"):
            reads(tmp_path / "none")


@pytest.mark.parametrize("value", ["0x" + "f" * 20_000, "'" + "x" * 50_000 + "'", "[" + "a, " * 2_000 + "a]"])
@pytest.mark.parametrize("field", ["seed", "kind", "data", "rules"])
def test_a_setting_of_any_length(field, value):
    """A ValueError for a number of thousands of digits; else a message as long as the file."""
    with pytest.raises(UsageError) as told:
        recipe_from_text(f"{field}: {value}\n")
    assert len(str(told.value)) < 500


@pytest.mark.parametrize("name", ["x" * 3000, "a/" * 2000 + "b", '"\\0"', "x" * 5000])
def test_data_of_an_impossible_name(tmp_path, name):
    """An OSError from looking whether it exists; a ValueError for a zero in it."""
    (tmp_path / "a.yaml").write_text(f"data: {name}\nkind: table\nsteps: [mondrian]\n")
    with pytest.raises((DataError, UsageError), match=r"cannot be read|must be a file name"):
        make_release(read_recipe(tmp_path / "a.yaml"))


def test_names_in_messages_are_cut():
    assert brief("a" * 1000) == "'aaaaaaaaaaaa...aaaaaaaaaaaaa'"
    assert brief(10**5000) == "something far too long"
    assert brief("age") == "'age'"
    assert listed(f"c{n}" for n in range(10**5)).endswith("c29 and 99,970 more")
    with pytest.raises(UsageError) as told:
        Table.from_frame(pd.DataFrame({"x" * 10_000: [1]})).named(["y" * 10_000], "quasi-identifiers")
    assert len(str(told.value)) < 300


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe", "not an unfinished sweep"),
        (b'{"plan": ' + b"[" * 100_000, "not an unfinished sweep"),
        (b'"plan"\n', "not an unfinished sweep"),
        (b'{"plan": "of somebody else"}\n', "belongs to another sweep"),
    ],
)
def test_a_half_done_sweep_may_hold_anything(tmp_path, content, message):
    """UnicodeDecodeError, RecursionError."""
    (tmp_path / "a.partial").write_bytes(content)
    with pytest.raises(UsageError, match=message):
        run_sweep(plan_of_a_sweep(), partial=tmp_path / "a.partial")


@pytest.mark.parametrize(
    "row",
    ['{"point": Infinity, "values": {}, "failed": ""}', '{"point": 0, "values": {"a": []}, "failed": 1}'],
)
def test_a_half_done_row_may_hold_anything(tmp_path, row):
    """An OverflowError; a TypeError, when the table was written."""
    head, first = half_done().decode().splitlines()
    (tmp_path / "a.partial").write_text(f"{head}\n{first}\n{row}\n")
    found = run_sweep(plan_of_a_sweep(), partial=tmp_path / "a.partial", cancelled=lambda: True)
    assert found.outcomes[0].values["utility"] == 0.25


def test_a_missing_file_to_part(tmp_path):
    """A FileNotFoundError, and the command said that its output could not be written."""
    with pytest.raises(UsageError, match=r"none.tsv cannot be read"):
        partition(tmp_path / "none.tsv", tmp_path / "parts")
    assert list(tmp_path.iterdir()) == []


def test_a_value_that_is_too_frequent_is_not_told(run, tmp_path):
    """bucketise named the sensitive value that stands in most rows."""
    frame = pd.DataFrame({"age": range(10), "illness": [SECRET] * 9 + ["b"]})
    frame.to_csv(tmp_path / "a.csv", index=False)
    options = ("--qi", "age", "--sensitive", "illness")
    found = run("table", "bucketise", tmp_path / "a.csv", "-o", tmp_path / "out", *options)
    assert found.code == 1
    assert "one value stands in 9 of 10 rows" in found.err
    assert SECRET not in found.err


def test_reading_a_good_file_is_as_it_was(tmp_path):
    (tmp_path / "a.tsv").write_text("a\t2015-03-04 10:00:00\t1\t2\n")
    assert len(read_track(tmp_path / "a.tsv")) == 1
