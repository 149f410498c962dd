"""Utility measures, worked out by hand."""

import numpy as np
import pandas as pd
import pytest

from insanonym_core.registry import metrics
from insanonym_core.tabular.roles import Roles
from tests.tabular.helpers import apply


def measure(name: str, release, **parameters):
    return metrics.get(name, data="table").item(release, **parameters)


EIGHT = pd.DataFrame({"x": range(8), "c": list("aabbccdd"), "s": ["p", "q"] * 4})


def test_ncp_of_intervals_sets_and_deleted_rows():
    by_number = apply("generalise_column", EIGHT, Roles(), column="x", k=4)
    assert measure("ncp", by_number).value == pytest.approx(3 / 7)  # [0, 3] and [4, 7] of a range of 7
    by_set = apply("generalise_column", EIGHT, Roles(), column="c", k=4)
    assert set(by_set.frame["c"]) == {"{a, b}", "{c, d}"}
    assert measure("ncp", by_set).value == pytest.approx((2 - 1) / (4 - 1))
    deleted = apply("suppress_rare_rows", pd.DataFrame({"x": [1, 1, 2]}), Roles(), columns="x", k=2)
    assert measure("ncp", deleted).value == pytest.approx(1 / 3)
    constant = apply("generalise_column", pd.DataFrame({"x": [5, 5]}), Roles(), column="x", k=2)
    assert measure("ncp", constant).value == 0


def test_missing_is_one_value_more_and_costs_something():
    """Published as `missing or 5` it cost nothing: the interval has no width."""
    frame = pd.DataFrame({"x": [None, 5, 5, 6, 7, 8]})
    release = apply("generalise_column", frame, Roles(), column="x", k=3)
    assert sorted(set(release.frame["x"])) == ["[6, 8]", "missing or 5"]
    # Missing stands one step below 5: of 4 steps, `missing or 5` is one wide, [6, 8] two.
    assert measure("ncp", release).value == pytest.approx((1 / 4 + 2 / 4) / 2)
    every = apply("generalise_column", frame, Roles(), column="x", k=6)
    assert measure("ncp", every).value == 1
    exact = apply("generalise_column", frame, Roles(), column="x", k=1)
    assert measure("ncp", exact).value == 0
    # As for categories: (set − 1)/(domain − 1) with missing in both.
    texts = apply("generalise_column", frame.astype("str").mask(frame.isna()), Roles(), column="x", k=3)
    assert measure("ncp", texts).value == pytest.approx(measure("ncp", release).value)
    two = pd.DataFrame({"x": [None, 5]})
    assert measure("ncp", apply("generalise_column", two, Roles(), column="x", k=2)).value == 1
    nothing = pd.DataFrame({"x": [None, None]})
    assert measure("ncp", apply("generalise_column", nothing, Roles(), column="x", k=2)).value == 0


def test_a_column_that_is_generalised_costs_whether_it_is_a_quasi_identifier_or_not():
    release = apply("generalise_column", EIGHT, Roles(("c",)), column="x", k=4)
    assert measure("ncp", release).details == {"c": 0, "x": pytest.approx(3 / 7)}


def test_queries_learn_nothing_from_a_column_that_is_not_published():
    frame = pd.DataFrame({"x": [0] * 10 + [1] * 30, "y": ["a"] * 40})
    gone = apply("suppress_rare_rows", frame, Roles(("x",)), columns="y", k=1)
    # Each query asks for one of two values of x: half of 40 rows is the estimate, 10 or 30 the truth.
    assert measure("query_error", gone).value in (pytest.approx(10 / 10), pytest.approx(10 / 30))


def test_discernibility_and_average_class():
    release = apply("suppress_rare_rows", pd.DataFrame({"x": [1, 1, 1, 2, 2, 3]}), Roles(), columns="x", k=2)
    assert measure("discernibility", release).value == 3**2 + 2**2 + 6 * 1
    assert measure("average_class", release).value == pytest.approx(5 / (2 * 2))
    assert measure("rows_kept", release).value == pytest.approx(5 / 6)


def test_distribution_of_intervals_is_spread_evenly():
    frame = pd.DataFrame({"x": [0, 0, 0, 1]})
    release = apply("generalise_column", frame, Roles(), column="x", k=4)
    # [0, 1] spread evenly: 1/2 and 1/2 instead of 3/4 and 1/4.
    table = measure("distribution", release).evidence[0].columns
    assert table["total_variation"].tolist() == pytest.approx([1 / 4])
    assert table["ks"].tolist() == pytest.approx([1 / 4])
    assert table["wasserstein"].tolist() == pytest.approx([1 / 4])


