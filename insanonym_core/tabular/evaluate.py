"""From a release to all its numbers: risk, utility, and whether what was asked for holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from insanonym_core.arrays import Ints
from insanonym_core.errors import DataError, UsageError
from insanonym_core.grouping import count_pairs, joint_keys, positions_in
from insanonym_core.registry import measured
from insanonym_core.scores import Score
from insanonym_core.tabular.exposure import classes_of_release, groups_of_release
from insanonym_core.tabular.release import TableRelease, published_names
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Table, code_column


@dataclass(frozen=True)
class Verification:
    """What was asked, what the published table shows, in one sentence."""

    asked: int
    measured: int
    columns: tuple[str, ...]
    by_group: bool = False

    @property
    def holds(self) -> bool:
        """Whether the release keeps its promise."""
        return self.measured >= self.asked

    def sentence(self) -> str:
        """Says what holds, and no more."""
        columns = ", ".join(self.columns)
        if self.by_group:
            return (
                f"Asked group size = {self.asked}, measured group size = {self.measured}: every group holds "
                f"at least {self.measured} rows; [{columns}] stay exact, and their k is another number."
            )
        return (
            f"Asked k = {self.asked}, measured k = {self.measured}: every combination of [{columns}] in this "
            f"file is shared by at least {self.measured} rows."
        )


def verify(release: TableRelease) -> Verification:
    """k, or the group size of a bucketised table, measured anew on what is published."""
    refuse_nothing_left(release)
    classes = groups_of_release(release)
    return Verification(
        release.asked_k, int(classes.size.min()), release.roles.quasi, bool(release.sensitive_by_group)
    )


def smallest_support(release: TableRelease, individuals: bool = False) -> int:
    """In how many rows (or individuals) the rarest value of the columns looked at stands."""
    rarest = len(release.rows)
    for name in release.facts["columns"]:
        column = release.published[name]
        group, groups = column.codes + 1, len(column.values) + 1
        if individuals and release.roles.identifier:
            who = release.original[release.roles.identifier].codes[release.rows] + 1
            group = count_pairs(group, groups, who, int(who.max(initial=0)) + 1).group
        count = np.bincount(group, minlength=groups)
        rarest = min(rarest, int(count[count > 0].min(initial=rarest)))
    return rarest


def unchanged(table: Table, roles: Roles, *, needs_quasi: bool = True) -> TableRelease:
    """A table published as it is, without direct identifiers: its risk is the risk of releasing it."""
    roles = roles.checked(table, needs_quasi=needs_quasi).decided(table)
    rows = np.arange(table.rows)
    shown = table.select(published_names(table, roles))
    return TableRelease(table, roles, shown, rows, np.zeros_like(rows))


@dataclass(frozen=True, eq=False)
class TableReport:
    """All measures of a release, by name."""

    release: TableRelease
    scores: Mapping[str, Score] = field(default_factory=dict)

    def values(self) -> dict[str, Any]:
        """Name → value; with the details that have names of their own."""
        return {name: score.value for name, score in self.scores.items()}


def refuse_nothing_left(release: TableRelease) -> None:
    """An empty table protects everybody and serves nobody."""
    if len(release.rows) == 0:
        raise DataError("Nothing is left: every row was deleted; ask for a smaller k or fewer columns.")


def evaluate_table(
    release: TableRelease,
    *,
    family: str | None = None,
    names: Collection[str] | None = None,
    values: Mapping[str, object] | None = None,
) -> TableReport:
    """Measure a release by all measures, those of a `family`, or some `names`; `values` sets parameters."""
    refuse_nothing_left(release)
    return TableReport(release, measured("table", release, family=family, names=names, values=values))


def journalist_risk(release: TableRelease, population: Table) -> dict[str, float]:
    """Risk when the attacker knows the population but not who of it is in the table.

    For each class of the release, F is the number of people in the population who look alike: the highest
    1/F, and its mean over the released rows (the marketer's risk).
    """
    quasi = release.roles.quasi
    population.named(quasi, "quasi-identifiers of the population")
    published, classes = release.published, classes_of_release(release)
    if release.generalised:
        raise UsageError("The journalist's risk compares exact values: give a table without intervals.")
    ours: list[Ints] = []
    theirs: list[Ints] = []
    for name in quasi:
        both = code_column(name, _stacked(published, population, name)).codes
        ours.append(both[: published.rows])
        theirs.append(both[published.rows :])
    key, other = joint_keys(ours, theirs)
    known, count = np.unique(other, return_counts=True)
    place = positions_in(known, key)
    found = np.where(place >= 0, count[np.maximum(place, 0)], 0)
    larger = np.maximum(found, classes.size_of_row)  # a sample cannot hold more people than the population
    return {"journalist_max": float((1 / larger).max()), "marketer": float((1 / larger).mean())}


def _stacked(one: Table, other: Table, name: str) -> Any:
    """The column of both tables under one coding: by value if they are of one kind, else as texts."""
    import pandas as pd

    if one[name].kind == other[name].kind:
        return pd.concat([one[name].series(), other[name].series()], ignore_index=True)
    texts = []
    for table in (one, other):
        column = table[name]
        words = np.array([*column.texts(), None], dtype=object)
        texts.append(pd.Series(words[column.codes], dtype=object))
    return pd.concat(texts, ignore_index=True)
