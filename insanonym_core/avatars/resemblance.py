"""What avatars are still good for: columns, correlations, the cloud of points, and a classifier."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Floats
from insanonym_core.avatars.make import AvatarSettings, make_avatars
from insanonym_core.avatars.space import Space, fit_space, imputed
from insanonym_core.errors import DataError, UsageError
from insanonym_core.scores import Bars, Curve, Matrix, Score
from insanonym_core.scores import Table as TableEvidence
from insanonym_core.tabular.metrics.shape import column_values, correlations
from insanonym_core.tabular.table import Column, Table

MOST_POINTS = 2000


def resemblance_scores(original: Table, synthetic: Table, space: Space) -> dict[str, Score]:
    """Distances of columns, gap of correlations, the overlay on the first components, explained variance."""
    return {
        "columns": column_distances(original, synthetic),
        "correlations": correlation_gap(original, synthetic, space),
        "overlay": overlay(original, synthetic, space),
        "explained_variance": explained_variance(space),
    }


def column_distances(original: Table, synthetic: Table) -> Score:
    """Mean over columns of KS (numbers, dates) or Hellinger (categories); 0 for equal distributions."""
    names = list(original.columns)
    found = [
        hellinger(original[name], synthetic[name])
        if original[name].kind == "category"
        else kolmogorov_smirnov(column_values(original[name]), column_values(synthetic[name]))
        for name in names
    ]
    kinds = ["Hellinger" if original[name].kind == "category" else "KS" for name in names]
    table = {
        "column": np.array(names, dtype=object),
        "measure": np.array(kinds, dtype=object),
        "distance": np.array(found),
    }
    return Score(float(np.mean(found)), (TableEvidence("Distance of each column", table),))


def kolmogorov_smirnov(one: Floats, other: Floats) -> float:
    """Largest gap between two cumulated distributions."""
    steps = np.unique(np.concatenate((one, other)))
    gaps = [np.searchsorted(np.sort(values), steps, "right") / len(values) for values in (one, other)]
    return float(np.abs(gaps[0] - gaps[1]).max())


def hellinger(one: Column, other: Column) -> float:
    """√(1 − Σ√(p·q)) over the values of both, missing included."""
    shares: dict[str | None, list[float]] = {}
    for place, column in enumerate((one, other)):
        counts = np.bincount(column.codes + 1, minlength=len(column.values) + 1) / len(column.codes)
        for text, share in zip((None, *column.texts()), counts.tolist(), strict=True):
            shares.setdefault(text, [0.0, 0.0])[place] = share
    overlap = sum(np.sqrt(p * q) for p, q in shares.values())
    return float(np.sqrt(max(0.0, 1 - overlap)))


def correlation_gap(original: Table, synthetic: Table, space: Space) -> Score:
    """Mean |r − r′| over pairs of numbers and dates."""
    names = tuple(column.name for column in space.numbers)
    if len(names) < 2:
        return Score.undefined("correlations need at least two columns of numbers or dates")
    before, after = (
        correlations([column_values(table[name]) for name in names]) for table in (original, synthetic)
    )
    pairs = np.abs((after - before)[np.triu_indices(len(names), 1)])
    if np.isnan(pairs).all():
        return Score.undefined("no two columns vary together in both tables")
    return Score(
        float(np.nanmean(pairs)),
        (
            Matrix("Correlations of the originals", names, names, before),
            Matrix("Correlations of the avatars", names, names, after),
            Matrix("Difference", names, names, after - before),
        ),
    )


def overlay(original: Table, synthetic: Table, space: Space) -> Score:
    """KS on the first component; the clouds of both on the first two components as evidence."""
    clouds = [space.project(space.columns(table)) for table in (original, synthetic)]
    step = max(1, original.rows // MOST_POINTS)
    shown = [cloud[::step] for cloud in clouds]
    whose = np.repeat(np.array(["original", "avatar"], dtype=object), [len(cloud) for cloud in shown])
    points = np.vstack(shown)
    second = points[:, 1] if points.shape[1] > 1 else np.zeros(len(points))
    table = {"whose": whose, "component_1": points[:, 0], "component_2": second}
    return Score(
        kolmogorov_smirnov(clouds[0][:, 0], clouds[1][:, 0]),
        (TableEvidence("Originals and avatars on the first components", table),),
    )


def explained_variance(space: Space) -> Score:
    """The share of the variance that the components keep, with the whole curve."""
    kept = len(space.components)
    total = np.cumsum(space.explained)
    number = np.arange(1, len(total) + 1)
    return Score(
        float(total[kept - 1]),
        (Curve("Explained variance", "components", "cumulated share", number, total),),
        {"components": kept},
    )


def classifier_gap(
    table: Table, target: str, settings: AvatarSettings, generator: np.random.Generator
) -> Score:
    """How much worse a tree predicts held-out originals if it learnt from avatars."""
    from sklearn.tree import DecisionTreeClassifier

    table.named((target,), "target of the classifier")
    if not 2 <= table[target].domain <= 50:
        raise UsageError(
            f"The target {target!r} must have 2 to 50 different values, has {table[target].domain}."
        )
    table, _ = imputed(table, settings.impute)
    order = generator.permutation(table.rows)
    cut = table.rows * 7 // 10
    if cut < 3 or table.rows - cut < 1:
        raise DataError(f"A classifier needs at least 5 rows to learn and to be tested, got {table.rows}.")
    train, held_out = table.take(np.sort(order[:cut])), table.take(np.sort(order[cut:]))
    made = make_avatars(train, settings, generator)
    others = [name for name in table.columns if name != target]
    space = fit_space(made.original.select(others))

    def accuracy(learnt: Table) -> float:
        tree = DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
        tree.fit(space.columns(learnt.select(others)), _texts(learnt[target]))
        right = tree.predict(space.columns(held_out.select(others))) == _texts(held_out[target])
        return float(right.mean())

    originals, avatars = accuracy(made.original), accuracy(made.published)
    labels = ("learnt from originals", "learnt from avatars")
    return Score(
        originals - avatars,
        (Bars("Accuracy on held-out originals", "share right", labels, np.array([originals, avatars])),),
        {"originals": originals, "avatars": avatars},
    )


def _texts(column: Column) -> Floats:
    return np.array(["", *column.texts()], dtype=object)[column.codes + 1].astype(str)
