"""Columns published unchanged besides the quasi-identifiers, and what they reveal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from insanonym_core.numeric.grouping import count_pairs
from insanonym_core.tabular.direct import MIN_UNITS, NEARLY_ALL, direct_identifiers
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.table import MISSING, Column

MIN_DETERMINED_SHARE = 0.99  # of the rows, before a column counts as determined by another


@dataclass(frozen=True)
class DependentColumn:
    """A column published unchanged, the quasi-identifiers it determines, and k if it is known as well."""

    column: str
    quasi: tuple[str, ...]
    k: int


def unchanged_columns(release: TableRelease) -> list[str]:
    """Return the columns published unchanged, other than the quasi-identifiers."""
    changed = {*release.quasi, *release.generalised, *release.pseudonymised, *release.perturbed}
    return [
        name for name in release.published.columns if name in release.original.columns and name not in changed
    ]


def nearly_unique_columns(release: TableRelease) -> list[str]:
    """Return the unchanged columns that are nearly unique (at least 90 % different values)."""

    def unique(column: Column) -> bool:
        present = column.codes[column.codes != MISSING]
        different = np.count_nonzero(np.bincount(present, minlength=1))
        return len(present) > MIN_UNITS and bool(different >= NEARLY_ALL * len(present))

    return [name for name in unchanged_columns(release) if unique(release.published[name])]


def identifier_like_columns(release: TableRelease) -> list[str]:
    """Return the unchanged columns that look like a direct identifier."""
    direct = direct_identifiers(release.original, release.roles.identifiers)
    return [name for name in unchanged_columns(release) if name in direct]


def dependent_columns(release: TableRelease, skip: Sequence[str] = ()) -> list[DependentColumn]:
    """Return the unchanged columns that determine a quasi-identifier in 99 % of the rows, except `skip`.

    Quasi-identifiers with the same value in 99 % of the rows are ignored: they are known anyway. So are
    sensitive columns: the attacker does not know them.
    """

    def find() -> list[DependentColumn]:
        exact = [name for name in release.quasi if name not in release.perturbed]
        quasi = [name for name in exact if _max_value_share(release, name) < MIN_DETERMINED_SHARE]
        left_out = {*skip, *release.roles.sensitive}
        dependent = []
        for name in unchanged_columns(release):
            if name in left_out or release.published[name].domain < 2:
                continue
            determined = tuple(
                quasi_name
                for quasi_name in quasi
                if _determined_share(release, name, quasi_name) >= MIN_DETERMINED_SHARE
            )
            if determined:
                k = int(release.published.classes((*release.quasi, name)).size.min())
                dependent.append(DependentColumn(name, determined, k))
        return dependent

    return release.published.derive(("dependent", release.quasi, release.roles.sensitive, *skip), find)


def _max_value_share(release: TableRelease, name: str) -> float:
    """Return the share of the most frequent value of a column in the release."""
    codes = release.original[name].codes[release.rows]
    return float(np.bincount(codes + 1).max() / len(codes))


def _determined_share(release: TableRelease, name: str, quasi: str) -> float:
    """Return the share of rows whose quasi-identifier is the most frequent one for the column's value."""
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
