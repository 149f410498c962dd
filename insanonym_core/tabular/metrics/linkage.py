"""An attacker who knows some quasi-identifiers of a person looks for the row."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from insanonym_core.arrays import Bools, Ints
from insanonym_core.parameters import Range
from insanonym_core.registry import metrics
from insanonym_core.scores import Bars, Score
from insanonym_core.tabular.exposure import classes_of_release
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.subsets import some_subsets

MOST_SUBSETS = 200
MOST_COMPARISONS = 2_000_000


@metrics.add(
    "linkage",
    data="table",
    family="privacy",
    title="Linkage success",
    better="lower",
    bounds=(0, 1),
    order=20,
    formula="mean over rows and m-subsets of 1/compatible release rows, 0 if the own is not among them",
)
def linkage(
    release: TableRelease,
    *,
    known: Annotated[int, Range(1, 10, whole=True, unit="columns")] = 2,
    seed: Annotated[int, Range(0, 10**6, whole=True)] = 0,
) -> Score:
    """How often an attacker who knows m quasi-identifiers of a person picks that person's row."""
    draw = np.random.default_rng(seed)
    quasi = release.roles.quasi
    subsets = some_subsets(quasi, min(known, len(quasi)), MOST_SUBSETS, draw)
    classes = classes_of_release(release)
    rows = _sampled(release.original.rows, MOST_COMPARISONS // classes.number, draw)
    own = np.full(release.original.rows, -1, dtype=np.int64)
    own[release.rows] = classes.code
    first = np.unique(classes.code, return_index=True)[1]
    success = []
    for some in subsets:
        compatible = np.logical_and.reduce([_fits(release, name, rows, first) for name in some])
        found = compatible @ classes.size
        right = (own[rows] >= 0) & compatible[np.arange(len(rows)), np.maximum(own[rows], 0)]
        success.append(float(np.where(right, 1 / np.maximum(found, 1), 0.0).mean()))
    worst = int(np.argmax(success))
    labels = tuple(" + ".join(some) for some in subsets)
    bars = Bars(
        "Linkage success by what is known",
        "share of the rows",
        labels,
        np.array(success),
        shows_individuals=False,
    )
    return Score(
        float(np.mean(success)),
        (bars,),
        {"worst": success[worst], "rows_tried": len(rows), "subsets": len(subsets)},
    )


def _sampled(rows: int, most: int, draw: np.random.Generator) -> Ints:
    """All rows, or as many as keep the comparisons bounded (at least twenty)."""
    most = max(20, most)
    return np.arange(rows) if rows <= most else np.sort(draw.choice(rows, most, replace=False))


def _fits(release: TableRelease, name: str, rows: Ints, first: Ints) -> Bools:
    """Whether what each class publishes in a column is compatible with each original row's value."""
    code = release.original[name].codes[rows]
    if name not in release.generalised:
        shown = release.original[name].codes[release.rows[first]]
        return code[:, None] == shown[None, :]
    column = release.generalised[name]
    group = release.group[first]
    pair = np.broadcast_arrays(code[:, None], group[None, :])
    return column.holds(pair[0].ravel(), pair[1].ravel()).reshape(len(rows), len(first))
