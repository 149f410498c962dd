"""Rows as points: categories at distance 1, known or not, and what does not fit into the memory."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist

from insanonym_core.avatars import space as spaces
from insanonym_core.avatars.metrics.closeness import dcr_median
from insanonym_core.avatars.release import avatars_from_tables, to_points
from insanonym_core.avatars.space import fit_space
from insanonym_core.errors import DataError
from insanonym_core.tabular.table import Table
from tests.avatars.helpers import avatars_of, table_of


@pytest.mark.parametrize("which", ["columns", "pca"])
def test_two_values_of_a_category_lie_at_distance_one_and_missing_is_one_of_them(which):
    table = table_of(t=["a", "b", "c", None, "a"], u=["x", "y", "x", "y", "x"])
    points = to_points(fit_space(table, variance=1.0), table, which)
    values = table.frame().fillna("(missing)").to_numpy()
    mismatches = (values[:, None] != values[None]).sum(axis=2)
    assert cdist(points, points) == pytest.approx(np.sqrt(mismatches))


def test_a_value_that_the_originals_do_not_have_lies_at_distance_one_from_all_of_theirs():
    known, unseen = table_of(t=list("aabbc")), table_of(t=["new", "newer", None])
    space = fit_space(known, variance=1.0)
    assert cdist(space.columns(unseen), space.columns(known)) == pytest.approx(np.ones((3, 5)))
    # No component has a part in it: in the PCA space it lies in the middle, where no known value can be.
    assert cdist(to_points(space, unseen, "pca"), to_points(space, known, "pca")).max() < 1
    assert dcr_median(avatars_from_tables(known, unseen), space="columns").value == pytest.approx(1)


def test_unseen_values_are_never_written_back():
    made = avatars_of(table_of(t=["a", "b", "c", None] * 6, x=np.arange(24)), k=20, components=1)
    assert set(made.published["t"].texts()) <= set("abc")


def test_a_space_names_the_places_of_its_columns():
    space = fit_space(table_of(x=[1, 2, 4], t=["a", None, "b"], y=[1.0, 0.0, 0.5], c=[1, 1, 1]))
    assert space.column_slices == {"x": slice(0, 1), "y": slice(1, 2), "t": slice(2, 6)}


def test_tables_too_large_for_the_memory_are_refused(monkeypatch):
    frame = pd.DataFrame({"x": np.arange(30.0), "t": list("abcdef" * 5)})
    monkeypatch.setattr(spaces, "MAX_BYTES", 30 * 8 * 8)  # 8 columns: x, six texts, and the unseen ones
    table = Table.from_frame(frame)
    assert avatars_of(table, k=8).published.rows == 30
    with pytest.raises(DataError, match=r"30 rows × 9 neighbours take .*: give fewer rows, or lower k"):
        avatars_of(table, k=9)
    table = Table.from_frame(frame)
    monkeypatch.setattr(spaces, "MAX_BYTES", 30 * 8 * 8 - 1)
    for refused in (lambda: avatars_of(table), lambda: avatars_from_tables(table, table)):
        with pytest.raises(
            DataError, match=r"30 rows × 8 columns and values of texts take .* leave out wide"
        ):
            refused()


def test_free_text_is_refused_before_it_is_spread_into_columns():
    texts = table_of(t=[f"text {number}" for number in range(2001)], x=np.arange(2001))
    for refused in (lambda: avatars_of(texts), lambda: avatars_from_tables(texts, texts)):
        with pytest.raises(DataError, match="2,001 different values in all, more than 2,000: leave out"):
            refused()


def test_dates_and_numbers_are_standardised_by_the_population():
    dates = pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-06"])
    columns = fit_space(table_of(d=dates, x=[1.0, 2.0, 6.0])).columns(table_of(d=dates, x=[1.0, 2.0, 6.0]))
    assert columns[:, 0] == pytest.approx(columns[:, 1])
    assert columns[:, 1] == pytest.approx((np.array([1, 2, 6]) - 3) / np.sqrt(14 / 3))
