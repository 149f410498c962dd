"""Demonstration tables by name: some are generated, some come with scikit-learn."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from insanonym_core.errors import UsageError, brief
from insanonym_core.tabular.runs import without_columns
from insanonym_core.tabular.table import Table

if TYPE_CHECKING:
    import pandas as pd

    from insanonym_core.parameters import ParameterValues

NAMES = ("demo:breast_cancer", "demo:diabetes", "demo:patients", "demo:enrolments")


def named_table(name: str) -> Table:
    """A demonstration table: anonymous real patients (breast_cancer, diabetes) or synthetic people."""
    if name not in NAMES:
        raise UsageError(
            "There is no data called {name}; choose from: {names}.", name=brief(name), names=", ".join(NAMES)
        )
    return replace(Table.from_frame(_frame(name)), demonstration=True)


def _table_without(name: str, reading: ParameterValues) -> Table:
    return without_columns(named_table(name), reading)


breast_cancer, diabetes, patients, enrolments = (partial(_table_without, name) for name in NAMES)


def _frame(name: str) -> pd.DataFrame:
    from insanonym_core.demo.patients import make_patients
    from insanonym_core.demo.university import make_enrolments

    if name == "demo:patients":
        return make_patients().drop(columns="patient_id")
    if name == "demo:enrolments":
        return make_enrolments()
    from sklearn import datasets

    load = datasets.load_breast_cancer if name == "demo:breast_cancer" else datasets.load_diabetes
    return load(as_frame=True).data
