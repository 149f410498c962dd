"""Utility by task: a classifier that learns from the release."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np

from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.parameters import Range
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Score
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.table import MISSING, Column, column_values
from insanonym_core.texts import Phrase

MAX_CATEGORIES = 50
MAX_ROWS = 10_000
_REPETITIONS = 5
_T_9 = 2.2621571627409915  # 97.5 % point of Student's t with 9 degrees of freedom
_BAR_LABELS = "learnt from the original", "learnt from the release", "always the most frequent"


@metrics.add(
    "accuracy_lost",
    data="table",
    family="utility",
    title="Classifier",
    better="lower",
    bounds=(-1, 1),
    ideal=0.0,
    order=51,
    formula="mean over 5 × 2 halves of accuracy learnt from the original − from the release, on originals",
)
def accuracy_lost(release: TableRelease, *, seed: Annotated[int, Range(0, 10**6, whole=True)] = 0) -> Score:
    """How much worse the sensitive column is predicted by a decision tree that learnt from the release.

    The original rows are halved five times; each half is predicted by trees that learnt from the other half
    and from what is published of it (5 × 2 cross-validation). The interval is the corrected resampled t
    interval (95 %) of Nadeau and Bengio: mean ± t₉·√((1/10 + 1)·s²) over the ten differences. Of more than
    10,000 rows a seeded sample is taken.
    """
    if not release.roles.sensitive:
        return Score.undefined("no sensitive column is named")
    if release.sensitive_by_group:
        return Score.undefined("the sensitive values are published by group, apart from the rows")
    if not release.sensitive:
        return Score.undefined("the sensitive column is not published")
    if release.sensitive[0] in release.generalised:
        return Score.undefined("the sensitive column is published with coarser values")
    target = release.original[release.sensitive[0]]
    if target.domain > MAX_CATEGORIES or target.domain < 2:
        return Score.undefined(
            Phrase("the sensitive column must have 2 to {most} different values", most=MAX_CATEGORIES)
        )
    draw = np.random.default_rng(seed)
    rows = draw.permutation(release.original.rows)[:MAX_ROWS]
    order = np.argsort(release.rows)
    exact, blurred = _features(release, exact=True), _features(release, exact=False)[order]
    published = release.rows[order]
    accuracies = []
    for training, tested in _folds(rows, release.original.rows, draw):
        ours, theirs = np.flatnonzero(training), training[published]
        if not (theirs.any() and tested.any()):
            return Score.undefined("no row is left to learn from")
        truth = target.codes[tested]
        usual = np.bincount(target.codes[ours] + 1).argmax() - 1
        accuracies.append(
            (
                _tree_accuracy(exact[ours], target.codes[ours], exact[tested], truth, seed),
                _tree_accuracy(blurred[theirs], target.codes[published[theirs]], exact[tested], truth, seed),
                float((truth == usual).mean()),
            )
        )
    accuracy = np.array(accuracies)
    lost = accuracy[:, 0] - accuracy[:, 1]
    original, released, usual_share = accuracy.mean(axis=0)
    half = _T_9 * float(np.sqrt((1 / len(lost) + 1) * lost.var(ddof=1)))
    value = float(lost.mean())
    bars = Bars(
        "Accuracy on the other half of the original rows",
        "share right",
        tuple(map(Phrase, _BAR_LABELS)),
        np.array([original, released, usual_share]),
        share=True,
        shows_individuals=False,
    )
    return Score(
        value,
        (bars,),
        {
            "original": float(original),
            "release": float(released),
            "most_frequent": float(usual_share),
            "folds": len(lost),
            "rows_tried": len(rows),
        },
        (max(-1.0, value - half), min(1.0, value + half)),
    )


def _folds(rows: Ints, every: int, draw: np.random.Generator) -> Iterator[tuple[Bools, Bools]]:
    """Yield (training, test) masks of 5 × 2 cross-validation: five random halvings, each used both ways."""
    for _ in range(_REPETITIONS):
        shuffled = draw.permutation(rows)
        halves = []
        for part in (shuffled[: len(rows) // 2], shuffled[len(rows) // 2 :]):
            half = np.zeros(every, dtype=bool)
            half[part] = True
            halves.append(half)
        yield halves[0], halves[1]
        yield halves[1], halves[0]


def _tree_accuracy(features: Floats, labels: Ints, tested: Floats, truth: Ints, seed: int) -> float:
    """Fit a decision tree and return its accuracy on the tested rows."""
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(min_samples_leaf=5, random_state=seed)
    tree.fit(features, labels)
    return float((tree.predict(tested) == truth).mean())


def _features(release: TableRelease, *, exact: bool) -> Floats:
    """Return the quasi-identifiers as a numeric matrix: of the original rows, or of the published ones."""
    parts: list[Floats] = []
    for name in release.roles.quasi or release.quasi:
        column = release.original[name]
        if not exact and name not in release.published.columns:  # nothing can be learnt from it
            width = 1 if column.kind != "category" else len(_frequent_codes(column))
            parts.append(np.zeros((len(release.rows), width)))
            continue
        generalised = None if exact else release.generalised.get(name)
        rows = np.arange(release.original.rows) if exact else release.rows
        if name in release.perturbed and not exact:
            parts.append(_perturbed_features(release, name))
            continue
        if column.kind != "category":
            numbers = column.numbers() if len(column.values) else np.zeros(1)
            value = (
                numbers[np.maximum(column.codes[rows], 0)]
                if generalised is None
                else generalised.middle()[release.group]
            )
            missing = (
                column.codes[rows] == MISSING if generalised is None else generalised.missing[release.group]
            )
            parts += [np.where(np.isnan(value) | (missing & (generalised is None)), -1e9, value)[:, None]]
            continue
        parts += [
            _membership(column, rows, generalised, release, int(code))[:, None]
            for code in _frequent_codes(column)
        ]
    return np.hstack(parts)


def _perturbed_features(release: TableRelease, name: str) -> Floats:
    """Return what is published of a perturbed column, as numbers or by frequent value of the original."""
    original, published = release.original[name], release.published[name]
    if original.kind != "category":
        return np.nan_to_num(column_values(published), nan=-1e9)[:, None]
    same = [(published.codes == code).astype(np.float64) for code in _frequent_codes(original).tolist()]
    return np.stack(same, axis=1)


def _frequent_codes(column: Column) -> Ints:
    """Return the codes of the most frequent values of a category."""
    return np.argsort(-np.bincount(column.codes + 1), kind="stable")[:MAX_CATEGORIES] - 1


def _membership(column: Column, rows: Ints, generalised: object, release: TableRelease, code: int) -> Floats:
    """Return 1 where a row has the value, or its share of the published set."""
    if generalised is None:
        return (column.codes[rows] == code).astype(np.float64)
    published = release.generalised[column.name]
    if code == MISSING:
        share: Floats = published.missing / np.maximum(published.set_size, 1)
    else:
        share = published.share_within(code, code)
    return share[release.group]
