"""Avatars: neighbours, mixes and rows, against the published figures and by hand."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.avatars.closeness import (
    closest_distances,
    distances_among,
    identical_share,
    local_cloaking,
    nndr_of_the_source,
)
from insanonym_core.avatars.generate import (
    Neighbours,
    mix_points,
    mixing_shares,
    nearest,
    neighbours_of_rows,
    rebuild_table,
)
from insanonym_core.avatars.imputation import impute_missing
from insanonym_core.avatars.space import fit_space
from insanonym_core.demo.named import named_table
from insanonym_core.errors import DataError, UsageError
from insanonym_core.tabular.table import Table
from tests.levels import examples
from tests.tabular.helpers import frames

GOLDEN = Path(__file__).parents[1] / "golden" / "avatars"


@pytest.fixture(scope="module")
def cancer() -> Table:
    return named_table("demo:breast_cancer")


def mix(points: np.ndarray, near: Neighbours, weights: str, seed: int = 0) -> np.ndarray:
    return mix_points(points, near, mixing_shares(near, weights, np.random.default_rng(seed)))


def test_golden_distances_in_standardised_columns():
    expected = json.loads((GOLDEN / "expected.json").read_text())
    real, synthetic = (
        Table.from_frame(pd.read_csv(GOLDEN / f"{name}.csv")) for name in ("real", "synthetic")
    )
    space = fit_space(real)
    dcr, nndr = closest_distances(space.columns(synthetic), space.columns(real))
    assert np.median(dcr) == pytest.approx(expected["dcr_median"], abs=1e-9)
    assert np.nanmedian(nndr) == pytest.approx(expected["nndr_median"], abs=1e-9)
    assert identical_share(synthetic, real) == pytest.approx(expected["identical"], abs=1e-9)


@pytest.mark.parametrize(("weights", "rate"), [("published", 0.84), ("exponential", 0.38)])
def test_hidden_rate_of_the_publication_and_of_the_source(cancer, weights, rate):
    space = fit_space(cancer, components=5)
    points = space.project(space.columns(cancer))
    near = neighbours_of_rows(points, 20)
    rates = []
    for seed in range(5):
        rows = rebuild_table(space, cancer, space.rebuild(mix(points, near, weights, seed)))
        cloaking = local_cloaking(points, space.project(space.columns(rows)), np.arange(cancer.rows))
        rates.append((cloaking > 0).mean())
    assert np.mean(rates) == pytest.approx(rate, abs=2 * np.std(rates) + 0.01)


def test_with_itself_among_its_neighbours_an_avatar_is_a_copy(cancer):
    space = fit_space(cancer, variance=1.0)
    points = space.project(space.columns(cancer))
    near = neighbours_of_rows(points, 19).with_self()
    assert near.index[:, 0].tolist() == list(range(len(points)))
    assert (near.distance[:, 0] == 0).all()
    avatars = mix(points, near, "published")
    dcr, nndr = closest_distances(avatars, points)
    assert dcr.max() < 1e-9
    assert np.median(nndr) < 1e-9
    assert local_cloaking(points, avatars, np.arange(len(points))).max() == 0
    # What the source's code prints for the very same copies.
    assert np.nanmedian(nndr_of_the_source(avatars, points)) > 0.8


def test_neighbours_leave_the_row_out_by_its_number():
    points = np.array([[0.0], [0.0], [0.0], [5.0]])
    near = neighbours_of_rows(points, 2)
    assert all(row not in near.index[row] for row in range(4))
    assert near.distance[:3].tolist() == [[0, 0]] * 3


@given(st.integers(0, 2**32), st.integers(1, 20))
@examples(40)
def test_tree_and_all_distances_agree(seed, dimensions):
    rng = np.random.default_rng(seed)
    points, others = rng.normal(size=(20, dimensions)), rng.normal(size=(30, dimensions))
    brute = np.sort(np.linalg.norm(points[:, None] - others[None], axis=2), axis=1)[:, :4]
    for tree in (False, True):
        found = nearest(points, others, 4, tree=tree)
        assert found.distance == pytest.approx(brute)
        far = np.linalg.norm(points[:, None] - others[found.index], axis=2)
        assert far == pytest.approx(brute)


def _replayed(near: Neighbours, distance: list[float]) -> np.ndarray:
    """Exp(1) × 1/2^rank / distance over their sum, with the draws replayed."""
    draw = np.random.default_rng(4)
    drawn = draw.exponential(1.0, near.index.shape)
    rank = np.argsort(draw.random(near.index.shape), axis=1) + 1
    assert sorted(rank[0].tolist()) == list(range(1, near.index.shape[1] + 1))
    expected = drawn / 2.0**rank / np.array([distance])
    return expected / expected.sum()


@pytest.mark.parametrize(
    ("distance", "counts_as"),
    [
        ([0.5, 1.0, 2.0], [0.5, 1.0, 2.0]),
        ([0.0, 0.5, 2.0], [0.5, 0.5, 2.0]),  # 0 counts as the smallest positive one
        ([0.0, 0.0, 2.0], [2.0, 2.0, 2.0]),
        ([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]),  # there is none: weights without it
    ],
)
def test_published_shares_by_hand(distance, counts_as):
    near = Neighbours(np.array([[1, 2, 3]]), np.array([distance]))
    found = mixing_shares(near, "published", np.random.default_rng(4))
    assert found == pytest.approx(_replayed(near, counts_as))


def test_exponential_shares_by_hand():
    near = Neighbours(np.array([[1, 2, 3]]), np.array([[0.0, 0.5, 2.0]]))
    drawn = np.random.default_rng(4).exponential(1.0, (1, 3))
    found = mixing_shares(near, "exponential", np.random.default_rng(4))
    assert found == pytest.approx(drawn / drawn.sum())


def test_an_avatar_is_its_neighbours_by_their_shares():
    points = np.array([[0.0, 1.0], [2.0, 5.0], [4.0, -1.0]])
    near = Neighbours(np.array([[1, 2], [0, 2], [0, 1]]), np.ones((3, 2)))
    share = np.array([[0.25, 0.75], [1.0, 0.0], [0.5, 0.5]])
    assert mix_points(points, near, share).tolist() == [[3.5, 0.5], [0, 1], [1, 3]]


def test_components_by_variance_or_number(cancer):
    ninety = fit_space(cancer, variance=0.9)
    assert len(ninety.components) == 7  # the textbook number for this table
    assert ninety.explained[:7].sum() >= 0.9 > ninety.explained[:6].sum()
    assert len(fit_space(cancer, components=500).components) <= 30
    for wrong in ({"variance": 0.0}, {"variance": 1.5}, {"components": 0}):
        with pytest.raises(UsageError):
            fit_space(cancer, **wrong)


@given(frame=frames(min_rows=3), seed=st.integers(0, 1000))
@examples(60)
def test_avatars_keep_types_ranges_and_values(frame, seed):
    table = Table.from_frame(frame.drop(columns="who"))
    whole, _ = impute_missing(table)
    if all(column.domain == 1 for column in whole.columns.values()):
        with pytest.raises(DataError, match="All rows of the table are equal"):
            fit_space(whole)
        return
    space = fit_space(whole)
    points = space.project(space.columns(whole))
    near = neighbours_of_rows(points, 5)
    rows = rebuild_table(space, whole, space.rebuild(mix(points, near, "published", seed)))
    assert list(rows.columns) == list(whole.columns)
    assert rows.rows == whole.rows
    for name, column in whole.columns.items():
        made = rows[name]
        if column.kind == "category":
            assert set(made.texts()) <= set(column.texts())
        elif len(made.values):
            assert column.numbers()[0] <= made.numbers()[0]
            assert made.numbers()[-1] <= column.numbers()[-1]


def test_decimals_and_dates_are_those_of_the_source():
    frame = pd.DataFrame(
        {
            "x": [1.25, 2.5, 3.75, 9.0],
            "n": [1, 5, 9, 2],
            "d": pd.to_datetime(["2020-01-01", "2020-02-01", "2020-03-01", "2021-01-01"]),
        }
    )
    table = Table.from_frame(frame)
    space = fit_space(table)
    points = space.project(space.columns(table))
    rows = rebuild_table(
        space,
        table,
        space.rebuild(mix(points, neighbours_of_rows(points, 3), "published", 1)),
    ).frame()
    assert (rows["x"].round(2) == rows["x"]).all()
    assert pd.api.types.is_integer_dtype(rows["n"])
    assert (rows["d"] == rows["d"].dt.normalize()).all()


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"x": [1]}), "at least 2 rows"),
        (pd.DataFrame({"x": [1, 1], "c": ["a", "a"]}), "All rows of the table are equal"),
        (pd.DataFrame({"x": [1.0, None, 2.0]}), "missing numbers"),
    ],
)
def test_tables_that_cannot_be_mixed(frame, message):
    with pytest.raises(DataError, match=message):
        fit_space(Table.from_frame(frame))


def test_ranks_are_permuted_evenly():
    near = Neighbours(np.tile(np.array([[1, 2, 3]]), (30_000, 1)), np.ones((30_000, 3)))
    means = mixing_shares(near, "published", np.random.default_rng(0)).mean(axis=0)
    assert means == pytest.approx([1 / 3] * 3, abs=0.01)


@pytest.mark.parametrize("dimensions", [2, 20])
def test_cloaking_by_tree_and_by_all_distances_is_the_plain_count(dimensions):
    draw = np.random.default_rng(dimensions)
    real, made = draw.normal(size=(60, dimensions)), draw.normal(size=(60, dimensions))
    made[7] = made[8]  # a tie counts
    owner = draw.permutation(60)
    found = local_cloaking(real, made, owner)
    for row in range(60):
        far = np.linalg.norm(made - real[row], axis=1)
        own = far[owner.tolist().index(row)]
        assert found[row] == (far <= own + 1e-12).sum() - 1


def test_real_rows_among_themselves_leave_each_out():
    dcr, nndr = distances_among(np.array([[0.0], [1.0], [3.0]]))
    assert dcr.tolist() == [1, 1, 2]
    assert nndr.tolist() == pytest.approx([1 / 3, 1 / 2, 2 / 3])
