"""Reading: what is legal is read in its place, what is not is said with its line."""

import io

import numpy as np
import pytest

from insanonym_core.errors import UsageError
from insanonym_core.mobility.layout import column_order
from insanonym_core.mobility.track import DELETED, Track, week_label
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

    from insanonym_core.io.sources import Source
    from insanonym_core.mobility.reader import read_columns

    read_columns(Source("x", lambda: Stream(GOOD.encode())))
    assert len(closed) >= 2


@pytest.mark.parametrize("year", ["0000", "0999"])
def test_years_of_four_digits(year):
    assert [problem.code for problem in reading(lines(f"a, {year}-06-01 00:00:00, 1, 2")).problems] == [
        "bad-date"
    ]


def test_many_deleted_lines_do_not_hide_a_broken_one(monkeypatch):
    monkeypatch.setattr("insanonym_core.mobility.reader._MAX_BROKEN_LINES", 5)
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
