"""Microaggregation beside a literal MDAV; what is published are the means of its groups."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.errors import DataError, UsageError
from insanonym_core.registry import metrics
from insanonym_core.tabular.mdav import mdav_groups
from insanonym_core.tabular.methods import microaggregate
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.roles import Roles
from tests.levels import examples
from tests.tabular.helpers import apply, frames, literal_k

Point = tuple[float, ...]


def literal_mdav(points: list[Point], k: int) -> list[list[int]]:
    """The published algorithm, step by step, on lists; ties go to the smallest coordinates."""

    def gap(a: Point, b: Point) -> float:
        return math.fsum((x - y) ** 2 for x, y in zip(a, b, strict=True))

    def mean(rows: list[int]) -> Point:
        return tuple(
            math.fsum(points[row][axis] for row in rows) / len(rows) for axis in range(len(points[0]))
        )

    def nearest(seed: int, rows: list[int]) -> list[int]:
        return sorted(rows, key=lambda row: (gap(points[row], points[seed]), points[row]))[:k]

    def farthest(seed: Point, rows: list[int]) -> int:
        return min(rows, key=lambda row: (-gap(points[row], seed), points[row]))

    left, groups = list(range(len(points))), []
    while len(left) >= 3 * k:
        first = farthest(mean(left), left)
        second = farthest(points[first], left)
        for seed in (first, second):
            groups.append(nearest(seed, left))
            left = [row for row in left if row not in groups[-1]]
    if len(left) >= 2 * k:
        groups.append(nearest(farthest(mean(left), left), left))
        left = [row for row in left if row not in groups[-1]]
    return groups + ([left] if left else [])


@given(seed=st.integers(0, 2**32), rows=st.integers(1, 60), width=st.integers(1, 3), k=st.integers(1, 7))
@examples(60)
def test_the_groups_are_those_of_a_literal_mdav(seed, rows, width, k):
    points = np.random.default_rng(seed).normal(size=(rows, width))
    group, groups = mdav_groups(points, k)
    expected = literal_mdav([tuple(point) for point in points.tolist()], k)
    found = {frozenset(np.flatnonzero(group == number).tolist()) for number in range(groups)}
    assert found == {frozenset(one) for one in expected}
    if rows >= k:
        assert min(map(len, found)) >= k
        assert max(map(len, found)) <= max(2 * k - 1, k)


@given(seed=st.integers(0, 2**32), rows=st.integers(2, 60), values=st.integers(1, 9), k=st.integers(1, 7))
@examples(60)
def test_equal_rows_stay_together(seed, rows, values, k):
    points = np.random.default_rng(seed).integers(0, values, (rows, 2)).astype(float)
    group, groups = mdav_groups(points, k)
    assert set(group) == set(range(groups))
    assert Counter(group.tolist()).most_common()[-1][1] >= min(k, rows)
    assert all(len(set(group[(points == point).all(axis=1)])) == 1 for point in points)


def ncp(release: TableRelease) -> float:
    return metrics.get("ncp", data="table").item(release).value


def test_by_hand():
    """k = 2, ages 20 21 40 44 60: the farthest from the mean (37) is 60, the farthest from it 20.

    60 takes 44 and 20 takes 21 of the six or more that MDAV would need; with five there is one group of two,
    60 and 44, and the rest, 20 21 40, is the other: means 52 and 27.
    """
    frame = pd.DataFrame({"age": [20, 21, 40, 44, 60]})
    release = apply("microaggregate", frame, Roles(("age",)), k=2)
    assert Counter(release.frame["age"]) == {"52": 2, "27": 3}
    # What a mean stands for is the interval of its group: (16·2 + 20·3)/40/5.
    assert ncp(release) == pytest.approx((16 * 2 + 20 * 3) / 40 / 5)


@given(frame=frames(), k=st.integers(1, 8))
@examples(40)
def test_k_holds_on_the_columns_and_means_are_kept(frame, k):
    roles = Roles(("age", "town"), ("illness",), "who")
    kind = pd.api.types.is_numeric_dtype(frame["age"])
    if len(frame) < k or not kind:
        with pytest.raises((DataError, UsageError)):
            apply("microaggregate", frame, roles, k=k, columns="age")
        return
    release = apply("microaggregate", frame, roles, k=k, columns="age")
    assert literal_k(release.frame, ["age"]) >= k
    assert release.promised == ("age",)
    one = release.generalised["age"]
    assert one.holds(release.original["age"].codes[release.rows], release.group).all()
    published = pd.to_numeric(release.frame["age"].str.removeprefix("missing or "), errors="coerce")
    original = frame["age"].astype(float).reset_index(drop=True).iloc[release.rows].reset_index(drop=True)
    known = original.notna()
    if known.any():  # six digits of each mean
        gap = abs(published[known].mean() - original[known].mean())
        assert gap <= 1e-4 * max(1, original[known].abs().max())


@given(frame=frames(min_rows=8), seed=st.integers(0, 99))
@examples(15)
def test_nothing_tells_the_original_order(frame, seed):
    if not pd.api.types.is_numeric_dtype(frame["age"]):
        return
    shuffled = frame.sample(frac=1, random_state=seed)
    one, other = (apply("microaggregate", each, Roles(("age",)), k=3).frame for each in (frame, shuffled))
    assert Counter(one["age"]) == Counter(other["age"])


def test_other_columns_are_not_protected():
    frame = pd.DataFrame({"age": [1, 2, 3, 4], "town": [*"abcd"]})
    release = apply("microaggregate", frame, Roles(("age", "town")), k=2)
    assert metrics.get("unique_share", data="table").item(release).value == 1


def test_more_rows_than_it_can_group(monkeypatch):
    monkeypatch.setattr(microaggregate, "_MAX_DISTANCES", 10)
    with pytest.raises(UsageError, match="too long for 8 rows and k = 2"):
        apply("microaggregate", pd.DataFrame({"age": range(8)}), Roles(("age",)), k=2)


@pytest.mark.parametrize(
    ("roles", "more", "message"),
    [
        (Roles(("town",)), {}, "needs columns of numbers"),
        (Roles(("age",)), {"columns": "town"}, "holds no numbers"),
        (Roles(("age",)), {"k": 4}, "k = 4 needs at least 4 rows"),
        (Roles(("age",)), {"k": 2, "columns": "age,who"}, "is not published"),
    ],
)
def test_wrong_calls(roles, more, message):
    frame = pd.DataFrame({"age": [1, 2, 3], "town": [*"abc"], "who": [7, 8, 9]})
    roles = replace(roles, identifier="who")
    with pytest.raises((UsageError, DataError), match=message):
        apply("microaggregate", frame, roles, **more)
