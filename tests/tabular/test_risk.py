"""Risk measures: worked out by hand, against golden numbers, against pycanon."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.errors import DataError
from insanonym_core.registry import metrics
from insanonym_core.tabular.journalist import journalist_risk
from insanonym_core.tabular.release import unchanged
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Table
from tests.helpers import scores_of
from tests.levels import examples
from tests.tabular.helpers import apply, frames, literal_k

GOLDEN = Path(__file__).parents[1] / "golden"
PYCANON = json.loads((GOLDEN / "pycanon" / "expected.json").read_text())
TABLE = json.loads((GOLDEN / "table" / "expected.json").read_text())

HAND = pd.DataFrame(
    {
        "zone": ["n", "n", "n", "s", "s", "e", None, None],
        "sex": ["f", "f", "f", "m", "m", "m", "f", "f"],
        "ill": ["flu", "flu", "cold", "flu", "flu", "none", "cold", "none"],
        "pay": [1, 2, 3, 1, 1, 4, 2, 4],
        "who": ["a", "a", "b", "c", "c", "d", "e", "f"],
    }
)
ROLES = Roles(("zone", "sex"), ("ill",), "who")


def measured(frame: pd.DataFrame, roles: Roles, name: str, **parameters: object) -> float:
    return metrics.get(name, data="table").item(unchanged(Table.from_frame(frame), roles), **parameters).value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("k", 1),  # (e, m) is alone
        ("unique_share", 1 / 8),
        ("prosecutor_max", 1),
        ("prosecutor_mean", 4 / 8),  # four classes: (n,f) 3, (s,m) 2, (e,m) 1, (missing,f) 2
        ("prosecutor_share", 1),
        ("l", 1),
        ("entropy_l", 1),
        ("homogeneous_share", 3 / 8),  # (s,m) and (e,m) hold one illness each
        # By class (n,f) 5/9 of 3 rows, (s,m) and (e,m) 1, (missing,f) 1/2 of 2; flu 1/2, cold and none 1/4.
        ("uncertainty_removed", ((5 / 3 + 2 + 1 + 1) / 8 - 3 / 8) / (1 - 3 / 8)),
        ("t", 1 - 2 / 8),  # (e,m) is all none, which a quarter of the table has
    ],
)
def test_by_hand(name, value):
    assert measured(HAND, ROLES, name) == pytest.approx(value)


def test_threshold_and_individuals():
    assert measured(HAND, ROLES, "prosecutor_share", threshold=0.5) == pytest.approx(1 / 8)
    score = metrics.get("k", data="table").item(unchanged(Table.from_frame(HAND.iloc[:5]), ROLES))
    assert score.value == 2
    assert score.details["individuals"] == 1  # both rows of (s, m) are one person


def test_numbers_are_compared_in_order():
    # Whole table of pay: 1 1 1 2 2 3 4 4 of 8, m = 4; class (s, m) is all 1: Σ|cum| = 5/8 + 3/8 + 2/8 over 3.
    frame = HAND.drop(index=5)
    counts = np.array([3, 2, 1, 1]) / 7
    whole = np.cumsum(counts)
    expected = np.abs(np.array([1, 1, 1, 1]) - whole)[:3].sum() / 3
    assert measured(frame, Roles(("zone", "sex"), ("pay",)), "t") == pytest.approx(expected)
    assert measured(frame, Roles(("zone", "sex"), ("pay",)), "t", distance="equal") == pytest.approx(
        1 - 3 / 7
    )


def test_recursive_diversity_by_hand():
    frame = pd.DataFrame({"q": ["a"] * 6, "s": ["x", "x", "x", "y", "y", "z"]})
    # r = 3, 2, 1: for l = 2 c must exceed 3/3, for l = 3 3/1; for l = 4 no c is enough.
    assert measured(frame, Roles(("q",), ("s",)), "recursive_c", l=2) == pytest.approx(1)
    assert measured(frame, Roles(("q",), ("s",)), "recursive_c", l=3) == pytest.approx(3)
    assert math.isnan(measured(frame, Roles(("q",), ("s",)), "recursive_c", l=4))


def test_the_l_of_recursive_diversity_is_told():
    frame = pd.DataFrame({"q": ["a"] * 6, "s": ["x", "x", "x", "y", "y", "z"]})
    release = unchanged(Table.from_frame(frame), Roles(("q",), ("s",)))
    score = metrics.get("recursive_c", data="table").item(release, l=3)
    assert score.evidence[0].title == "c of each sensitive column, for l = 3"


def test_a_sample_of_rows_is_told(monkeypatch):
    monkeypatch.setattr("insanonym_core.tabular.metrics.linkage.MAX_COMPARISONS", 1000)
    table = Table.from_frame(pd.DataFrame({"a": range(40)}))
    score = metrics.get("linkage", data="table").item(unchanged(table, Roles(("a",))))
    assert (score.details["rows_tried"], score.details["rows"]) == (25, 40)
    assert score.evidence[0].title == "Linkage success by what is known, on a sample of 25 of 40 rows"
    monkeypatch.undo()
    score = metrics.get("linkage", data="table").item(unchanged(table, Roles(("a",))))
    assert score.evidence[0].title == "Linkage success by what is known"


def test_linkage_by_hand():
    frame = pd.DataFrame({"a": [1, 1, 2, 2], "b": [1, 2, 1, 1]})
    score = metrics.get("linkage", data="table").item(
        unchanged(Table.from_frame(frame), Roles(("a", "b"))), known=1
    )
    # Knowing a: 1/2 each. Knowing b: three rows share 1, one has 2: (3 · 1/3 + 1)/4.
    assert score.evidence[0].values.tolist() == pytest.approx([1 / 2, 1 / 2])
    both = metrics.get("linkage", data="table").item(
        unchanged(Table.from_frame(frame), Roles(("a", "b"))), known=2
    )
    assert both.value == pytest.approx((1 + 1 + 1 / 2 + 1 / 2) / 4)


def test_linkage_on_intervals_counts_compatible_rows_and_deleted_rows_are_not_found():
    frame = pd.DataFrame({"x": range(8)})
    release = apply("generalise_column", frame, Roles(), column="x", k=4)
    assert metrics.get("linkage", data="table").item(release, known=1).value == pytest.approx(1 / 4)
    gone = apply("suppress_rare_rows", pd.DataFrame({"x": [1, 1, 2]}), Roles(), columns="x", k=2)
    assert metrics.get("linkage", data="table").item(gone, known=1).value == pytest.approx(
        (1 / 2 + 1 / 2 + 0) / 3
    )


def test_journalist_risk_compares_values_and_not_their_spelling():
    release = unchanged(Table.from_frame(pd.DataFrame({"a": [1, 2, 2]})), Roles(("a",)))
    people = Table.from_frame(pd.DataFrame({"a": [1.0] * 10 + [2.0] * 10 + [2.5]}))
    assert journalist_risk(release, people)["journalist_max"] == pytest.approx(1 / 10)


def test_linkage_draws_subsets_when_there_are_too_many():
    frame = pd.DataFrame({f"c{number}": np.arange(20) % (number + 2) for number in range(40)})
    score = metrics.get("linkage", data="table").item(
        unchanged(Table.from_frame(frame), Roles(tuple(frame))), known=8
    )
    assert score.details["subsets"] == 200


@given(seed=st.integers(0, 2**32))
@examples(60)
def test_ordered_distance_is_the_sum_over_cumulated_shares(seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"q": rng.integers(0, 4, 40), "s": rng.integers(0, rng.integers(1, 30) + 1, 40)})
    values = np.sort(frame["s"].unique())
    whole = np.array([(frame["s"] <= value).mean() for value in values])
    worst = 0.0
    for _, part in frame.groupby("q"):
        mine = np.array([(part["s"] <= value).mean() for value in values])
        worst = max(worst, float(np.abs(mine - whole).sum()) / max(len(values) - 1, 1))
    assert measured(frame, Roles(("q",), ("s",)), "t") == pytest.approx(worst, abs=1e-9)


def test_journalist_risk_by_hand():
    release = unchanged(Table.from_frame(pd.DataFrame({"a": ["x", "x", "y"]})), Roles(("a",)))
    people = Table.from_frame(pd.DataFrame({"a": ["x"] * 4 + ["y"] * 2 + ["z"]}))
    found = journalist_risk(release, people)
    assert found == {
        "journalist_max": pytest.approx(1 / 2),
        "marketer": pytest.approx((1 / 4 + 1 / 4 + 1 / 2) / 3),
    }


@pytest.mark.parametrize("case", TABLE["risk"], ids=lambda case: "-".join(case["qi"]))
def test_golden(case):
    frame = pd.read_csv(GOLDEN / "table" / "table.csv")
    roles = Roles(tuple(case["qi"]), (case["sensitive"],))
    for name in ("k", "l", "t"):
        assert measured(frame, roles, name) == pytest.approx(case[name], abs=1e-9)


def _pycanon_table(case: dict) -> tuple[pd.DataFrame, Roles]:
    frame = pd.read_csv(GOLDEN / "pycanon" / f"{case['table'].removesuffix('.csv')}.csv")
    if "index" in frame.columns:
        frame = frame.set_index("index")
    return frame, Roles(tuple(case["quasi_identifiers"]), (case["sensitive"],))


@pytest.mark.parametrize(
    "case",
    PYCANON["complete"],
    ids=lambda c: f"{c['table']}-{'-'.join(c['quasi_identifiers'])}-{c['sensitive']}",
)
def test_equal_to_pycanon_on_complete_data(case):
    frame, roles = _pycanon_table(case)
    answers = case["pycanon"]
    for ours, theirs in (("k", "k"), ("l", "l"), ("entropy_l", "entropy_l_unrounded"), ("t", "t")):
        assert measured(frame, roles, ours) == pytest.approx(answers[theirs], abs=1e-9), ours


@pytest.mark.parametrize(
    "case", PYCANON["wrong_answers"], ids=lambda c: f"{c['table']}-{'-'.join(c['quasi_identifiers'])}"
)
def test_right_where_pycanon_is_wrong(case):
    frame, roles = _pycanon_table(case)
    for name, right in case["right"].items():
        if name in ("k", "l", "t"):
            assert measured(frame, roles, name) == pytest.approx(right, abs=1e-9), name
        if name in case["wrong"] and name in ("k", "l", "t") and not isinstance(case["pycanon"][name], str):
            assert case["pycanon"][name] != pytest.approx(right, abs=1e-9)


@given(frame=frames(min_rows=2))
@examples(60)
def test_measures_stay_within_bounds_and_agree_with_a_dictionary(frame):
    roles = Roles(("age", "town"), ("illness",), "who")
    scores = scores_of(unchanged(Table.from_frame(frame), roles), "table")
    assert scores["k"].value == literal_k(frame, ["age", "town"])
    for entry in metrics.all(data="table"):
        score = scores[entry.name]
        if score.defined:
            low, high = entry.bounds
            assert low <= score.value <= high, entry.name
        else:
            assert score.undefined_because, entry.name
        if entry.ideal is not None and score.defined:
            assert score.value == entry.ideal, entry.name


@given(frame=frames(min_rows=8), k=st.integers(1, 4))
@examples(30)
def test_measures_of_releases_stay_within_bounds(frame, k):
    roles = Roles(("age", "town", "seen"), ("illness",))
    for release in (
        apply("mondrian", frame, roles, k=k),
        apply("suppress_rare_rows", frame, roles, columns=("age", "town"), k=k),
    ):
        if len(release.frame) == 0:
            with pytest.raises(DataError, match="Nothing is left"):
                scores_of(release, "table")
            continue
        for name, score in scores_of(release, "table").items():
            low, high = metrics.get(name, data="table").bounds
            assert score.undefined_because or low <= score.value <= high, name
