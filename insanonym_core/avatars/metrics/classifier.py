"""Whether a classifier that learnt from avatars still serves real people."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from insanonym_core.arrays import Floats
from insanonym_core.avatars.release import Avatars, Rehearsal, rehearsed
from insanonym_core.avatars.space import fit_space
from insanonym_core.errors import DataError, UsageError
from insanonym_core.parameters import ColumnNames
from insanonym_core.registry import metrics
from insanonym_core.scores import Bars, Score
from insanonym_core.tabular.table import Column, Table

MOST_TARGETS = 50


@metrics.add(
    "classifier_gap",
    data="avatars",
    family="utility",
    title="Accuracy lost by a classifier",
    better="lower",
    bounds=(-1, 1),
    order=25,
    formula="accuracy on held-out originals, learnt from originals − learnt from avatars",
)
def classifier_gap(
    avatars: Avatars, *, target: Annotated[tuple[str, ...], ColumnNames(single=True)] = ()
) -> Score:
    """How much worse a decision tree predicts held-out originals if it learnt from avatars.

    Without a `target`, the last column with 2 to 50 different values is predicted.
    """
    name = _target(avatars.original, target)
    others = [other for other in avatars.original.columns if other != name]
    if name is None or not others:
        return Score.undefined("no column with 2 to 50 different values can be predicted from others")
    return rehearsed(avatars, lambda rehearsal: _gap(rehearsal, name, others))


def _target(table: Table, wanted: tuple[str, ...]) -> str | None:
    table.named(wanted, "target of the classifier", at_least_one=False)
    fit = [name for name, column in table.columns.items() if 2 <= column.domain <= MOST_TARGETS]
    if wanted and wanted[0] not in fit:
        raise UsageError(
            f"The target {wanted[0]!r} must have 2 to {MOST_TARGETS} different values, "
            f"has {table[wanted[0]].domain}."
        )
    return wanted[0] if wanted else next(reversed(fit), None)


def _gap(rehearsal: Rehearsal, target: str, others: list[str]) -> Score:
    from sklearn.tree import DecisionTreeClassifier

    try:
        space = fit_space(rehearsal.train.select(others))
    except DataError:
        return Score.undefined("all training rows are equal in the columns to predict from")
    tested = space.columns(rehearsal.held_out.select(others))
    truth = _texts(rehearsal.held_out[target])

    def accuracy(learnt: Table) -> float:
        tree = DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
        tree.fit(space.columns(learnt.select(others)), _texts(learnt[target]))
        return float((tree.predict(tested) == truth).mean())

    originals, avatars = accuracy(rehearsal.made.original), accuracy(rehearsal.made.published)
    _, counts = np.unique(truth, return_counts=True)
    bars = Bars(
        f"Predicting {target} of held-out originals",
        "share right",
        ("learnt from originals", "learnt from avatars"),
        np.array([originals, avatars]),
        {"always the most frequent": float(counts.max() / len(truth))},
    )
    return Score(originals - avatars, (bars,), {"originals": originals, "avatars": avatars})


def _texts(column: Column) -> Floats:
    return np.array(["", *column.texts()], dtype=object)[column.codes + 1].astype(str)
