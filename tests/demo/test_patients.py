"""The generated patients: columns, missing values, plausible ties between columns, and wrong calls."""

import io

import numpy as np
import pandas as pd
import pytest

from insanonym_core.demo.patients import DIAGNOSES, MISSING, make_patients
from insanonym_core.errors import UsageError

NUMBERS = ["age", "height_cm", "weight_kg", "systolic_mmhg", "diastolic_mmhg", "glucose_mmol_l"]


@pytest.fixture(scope="module")
def patients():
    return make_patients()


@pytest.fixture(scope="module")
def many():
    return make_patients(20_000)


def likeliest_diagnoses(train, test):
    """Gaussian naive Bayes on the numbers: enough to see whether they say something."""
    scores = {}
    for name, group in train.groupby("diagnosis"):
        spread = group[NUMBERS].std()
        distance = ((test[NUMBERS] - group[NUMBERS].mean()) / spread) ** 2
        scores[name] = -(distance / 2 + np.log(spread)).sum(axis=1) + np.log(len(group))
    return pd.DataFrame(scores).idxmax(axis=1)


# --- the rows --------------------------------------------------------------------------------------


def test_every_kind_of_column_is_there(patients):
    assert len(patients) == 600
    assert patients["patient_id"].is_unique
    assert [name for name in patients if pd.api.types.is_numeric_dtype(patients[name])] == NUMBERS
    assert patients["admission_date"].dtype.kind == "M"
    assert set(patients["sex"]) == {"male", "female"}
    assert set(patients["smoking"].dropna()) == {"never", "former", "current"}
    assert set(patients["diagnosis"]) == set(DIAGNOSES)
    assert list(patients.index) == list(range(600))


def test_the_same_seed_gives_the_same_rows_and_another_does_not(patients):
    pd.testing.assert_frame_equal(patients, make_patients(600, seed=7))
    assert not patients.equals(make_patients(seed=8))


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_a_few_rows_are_enough(rows):
    frame = make_patients(rows)
    assert len(frame) == rows
    assert list(frame) == list(make_patients(50))


def test_the_table_survives_a_csv_file(patients):
    text = io.StringIO(patients.to_csv(index=False))
    again = pd.read_csv(text, parse_dates=["admission_date"])
    pd.testing.assert_frame_equal(again.astype(patients.dtypes), patients)


def test_values_are_plausible_and_written_with_their_decimals(many):
    limits = {  # least, most, decimals
        "age": (18, 97, 0),
        "height_cm": (130, 215, 0),
        "weight_kg": (30, 220, 1),
        "systolic_mmhg": (80, 230, 0),
        "diastolic_mmhg": (45, 130, 0),
        "glucose_mmol_l": (2.5, 25, 2),
    }
    for name, (least, most, decimals) in limits.items():
        values = many[name].dropna()
        assert values.between(least, most).all(), name
        np.testing.assert_array_equal(values, values.round(decimals))
    assert (many["diastolic_mmhg"] < many["systolic_mmhg"]).sum() == many["systolic_mmhg"].notna().sum()
    assert many["admission_date"].dropna().between("2022-01-01", "2024-12-31").all()


def test_numbers_categories_and_dates_have_missing_values(patients, many):
    missing = many.isna().mean()
    for name, share in MISSING.items():
        assert missing[name] == pytest.approx(share, abs=0.01)
    assert set(missing[missing > 0].index) == {*MISSING, "diastolic_mmhg"}
    assert (many["systolic_mmhg"].isna() == many["diastolic_mmhg"].isna()).all()
    assert patients[list(MISSING)].isna().any().all()


# --- what the columns tell of each other -----------------------------------------------------------


def test_a_few_towns_hold_most_patients_and_some_hardly_any(patients):
    towns = patients["town"].value_counts()
    assert len(towns) > 15
    assert towns.iloc[:3].sum() > 0.55 * len(patients)
    assert (towns < 5).sum() >= 2


def test_columns_are_tied_as_in_people(many):
    related = many[NUMBERS].corr()
    assert related.loc["age", "systolic_mmhg"] > 0.4
    assert related.loc["height_cm", "weight_kg"] > 0.4
    assert related.loc["systolic_mmhg", "diastolic_mmhg"] > 0.5
    bmi = many["weight_kg"] / (many["height_cm"] / 100) ** 2
    assert bmi.corr(many["systolic_mmhg"]) > 0.15
    assert 24 < bmi.median() < 28
    heights = many.groupby("sex")["height_cm"].mean()
    assert heights["male"] - heights["female"] > 10


def test_diagnoses_follow_age_and_show_in_pressure_glucose_and_season(many):
    assert many["diagnosis"].value_counts(normalize=True).between(0.04, 0.3).all()
    means = many.groupby("diagnosis")[NUMBERS].mean()
    assert means["age"].idxmax() == "Heart failure"
    assert means["age"].idxmin() == "Appendicitis"
    assert means["systolic_mmhg"].idxmax() == "Hypertension"
    assert means["glucose_mmol_l"].idxmax() == "Diabetes"
    winter = many["admission_date"].dt.month.isin([12, 1, 2]).groupby(many["diagnosis"]).mean()
    assert winter["Pneumonia"] > 2 * winter.drop("Pneumonia").max()


def test_a_classifier_does_better_than_chance_and_not_perfectly(patients):
    complete = patients.dropna(subset=NUMBERS)
    train, test = complete.iloc[::2], complete.iloc[1::2]
    right = (likeliest_diagnoses(train, test) == test["diagnosis"]).mean()
    most_common = test["diagnosis"].value_counts(normalize=True).max()
    assert most_common + 0.1 < right < 0.8


# --- wrong calls -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "name", "got"),
    [
        ({"rows": 0}, "rows", "got 0"),
        ({"rows": 1_000_001}, "rows", "got 1000001"),
        ({"rows": 1.0}, "rows", "got 1.0"),
        ({"rows": True}, "rows", "got True"),
        ({"seed": -1}, "seed", "got -1"),
        ({"seed": "x"}, "seed", "got 'x'"),
    ],
)
def test_a_wrong_size_is_refused_in_one_sentence(arguments, name, got):
    with pytest.raises(UsageError, match="demonstration patients must be a whole number") as refused:
        make_patients(**arguments)
    assert f"'{name}'" in str(refused.value)
    assert got in str(refused.value)
