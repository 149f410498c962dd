"""Methods on tables: what was asked is recomputed on what comes out."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.errors import DataError, UsageError
from insanonym_core.experiment import load, run
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import methods
from insanonym_core.tabular.exposure import classes_of_release, groups_of_release
from insanonym_core.tabular.release import publish
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.step_defaults import suitable_step
from insanonym_core.tabular.table import Table
from tests.levels import examples
from tests.tabular.helpers import QUASI, apply, frames, literal_k, shown

GOLDEN = Path(__file__).parents[1] / "golden" / "table"
EXPECTED = json.loads((GOLDEN / "expected.json").read_text())
ROLES = Roles(QUASI, ("illness",), "who")
parameters = {
    "mondrian": [{"choice": "random"}, {"choice": "widest"}, {"choice": "best"}, {"t": 0.5}],
    "generalise_column": [{"column": name} for name in QUASI],
    "suppress_rare_rows": [{"columns": ("age", "town")}, {"columns": QUASI}],
}
cases = [pytest.param(name, more, id=f"{name}-{more}") for name, all_ in parameters.items() for more in all_]


@pytest.fixture(scope="module")
def golden() -> pd.DataFrame:
    return pd.read_csv(GOLDEN / "table.csv")


def test_golden_rare_values(golden):
    expected = EXPECTED["suppress_rare_values_k5_on_first_four_columns"]
    release = apply("suppress_rare_values", golden, Roles(), columns=("diploma", "year", "bac", "stage"), k=5)
    assert release.facts["passes"] == expected["passes"]
    assert len(release.frame) == expected["rows_out"]


def test_golden_growth(golden):
    expected = EXPECTED["grow_from_bac_k5_20pct_on_the_cleaned_table_counted_from_the_raw_one"]
    cleaned = apply(
        "suppress_rare_values", golden, Roles(), columns=("diploma", "year", "bac", "stage")
    ).frame
    release = apply(
        "grow_projection",
        cleaned,
        Roles(sensitive=("result",)),
        start="bac",
        k=5,
        max_loss=0.2,
        rows_before=len(golden),
    )
    assert release.facts["columns"] == expected["columns"]
    assert release.facts["steps"] == expected["steps"]
    assert release.facts["within_budget"]


@pytest.mark.parametrize(("name", "more"), cases)
@given(frame=frames(), k=st.integers(1, 8))
@examples(40)
def test_what_was_asked_holds_on_what_is_published(name, more, frame, k):
    before = frame.copy(deep=True)
    if name != "suppress_rare_rows" and len(frame) < k:
        with pytest.raises(DataError, match=f"k = {k} needs at least {k} rows"):
            apply(name, frame, ROLES, k=k, **more)
        return
    release = apply(name, frame, ROLES, k=k, **more)
    pd.testing.assert_frame_equal(frame, before)
    assert release.roles.quasi == ROLES.quasi, "the roles are those that were declared"
    columns = list(release.promised)
    assert len(release.frame) + release.lost == len(frame)
    assert "who" not in release.frame.columns
    if len(release.frame):
        assert literal_k(release.frame, columns) >= k
        quasi = [name for name in QUASI if name in release.frame.columns]
        assert classes_of_release(release).size.min() == literal_k(release.frame, quasi)
    assert list(release.frame.index) == list(range(len(release.frame)))
    # The pairing that is kept apart is right: untouched columns agree row by row.
    for column in set(release.frame.columns) - set(release.generalised):
        original = frame[column].reset_index(drop=True).iloc[release.rows]
        assert shown(original) == shown(release.frame[column])


@pytest.mark.parametrize(("name", "more"), cases)
@given(frame=frames(min_rows=10), seed=st.integers(0, 1000))
@examples(25)
def test_nothing_tells_the_original_order_or_index(name, more, frame, seed):
    shuffled = frame.sample(frac=1, random_state=seed)
    # Random choices of attributes are drawn per node, so they do not depend on the order either.
    one, other = (apply(name, each, ROLES, k=3, **more).frame for each in (frame, shuffled))
    pd.testing.assert_frame_equal(one, other)


@given(frame=frames(), k=st.integers(1, 6), scope=st.sampled_from(["row", "individual"]))
@examples(80)
def test_rare_values_are_gone_and_every_pass_is_accounted_for(frame, k, scope):
    release = apply("suppress_rare_values", frame, ROLES, k=k, scope=scope)
    columns = [*QUASI, "illness"]
    alive = pd.DataFrame({name: shown(frame[name]) for name in frame.columns})
    passes = []
    while True:
        rare = {}
        bad = pd.Series(False, index=alive.index)
        for name in columns:
            counts = (
                alive.groupby(name)["who"].nunique() if scope == "individual" else alive[name].value_counts()
            )
            few = counts[counts < k].index
            if len(few):
                rare[name] = len(few)
                bad |= alive[name].isin(few)
        if not rare:
            break
        passes.append(rare)
        alive = alive[~(alive["who"].isin(alive.loc[bad, "who"]) if scope == "individual" else bad)]
    assert release.facts["passes"] == passes
    assert sorted(release.rows.tolist()) == alive.index.tolist()


def test_the_allowed_cut_nearest_the_median_is_taken():
    # 1 1 1 1 1 1 2 3: k = 2 allows only the cut after the six ones.
    frame = pd.DataFrame({"x": [1, 1, 1, 1, 1, 1, 2, 3]})
    assert Counter(apply("generalise_column", frame, Roles(), column="x", k=2).frame["x"].astype(str)) == {
        "1": 6,
        "[2, 3]": 2,
    }
    # Ten different values, k = 3: cut at five, then neither half of five can be cut.
    frame = pd.DataFrame({"x": range(10)})
    assert Counter(apply("generalise_column", frame, Roles(), column="x", k=3).frame["x"]) == {
        "[0, 4]": 5,
        "[5, 9]": 5,
    }
    # Seven values, k = 3: cuts at three and at four are as near to the median; the lower is taken.
    frame = pd.DataFrame({"x": range(7)})
    assert Counter(apply("generalise_column", frame, Roles(), column="x", k=3).frame["x"]) == {
        "[0, 2]": 3,
        "[3, 6]": 4,
    }


def test_missing_sorts_first_and_is_named():
    frame = pd.DataFrame({"x": [None, 1, 2, 3, None, 4], "c": ["a", "b", None, "a", "b", "c"]})
    assert (
        sorted(apply("generalise_column", frame, Roles(), column="x", k=3).frame["x"])
        == ["[2, 4]"] * 3 + ["missing or 1"] * 3
    )
    assert set(apply("generalise_column", frame, Roles(), column="c", k=3).frame["c"]) == {
        "missing or a",
        "{b, c}",
    }
    assert set(apply("generalise_column", frame, Roles(), column="c", k=6).frame["c"]) == {
        "missing or {a, b, c}"
    }
    alone = pd.DataFrame({"x": [None, None, None]})
    assert set(apply("generalise_column", alone, Roles(), column="x", k=2).frame["x"]) == {"missing"}


def test_the_literal_rule_of_the_source_breaks_its_promise():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=1000), "y": rng.normal(size=1000)})
    for name, more in (("generalise_column", {"column": "x"}), ("mondrian", {"choice": "random"})):
        literal = apply(name, frame, Roles(("x", "y")), k=5, stop="source", **more)
        assert groups_of_release(literal).size.min() in (3, 4)
        kept = apply(name, frame, Roles(("x", "y")), k=5, **more)
        assert groups_of_release(kept).size.min() >= literal.asked_k == 5


def test_the_widest_attribute_is_cut_first():
    # x spans its whole range everywhere, y is nearly constant: widest cuts x only.
    frame = pd.DataFrame({"x": range(8), "y": [0, 0, 0, 0, 0, 0, 0, 100]})
    release = apply("mondrian", frame, Roles(("x", "y")), k=4, choice="widest")
    assert set(release.frame["x"]) == {"[0, 3]", "[4, 7]"}


def test_pseudonyms_are_unique_and_the_lookup_inverts_them():
    frame = pd.DataFrame({"who": ["a", "b", "a", None], "x": [1, 2, 3, 4]})
    release = apply("pseudonymise", frame, Roles(), column="who")
    back = dict(release.extra["lookup"].iloc[:, ::-1].itertuples(index=False))
    restored = release.frame.assign(who=release.frame["who"].map(back)).sort_values("x")["who"]
    assert restored.tolist()[:3] == ["a", "b", "a"]
    assert pd.isna(restored.iloc[3])
    assert not set(
        apply("pseudonymise", frame, Roles(), seed=None, column="who").frame["who"].dropna()
    ) & set(apply("pseudonymise", frame, Roles(), seed=None, column="who").frame["who"].dropna())


def test_growth_adds_the_cheapest_column_and_stops_at_the_budget():
    frame = pd.DataFrame(
        {"a": ["x"] * 10, "b": ["p"] * 9 + ["q"], "c": ["m"] * 5 + ["n"] * 5, "d": list("abcdefghij")}
    )
    facts = apply("grow_projection", frame, Roles(), start="a", k=2, max_loss=0.1).facts
    assert facts["steps"] == [
        {"columns": ["a"], "lost": 0},
        {"columns": ["a", "c"], "lost": 0},
        {"columns": ["a", "c", "b"], "lost": 1},
    ]
    over = apply("grow_projection", frame, Roles(), start="d", k=2, max_loss=0.1).facts
    assert over["within_budget"] is False
    assert over["steps"] == [{"columns": ["d"], "lost": 10}]
    kept = apply("grow_projection", frame, Roles(sensitive=("c",)), start="a", k=2, max_loss=0.1).facts
    assert kept["columns"] == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "roles", "more", "message"),
    [
        ("mondrian", Roles(), {}, "quasi-identifiers must name at least one column"),
        ("mondrian", Roles(("nothing",)), {}, "'nothing', which is no column"),
        ("mondrian", Roles(("age", "age")), {}, "got 'age' twice"),
        ("mondrian", Roles(("age",), ("age",)), {}, "quasi-identifier and sensitive at once"),
        ("mondrian", Roles(("age",), (), "age"), {}, "quasi-identifier and identifier at once"),
        ("mondrian", Roles(("age",)), {"k": 0}, "must be a whole number from 1"),
        ("mondrian", Roles(("age",)), {"k": "many"}, "must be a whole number from 1"),
        ("bucketise", Roles(("age",)), {}, "exactly one sensitive column, got 0"),
        ("suppress_rare_values", Roles(), {"scope": "individual"}, "name the identifier column"),
        ("suppress_rare_values", Roles((), (), "who"), {"columns": "who"}, "leave it out"),
        ("generalise_column", Roles((), (), "who"), {"column": "who"}, "is the identifier"),
        ("generalise_column", Roles(), {"column": "a,b"}, "must be the name of a column"),
        ("pseudonymise", Roles(), {}, "needs the column of the identifier"),
        ("grow_projection", Roles(), {"start": "age", "rows_before": 1}, "rows_before counts the rows"),
        ("grow_projection", Roles(), {}, "start columns must name at least one"),
    ],
)
def test_wrong_calls(name, roles, more, message):
    frame = pd.DataFrame({"who": ["a", "b"], "age": [1, 2], "town": ["x", "y"]})
    with pytest.raises(UsageError, match=message):
        apply(name, frame, roles, **more)


def test_every_method_of_the_specification_is_there():
    names = [entry.name for entry in methods.all(data="table")]
    specified = [
        "pseudonymise", "generalise_column", "mondrian", "bucketise", "suppress_rare_values",
        "suppress_rare_rows", "grow_projection",
    ]  # fmt: skip
    assert [name for name in names if name in specified] == specified


@pytest.mark.parametrize("entry", list(methods.all(data="table")), ids=lambda entry: entry.name)
def test_a_later_step_never_brings_original_values_back(entry):
    """Refused, or what is published is what the first step published."""
    roles = {"quasi": ("age", "town"), "sensitive": ("diagnosis",)}
    table = load(Recipe((), data="demo:patients", kind="table"))
    first = suitable_step(entry.name, "table", table, Roles(**roles))
    alone = Recipe((first,), data="demo:patients", kind="table", seed=1, roles=roles)
    later = replace(alone, steps=(first, Step("suppress_rare_values", {"columns": ("town",), "k": 1})))
    once = run(alone, only=()).release.frame
    if entry.last:
        with pytest.raises(UsageError, match="comes too late"):
            run(later, only=())
    else:
        pd.testing.assert_frame_equal(once, run(later, only=()).release.frame)


def test_values_that_are_replaced_without_groups_are_refused(monkeypatch):
    """Their loss would not be measured: utility 1 whatever is left."""
    entry = methods.get("suppress_rare_rows", data="table")

    def apply_zero(self, table, roles, generator):
        frame = table.frame()
        frame["age"] = 0
        return publish(Table.from_frame(frame), roles, np.arange(table.rows))

    monkeypatch.setattr(entry.item, "apply", apply_zero)
    recipe = Recipe((Step("suppress_rare_rows"),), data="demo:patients", kind="table", seed=1)
    with pytest.raises(DataError, match="replaces values of 'age' without declaring groups"):
        run(recipe)


@pytest.mark.parametrize("rows", [1, 3])
def test_one_row_and_all_missing(rows):
    frame = pd.DataFrame({"x": [None] * rows, "s": ["a"] * rows})
    release = apply("mondrian", frame, Roles(("x",), ("s",)), k=1)
    assert release.frame["x"].tolist() == ["missing"] * rows


@pytest.mark.slow
def test_many_columns_and_many_categories():
    wide = pd.DataFrame({f"c{number}": np.arange(40) % (number % 7 + 2) for number in range(300)})
    release = apply("mondrian", wide, Roles(tuple(wide.columns)), k=4)
    assert classes_of_release(release).size.min() >= 4
    long = pd.DataFrame({"x": [f"v{number}" for number in range(100_000)]})
    made = apply("generalise_column", long, Roles(), column="x", k=50)
    assert classes_of_release(made).size.min() >= 50


def test_tables_that_are_none():
    with pytest.raises(DataError, match="is empty"):
        Table.from_frame(pd.DataFrame({"x": []}))
    with pytest.raises(DataError, match="two columns called 'x'"):
        Table.from_frame(pd.DataFrame([[1, 2]], columns=["x", "x"]))
    with pytest.raises(DataError, match="'x' holds lists"):
        Table.from_frame(pd.DataFrame({"x": [[1], [2]]}))
    with pytest.raises(DataError, match="infinite"):
        Table.from_frame(pd.DataFrame({"x": [1.0, np.inf]}))


def test_labels_cannot_be_mistaken():
    frame = pd.DataFrame({"c": ["missing"] * 3 + [None] * 3 + ["{a, b}"] * 3 + ["a"] * 3 + ["b"] * 3})
    labels = set(apply("generalise_column", frame, Roles(), column="c", k=3).frame["c"])
    assert labels == {"missing", '"missing"', '"{a, b}"', "a", "b"}
    sets = pd.DataFrame({"c": ["a, b", "c", "x", "y"]})
    assert set(apply("generalise_column", sets, Roles(), column="c", k=2).frame["c"]) == {
        '{"a, b", c}',
        "{x, y}",
    }


def test_the_budget_is_exact():
    frame = pd.DataFrame({"a": ["x"] * 100, "b": ["y"] * 71 + [f"r{number}" for number in range(29)]})
    assert apply("grow_projection", frame, Roles(), start="a", k=2, max_loss=0.29).facts["columns"] == [
        "a",
        "b",
    ]
