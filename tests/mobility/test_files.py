"""Reading: what is legal is read in its place, what is not is said with its line."""

import gzip
import io
import os
import zipfile

import numpy as np
import pandas as pd
import pytest

from insanonym_core.errors import DataError, UsageError
from insanonym_core.mobility.files import read, read_track
from insanonym_core.mobility.layout import column_order
from insanonym_core.mobility.track import DELETED, Track, week_label
from insanonym_core.mobility.writer import write_track
from tests.helpers import lines, reading, track

GOOD = lines("007, 2015-03-04 00:35:54, 45.7640, 4.8357", "AAAC2, 2015-03-05 12:00:00, 45.75, 4.85")


def ids(found: Track) -> list[str]:
    return ["DEL" if code == DELETED else found.tokens[code] for code in found.token.tolist()]


# --- legal files ------------------------------------------------------------------------------------


def test_columns_and_types():
    found = track(GOOD)
    assert ids(found) == ["007", "AAAC2"]
    assert found.latitude.tolist() == [45.764, 45.75]
    assert found.longitude.tolist() == [4.8357, 4.85]
    assert found.time.tolist() == [np.datetime64("2015-03-04T00:35:54", "s").astype(int), 1425556800]
    assert found.resolution == 1
    assert [week_label(week) for week in found.week.tolist()] == ["2015-10", "2015-10"]


@pytest.mark.parametrize("odd", ["007", "b'\\x1f'", "NA", "nan", "1e5", "-0", "é", "a b", "True", "null"])
def test_an_id_is_text_always(odd):
    assert ids(track(GOOD.replace("007", odd))) == [odd, "AAAC2"]


@pytest.mark.parametrize("mark", ["\t", ",", ";", "|"])
def test_separators(mark):
    assert ids(track(GOOD.replace("\t", mark))) == ["007", "AAAC2"]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends(end):
    assert ids(track(GOOD.replace("\n", end))) == ["007", "AAAC2"]


def test_byte_order_mark_is_not_part_of_the_id():
    assert ids(reading(b"\xef\xbb\xbf" + GOOD.encode()).track) == ["007", "AAAC2"]


def test_missing_last_line_end_and_blank_lines_at_the_end():
    assert ids(track(GOOD.rstrip())) == ["007", "AAAC2"]
    assert ids(track(GOOD + "\n\n")) == ["007", "AAAC2"]
    assert ids(track(GOOD + "DEL\n\n\n")) == ["007", "AAAC2", "DEL"]


def test_header_is_recognised_and_gives_the_order():
    found = reading("Longitude,LAT,User_ID,DateTime\n4.8,45.7,007,2015-03-04 00:35:54\nx,y,z,w\n")
    assert ids(found.track)[0] == "007"
    assert found.track.latitude[0] == 45.7
    assert found.problems[0].lines == (3,)  # the header counts as a line


def test_column_order_can_be_given():
    swapped = lines("007, 2015-03-04 00:35:54, 4.8357, 45.7640")
    found = reading(swapped, columns=column_order("id,date,longitude,latitude")).track
    assert found.latitude.tolist() == [45.764]
    with pytest.raises(UsageError, match="once each"):
        column_order("id,date,latitude")


def test_quoted_ids_are_the_text_between_the_quotes():
    assert ids(track(GOOD.replace("007", '"007"'))) == ["007", "AAAC2"]
    assert ids(track(GOOD.replace("\t", ",").replace("007", '"0,07"'))) == ["0,07", "AAAC2"]


def test_fractions_and_t():
    found = track(GOOD.replace("2015-03-04 00:35:54", "2015-03-04T00:35:54.5"))
    assert found.resolution == 1_000_000
    assert found.time[0] == 1425429354_500_000
    nine = track(GOOD.replace("00:35:54", "00:35:54.123456789"))
    assert nine.time[0] == 1425429354_123_456


@pytest.mark.parametrize(
    ("date", "week"),
    [
        ("2016-02-29", "2016-9"),
        ("2015-12-31", "2015-53"),
        ("2016-01-03", "2015-53"),
        ("2016-01-04", "2016-1"),
        ("2014-12-29", "2015-1"),
    ],
)
def test_leap_day_and_year_boundaries(date, week):
    found = track(lines(f"a, {date} 00:00:00, 1, 2"))
    assert week_label(int(found.week[0])) == week


@pytest.mark.parametrize(
    "line",
    [
        "DEL",
        "DEL\t",
        "DEL\t\t\t",
        "DEL\tx\ty\tz",
        "DEL\t1\t2\t3\t4\t5",
        "DEL\t2015-03-04 00:35:54\tinf\t200",
        '"DEL"',
    ],
)
def test_a_deleted_row_may_hold_anything_and_stays_in_place(line):
    first, second = GOOD.splitlines()
    found = track(f"{first}\n{line}\n{second}\n")
    assert ids(found) == ["007", "DEL", "AAAC2"]
    assert "DEL" not in found.tokens
    assert found.latitude[2] == 45.75


@pytest.mark.parametrize("line", ["DEL", "1,2,DEL", "1,2,DEL,x,y"])
def test_a_deleted_row_is_found_where_the_id_is_not_the_first_column(line):
    found = track(f"lon,lat,id,date\n4.8,45.7,007,2015-03-04 00:35:54\n{line}\n")
    assert ids(found) == ["007", "DEL"]


