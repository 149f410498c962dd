"""Two projections of one table, subtracted."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.errors import DataError, UsageError
from insanonym_core.traces import SuppressedRows, difference_projections


def projection(frame, columns, k):
    """What `suppress_rare_rows` publishes."""
    sizes = frame.groupby(columns, dropna=False)[columns[0]].transform("size")
    return frame.loc[sizes >= k, columns]


PEOPLE = pd.DataFrame(
    [("S", "DUT", "FR")] * 6 + [("S", "DUT", "CL")] * 2 + [("ES", "L", "FR")] * 5 + [(None, "L", "FR")] * 5,
    columns=["bac", "diploma", "country"],
)


def test_the_suppressed_rows_come_back():
    fine = projection(PEOPLE, ["bac", "country"], 5)
    coarse = projection(PEOPLE, ["bac"], 5)
    assert (len(fine), len(coarse)) == (16, 18)
    found = difference_projections(fine, coarse, 5)
    assert found.combinations == (SuppressedRows(("S",), 6, 8, 2, "A"),)
    assert (found.columns, found.exact, found.rows, found.k) == (("bac",), True, 2, 5)
    assert difference_projections(coarse, fine, 5).combinations == (SuppressedRows(("S",), 8, 6, 2, "B"),)
    assert found.to_frame().to_dict("list") == {
        "bac": ["S"],
        "rows_a": [6],
        "rows_b": [8],
        "rows": [2],
        "missing_from": ["A"],
    }
    assert difference_projections(coarse, coarse, 5).combinations == ()


def test_projections_that_overlap_give_the_least_number():
    # Each lacks other people of the same diploma: 8 − 6 and 8 − 7 rows, of which only the difference shows.
    a = pd.DataFrame({"diploma": ["DUT"] * 6, "country": "FR"})
    b = pd.DataFrame({"diploma": ["DUT"] * 7, "bac": "S"})
    found = difference_projections(a, b, 5)
    assert found.combinations == (SuppressedRows(("DUT",), 6, 7, 1, "A"),)
    assert not found.exact


def test_values_that_read_the_same_and_missing_ones():
    a = pd.DataFrame({"level": [1.0] * 5 + [np.nan] * 5, "x": 0})
    b = pd.DataFrame({"level": pd.Series(["1"] * 6 + [None] * 7, dtype=object)})
    found = difference_projections(a, b, 5)
    assert [(one.values, one.rows) for one in found.combinations] == [(("1",), 1), ((None,), 2)]
    assert found.rows == 3


def test_large_groups_do_not_stand_out():
    a = pd.DataFrame({"level": [1] * 5, "x": 0})
    assert difference_projections(a, pd.DataFrame({"level": [1] * 10}), 5).combinations == ()
    assert difference_projections(a, pd.DataFrame({"level": [1] * 9}), 5).rows == 4


@pytest.mark.parametrize(
    ("a", "b", "k", "error", "message"),
    [
        ({"x": [1]}, {"y": [1]}, 5, UsageError, "no column in common"),
        ({"x": [1]}, {"x": [1]}, 1, UsageError, "whole number of 2 or more"),
        ({"x": [1]}, {"x": []}, 5, DataError, "empty"),
        ({"x": []}, {"x": [1]}, 5, DataError, "empty"),
        ({"x": [1, 1], "y": [1, 1]}, {"x": [1]}, 5, DataError, "do not come from the same data"),
        ({"x": [1]}, {"x": [1, 1], "y": [1, 1]}, 5, DataError, "do not come from the same data"),
        ({"x": [1]}, {"x": [2]}, 5, DataError, "do not come from the same data"),
    ],
)
def test_what_cannot_be_subtracted(a, b, k, error, message):
    with pytest.raises(error, match=message):
        difference_projections(pd.DataFrame(a), pd.DataFrame(b), k)


def test_columns_of_the_same_name():
    twins = pd.DataFrame([[1, 2]], columns=["x", "x"])
    for a, b in ((twins, twins[["x"]].iloc[:, :1]), (twins.iloc[:, :1], twins)):
        with pytest.raises(DataError, match="2 columns named 'x'"):
            difference_projections(a, b)


rows = st.lists(
    st.tuples(st.sampled_from(["S", "L", None]), st.sampled_from("ab"), st.integers(1, 2)), min_size=1
)


@given(rows, st.integers(2, 4), st.randoms())
def test_what_is_found_is_what_was_suppressed(people, k, random):
    frame = pd.DataFrame(people, columns=["bac", "diploma", "level"])
    fine, coarse = projection(frame, ["bac", "diploma", "level"], k), projection(frame, ["diploma"], k)
    if fine.empty or coarse.empty:
        return
    fine.index = [random.randrange(2) for _ in range(len(fine))]
    before = fine.copy(), coarse.copy()
    found = difference_projections(fine, coarse, k)
    expected = {}
    for diploma in set(coarse["diploma"]):
        lost = (frame["diploma"] == diploma).sum() - (fine["diploma"] == diploma).sum()
        if 0 < lost < k:
            expected[diploma,] = lost
    assert {one.values: one.rows for one in found.combinations} == expected
    assert found.rows == sum(expected.values())
    assert {one.missing_from for one in found.combinations} <= {"A"}
    pd.testing.assert_frame_equal(fine, before[0])
    pd.testing.assert_frame_equal(coarse, before[1])
