"""One person followed through a release."""

import pytest

from insanonym_core.mobility.person import costly_rows, weeks_found
from insanonym_core.registry import attacks
from tests.helpers import lines, pair

ORIGINAL = lines(
    "a, 2016-01-04 10:00:00, 45.0, 4.0",
    "b, 2016-01-04 11:00:00, 46.0, 5.0",
    "a, 2016-01-05 10:00:00, 45.0, 4.0",
    "a, 2016-01-06 10:00:00, 45.0, 4.0",
    "a, 2016-01-07 10:00:00, 45.0, 4.0",
)
RELEASE = lines(
    "p, 2016-01-05 12:00:00, 45.0, 4.0",
    "q, 2016-01-04 11:00:00, 46.0, 5.0",
    "DEL, , ,",
    "p, 2016-01-06 10:00:00, 45.05, 4.0",
    "p, 2016-01-07 10:00:00, 45.0, 4.0",
)
KM = 0.05 * 6371.0088 * 3.141592653589793 / 180


def test_the_rows_that_cost_most_stand_first_with_their_lines():
    rows, deleted = costly_rows(pair(ORIGINAL, RELEASE), "a")
    assert deleted == 1
    assert [row.row for row in rows] == [4, 1], "an unchanged row cost nothing"
    far, late = rows
    assert (far.days, far.km, far.lost) == (0, pytest.approx(KM), pytest.approx(1 - 1 / KM))
    assert (late.days, late.km, late.lost) == (1, 0, pytest.approx(1 / 7 + 2 / 24))
    assert (str(late.before), str(late.after)) == ("2016-01-04T10:00:00", "2016-01-05T12:00:00")


def test_the_old_rules_count_otherwise():
    rows, _ = costly_rows(pair(ORIGINAL, RELEASE), "a", "v1")
    assert {row.row: pytest.approx(row.lost) for row in rows} == {4: 0.05 / 0.1, 1: 1 / 3 + 0.2}


def test_nobody_and_somebody_unknown():
    found = pair(ORIGINAL, RELEASE)
    assert costly_rows(found, "b") == ([], 0)
    assert costly_rows(found, "c") == ([], 0)
    weeks = weeks_found(found, "b", attacks.get("assignment", data="mobility"))
    assert (weeks.found, weeks.weeks) == (1, 1)
