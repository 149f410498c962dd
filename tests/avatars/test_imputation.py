"""Gaps: what fills them, and with whose values."""

import numpy as np
import pandas as pd
import pytest

from insanonym_core.avatars.imputation import impute_missing
from insanonym_core.avatars.metrics.closeness import identical
from insanonym_core.avatars.release import avatars_from_tables, get_rehearsal, halves
from insanonym_core.demo.named import named_table
from insanonym_core.errors import DataError
from insanonym_core.tabular.table import Table
from tests.avatars.helpers import avatars_of, table_of

IMPUTE = ("mean", "knn", "drop")


@pytest.mark.parametrize("how", IMPUTE)
def test_imputation(how):
    frame = pd.DataFrame({"x": [1.0, None, 3.0, 5.0], "y": [1, 2, 3, 4], "c": ["a", None, "b", "a"]})
    whole, rows = impute_missing(Table.from_frame(frame), how)
    assert not whole["x"].has_missing
    assert rows.tolist() == ([0, 2, 3] if how == "drop" else [0, 1, 2, 3])
    if how == "mean":
        assert whole.frame()["x"].tolist()[1] == 3


def test_neighbours_are_five_and_measured_on_standardised_numbers():
    draw = np.random.default_rng(2)
    x, y, z = draw.normal(size=(3, 30)) * [[1], [1], [1000]]
    x[0] = np.nan
    whole, _ = impute_missing(table_of(x=x, y=y, z=z), "knn")
    far = np.hypot((y - y[0]) / y.std(), (z - z[0]) / z.std())
    nearest = np.argsort(far)[1:6]
    assert whole.frame()["x"][0] == pytest.approx(x[nearest].mean())


@pytest.mark.parametrize("how", ["mean", "knn"])
def test_gaps_are_filled_from_another_table(how):
    known = table_of(x=[10.0, 20.0, 30.0], d=pd.to_datetime(["2020-01-01", "2020-01-03", None]))
    gaps = table_of(x=[None, 1.0], d=pd.to_datetime([None, "1990-01-01"]))
    whole, _ = impute_missing(gaps, how, fit_on=known)
    assert whole.frame()["x"].tolist() == [20, 1]
    assert whole.frame()["d"][0] == pd.Timestamp("2020-01-02")


@pytest.mark.parametrize("how", IMPUTE)
def test_halves_are_cut_from_the_rows_as_they_were_and_the_held_out_one_teaches_nothing(how):
    made = avatars_of(named_table("demo:patients"), impute=how)
    rehearsal = get_rehearsal(made)
    train, held_out = halves(made)
    assert rehearsal.avatars.source is train.source
    assert rehearsal.avatars.original is train.imputed
    assert train.imputed.rows == held_out.imputed.rows == made.source.rows // 2
    for name in ("weight_kg", "glucose_mmol_l", "admission_date"):
        assert train.source[name].has_missing == (how != "drop")
        assert not held_out.imputed[name].has_missing
        if how == "mean":
            column = held_out.source[name]
            found = held_out.imputed[name].numbers()[held_out.imputed[name].codes][column.codes == -1]
            known = train.source[name]
            assert found == pytest.approx(known.numbers()[known.codes[known.codes >= 0]].mean())


@pytest.mark.parametrize("how", IMPUTE)
def test_decimals_of_a_rehearsal_are_those_of_the_source(how):
    frame = get_rehearsal(avatars_of(named_table("demo:patients"), impute=how)).avatars.published.frame()
    for name, decimals in {"height_cm": 0, "systolic_mmhg": 0, "weight_kg": 1, "glucose_mmol_l": 2}.items():
        values = frame[name].dropna()
        assert (values.round(decimals) == values).all(), name


def test_a_copy_of_a_row_with_a_gap_is_a_copy():
    draw = np.random.default_rng(0)
    age = pd.Series(draw.integers(20, 90, 60)).astype("Int64").mask(draw.random(60) < 0.3)
    table = table_of(age=age, x=draw.normal(size=60).round(6))
    assert table.frame()["age"].mean() % 1 > 0.01  # the mean itself is never published
    for how in IMPUTE:
        made = avatars_of(table, impute=how, include_self=True, variance=1.0)
        assert identical(made).value == 1, how
        assert identical(avatars_of(table, impute=how)).value == 0


def test_somebodys_gaps_are_filled_from_the_originals_and_compared_as_gaps():
    real = table_of(x=[10.0, None, 30.0, 50.0], t=["a", "b", "a", None], y=[1, 2, 3, 4])
    made = table_of(x=[None, None, 50.0], t=["b", "c", "a"], y=[2, 2, 4])
    pair = avatars_from_tables(real, made)
    assert pair.imputed.frame()["x"].tolist() == [30, 30, 50]
    assert pair.published.frame()["x"].isna().tolist() == [True, True, False]
    assert identical(pair).value == pytest.approx(1 / 3)  # the first one only: missing equals missing
    filled = table_of(x=[30.0, 30.0, 30.0], t=["b", "c", None], y=[2, 2, 4])
    assert identical(avatars_from_tables(real, filled)).value == 0
    assert identical(avatars_from_tables(real, real)).value == 1
    mixed = table_of(x=[10.0, 30.0], t=["a", "a"], y=[1.0, 3.5])  # whole numbers beside others
    assert identical(avatars_from_tables(real, mixed)).value == 0.5


def test_a_column_without_any_value_is_named_with_its_table():
    real = table_of(x=[1.0, 2.0, 3.0], t=["a", "b", "c"])
    with pytest.raises(DataError, match="column 'x' of the synthetic table has no value"):
        avatars_from_tables(real, table_of(x=[None, None], t=["a", "b"]))
    assert (
        avatars_from_tables(table_of(x=[None] * 3, y=[1, 2, 3]), table_of(x=[1, 2], y=[1, 2])).published.rows
        == 2
    )
