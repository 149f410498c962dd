"""Risk by class size: k, uniqueness, prosecutor and marketer risk."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from insanonym_core.parameters import Range
from insanonym_core.registry import metrics
from insanonym_core.scores import Distribution, Score
from insanonym_core.tabular.exposure import classes_of_release, people_per_class
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.table import Classes

_EDGES = np.array([1, 2, 3, 5, 10, 20, 50, 100, 1000, 10**9])


def _sizes(classes: Classes) -> Distribution:
    counts, _ = np.histogram(classes.size, _EDGES)
    return Distribution("Classes by size", "classes", "rows", _EDGES, {"classes": counts})


@metrics.add(
    "k",
    data="table",
    family="privacy",
    title="k (rows)",
    better="higher",
    bounds=(1, np.inf),
    order=1,
    formula="smallest class of equal quasi-identifiers",
)
def k(release: TableRelease) -> Score:
    """Every combination of quasi-identifiers in the file is shared by at least this many rows."""
    classes = classes_of_release(release)
    people = people_per_class(release)
    details: dict[str, float | int | None] = {"classes": classes.number}
    if people is not None:
        details["individuals"] = int(people.min())
    return Score(float(classes.size.min()), (_sizes(classes),), details)


@metrics.add(
    "unique_share",
    data="table",
    family="privacy",
    title="Unique rows",
    better="lower",
    bounds=(0, 1),
    order=2,
    formula="rows in classes of one / rows",
)
def unique_share(release: TableRelease) -> Score:
    """The share of rows that nobody else looks like."""
    classes = classes_of_release(release)
    return Score(float((classes.size == 1).sum()) / len(classes.code), (_sizes(classes),))


@metrics.add(
    "prosecutor_max",
    data="table",
    family="privacy",
    title="Prosecutor risk, highest",
    better="lower",
    bounds=(0, 1),
    order=3,
    formula="max 1/size = 1/k",
)
def prosecutor_max(release: TableRelease) -> Score:
    """The chance to pick the right row for the worst protected person, who is known to be in the table."""
    classes = classes_of_release(release)
    return Score(1 / float(classes.size.min()), (_sizes(classes),))


@metrics.add(
    "prosecutor_mean",
    data="table",
    family="privacy",
    title="Prosecutor risk, mean",
    better="lower",
    bounds=(0, 1),
    order=4,
    formula="classes / rows",
)
def prosecutor_mean(release: TableRelease) -> Score:
    """The same chance averaged over all rows (without a population table also the marketer's risk)."""
    classes = classes_of_release(release)
    return Score(classes.number / len(classes.code), (_sizes(classes),))


@metrics.add(
    "prosecutor_share",
    data="table",
    family="privacy",
    title="Rows at high risk",
    better="lower",
    bounds=(0, 1),
    order=5,
    formula="rows with 1/size > threshold / rows",
)
def prosecutor_share(
    release: TableRelease, *, threshold: Annotated[float, Range(0, 1, step=0.01)] = 0.2
) -> Score:
    """The share of rows whose risk lies above a threshold."""
    classes = classes_of_release(release)
    return Score(float((1 / classes.size_of_row > threshold).mean()), (_sizes(classes),))
