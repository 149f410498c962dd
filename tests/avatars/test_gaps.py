"""Missing values stay missing, in each column as often as in the originals."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.avatars.gaps import draw_gaps
from insanonym_core.avatars.generate import Neighbours
from insanonym_core.avatars.metrics.closeness import dcr_median, hidden_rate, identical
from insanonym_core.avatars.metrics.resemblance import columns_distance, correlations_distance
from insanonym_core.avatars.release import get_rehearsal
from insanonym_core.demo.named import named_table
from insanonym_core.errors import DataError
from insanonym_core.tabular.table import Table
from tests.avatars.helpers import avatars_of, published_as, table_of
from tests.helpers import scores_of
from tests.levels import examples
from tests.tabular.helpers import frames


def missing_counts(table: Table) -> dict[str, int]:
    return {name: int(values.isna().sum()) for name, values in table.frame().items()}


@given(
    frame=frames(min_rows=2),
    seed=st.integers(0, 2**32),
    k=st.integers(1, 6),
    how=st.sampled_from(["mean", "knn"]),
)
@examples(60)
def test_every_column_has_as_many_gaps_as_the_originals(frame, seed, k, how):
    table = Table.from_frame(frame.drop(columns="who"))
    try:
        made = avatars_of(table, seed, k=k, impute=how)
    except DataError:
        return
    assert missing_counts(made.published) == missing_counts(table)
    for name, column in made.imputed.columns.items():
        assert column.kind == "category" or not column.has_missing or not len(table[name].values)


def slow_gaps(lacks, near, share, donors, ties):
    """Literally: the donor's gap first, then the larger weighted share, then the draw."""
    rows = range(len(near))
    expected = [sum(share[i][j] for j, other in enumerate(near[i]) if lacks[other]) for i in rows]
    order = sorted(rows, key=lambda i: (not lacks[near[i][donors[i]]], -expected[i], ties[i]))
    return set(order[: sum(lacks)])


@given(st.integers(0, 2**32), st.integers(3, 12), st.integers(1, 4))
@examples(80)
def test_gaps_are_those_of_a_slow_literal_version(seed, rows, k):
    draw = np.random.default_rng(seed)
    near = draw.integers(0, rows, (rows, k))
    share = draw.integers(1, 5, (rows, k)) / 1.0
    share /= share.sum(axis=1, keepdims=True)
    one, other = draw.random((2, rows)) < draw.random()
    one[0], other[:2] = True, (True, False)
    table = table_of(
        x=pd.Series(range(rows), dtype=float).mask(one), y=range(rows), t=pd.Series(["a"] * rows).mask(other)
    )
    found = draw_gaps(table, Neighbours(near, np.ones(near.shape)), share, np.random.default_rng(seed))
    again = np.random.default_rng(seed)
    uniform = again.random((rows, 1))[:, 0]
    donors = []
    for i in range(rows):
        place, total = 0, share[i][0]
        while uniform[i] > total and place < k - 1:
            place += 1
            total += share[i][place]
        donors.append(place)
    for name, lacks in (("x", one), ("t", other)):
        expected = slow_gaps(
            lacks.tolist(), near.tolist(), share.tolist(), donors, again.random(rows).tolist()
        )
        assert set(np.flatnonzero(found[name])) == expected, name
    assert set(found) == {"x", "t"}


def test_gaps_by_hand():
    """Rows 2 and 3 lack x. Every row has one neighbour: the avatars of 0 and 1 take their gaps."""
    near = Neighbours(np.array([[2], [3], [0], [1]]), np.ones((4, 1)))
    table = table_of(x=[1.0, 2.0, None, None], y=[1, 2, 3, 4])
    for seed in range(5):
        found = draw_gaps(table, near, np.ones((4, 1)), np.random.default_rng(seed))
        assert found["x"].tolist() == [True, True, False, False]


def test_a_table_without_gaps_draws_nothing():
    draw = np.random.default_rng(0)
    near = Neighbours(np.array([[1], [0]]), np.ones((2, 1)))
    assert draw_gaps(table_of(x=[1, 2]), near, np.ones((2, 1)), draw) == {}
    assert draw.random() == np.random.default_rng(0).random()


def test_what_is_missing_together_stays_missing_together():
    draw = np.random.default_rng(1)
    lacks = draw.random(400) < 0.3
    x, y = draw.normal(size=(2, 400))
    table = table_of(z=draw.normal(size=400), x=pd.Series(x).mask(lacks), y=pd.Series(y).mask(lacks))
    frame = avatars_of(table, k=10).published.frame()
    assert (frame["x"].isna() == frame["y"].isna()).all()


def test_gaps_follow_the_neighbours():
    """Who lacks x lies on one side of z: so do the avatars without it."""
    z = np.linspace(-1, 1, 300)
    table = table_of(z=z, w=z**3, x=pd.Series(np.ones(300) * z).mask(z > 0.4))
    frame = avatars_of(table, k=5, impute="knn").published.frame()
    assert frame["x"].isna().sum() == (z > 0.4).sum()
    assert (frame["z"] > 0.2)[frame["x"].isna()].mean() > 0.95


@pytest.mark.parametrize("how", ["mean", "knn", "drop"])
def test_patients_keep_their_gaps_in_the_release_and_in_its_rehearsal(how):
    made = avatars_of(named_table("demo:patients"), impute=how)
    half = get_rehearsal(made)
    for release, source in ((made.published, made.source), (half.avatars.published, half.train.source)):
        assert missing_counts(release) == missing_counts(source)
        assert any(missing_counts(release).values())  # with drop, those of texts
    scores = scores_of(made, "avatars")
    assert all(score.defined for score in scores.values()), scores


def test_columns_are_compared_with_what_was_observed():
    """Half of x is missing: against imputed values, the avatars would stand beside a heap at the mean."""
    x = [float(number) for number in range(10)]
    table = table_of(x=x + [None] * 10, y=range(20))
    same = published_as(table, lambda rows: rows)
    assert columns_distance(same).value == 0
    assert correlations_distance(same).value == 0
    moved = published_as(table, lambda rows: rows.assign(x=[*(value / 2 for value in x), *[None] * 10]))
    found = columns_distance(moved)
    # x: 0, 0.5 … 4.5 against 0 … 9: at 4.5 all avatars and half of the originals; y is the same.
    assert found.value == pytest.approx((0.5 + 0) / 2)
    table = found.evidence[0].columns
    assert dict(zip(table["column"], table["imputed"], strict=True)) == {"x": 0.5, "y": 0.0}
    assert found.details["imputed"] == pytest.approx(0.25)
    assert "imputed" not in columns_distance(published_as(table_of(x=x), lambda rows: rows)).details


def test_a_copy_with_a_gap_lies_on_its_row_and_a_filled_gap_is_no_copy():
    table = table_of(x=[1.5, 2.0, None, 4.0, 8.0, 16.0], y=[3, 1, 4, 1, 5, 9])
    same = published_as(table, lambda rows: rows)
    assert identical(same).value == 1
    assert dcr_median(same).value == 0
    assert hidden_rate(same).value == 0
    filled = published_as(table, lambda rows: rows.fillna(rows["x"].mean()))
    assert identical(filled).value == pytest.approx(5 / 6)
    assert dcr_median(filled).value == 0
