"""Zip, gz, Parquet and frames: whatever a file is wrapped in."""

import gzip
import os
import zipfile

import numpy as np
import pandas as pd
import pyarrow.parquet as parquet
import pytest

from insanonym_core.errors import DataError, UsageError
from insanonym_core.mobility.files import read, read_track
from insanonym_core.mobility.track import DELETED, Track
from insanonym_core.mobility.writer import to_table, write_track
from tests.helpers import lines, track

GOOD = lines("007, 2015-03-04 00:35:54, 45.7640, 4.8357", "AAAC2, 2015-03-05 12:00:00, 45.75, 4.85")


def ids(found: Track) -> list[str]:
    return ["DEL" if code == DELETED else found.tokens[code] for code in found.token.tolist()]


@pytest.mark.parametrize("name", ["a.tsv", "a.csv", "a.txt", "a.tsv.gz", "a.csv.zip", "a.zip", "a.parquet"])
def test_written_files_read_back_the_same(tmp_path, name):
    original = track(GOOD + "DEL\n" + '"o""dd,id"\t2015-03-06 12:00:00.25\t-45.123456789\t-180\n')
    write_track(original, tmp_path / name)
    again = read_track(tmp_path / name)
    assert ids(again) == ids(original) == ["007", "AAAC2", "DEL", 'o"dd,id']
    assert again.time.tolist() == original.time.tolist()
    assert again.latitude.tolist() == original.latitude.tolist()
    assert again.longitude.tolist() == original.longitude.tolist()


def test_a_deleted_row_is_written_without_its_date_and_place(tmp_path):
    found = track(GOOD)
    write_track(found.changed(token=np.array([DELETED, 1], dtype=np.int32)), tmp_path / "a.tsv")
    assert (tmp_path / "a.tsv").read_text().splitlines()[0] == "DEL\t\t\t"
    write_track(found.changed(token=np.array([DELETED, 1], dtype=np.int32)), tmp_path / "a.parquet")
    assert pd.read_parquet(tmp_path / "a.parquet").iloc[0].isna().tolist() == [False, True, True, True]


def test_a_name_does_not_decide_what_a_file_is(tmp_path):
    (tmp_path / "a.tsv").write_bytes(gzip.compress(GOOD.encode()))
    assert ids(read_track(tmp_path / "a.tsv")) == ["007", "AAAC2"]


def _zip(path, **members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)


def test_zip_with_two_members(tmp_path):
    _zip(tmp_path / "a.zip", one=GOOD, two=GOOD)
    with pytest.raises(DataError, match="exactly one file and holds 2"):
        read(tmp_path / "a.zip")


def test_zip_bomb_stops_at_the_limit_whatever_the_archive_says(tmp_path, monkeypatch):
    monkeypatch.setattr("insanonym_core.io.sources.UNPACK_LIMIT", 1_000_000)
    _zip(tmp_path / "a.zip", bomb="DEL\n" * 1_000_000)
    with pytest.raises(DataError, match="unpacks to more than"):
        read(tmp_path / "a.zip")
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"DEL\n" * 1_000_000))
    with pytest.raises(DataError, match="unpacks to more than"):
        read(tmp_path / "a.gz")


