"""Utility by task: counting queries, and a classifier that learns from the release."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.parameters import Range
from insanonym_core.registry import metrics
from insanonym_core.scores import Bars, Distribution, Score
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.table import MISSING, Column
from insanonym_core.texts import Phrase

Seed = Annotated[int, Range(0, 10**6, whole=True)]
_ERROR_EDGES = np.array([0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 1e9])
_MOST_CATEGORIES = 50


@metrics.add(
    "query_error",
    data="table",
    family="utility",
    title="Range queries",
    better="lower",
    bounds=(0, np.inf),
    ideal=0.0,
    order=50,
    formula="median of |estimate − true| / max(true, rows/1000) over seeded queries",
)
def query_error(
    release: TableRelease,
    *,
    queries: Annotated[int, Range(1, 10_000, whole=True)] = 200,
    seed: Seed = 0,
) -> Score:
    """How wrong counts from the release are: rows within spans of two columns and of the sensitive one."""
    draw = np.random.default_rng(seed)
    original, names = release.original, release.roles.checked(release.original).quasi
    errors = np.zeros(queries)
    for number in range(queries):
        chosen = draw.choice(len(names), min(2, len(names)), replace=False)
        spans = {names[place]: _span(original[names[place]], 0.3, draw) for place in chosen}
        secret = {name: _span(original[name], 0.5, draw) for name in release.roles.sensitive[:1]}
        inside = [_inside(original[name].codes, span) for name, span in (spans | secret).items()]
        true = float(np.logical_and.reduce(inside).sum())
        part = np.ones(len(release.rows))
        for name, span in spans.items():
            part = part * _expected(release, name, span)
        for name, span in secret.items():
            part = part * _expected_secret(release, name, span)
        errors[number] = abs(float(part.sum()) - true) / max(true, original.rows / 1000)
    counts, _ = np.histogram(errors, _ERROR_EDGES)
    return Score(
        float(np.median(errors)),
        (
            Distribution(
                "Queries by relative error",
                "queries",
                "relative error",
                _ERROR_EDGES,
                {"queries": counts},
                shows_individuals=False,
            ),
        ),
    )


def _span(column: Column, share: float, draw: np.random.Generator) -> tuple[int, int]:
    """A random stretch of the column's values that holds about this share of them."""
    width = max(1, round(share * len(column.values)))
    first = int(draw.integers(0, max(1, len(column.values) - width + 1)))
    return first, first + width - 1


def _inside(code: Ints, span: tuple[int, int]) -> Floats:
    return (code >= span[0]) & (code <= span[1])


def _expected(release: TableRelease, name: str, span: tuple[int, int]) -> Floats:
    if name in release.generalised:
        return release.generalised[name].share_within(*span)[release.group]
    return _inside(release.original[name].codes[release.rows], span).astype(np.float64)


def _expected_secret(release: TableRelease, name: str, span: tuple[int, int]) -> Floats:
    """Exact where the sensitive value stands beside the row; by group where it was put in buckets."""
    hit = _inside(release.original[name].codes[release.rows], span).astype(np.float64)
    if "sensitive" not in release.extra:
        return hit
    size = np.bincount(release.group)
    return (np.bincount(release.group, hit) / np.maximum(size, 1))[release.group]


@metrics.add(
    "accuracy_lost",
    data="table",
    family="utility",
    title="Classifier",
    better="lower",
    bounds=(-1, 1),
    ideal=0.0,
    order=51,
    formula="accuracy trained on the original − trained on the release, on held-out originals",
)
def accuracy_lost(release: TableRelease, *, seed: Seed = 0) -> Score:
    """How much worse the sensitive column is predicted by a decision tree that learnt from the release."""
    from sklearn.tree import DecisionTreeClassifier

    if not release.roles.sensitive:
        return Score.undefined("no sensitive column is named")
    if "sensitive" in release.extra:
        return Score.undefined("the sensitive values are published by group, apart from the rows")
    target = release.original[release.roles.sensitive[0]]
    if target.domain > _MOST_CATEGORIES or target.domain < 2:
        return Score.undefined(f"the sensitive column must have 2 to {_MOST_CATEGORIES} different values")
    draw = np.random.default_rng(seed)
    held_out = np.zeros(release.original.rows, dtype=bool)
    held_out[draw.permutation(release.original.rows)[: max(1, release.original.rows * 3 // 10)]] = True
    order = np.argsort(release.rows)
    learnt = order[~held_out[release.rows[order]]]
    if len(learnt) == 0 or held_out.all():
        return Score.undefined("no row is left to learn from")
    exact, blurred = _features(release, exact=True), _features(release, exact=False)

    def accuracy(features: Floats, labels: Ints) -> float:
        tree = DecisionTreeClassifier(min_samples_leaf=5, random_state=seed)
        tree.fit(features, labels)
        return float((tree.predict(exact[held_out]) == target.codes[held_out]).mean())

    original = accuracy(exact[~held_out], target.codes[~held_out])
    released = accuracy(blurred[learnt], target.codes[release.rows[learnt]])
    usual = float((target.codes[held_out] == np.bincount(target.codes[~held_out] + 1).argmax() - 1).mean())
    return Score(
        original - released,
        (
            Bars(
                "Accuracy on held-out original rows",
                "share right",
                tuple(
                    map(
                        Phrase,
                        ("learnt from the original", "learnt from the release", "always the most frequent"),
                    )
                ),
                np.array([original, released, usual]),
                shows_individuals=False,
            ),
        ),
        {"original": original, "release": released, "most_frequent": usual},
    )


def _features(release: TableRelease, *, exact: bool) -> Floats:
    """The quasi-identifiers as numbers: exact rows of the original, or what is published of each row."""
    parts = []
    for name in release.roles.quasi:
        column = release.original[name]
        made = None if exact else release.generalised.get(name)
        rows = np.arange(release.original.rows) if exact else release.rows
        if column.kind != "category":
            numbers = column.numbers() if len(column.values) else np.zeros(1)
            value = (
                numbers[np.maximum(column.codes[rows], 0)] if made is None else made.middle()[release.group]
            )
            missing = column.codes[rows] == MISSING if made is None else made.missing[release.group]
            parts += [np.where(np.isnan(value) | (missing & (made is None)), -1e9, value)[:, None]]
            continue
        often = np.argsort(-np.bincount(column.codes + 1), kind="stable")[:_MOST_CATEGORIES] - 1
        parts += [_membership(column, rows, made, release, int(code))[:, None] for code in often]
    return np.hstack(parts)


def _membership(column: Column, rows: Ints, made: object, release: TableRelease, code: int) -> Floats:
    """1 where a row has the value; the share of it in the set where a set is published."""
    if made is None:
        return (column.codes[rows] == code).astype(np.float64)
    published = release.generalised[column.name]
    if code == MISSING:
        share = published.missing / np.maximum(published.set_size, 1)
    else:
        share = published.share_within(code, code)
    return share[release.group]
