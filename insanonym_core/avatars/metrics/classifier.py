"""Whether a classifier that learnt from avatars still serves real people."""

from __future__ import annotations

import warnings
from typing import Annotated

import numpy as np

from insanonym_core.avatars.release import Avatars, Rehearsal, score_rehearsal
from insanonym_core.avatars.space import fit_space
from insanonym_core.avatars.values import distinct_numbers, nearest_index
from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.parameters import ColumnNames
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Score
from insanonym_core.tabular.table import MISSING, Column, Table
from insanonym_core.texts import Phrase

MAX_TARGET_VALUES = 50


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
    name = choose_target(avatars.source, target)
    others = [other for other in avatars.source.columns if other != name]
    if name is None or not others:
        return Score.undefined("no column with 2 to 50 different values can be predicted from others")
    return score_rehearsal(avatars, lambda rehearsal: _score_gap(rehearsal, avatars.source[name], others))


def choose_target(table: Table, requested: tuple[str, ...]) -> str | None:
    """Return the column to predict: the requested one, or the last suitable one."""
    table.named(requested, "target of the classifier", at_least_one=False)
    candidates = [
        name for name, column in table.columns.items() if 2 <= _number_of_classes(column) <= MAX_TARGET_VALUES
    ]
    if requested and requested[0] not in candidates:
        raise UsageError(
            "The target {target} must have from 2 to {most} different values and has {found:,}: "
            "choose another column.",
            target=brief(requested[0]),
            most=MAX_TARGET_VALUES,
            found=_number_of_classes(table[requested[0]]),
        )
    return requested[0] if requested else next(reversed(candidates), None)


def _number_of_classes(column: Column) -> int:
    """Count the classes of a target; a missing category is a class, a missing number is not."""
    return column.domain if column.kind == "category" else len(column.values)


def _class_codes(original: Column, column: Column) -> Ints:
    """Return the class of each row: the nearest value of the original column, or the same text.

    Numbers of avatars may lie between original values, which are the only classes. MISSING has no class.
    """
    if original.kind == "category":
        class_of_text = {text: number for number, text in enumerate((None, *original.texts()))}
        return np.array([class_of_text[text] for text in (None, *column.texts())])[column.codes + 1]
    domain = np.unique(distinct_numbers(original))
    class_of_value = nearest_index(domain, distinct_numbers(column))
    return np.append(class_of_value, MISSING)[column.codes]


def _score_gap(rehearsal: Rehearsal, original: Column, others: list[str]) -> Score:
    """Compare the accuracy of trees fitted on originals and on avatars, on held-out rows."""
    train, held_out, synthetic = rehearsal.train, rehearsal.held_out, rehearsal.avatars
    target = original.name
    try:
        space = fit_space(train.imputed.select(others))
    except DataError:
        return Score.undefined("all training rows are equal in the columns to predict from")
    truth = _class_codes(original, held_out.source[target])
    has_truth = truth != MISSING
    training_sets = [(train.imputed, train.source[target]), (synthetic.imputed, synthetic.published[target])]
    if not has_truth.any() or (train.source[target].codes == MISSING).all():
        return Score.undefined("a half of the rows has no value to predict")
    tested, truth = space.columns(held_out.imputed.select(others))[has_truth], truth[has_truth]
    originals, avatars = (
        float(
            (
                _predict_with_tree(
                    space.columns(table.select(others)), _class_codes(original, column), tested
                )
                == truth
            ).mean()
        )
        for table, column in training_sets
    )
    _, counts = np.unique(truth, return_counts=True)
    bars = Bars(
        Phrase("Predicting {target} of held-out originals", target=target),
        "share right",
        (Phrase("learnt from originals"), Phrase("learnt from avatars")),
        np.array([originals, avatars]),
        {"always the most frequent": float(counts.max() / len(truth))},
        share=True,
        shows_individuals=False,
    )
    return Score(originals - avatars, (bars,), {"originals": originals, "avatars": avatars})


def _predict_with_tree(columns: Floats, classes: Ints, tested: Floats) -> Ints:
    """Fit a decision tree on the rows that have a class, and predict the tested rows."""
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
    with warnings.catch_warnings():
        # scikit-learn warns about many classes: up to MAX_TARGET_VALUES are intended.
        warnings.simplefilter("ignore", UserWarning)
        tree.fit(columns[classes != MISSING], classes[classes != MISSING])
    return tree.predict(tested)