def test_all_rows_deleted():
    assert ids(track("DEL\nDEL\n")) == ["DEL", "DEL"]
    assert ids(track("DEL\t\t\t\nDEL\t\t\t\n")) == ["DEL", "DEL"]


def test_one_row():
    assert len(track(GOOD.splitlines()[0])) == 1


# --- packed files, other formats ----------------------------------------------------------------------


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
    monkeypatch.setattr("insanonym_core.sources.UNPACK_LIMIT", 1_000_000)
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
    with pytest.raises(DataError, match="time zone"):
        read(tmp_path / "b.parquet")
    frame.drop(columns="user").drop(columns="extra").to_parquet(tmp_path / "c.parquet")
    with pytest.raises(DataError, match="must have the columns"):
        read(tmp_path / "c.parquet")
    (tmp_path / "d.parquet").write_bytes(b"PAR1" + b"\x00" * 50 + b"PAR1")
    with pytest.raises(DataError, match="damaged Parquet"):
        read(tmp_path / "d.parquet")
    frame.assign(user=[[1], [2]]).to_parquet(tmp_path / "e.parquet")
    with pytest.raises(DataError, match="id must be text"):
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
    with pytest.raises(DataError, match="lacks the columns latitude"):
        Track.from_frame(frame.drop(columns="latitude"))


def test_the_careful_road_gives_the_same_as_the_quick_one():
    quick = track(GOOD * 50)
    careful = track(GOOD * 50 + "DEL\tx\n")
    assert careful.time[:-1].tolist() == quick.time.tolist()
    assert careful.latitude[:-1].tolist() == quick.latitude.tolist()
    assert ids(careful)[:-1] == ids(quick)


def test_streams_are_closed():
    closed = []

    class Stream(io.BytesIO):
        def close(self):
            closed.append(True)
            super().close()

    from insanonym_core.mobility.reader import read_columns
    from insanonym_core.sources import Source

    read_columns(Source("x", lambda: Stream(GOOD.encode())))
    assert len(closed) >= 2


def test_parquet_columns_are_taken_by_name_and_never_guessed(tmp_path):
    frame = pd.DataFrame({"who": ["a"], "when": ["2015-03-04 00:35:54"], "lon": [4.8], "lat": [45.7]})
    frame.to_parquet(tmp_path / "half.parquet")
    with pytest.raises(DataError, match="must have the columns"):
        read(tmp_path / "half.parquet")
    frame.set_axis(["w", "x", "y", "z"], axis=1).to_parquet(tmp_path / "none.parquet")
    assert read_track(
        tmp_path / "none.parquet", ("id", "date", "longitude", "latitude")
    ).latitude.tolist() == [45.7]
    named = frame.set_axis(["id", "date", "lon", "lat"], axis=1)
    named.assign(user="b").to_parquet(tmp_path / "twice.parquet")
    with pytest.raises(DataError, match="several columns that could be the id"):
        read(tmp_path / "twice.parquet")
    named.to_parquet(tmp_path / "named.parquet")
    with pytest.raises(UsageError, match="--columns says"):
        read(tmp_path / "named.parquet", ("id", "date", "latitude", "longitude"))
    named.assign(lat=[[1.0]]).to_parquet(tmp_path / "list.parquet")
    with pytest.raises(DataError, match="latitude and longitude numbers"):
        read(tmp_path / "list.parquet")


@pytest.mark.parametrize("year", ["0000", "0999"])
def test_years_of_four_digits(year):
    assert [problem.code for problem in reading(lines(f"a, {year}-06-01 00:00:00, 1, 2")).problems] == [
        "bad-date"
    ]


def test_an_id_may_begin_like_a_parquet_file(tmp_path):
    (tmp_path / "a.tsv").write_text(GOOD.replace("007", "PAR1"))
    assert ids(read_track(tmp_path / "a.tsv")) == ["PAR1", "AAAC2"]


def test_many_deleted_lines_do_not_hide_a_broken_one(monkeypatch):
    monkeypatch.setattr("insanonym_core.mobility.reader._MOST_BROKEN_LINES", 5)
    (problem,) = reading(GOOD + "DEL\n" * 20 + "a\tb\n").problems
    assert (problem.code, problem.lines) == ("columns", (23,))


def test_a_track_leaves_the_callers_arrays_writable():
    latitude = np.array([1.0, 2.0])
    track(GOOD).changed(latitude=latitude)
    latitude[0] = 5.0


def test_taking_rows_forgets_people_without_any():
    part = track(GOOD).take(np.array([1]))
    assert part.individuals == ("AAAC2",)
    assert ids(part) == ["AAAC2"]


@pytest.mark.parametrize("line", ["DEL\n", '"DEL"\n'])
@pytest.mark.parametrize("number", [300, 40_000])
def test_the_separator_is_found_behind_any_number_of_deleted_rows(line, number):
    found = track(line * number + GOOD.replace("\t", ","))
    assert len(found) == number + 2
    assert found.latitude[-1] == 45.75


def test_many_blank_lines_at_the_end_are_no_rows():
    assert len(track(GOOD + "\n" * 200_000)) == 2


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
