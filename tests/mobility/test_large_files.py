"""Large files: compiled code reads what is plain, as it would be read otherwise, and leaves the rest.

`tests.helpers.reading` reads every file of every other test both ways and compares.
"""

import io
import os
import random
import subprocess
import sys
from contextlib import suppress
from datetime import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.errors import InsanonymError
from insanonym_core.io import sources
from insanonym_core.io.sources import Source, source_of, source_of_bytes
from insanonym_core.mobility import large_files, reader
from insanonym_core.mobility.files import read
from insanonym_core.mobility.layout import Layout, layout_of
from tests.helpers import contents, lines, reading
from tests.levels import at_level

PLAIN = lines(
    "007, 2015-03-04 00:35:54, 45.7640, 4.8357",
    "007, 2016-02-29T23:59:59, -45.75, -0.5",
    "é b, 2015-12-31 12:00:00, 45, 4.85",
    "DEL, , , ",
    "007, 1001-01-01 00:00:00, 0.00000000000001, 180",
    "DEL",
)


def scanned(text: str | bytes, layout: Layout | None = None):
    """What compiled code makes of a file: None if it is not for it."""
    raw = text.encode() if isinstance(text, str) else text
    source = Source("file.tsv", lambda: io.BytesIO(raw))
    return large_files.scan(source, layout or layout_of(source))


# --- what is plain ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.rstrip(),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\t", ";"),
        "id\tdate\tlatitude\tlongitude\n" + PLAIN,
        "\ufeff" + PLAIN,
        PLAIN + "DEL\n",
        PLAIN + "DEL\tand whatever\tthere is\n",
        PLAIN + "DEL\t\t\t\t\t\n" + PLAIN,
    ],
)
def test_plain_files_are_scanned(text):
    table = scanned(text)
    assert table.column("id").to_pylist()[:4] == ["007", "007", "é b", "DEL"]
    assert table.column("date").to_pylist()[1] == datetime(2016, 2, 29, 23, 59, 59)
    assert table.column("longitude").to_pylist()[:3] == [4.8357, -0.5, 4.85]
    reading(text)


GOOD = "007\t2015-03-04 00:35:54\t45.7640\t4.8357\n"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "007",
        "\t2015-03-04 00:35:54\t45.7\t4.8",
        "007\t2015-03-04 00:35:54\t45.7",
        "007\t2015-03-04 00:35:54\t45.7\t4.8\t",
        '"007"\t2015-03-04 00:35:54\t45.7\t4.8',
        "007\t2015-03-04 00:35:54.5\t45.7\t4.8",
        "007\t2015-03-04\t45.7\t4.8",
        "007\t2015-03-04 00:35\t45.7\t4.8",
        "007\t2015-02-29 00:35:54\t45.7\t4.8",
        "007\t2100-02-29 00:35:54\t45.7\t4.8",
        "007\t2015-04-31 00:35:54\t45.7\t4.8",
        "007\t2015-00-04 00:35:54\t45.7\t4.8",
        "007\t2015-13-04 00:35:54\t45.7\t4.8",
        "007\t2015-03-00 00:35:54\t45.7\t4.8",
        "007\t2015-03-04 24:00:00\t45.7\t4.8",
        "007\t2015-03-04 00:60:54\t45.7\t4.8",
        "007\t2015-03-04 00:35:60\t45.7\t4.8",
        "007\t1000-03-04 00:35:54\t45.7\t4.8",
        "007\t9999-03-04 00:35:54\t45.7\t4.8",
        "007\t2015-03-04_00:35:54\t45.7\t4.8",
        "007\t2015/03/04 00:35:54\t45.7\t4.8",
        "007\t2o15-03-04 00:35:54\t45.7\t4.8",
        "007\t2015-03-04 00:35:54\t\t",
        "007\t2015-03-04 00:35:54\t45.\t4.8",
        "007\t2015-03-04 00:35:54\t.7\t4.8",
        "007\t2015-03-04 00:35:54\t+45.7\t4.8",
        "007\t2015-03-04 00:35:54\t4.57e1\t4.8",
        "007\t2015-03-04 00:35:54\t045.7\t4.8",
        "007\t2015-03-04 00:35:54\tnan\t4.8",
        "007\t2015-03-04 00:35:54\t-\t4.8",
        "007\t2015-03-04 00:35:54\t45,7\t4.8",
        "007\t2015-03-04 00:35:54\t 45.7\t4.8",
        "007\t2015-03-04 00:35:54\t1.234567890123456\t4.8",
        "007\t2015-03-04 00:35:54\t45.7\t99999999999999999999999",
        'DEL\t"\t\t',
        "DEL\té\t\t",
        "DEL\t" + 1_100_000 * "x",
        1_100_000 * "x" + "\t2015-03-04 00:35:54\t45.7\t4.8",
        "DEL\t\r\t",
    ],
)
def test_all_else_is_left_to_the_other_readers(line):
    assert scanned(GOOD + GOOD) is not None
    assert scanned(GOOD + line + "\n" + GOOD) is None
    with suppress(InsanonymError):
        reading(GOOD + line + "\n" + GOOD)


def test_ids_that_are_no_text_and_columns_in_another_order():
    assert scanned(GOOD.encode() + GOOD.encode().replace(b"007", b"\xff")) is None
    assert scanned("id,date,longitude,latitude\n" + GOOD.replace("\t", ",")) is None
    assert scanned(GOOD + "x" * 3_000_000 + "\n" + GOOD) is None
    assert scanned(GOOD + "DEL\t" + "x" * 1_100_000 + "\n") is None


HEADER = "id\tdate\tlatitude\tlongitude"