def test_correlation_uses_the_middle_of_intervals():
    frame = pd.DataFrame({"x": range(8), "y": range(8)})
    release = apply("generalise_column", frame, Roles(), column="x", k=4)
    steps = np.repeat([1.5, 5.5], 4)
    expected = 1 - np.corrcoef(steps, np.arange(8))[0, 1]
    assert measure("correlation", release).value == pytest.approx(expected)
    alone = apply("generalise_column", frame[["x"]], Roles(), column="x", k=4)
    assert "at least two columns" in measure("correlation", alone).undefined_because


@pytest.mark.slow
def test_queries_are_exact_on_exact_tables_and_off_on_buckets_and_intervals():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"x": rng.integers(0, 50, 2000), "y": rng.integers(0, 50, 2000), "s": rng.choice(list("abcd"), 2000)}
    )
    roles = Roles(("x", "y"), ("s",))
    exact = apply("suppress_rare_rows", frame, roles, columns=("x", "y", "s"), k=1)
    coarse = [measure("query_error", apply("mondrian", frame, roles, k=k)).value for k in (2, 20, 200)]
    bucketed = measure("query_error", apply("bucketise", frame, roles, k=4, l=3)).value
    assert measure("query_error", exact).value == 0
    assert coarse == sorted(coarse)
    assert 0 < bucketed < 0.5


def test_a_classifier_learns_less_from_coarser_tables():
    rng = np.random.default_rng(0)
    x = rng.normal(size=1500)
    frame = pd.DataFrame({"x": x, "y": rng.normal(size=1500), "s": np.where(np.sin(4 * x) > 0, "p", "q")})
    roles = Roles(("x", "y"), ("s",))
    fine, coarse = (
        measure("accuracy_lost", apply("mondrian", frame, roles, k=k, choice="widest")) for k in (1, 200)
    )
    assert fine.value == pytest.approx(0, abs=0.03)
    assert fine.interval[0] <= fine.value <= fine.interval[1]
    assert coarse.details["folds"] == 10
    assert coarse.value > 0.15
    assert coarse.details["original"] > 0.9
    assert (
        "apart from the rows"
        in measure("accuracy_lost", apply("bucketise", frame, roles, k=4, l=1)).undefined_because
    )


def test_the_interval_of_the_classifier_by_hand():
    """Nadeau and Bengio: mean ± t₉·√((1/10 + 1)·s²), over the same ten halves."""
    from scipy import stats
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"x": rng.integers(0, 40, 200)})
    frame["s"] = np.where(frame["x"] % 7 < 3, "p", "q")
    release = apply("mondrian", frame, Roles(("x",), ("s",)), k=20, choice="widest")
    score = measure("accuracy_lost", release, seed=3)
    draw = np.random.default_rng(3)
    rows, exact, label = draw.permutation(200), frame[["x"]].to_numpy(float), frame["s"].to_numpy()
    made = release.generalised["x"]
    middle = dict(zip(release.rows.tolist(), made.middle()[release.group].tolist(), strict=True))
    blurred = np.array([[middle[row]] for row in range(200)])
    lost = []
    for _ in range(5):
        mixed = draw.permutation(rows)
        halves = np.sort(mixed[:100]), np.sort(mixed[100:])
        for learnt, tested in (halves, halves[::-1]):
            right = [
                DecisionTreeClassifier(min_samples_leaf=5, random_state=3)
                .fit(features[learnt], label[learnt])
                .score(exact[tested], label[tested])
                for features in (exact, blurred)
            ]
            lost.append(right[0] - right[1])
    half = stats.t.ppf(0.975, 9) * np.sqrt((1 / 10 + 1) * np.var(lost, ddof=1))
    assert score.value == pytest.approx(np.mean(lost))
    assert score.interval == pytest.approx((np.mean(lost) - half, np.mean(lost) + half))
    assert (
        measure("accuracy_lost", unpublished(frame)).undefined_because
        == "the sensitive column is not published"
    )


def unpublished(frame):
    return apply("suppress_rare_rows", frame, Roles(("x",), ("s",)), columns="x", k=1)
