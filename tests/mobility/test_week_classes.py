"""Classes of pseudonyms with the same week, against a literal program."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.week_classes import week_classes
from insanonym_core.registry import metrics
from tests.helpers import Row, as_text, checked, lines, pair, random_pair
from tests.levels import examples
from tests.mobility import literal_attacks, literal_matching
from tests.mobility.test_golden import _rows

MEASURE = metrics.get("week_classes", data="mobility").item


def _made_alike(release: list[Row], seed: int) -> list[Row]:
    """The release with times and places drawn from very few, so that weeks are often the same."""
    draw = np.random.default_rng(seed)
    changed = []
    for who, date, latitude, longitude in release:
        if date is not None:
            date = date.replace(hour=int(draw.integers(2)), minute=0, second=0, microsecond=0)
            latitude, longitude = 45.7, 4.8 + int(draw.integers(2)) * 1e-7
        changed.append((who, date, latitude, longitude))
    return changed


@given(seed=st.integers(0, 2**32), shared=st.booleans(), alike=st.booleans())
@examples(80)
def test_classes_as_in_the_literal_program(seed, shared, alike):
    original, release = random_pair(seed, shared=shared)
    if alike:
        release = _made_alike(release, seed)
    found = MEASURE(checked(as_text(original), as_text(release)).pair())
    rows, released = _rows(original), _rows(release)
    value, smallest, alone = literal_matching.week_classes(
        rows, released, literal_attacks.footprint(rows, released)
    )
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.details["smallest_class"] == smallest
    assert found.details["alone"] == pytest.approx(alone, abs=1e-12)
    assert float(np.sum(found.evidence[0].values)) == pytest.approx(
        sum(released_row[0] != "DEL" for released_row in _pairs(rows, released)) / found.details["pairs"]
    )


def _pairs(rows, released):
    """One row of the release for each person-week that is published, and DEL for each that is not."""
    answers = literal_attacks.footprint(rows, released)
    return [tuple(tokens) for weeks in answers.values() for tokens in weeks.values()]


TWO_WEEKS = lines(
    "a, 2015-03-02 08:00:00, 45.7, 4.8",
    "b, 2015-03-02 08:00:00, 45.7, 4.8",
    "a, 2015-03-09 08:00:00, 45.7, 4.8",
    "b, 2015-03-09 09:00:00, 45.7, 4.8",
)


def test_pseudonyms_that_last_link_their_weeks():
    """In week 10 x and y are the same; in week 11 they differ, and so they are told apart in both."""
    lasting = TWO_WEEKS.replace("a\t", "x\t").replace("b\t", "y\t")
    classes = week_classes(pair(TWO_WEEKS, lasting))
    assert classes.size.tolist() == [2, 1, 2, 1]  # by individual and week
    assert classes.linked.tolist() == [1, 1, 1, 1]
    new = lasting.replace("x\t2015-03-09", "v\t2015-03-09").replace("y\t2015-03-09", "w\t2015-03-09")
    assert week_classes(pair(TWO_WEEKS, new)).linked.tolist() == [2, 1, 2, 1]


def test_nothing_published_is_no_class():
    found = MEASURE(pair(TWO_WEEKS, "DEL\n" * 4))
    assert found.value == 1
    assert found.details == {"smallest_class": None, "smallest_linked_class": None, "alone": 0.0, "pairs": 4}


def test_the_order_of_rows_and_the_size_of_time_steps_do_not_matter():
    original, release = random_pair(3)
    release = _made_alike(release, 3)
    one = checked(as_text(original), as_text(release)).pair()
    order = np.random.default_rng(1).permutation(len(one.original))
    other = Pair(one.original.take(order), one.release.take(order))
    assert MEASURE(one).value == MEASURE(other).value
