"""Columns left out, values recoded, cut off and rounded: by hand, and against the original."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.errors import UsageError
from insanonym_core.experiment import run
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import methods, metrics
from insanonym_core.tabular.chain import apply_steps
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Table
from tests.levels import examples
from tests.tabular.helpers import apply, frames, literal_k

ROLES = Roles(("age", "town", "seen"), ("illness",), "who")


def chained(frame: pd.DataFrame, roles: Roles, *steps: tuple[str, dict]) -> TableRelease:
    made = [
        (methods.get(name, data="table").item(**values), np.random.default_rng(1)) for name, values in steps
    ]
    return apply_steps(Table.from_frame(frame), roles, made)[0]


def value(release: TableRelease, name: str) -> float:
    return metrics.get(name, data="table").item(release).value


def test_rounding_by_hand():
    """Steps of 5: 18 and 21 become 20, 23 becomes 25. Over the range 5: (3 + 3 + 0)/5/3 rows."""
    frame = pd.DataFrame({"age": [18, 21, 23], "ill": ["a", "b", "a"]})
    release = chained(frame, Roles(("age",), ("ill",)), ("round_numbers", {"step": 5}))
    assert release.frame["age"].tolist() == ["20", "20", "25"] or release.frame["age"].tolist() == [
        20,
        20,
        25,
    ]
    assert value(release, "ncp") == pytest.approx(2 * 3 / 5 / 3)
    assert value(release, "unique_share") == pytest.approx(1 / 3)
    assert value(release, "prosecutor_mean") == pytest.approx(2 / 3)


def test_halves_are_rounded_to_the_even_multiple():
    frame = pd.DataFrame({"x": [0.5, 1.5, 2.5, None]})
    release = chained(frame, Roles(("x",)), ("round_numbers", {"step": 1}))
    assert sorted(release.published["x"].texts()) == ["0", "2"]
    assert release.published["x"].has_missing


def test_ends_are_cut_off_by_hand():
    """Ten ages, a fifth at each end: 2 and 9 are the limits, and two rows stand at each."""
    frame = pd.DataFrame({"age": range(1, 11)})
    release = chained(frame, Roles(("age",)), ("top_bottom_code", {"top": 0.2, "bottom": 0.2}))
    assert release.frame["age"].astype(int).tolist() == [2, 2, 3, 4, 5, 6, 7, 8, 9, 9]
    # 1 and 2 stand for each other: 1/9 each, and so do 9 and 10.
    assert value(release, "ncp") == pytest.approx(4 * (1 / 9) / 10)
    none = chained(frame, Roles(("age",)), ("top_bottom_code", {"top": 0, "bottom": 0}))
    assert none.frame["age"].astype(int).tolist() == list(range(1, 11))
    assert value(none, "ncp") == 0


def test_recoding_by_hand():
    frame = pd.DataFrame({"town": ["a", "b", "c", None]})
    release = chained(frame, Roles(("town",)), ("recode", {"rules": "town = a, b > north"}))
    assert sorted(release.frame["town"].fillna("?")) == ["?", "c", "north", "north"]
    # Missing is one value more of the domain: (2 - 1)/(4 - 1) for each of the two rows in the north.
    assert value(release, "ncp") == pytest.approx(2 * (1 / 3) / 4)
    assert value(release, "k") == 1


def test_columns_are_left_out():
    frame = pd.DataFrame({"a": [1, 2], "b": [3, 4], "who": ["x", "y"]})
    release = chained(frame, Roles(("a", "b"), (), "who"), ("drop_columns", {"columns": ("a",)}))
    assert list(release.frame.columns) == ["b"]
    assert value(release, "ncp") == 0.5
    with pytest.raises(UsageError, match="No column is left"):
        chained(frame, Roles(("a", "b"), (), "who"), ("drop_columns", {"columns": ("a", "b")}))


STEPS = {
    "round_numbers": {"step": 3, "columns": ("age",)},
    "top_bottom_code": {"top": 0.3, "bottom": 0.2, "columns": ("age",)},
    "recode": {"rules": "town = t0, t1 > north\ntown = t2 > t3"},
}


@pytest.mark.parametrize("last", [None, "mondrian", "generalise_column"])
@given(frame=frames(min_rows=6), k=st.integers(1, 4), order=st.permutations(sorted(STEPS)))
@examples(25)
def test_steps_follow_each_other_and_are_measured_against_the_original(last, frame, k, order):
    table = Table.from_frame(frame)
    towns = table["town"].texts() if table["town"].kind == "category" else []
    usable = [name for name in order if name == "recode" or table["age"].kind == "number"]
    if not {"t0", "t1", "t2"} <= {*towns}:
        usable = [name for name in usable if name != "recode"]
    steps = [(name, STEPS[name]) for name in usable]
    if last:
        steps.append((last, {"k": k} | ({"column": ("town",)} if last == "generalise_column" else {})))
    release = chained(frame, ROLES, *steps)
    names = [name for name in ROLES.quasi if name in release.frame.columns]
    if last == "mondrian":
        assert literal_k(release.frame, names) >= k
    for name, one in release.generalised.items():
        assert one.column.values.equals(release.original[name].values)
        code = release.original[name].codes[release.rows]
        assert one.holds(code, release.group).all(), "the true value is among those that are meant"
        assert (one.loss() >= 0).all()
        assert (one.loss() <= 1 + 1e-12).all()
        # Rows with one published text stand for the same values.
        groups = pd.DataFrame({"text": one.labels(), "low": one.low, "high": one.high})
        assert (groups.groupby("text")[["low", "high"]].nunique() <= 1).all().all()
    for measure in ("ncp", "linkage", "prosecutor_mean", "query_error", "distribution"):
        metrics.get(measure, data="table").item(release)


def test_a_coarser_table_loses_less_privacy_to_nobody():
    """Coarser values, more rows that look alike: with a linkage that knows what the values stand for."""
    roles = {"quasi": ("age", "weight_kg", "town"), "sensitive": ("diagnosis",)}
    plain = run(Recipe((), data="demo:patients", kind="table", roles=roles, seed=1))
    steps = (Step("round_numbers", {"step": 10}),)
    rounded = run(Recipe(steps, data="demo:patients", kind="table", roles=roles, seed=1))
    assert rounded.privacy >= plain.privacy
    assert rounded.utility < plain.utility
    before = {one.measure.key: one.share for one in plain.threats}
    assert all(one.share <= before[one.measure.key] + 1e-9 for one in rounded.threats)


def test_a_guess_of_a_recoded_sensitive_value_is_right_for_all_that_became_it():
    frame = pd.DataFrame({"a": [1, 2] * 40, "s": ["x", "y"] * 40, "t": ["p", "q", "r", "s"] * 20})
    recipe = Recipe(
        (Step("recode", {"rules": "s = x, y > z"}),),
        kind="table",
        roles={"quasi": ("a",), "sensitive": ("s",)},
        seed=1,
    )
    report = run(recipe, data=Table.from_frame(frame), only=("privacy.inference",))
    details = report.scores["privacy.inference"].details
    assert details["in_the_data"] == details["not_in_the_data"] == 1


def test_a_coarser_sensitive_value_gives_only_itself_away():
    """Classes 1: x x, 2: y z. Published z for y and z: class 2 is all z, but y or z is not told.

    Chance of the original: class 1 gives x, class 2 a half; in the table x has 1/2, y and z 1/4 each.
    """
    frame = pd.DataFrame({"a": [1, 1, 2, 2], "s": [*"xxyz"]})
    release = chained(frame, Roles(("a",), ("s",)), ("recode", {"rules": "s = y > z"}))
    assert value(release, "homogeneous_share") == 0.5
    in_table = 1 / 4 + 2 / 16
    assert value(release, "uncertainty_removed") == pytest.approx((0.75 - in_table) / (1 - in_table))


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("recode", {"rules": "town = a, q > c"}, r"names values that are not in the column \(1\)"),
        ("recode", {"rules": "town = a"}, "must be values and what they become"),
        ("recode", {"rules": "age = 1 > 2"}, "holds numbers or dates"),
        ("recode", {"rules": "who = x > y"}, "is not published"),
        ("recode", {"rules": "x"}, "must be lines such as"),
        ("round_numbers", {"columns": "town"}, "holds no numbers"),
        ("round_numbers", {"step": 0}, "must be a number from 0.001"),
        ("top_bottom_code", {"columns": "nowhere"}, "'nowhere', which is no column"),
        ("top_bottom_code", {"top": 0.6}, "must be a number from 0 to 0.5"),
        ("drop_columns", {"columns": "nowhere"}, "'nowhere', which is no column"),
    ],
)
def test_wrong_calls(name, more, message):
    frame = pd.DataFrame({"who": ["x", "y"], "age": [1, 2], "town": ["a", "b"]})
    with pytest.raises(UsageError, match=message):
        apply(name, frame, Roles(("age", "town"), (), "who"), **more)