@pytest.mark.parametrize("pack", ["zip", "gz"])
def test_damaged_archives(tmp_path, pack):
    path = tmp_path / f"a.{pack}"
    if pack == "zip":
        _zip(path, one=GOOD * 1000)
    else:
        path.write_bytes(gzip.compress(GOOD.encode() * 1000))
    raw = path.read_bytes()
    path.write_bytes(raw[: len(raw) // 2])
    with pytest.raises(DataError, match="damaged"):
        read(path)
    broken = bytearray(raw)
    broken[60:90] = b"\xff" * 30
    path.write_bytes(bytes(broken))
    with pytest.raises(DataError, match="damaged"):
        read(path)


def test_parquet_with_other_columns_and_types(tmp_path):
    frame = pd.DataFrame(
        {
            "extra": [1, 2],
            "lon": [4.8, 4.9],
            "lat": [45, 46],
            "time": pd.to_datetime(["2015-03-04 00:35:54", "2015-03-05 00:00:00"]),
            "user": [7, 8],
        }
    )
    frame.to_parquet(tmp_path / "a.parquet")
    found = read_track(tmp_path / "a.parquet")
    assert ids(found) == ["7", "8"]
    assert found.latitude.tolist() == [45, 46]
    frame.assign(time=frame["time"].dt.tz_localize("UTC")).to_parquet(tmp_path / "b.parquet")
    assert read_track(tmp_path / "b.parquet").time.tolist() == found.time.tolist()
    assert read_track(tmp_path / "b.parquet").clock == "UTC"
    frame.drop(columns="user").drop(columns="extra").to_parquet(tmp_path / "c.parquet")
    with pytest.raises(DataError, match="cannot be told which column holds id;"):
        read(tmp_path / "c.parquet")
    (tmp_path / "d.parquet").write_bytes(b"PAR1" + b"\x00" * 50 + b"PAR1")
    with pytest.raises(DataError, match="damaged Parquet"):
        read(tmp_path / "d.parquet")
    frame.assign(user=[[1], [2]]).to_parquet(tmp_path / "e.parquet")
    with pytest.raises(DataError, match="the column 'user' holds lists or records"):
        read(tmp_path / "e.parquet")


def test_frames_are_read_whatever_their_index_and_left_alone():
    frame = pd.DataFrame(
        {
            "id": [7, "x", "DEL"],
            "date": ["2015-03-04 00:35:54", "2015-03-05 00:00:00", None],
            "latitude": [45.7, 45.8, None],
            "longitude": [4.8, 4.9, None],
        },
        index=[3, 3, 1],
    )
    before = frame.copy()
    found = Track.from_frame(frame)
    assert ids(found) == ["7", "x", "DEL"]
    pd.testing.assert_frame_equal(frame, before)
    back = found.to_frame()
    assert back["id"].tolist() == ["7", "x", "DEL"]
    assert back["latitude"].isna().tolist() == [False, False, True]
    with pytest.raises(DataError, match="has no columns latitude"):
        Track.from_frame(frame.drop(columns="latitude"))


def test_parquet_columns_are_taken_by_name_then_by_their_values(tmp_path):
    frame = pd.DataFrame({"who": ["a"], "when": ["2015-03-04 00:35:54"], "lon": [4.8], "lat": [45.7]})
    frame.to_parquet(tmp_path / "half.parquet")
    assert ids(read_track(tmp_path / "half.parquet")) == ["a"]
    frame.set_axis(["w", "x", "y", "z"], axis=1).to_parquet(tmp_path / "none.parquet")
    assert read_track(
        tmp_path / "none.parquet", ("id", "date", "longitude", "latitude")
    ).latitude.tolist() == [45.7]
    named = frame.set_axis(["id", "date", "lon", "lat"], axis=1)
    named.assign(user="b").to_parquet(tmp_path / "twice.parquet")
    with pytest.raises(DataError, match="several columns that could be id"):
        read(tmp_path / "twice.parquet")
    named.to_parquet(tmp_path / "named.parquet")
    with pytest.raises(UsageError, match="--columns says"):
        read(tmp_path / "named.parquet", ("id", "date", "latitude", "longitude"))
    named.assign(lat=[[1.0]]).to_parquet(tmp_path / "list.parquet")
    with pytest.raises(DataError, match="the column 'lat' holds lists or records"):
        read(tmp_path / "list.parquet")
    named.assign(lat=pd.Timestamp("2015-03-04")).to_parquet(tmp_path / "time.parquet")
    with pytest.raises(DataError, match="latitude and longitude numbers"):
        read(tmp_path / "time.parquet")


def test_an_id_may_begin_like_a_parquet_file(tmp_path):
    (tmp_path / "a.tsv").write_text(GOOD.replace("007", "PAR1"))
    assert ids(read_track(tmp_path / "a.tsv")) == ["PAR1", "AAAC2"]


def test_a_zip_may_hold_what_a_mac_adds(tmp_path):
    _zip(tmp_path / "a.zip", **{"data.tsv": GOOD, ".DS_Store": "x", "__MACOSX/data.tsv": "x"})
    assert ids(read_track(tmp_path / "a.zip")) == ["007", "AAAC2"]


def test_an_unknown_packing_is_named(tmp_path):
    _zip(tmp_path / "a.zip", one=GOOD)
    raw = bytearray((tmp_path / "a.zip").read_bytes())
    central = raw.index(b"PK\x01\x02")
    raw[8:10] = raw[central + 10 : central + 12] = (99).to_bytes(2, "little")
    (tmp_path / "a.zip").write_bytes(bytes(raw))
    with pytest.raises(DataError, match="not supported"):
        read(tmp_path / "a.zip")


def test_pipes_and_endless_names(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="not a regular file"):
        read(tmp_path / "pipe")
    with pytest.raises(UsageError, match="cannot be read"):
        read(tmp_path / ("x" * 300))


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY", "PLAIN"])
def test_parquet_of_any_encoding(tmp_path, encoding):
    found = track(lines("a, 2015-03-04 00:35:54, 45.7, 4.8", "b, 2015-03-05 12:00:00, 45.7, 4.8"))
    options = {"use_dictionary": False, "column_encoding": {"id": encoding}}
    parquet.write_table(to_table(found), tmp_path / "a.parquet", **options)
    again = read_track(tmp_path / "a.parquet")
    assert (again.tokens, again.token.tolist()) == (found.tokens, found.token.tolist())
