"""What a table publishes besides its quasi-identifiers, and what that undoes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from insanonym_core.grouping import count_pairs
from insanonym_core.tabular.direct import MIN_UNITS, NEARLY_ALL, direct_identifiers
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.table import MISSING, Column

MIN_DETERMINED_SHARE = 0.99  # of the rows, before a column counts as told by another


@dataclass(frozen=True)
class DependentColumn:
    """A column published as it is, the quasi-identifiers that it tells, and k once it is known too."""

    column: str
    quasi: tuple[str, ...]
    k: int


def published_as_they_are(release: TableRelease) -> list[str]:
    """Columns other than the quasi-identifiers whose own values stand in the release."""
    changed = {*release.quasi, *release.generalised, *release.pseudonymised}
    return [
        name for name in release.published.columns if name in release.original.columns and name not in changed
    ]


def nearly_unique(release: TableRelease) -> list[str]:
    """Those of them that are nearly unique (at least 90 % of the values are different)."""

    def unique(column: Column) -> bool:
        present = column.codes[column.codes != MISSING]
        different = np.count_nonzero(np.bincount(present, minlength=1))
        return len(present) > MIN_UNITS and bool(different >= NEARLY_ALL * len(present))

    return [name for name in published_as_they_are(release) if unique(release.published[name])]


def like_identifiers(release: TableRelease) -> list[str]:
    """Those of them that look like a direct identifier."""
    direct = direct_identifiers(release.original, release.roles.identifiers)
    return [name for name in published_as_they_are(release) if name in direct]


def dependent_columns(release: TableRelease, skip: Sequence[str] = ()) -> list[DependentColumn]:
    """Those of them from which a quasi-identifier can be told in 99 % of the rows; not those `skip`.

    A quasi-identifier that 99 % of the rows share is told without any column. A sensitive column is not
    what an attacker knows.
    """

    def find() -> list[DependentColumn]:
        quasi = [name for name in release.quasi if _most_frequent(release, name) < MIN_DETERMINED_SHARE]
        left_out = {*skip, *release.roles.sensitive}
        dependent = []
        for name in published_as_they_are(release):
            if name in left_out or release.published[name].domain < 2:
                continue
            determined = tuple(
                quasi_name for quasi_name in quasi if _told(release, name, quasi_name) >= MIN_DETERMINED_SHARE
            )
            if determined:
                k = int(release.published.classes((*release.quasi, name)).size.min())
                dependent.append(DependentColumn(name, determined, k))
        return dependent

    return release.published.derive(("dependent", release.quasi, release.roles.sensitive, *skip), find)


def _most_frequent(release: TableRelease, name: str) -> float:
    codes = release.original[name].codes[release.rows]
    return float(np.bincount(codes + 1).max() / len(codes))


def _told(release: TableRelease, name: str, quasi: str) -> float:
    """In which share of the rows a quasi-identifier is the most frequent one of the column's value."""
    column, quasi_column = (release.original[each] for each in (name, quasi))
    rows = release.rows
    pairs = count_pairs(
        column.codes[rows] + 1,
        len(column.values) + 1,
        quasi_column.codes[rows] + 1,
        len(quasi_column.values) + 1,
    )
    max_count = np.zeros(len(column.values) + 1, dtype=np.int64)
    np.maximum.at(max_count, pairs.group, pairs.count)
    return float(max_count.sum() / len(rows))
