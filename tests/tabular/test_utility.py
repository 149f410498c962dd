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
    assert coarse.value > 0.15
    assert coarse.details["original"] > 0.9
    assert (
        "apart from the rows"
        in measure("accuracy_lost", apply("bucketise", frame, roles, k=4, l=1)).undefined_because
    )
