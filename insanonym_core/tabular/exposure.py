"""Equivalence classes of a release and their sensitive values, counted once for k, l, t and others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import PairCounts, count_pairs, expanded, sum_by_group
from insanonym_core.numeric.holders import numbered_people
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.table import Classes, Column


@dataclass(frozen=True, eq=False)
class SensitiveCounts:
    """Rows of each (class, sensitive value) that occurs; value 0 is missing, then the values in order."""

    column: Column
    classes: Classes
    pairs: PairCounts

    @property
    def share(self) -> Floats:
        """Share of each occurring value within its class."""
        return self.pairs.count / self.classes.size[self.pairs.group]

    @property
    def overall(self) -> Floats:
        """Share of each value in the whole table."""
        return np.bincount(self.column.codes + 1, minlength=len(self.column.values) + 1) / len(
            self.column.codes
        )

    @property
    def distinct(self) -> Ints:
        """How many different values each class holds."""
        return np.bincount(self.pairs.group, minlength=self.classes.number)

    def per_class(self, values: Floats) -> Floats:
        """Sum `values`, one for each (class, sensitive value), over each class."""
        return sum_by_group(self.pairs.group, values, self.classes.number)


def classes_of_release(release: TableRelease) -> Classes:
    """Return the classes of published rows with equal quasi-identifiers."""
    return release.published.classes(release.published.named(release.quasi, "quasi-identifiers"))


def groups_of_release(release: TableRelease) -> Classes:
    """Return the groups that k is about: buckets, or rows with equal values in the promised columns."""
    if not release.sensitive_by_group:
        about = tuple(name for name in release.promised if name in release.published.columns)
        return release.published.classes(about) if about else classes_of_release(release)
    return Classes(release.group, np.bincount(release.group))


def sensitive_counts(release: TableRelease, name: str) -> SensitiveCounts:
    """Count the rows of each (class, sensitive value), in a bucketised table of each group; cached."""

    def count() -> SensitiveCounts:
        if name in release.sensitive_by_group:
            classes, column = groups_of_release(release), release.original[name].take(release.rows)
        else:
            classes, column = classes_of_release(release), release.published[name]
        pairs = count_pairs(classes.code, classes.number, column.codes + 1, len(column.values) + 1)
        return SensitiveCounts(column, classes, pairs)

    return release.published.derive(("sensitive", release.quasi, name), count)


def values_of_classes(release: TableRelease, name: str) -> tuple[Ints, Ints, Floats]:
    """Return (class, sensitive value, weight), sorted by class: what an attacker learns about each class.

    The weight is the number of rows with the value. In a bucketised table each row has all values of its
    group, weighted by their shares.
    """
    counts = sensitive_counts(release, name)
    pairs = counts.pairs
    if name not in release.sensitive_by_group:
        return pairs.group, pairs.item, pairs.count.astype(np.float64)
    classes = classes_of_release(release)
    class_groups = count_pairs(classes.code, classes.number, counts.classes.code, counts.classes.number)
    start, end = (np.searchsorted(pairs.group, class_groups.item, side) for side in ("left", "right"))
    pair_row, place = expanded(start, end, np.arange(len(pairs.group)))
    values = len(counts.column.values) + 1
    key, pair = np.unique(class_groups.group[pair_row] * values + pairs.item[place], return_inverse=True)
    weight = sum_by_group(pair, class_groups.count[pair_row] * counts.share[place])
    return key // values, key % values, weight


def person_codes(release: TableRelease) -> Ints:
    """Return the person of each original row, numbered from 0; each row is a person without an identifier."""
    if release.roles.identifier is None:
        return np.arange(release.original.rows)
    return numbered_people(release.original[release.roles.identifier].codes)


def rows_by_person(release: TableRelease) -> PairCounts | None:
    """Count the rows of each (class, person); None without an identifier."""
    if release.roles.identifier is None:
        return None

    def count() -> PairCounts:
        person, classes = person_codes(release), classes_of_release(release)
        people = int(person.max(initial=0)) + 1
        return count_pairs(classes.code, classes.number, person[release.rows], people)

    return release.published.derive(("rows by person", release.quasi), count)


def people_per_class(release: TableRelease) -> Ints | None:
    """Count the distinct individuals of each class; None without an identifier."""
    if release.roles.identifier is None:
        return None
    classes = classes_of_release(release)
    identifier = release.original[release.roles.identifier]
    person = identifier.codes[release.rows] + 1
    pairs = count_pairs(classes.code, classes.number, person, len(identifier.values) + 1)
    return np.bincount(pairs.group, minlength=classes.number)


def smallest_support(release: TableRelease, individuals: bool = False) -> int:
    """Return the number of rows (or individuals) that have the rarest value of the checked columns."""
    rarest = len(release.rows)
    for name in release.facts["columns"]:
        column = release.published[name]
        group, groups = column.codes + 1, len(column.values) + 1
        if individuals and release.roles.identifier:
            person = release.original[release.roles.identifier].codes[release.rows] + 1
            group = count_pairs(group, groups, person, int(person.max(initial=0)) + 1).group
        count = np.bincount(group, minlength=groups)
        rarest = min(rarest, int(count[count > 0].min(initial=rarest)))
    return rarest
