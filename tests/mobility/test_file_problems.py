"""What is wrong with a file is said, all of it, with its lines and without its data."""

import pytest

from insanonym_core.errors import DataError, UsageError
from insanonym_core.mobility.files import read
from tests.helpers import lines, reading

pytestmark = pytest.mark.usefixtures("in_pieces")
GOOD = lines("007, 2015-03-04 00:35:54, 45.7640, 4.8357", "AAAC2, 2015-03-05 12:00:00, 45.75, 4.85")


def problems(text, **kwargs) -> dict[str, tuple[int, ...]]:
    return {problem.code: problem.lines for problem in reading(text, **kwargs).problems}


BAD_DATES = [
    "2015-03-04",
    "04/03/2015 10:00:00",
    "2015-03-04 10:00",
    "2015-02-29 10:00:00",
    "2015-03-04 24:00:00",
    "2015-03-04 10:00:00Z",
    "2015-03-04 10:00:00+01:00",
    "2015-3-4 1:00:00",
    "",
    "noon",
    "2015-03-04  10:00:00",
]
BAD_PLACES = ["nan, 4", "45, inf", "91, 4", "-90.001, 4", "45, 180.5", "x, 4", ", 4", "45, 4°"]


@pytest.mark.parametrize("date", BAD_DATES)
def test_bad_dates(date):
    text = GOOD + lines(f"x, {date}, 1, 2") + GOOD
    assert problems(text) == {"bad-date": (3,)}


def test_fractions_of_a_second_in_one_piece_count_for_all():
    rows = [f"x, 2015-03-04 10:00:0{second}, 45, 4" for second in range(5)] + [
        "x, 2015-03-04 10:00:05.25, 45, 4"
    ]
    track = reading(lines(*rows)).track
    first = track.time[0]
    assert track.resolution == 1_000_000
    assert (track.time - first).tolist() == [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 5_250_000]


def test_an_offset_of_some_rows_is_named():
    rows = ["x, 2015-03-04 10:00:00, 1, 2"] * 3 + ["x, 2015-03-04 10:00:00+01:00, 1, 2"]
    (problem,) = reading(lines(*rows)).problems
    assert "UTC offset" in problem.message
    assert "9999-99-99 99:99:99+99:99" in problem.message


@pytest.mark.parametrize("place", BAD_PLACES)
def test_bad_coordinates(place):
    text = GOOD + lines(f"x, 2015-03-04 10:00:00, {place}") + GOOD
    assert problems(text) == {"bad-coordinate": (3,)}


def test_swapped_columns_are_suggested():
    (problem,) = reading(lines("x, 2015-03-04 10:00:00, 139.7, 35.6")).problems
    assert "--columns id,date,longitude,latitude" in problem.message


def test_decimal_commas_beside_points_are_named():
    good = "x;2015-03-04 10:00:00;45,7;4,8\n"
    assert reading(good).track.latitude.tolist() == [45.7]
    (problem,) = reading(good + good.replace(",", ".")).problems
    assert "all with a comma" in problem.message


def test_wrong_number_of_fields():
    text = GOOD + "x\t2015-03-04 10:00:00\t1\n" + GOOD + "x\t2015-03-04 10:00:00\t1\t2\t3\n"
    assert problems(text) == {"columns": (3, 6)}


def test_missing_ids_and_blank_lines():
    assert problems(GOOD + "\t2015-03-04 10:00:00\t1\t2\n" + GOOD) == {"missing-id": (3,)}
    found = problems(GOOD + "\n" + GOOD)
    assert found["missing-id"] == (3,)


def test_another_header_is_understood_and_one_that_is_not_is_refused():
    found = reading("who,when,north,east\n" + GOOD.replace("\t", ","))
    assert not found.problems
    assert found.track.latitude.tolist() == [45.764, 45.75]
    with pytest.raises(DataError, match="which column holds latitude, longitude; say --columns"):
        reading("who,when,one,other\n" + GOOD.replace("\t", ","))


def test_all_problems_at_once_the_first_twenty_and_the_count():
    text = (
        GOOD
        + lines("x, noon, 1, 2") * 30
        + lines("x, 2015-03-04 10:00:00, 91, 2", ", 2015-03-04 10:00:00, 1, 2")
    )
    found = reading(text)
    by_code = {problem.code: problem for problem in found.problems}
    assert by_code["bad-date"].count == 30
    assert by_code["bad-date"].lines == tuple(range(3, 23))
    assert by_code["bad-coordinate"].lines == (33,)
    assert by_code["missing-id"].lines == (34,)
    assert found.usable.tolist() == [True] * 2 + [False] * 32
    assert "and 10 more" in by_code["bad-date"].sentence()


def test_an_original_cannot_hold_del():
    assert problems(GOOD + "DEL\n", original=True) == {"deleted-original": (3,)}


def test_messages_show_the_outline_and_not_the_data():
    for problem in reading(lines("secret-id, 04/03/2015 7u30, 45.123x, 4.8")).problems:
        assert "secret" not in problem.sentence()
        assert "45.123" not in problem.sentence()
        assert "2015" not in problem.sentence().replace("YYYY", "")


UNREADABLE = [
    (b"", "is empty"),
    (b"\n\n", "is empty"),
    (b"\x89PNG\r\n\x1a\n\x00\x00", "not text"),
    (GOOD.replace("\t", " ").encode(), "separate id, date"),
    (GOOD.encode() + "é\t2015\n".encode() + b"\t" + b"\xe9\n", "line 4: the text is neither UTF-8"),
    (b'"007\t2015-03-04 10:00:00\t1\t2\n' + GOOD.encode(), "line 1: a quotation mark"),
    (GOOD.encode() + b"x" * 3_000_000 + b"\n", "line of over a million"),
    (b"a\tb\tc\n" * 200_000, "do not have four fields"),
]


@pytest.mark.parametrize(("content", "message"), UNREADABLE)
def test_files_that_cannot_be_read_at_all(content, message):
    with pytest.raises(DataError, match=message):
        reading(content)


def test_missing_files_and_folders(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read(tmp_path / "none.tsv")
    with pytest.raises(UsageError, match="is a folder"):
        read(tmp_path)


def test_header_against_columns():
    with pytest.raises(UsageError, match="has a header with the order"):
        reading(
            "id,date,latitude,longitude\n1,2015-03-04 10:00:00,1,2\n",
            columns=("id", "date", "longitude", "latitude"),
        )


def test_a_date_that_does_not_exist_is_told_from_a_wrong_form():
    (problem,) = reading(lines("x, 2015-02-29 10:00:00, 1, 2")).problems
    assert "does not exist" in problem.message
