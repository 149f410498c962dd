"""What every registered method and measure of avatars keeps, on usual tables and on the strangest."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.avatars.release import avatars_from_tables
from insanonym_core.errors import DataError
from insanonym_core.registry import methods, metrics
from insanonym_core.tabular.table import Table
from tests.helpers import values_of
from tests.levels import examples
from tests.tabular.helpers import frames

METHODS = [pytest.param(entry, id=entry.name) for entry in methods.all(data="avatars")]
METRICS = [pytest.param(entry, id=entry.name) for entry in metrics.all(data="avatars")]

_DRAW = np.random.default_rng(0)
STRANGE = {
    "one column": {"x": _DRAW.normal(size=30)},
    "one column of texts": {"t": list("abcab" * 6)},
    "texts only": {"t": list("abcab" * 6), "u": list("xyxyz" * 6)},
    "a category seen once": {"t": ["rare", *"ab" * 10], "x": np.arange(21)},
    "constant columns": {"x": np.arange(12), "c": ["same"] * 12, "n": [7] * 12, "e": [None] * 12},
    "constant with gaps": {"x": np.arange(12), "n": [7.0, None] * 6},
    "duplicates": {"x": [1, 1, 1, 2, 2, 2, 3, 3, 3], "y": [4, 4, 4, 5, 5, 5, 6, 6, 6]},
    "almost all rows equal": {"x": [0] * 19 + [1], "y": [0] * 20},
    "fewer rows than columns": {name: _DRAW.normal(size=4) for name in "abcdefgh"},
    "two rows": {"x": [1, 2], "t": ["a", "b"]},
    "three rows": {"x": [1.5, 2.5, 9.0]},
    "missing in every row": {"x": [1.0, None] * 6, "y": [None, 2.0, None, 5.0] * 3},
    "missing texts": {"t": ["a", None, "b"] * 5, "x": np.arange(15)},
    "dates": {"d": pd.to_datetime(["2020-01-01", "2020-05-01", "2021-01-01"] * 4), "x": np.arange(12)},
    "truths": {"b": [True, False] * 8, "x": np.arange(16)},
}
REFUSED = {
    "one row": ({"x": [1], "t": ["a"]}, "at least 2 rows"),
    "all rows equal": ({"x": [7, 7, 7], "t": ["a", "a", "a"]}, "All rows of the table are equal"),
    "huge numbers": ({"x": [1e300, 1.0, -1e300]}, "'x' holds numbers too large"),
    "tiny numbers": ({"x": [0.0, 1e-300, 2e-300]}, "too close to each other"),
    "missing everywhere": ({"x": [None] * 4, "y": [None] * 4}, "All rows of the table are equal"),
}


# What privacy measures say of a table that was published as it is, and what they need beside two tables.
UNCHANGED = {"dcr_median": 0, "nndr_median": 0, "identical": 1}
NEEDS_MORE = (
    "hidden_rate",
    "hidden_rate_strict",
    "local_cloaking",
    "linkage",
    "dcr_share",
    "membership_auc",
    "membership_values",
    "inference",
    "classifier_gap",
)


def _rightly_refused(table: Table, impute: str, error: DataError) -> None:
    """Only tables with nothing to mix: every row equal, or hardly any row without a gap."""
    columns = table.columns.values()
    gaps = [column.name for column in columns if column.kind != "category" and len(column.values)]
    left = table.complete_rows(gaps) if impute == "drop" else np.arange(table.rows)
    if len(left) < 2:
        assert "Every row has a missing number" in str(error) or "at least 2 rows" in str(error)
        return
    assert "All rows of the table are equal" in str(error)
    for column in table.take_compact(left).columns.values():
        assert (column.domain if column.kind == "category" else len(column.values)) <= 1


def _table(columns: dict[str, object]) -> Table:
    return Table.from_frame(pd.DataFrame(columns))


def _method(entry, data):
    return entry.item(**{name: data.draw(values_of(p.constraint)) for name, p in entry.parameters.items()})


def _holds(entry, score, where=""):
    if score.defined:
        low, high = entry.bounds
        assert low - 1e-9 <= score.value <= high + 1e-9, (entry.name, score.value, where)
        assert not score.undefined_because
    else:
        assert score.undefined_because, (entry.name, where)
    if score.interval:
        assert score.interval[0] <= score.value <= score.interval[1]


@pytest.mark.parametrize("entry", METHODS)
@given(frame=frames(min_rows=2), seed=st.integers(0, 2**32), data=st.data())
@examples(60)
def test_methods_give_rows_of_the_same_kind_and_the_same_ones_for_a_seed(entry, frame, seed, data):
    table = Table.from_frame(frame.drop(columns="who"))
    method = _method(entry, data)
    try:
        once, again = (method.apply(table, np.random.default_rng(seed)) for _ in range(2))
    except DataError as error:
        _rightly_refused(table, method.impute, error)
        return
    assert list(once.published.columns) == list(table.columns)
    assert once.published.rows == table.rows - once.rows_dropped == once.original.rows
    if once.owner is not None:
        assert sorted(once.owner.tolist()) == list(range(once.original.rows))
    pd.testing.assert_frame_equal(once.published.frame(), again.published.frame())
    for name, column in table.columns.items():
        made = once.published[name]
        if column.kind == "category":
            assert set(made.texts()) <= set(column.texts())
        elif len(made.values):
            assert column.numbers()[0] <= made.numbers()[0] <= made.numbers()[-1] <= column.numbers()[-1]


@pytest.mark.parametrize("entry", METHODS)
def test_help_says_what_the_method_does_not_do(entry):
    assert len(entry.help.splitlines()) > 1
    assert entry.title


@pytest.mark.parametrize("entry", METRICS)
def test_facts_are_declared(entry):
    assert entry.better in ("higher", "lower")
    assert entry.family in ("privacy", "utility")
    assert entry.bounds
    assert entry.formula
    assert entry.title
    assert entry.help


@pytest.mark.parametrize("entry", METRICS)
@given(frame=frames(min_rows=2), seed=st.integers(0, 2**32), data=st.data())
@examples(30)
def test_measures_stay_in_their_bounds_or_say_why_there_is_none(entry, frame, seed, data):
    table = Table.from_frame(frame.drop(columns="who"))
    try:
        made = (
            methods.get("mix_neighbours", data="avatars").item(k=3).apply(table, np.random.default_rng(seed))
        )
    except DataError as error:
        _rightly_refused(table, "mean", error)
        return
    chosen = {
        name: data.draw(values_of(p.constraint)) for name, p in entry.parameters.items() if name != "target"
    }
    chosen = {name: value for name, value in chosen.items() if value != "latent" or "latent" in made.facts}
    _holds(entry, entry.item(made, **chosen))


@pytest.mark.parametrize("entry", METRICS)
def test_an_unchanged_table_scores_its_best(entry):
    table = _table({"x": np.arange(40.0) ** 1.5, "y": _DRAW.normal(size=40), "t": list("abcd" * 10)})
    score = entry.item(avatars_from_tables(table, table))
    _holds(entry, score)
    if entry.ideal is not None:
        assert score.value == entry.ideal
    if entry.name in UNCHANGED:
        assert score.value == UNCHANGED[entry.name]
    assert score.defined == (entry.name not in NEEDS_MORE), score.undefined_because


def test_an_unchanged_table_of_twins_has_no_ratio():
    table = _table({"x": [1, 1, 2, 2, 5, 5], "t": list("aabbcc")})
    found = {
        entry.name: entry.item(avatars_from_tables(table, table)) for entry in metrics.all(data="avatars")
    }
    assert found["dcr_median"].value == 0
    assert found["identical"].value == 1
    assert "0/0" in found["nndr_median"].undefined_because


@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize("impute", ["mean", "knn", "drop"])
def test_strange_tables_have_an_answer(kind, impute):
    table, refused = _table(STRANGE[kind]), []
    tried = [({}, "independent_columns"), ({}, "gaussian_copula"), ({"k": 1}, "gaussian_copula")]
    for settings_ in ({}, {"k": 1}, {"components": 1}, {"components": 500}, {"include_self": True}):
        tried.append((settings_, "mix_neighbours"))
    for settings_, name in tried:
        method = methods.get(name, data="avatars").item(impute=impute, **settings_)
        try:
            made = method.apply(table, np.random.default_rng(1))
        except DataError as error:
            refused.append((kind, impute, str(error)))
            continue
        for entry in metrics.all(data="avatars"):
            _holds(entry, entry.item(made), f"{kind} {name} {settings_}")
    # Only dropping every row with a gap can leave nothing to mix.
    assert not refused or (impute == "drop" and kind == "missing in every row"), refused


@pytest.mark.parametrize("kind", REFUSED)
def test_tables_without_avatars_are_refused_in_a_sentence(kind):
    columns, message = REFUSED[kind]
    with pytest.raises(DataError, match=message):
        methods.get("mix_neighbours", data="avatars").item().apply(_table(columns), np.random.default_rng(1))


def test_infinities_are_refused_with_the_column():
    with pytest.raises(DataError, match="'x' holds an infinite number"):
        _table({"x": [1.0, np.inf, 2.0]})
