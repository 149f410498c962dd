"""A release beside its original: every problem, with its lines."""

import pytest

from insanonym_core.errors import DataError
from insanonym_core.experiment import score_release
from tests.helpers import checked, lines

ORIGINAL = lines(
    "a, 2015-12-28 10:00:00, 45.7, 4.8",
    "a, 2016-01-03 23:59:59, 45.7, 4.8",
    "b, 2016-01-03 10:00:00, 45.8, 4.9",
    "b, 2016-01-04 10:00:00, 45.8, 4.9",
)

pytestmark = pytest.mark.usefixtures("in_pieces")


def release(**changes: str) -> str:
    rows = [
        "p, 2015-12-28 10:00:00, 45.7, 4.8",
        "p, 2016-01-03 23:59:59, 45.7, 4.8",
        "q, 2016-01-03 10:00:00, 45.8, 4.9",
        "r, 2016-01-04 10:00:00, 45.8, 4.9",
    ]
    for row, text in changes.items():
        rows[int(row[1:]) - 1] = text
    return lines(*rows)


def codes(original: str, released: str) -> dict[str, tuple[int, ...]]:
    return {problem.code: problem.lines for problem in checked(original, released).problems}


def test_a_legal_release():
    found = checked(ORIGINAL, release())
    assert found.valid
    assert not found.problems
    assert found.bounding_box()["original"] == {"south": 45.7, "north": 45.8, "west": 4.8, "east": 4.9}


def test_week_changed_across_the_year():
    # One second later is another ISO week; four days earlier in another year is the same one.
    assert codes(ORIGINAL, release(r2="p, 2016-01-04 00:00:00, 45.7, 4.8")) == {"week-changed": (2,)}
    assert codes(ORIGINAL, release(r2="p, 2015-12-30 00:00:00, 45.7, 4.8")) == {}


def test_two_pseudonyms_in_a_week():
    assert codes(ORIGINAL, release(r2="z, 2016-01-03 23:59:59, 45.7, 4.8")) == {"two-pseudonyms": (2,)}
    assert codes(ORIGINAL, release(r2="DEL")) == {}


def test_a_shared_pseudonym_is_a_warning():
    found = checked(ORIGINAL, release(r3="p, 2016-01-03 10:00:00, 45.8, 4.9"))
    assert [(problem.code, problem.warning, problem.lines) for problem in found.problems] == [
        ("shared-pseudonym", True, (3,))
    ]
    assert found.valid
    found.pair()


def test_a_pseudonym_may_come_back_in_another_week():
    assert codes(ORIGINAL, release(r4="p, 2016-01-04 10:00:00, 45.8, 4.9")) == {}


@pytest.mark.parametrize("rows", [3, 5])
def test_row_count(rows):
    found = checked(ORIGINAL, "".join((release() + release()).splitlines(keepends=True)[:rows]))
    assert [problem.code for problem in found.problems] == ["row-count"]
    assert not found.valid
    with pytest.raises(DataError, match="mark deleted rows with the id DEL"):
        found.pair()


def test_problems_of_both_files_and_of_the_pair_come_together():
    original = ORIGINAL.replace("45.8\t4.9", "145.8\t4.9", 1)
    found = codes(original, release(r2="p, 2016-01-04 00:00:00, 45.7, 4.8", r4="r, noon, 45.8, 4.9"))
    assert found == {"bad-coordinate": (3,), "bad-date": (4,), "week-changed": (2,)}


def test_two_kinds_may_be_scored_on_request_and_no_other():
    moved = checked(ORIGINAL, release(r2="z, 2016-01-04 00:00:00, 45.7, 4.8"))
    with pytest.raises(DataError):
        moved.pair()
    report = score_release(moved.pair(allow_invalid=True), attacks=())
    assert report.release.valid is False
    with pytest.raises(DataError):
        checked(ORIGINAL, release(r2="z, noon, 45.7, 4.8")).pair(allow_invalid=True)


def test_what_the_check_looked_up_is_not_looked_up_again():
    found = checked(ORIGINAL, release())
    scored = found.pair()
    assert scored.release is found.release.track
    assert "week" in scored.release.__dict__
    assert scored.release.individuals == scored.original.individuals == ("a", "b")
