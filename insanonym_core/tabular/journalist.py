"""The journalist's risk: the attacker knows the population, but not who of it is in the table."""

from __future__ import annotations

import numpy as np

from insanonym_core.errors import UsageError
from insanonym_core.numeric.arrays import Ints
from insanonym_core.numeric.grouping import joint_keys, positions_in
from insanonym_core.tabular.exposure import classes_of_release
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.table import AnySeries, Table, code_column


def journalist_risk(release: TableRelease, population: Table) -> dict[str, float]:
    """Risk when the attacker knows the population but not who of it is in the table.

    For each class of the release, F is the number of people in the population who look alike: the highest
    1/F, and its mean over the released rows (the marketer's risk).
    """
    quasi = release.quasi
    population.named(quasi, "quasi-identifiers of the population")
    published, classes = release.published, classes_of_release(release)
    if release.generalised or release.perturbed:
        raise UsageError("The journalist's risk compares exact values: give a table without intervals.")
    ours: list[Ints] = []
    theirs: list[Ints] = []
    for name in quasi:
        both = code_column(name, _stack_column(published, population, name)).codes
        ours.append(both[: published.rows])
        theirs.append(both[published.rows :])
    key, population_key = joint_keys(ours, theirs)
    population_keys, count = np.unique(population_key, return_counts=True)
    position = positions_in(population_keys, key)
    population_count = np.where(position >= 0, count[np.maximum(position, 0)], 0)
    # A sample cannot hold more people than the population.
    larger = np.maximum(population_count, classes.size_of_row)
    return {"journalist_max": float((1 / larger).max()), "marketer": float((1 / larger).mean())}


def _stack_column(first: Table, second: Table, name: str) -> AnySeries:
    """Concatenate a column of two tables: as values if both are of the same kind, otherwise as texts."""
    import pandas as pd

    if first[name].kind == second[name].kind:
        return pd.concat([first[name].series(), second[name].series()], ignore_index=True)
    texts = []
    for table in (first, second):
        column = table[name]
        words = np.array([*column.texts(), None], dtype=object)
        texts.append(pd.Series(words[column.codes], dtype=object))
    return pd.concat(texts, ignore_index=True)