@pytest.mark.parametrize(
    "text",
    [
        HEADER + "\r" + GOOD + GOOD,
        HEADER + "\r\n" + GOOD + GOOD,
        HEADER + "\n",
        HEADER,
        (HEADER + "\n" + GOOD).replace("\n", "\r"),
        GOOD.encode() + b"DEL\t\xff\t\t\n",
        GOOD.encode() + b"DEL\tcaf\xe9\n",
    ],
)
def test_no_row_is_lost_to_a_header_or_taken_from_another_encoding(text):
    with suppress(InsanonymError):
        reading(text)


def test_what_is_compiled_may_find_no_room(monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("insanonym_core.mobility.line_scanner.count_lines", full)
    assert scanned(PLAIN) is None
    assert len(reading(PLAIN).track) == 6


# --- exactness ----------------------------------------------------------------------------------------

decimals = st.from_regex(r"-?(0|[1-9][0-9]{0,7})(\.[0-9]{1,7})?", fullmatch=True)
moments = st.datetimes(datetime(1001, 1, 1), datetime(9998, 12, 31)).map(
    lambda date: date.replace(microsecond=0)
)


@given(st.lists(st.tuples(st.sampled_from("abc"), moments, decimals, decimals), min_size=1, max_size=20))
def test_numbers_and_dates_are_those_of_python(rows):
    table = scanned("".join(f"{who}\t{date.isoformat(' ')}\t{lat}\t{lon}\n" for who, date, lat, lon in rows))
    assert table.column("id").to_pylist() == [who for who, *_ in rows]
    assert table.column("date").to_pylist() == [date for _, date, *_ in rows]
    for place, name in ((2, "latitude"), (3, "longitude")):
        expected = np.array([float(row[place]) for row in rows])
        assert table.column(name).to_numpy().tobytes() == expected.tobytes()  # the sign of a zero, too


def test_every_day_of_four_centuries():
    days = np.arange("1900-01-01", "2301-01-01", dtype="datetime64[D]")
    table = scanned("".join(f"a\t{day} 06:07:08\t1\t1\n" for day in days.astype(str).tolist()))
    seconds = days.astype("datetime64[s]") + np.timedelta64(6 * 3600 + 7 * 60 + 8, "s")
    assert (table.column("date").to_numpy() == seconds).all()


def mutated(dice: random.Random, text: bytes) -> bytes:
    """A few bytes changed, put in or left out."""
    found = bytearray(text)
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(len(found))
        found[place : place + dice.randint(0, 2)] = bytes(
            dice.choices(b'\t\n\r"-.0123456789DEL :\xff', k=dice.randint(0, 2))
        )
    return bytes(found) or b"\n"


@pytest.mark.parametrize("seed", range(at_level(40, 200, 2000)))
def test_a_damaged_file_is_read_as_it_would_be_otherwise(seed):
    with suppress(InsanonymError):
        reading(mutated(random.Random(seed), PLAIN.encode()))  # noqa: S311  no secrets


BOUNDS = """
import random
import numba
from insanonym_core.mobility.layout import Layout
from tests.levels import at_level
from tests.mobility.test_large_files import PLAIN, mutated, scanned
assert numba.config.BOUNDSCHECK
long_id = "x" * 99 + PLAIN  # longer than the lines after it
for seed in range(at_level(300, 1000, 3000)):
    text = mutated(random.Random(seed), random.Random(seed).choice((PLAIN, long_id)).encode())
    scanned(text if text.endswith(b"\\n") else text + b"\\n", Layout("\\t"))
"""


@pytest.mark.slow
def test_nothing_outside_the_text_is_looked_at(tmp_path):
    # The compiler can check every position; kept elsewhere, that code does not take the fast one's place.
    checked = os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", BOUNDS], check=True, env=checked)


# --- pieces and threads ---------------------------------------------------------------------------------


@pytest.mark.parametrize("piece", [45, 64, 100, 1000])
def test_pieces_are_put_together_in_order(piece, monkeypatch):
    text = "".join(GOOD.replace("007", f"{number % 7}-{number // 90}") for number in range(500))
    whole = contents(reading(text))
    monkeypatch.setattr(large_files, "_PIECE_BYTES", piece)
    monkeypatch.setattr(large_files, "_BUFFER_ROWS", 7)
    assert scanned(text) is not None
    assert contents(reading(text)) == whole
    assert scanned(text + GOOD.replace("007", '"7"') + text) is None
    assert scanned(text + "x" * 3 * piece + GOOD) is None


# --- when -----------------------------------------------------------------------------------------------


def test_only_large_files_load_the_compiler(tmp_path, monkeypatch):
    (tmp_path / "a.tsv").write_text(PLAIN)
    scanned_too = []
    monkeypatch.setattr(reader, "scan", lambda source, _: scanned_too.append(source.name))
    read(tmp_path / "a.tsv")
    assert not scanned_too
    monkeypatch.setattr(sources, "LARGE", len(PLAIN.encode()))
    read(tmp_path / "a.tsv")
    assert scanned_too == ["a.tsv"]
    assert source_of(tmp_path / "a.tsv").large
    assert source_of_bytes("a.tsv", PLAIN.encode()).large
    assert not source_of_bytes("a.tsv", PLAIN.encode()[1:]).large


def test_without_the_compiler_files_are_read_all_the_same(monkeypatch):
    monkeypatch.delitem(sys.modules, "insanonym_core.mobility.line_scanner", raising=False)
    monkeypatch.delattr("insanonym_core.mobility.line_scanner", raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    assert scanned(PLAIN) is None
    assert len(reading(PLAIN).track) == 6
