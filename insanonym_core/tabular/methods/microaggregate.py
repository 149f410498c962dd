"""Microaggregation: numbers are published as means of groups of k rows that are near each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from insanonym_core.errors import UsageError
from insanonym_core.numeric.arrays import Floats
from insanonym_core.registry import methods
from insanonym_core.tabular.generalised import GeneralisedColumn
from insanonym_core.tabular.mdav import mdav_groups
from insanonym_core.tabular.methods.cut import K, refuse_too_few_rows
from insanonym_core.tabular.methods.everyday import Columns, columns_of_numbers
from insanonym_core.tabular.release import TableRelease, publish
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import MISSING, Column, Table
from insanonym_core.tabular.table import Kind as ValueKind
from insanonym_core.texts import Phrase

_MAX_DISTANCES = 2_000_000_000  # some minutes
_DIGITS = 6  # significant digits of a published mean


@methods.add("microaggregate", data="table", title="Microaggregation (MDAV)", order=4, last=True)
@dataclass(frozen=True, kw_only=True)
class Microaggregate:
    """Publishes numbers as the means of groups of at least k rows that are near each other.

    Protects these columns alone: together with other columns a person can still be unique.
    """

    works_on: ClassVar[ValueKind] = "number"

    columns: Columns = ()
    k: K = 5

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Group the rows by MDAV on standardised numbers and publish the mean of each group."""
        roles = roles.decided(table, self.columns)
        names = columns_of_numbers(table, roles, self.columns, Phrase("columns to publish as means"))
        if not names:
            raise UsageError("microaggregate needs columns of numbers: name them.")
        refuse_too_few_rows(table, self.k)
        if table.rows**2 / self.k > _MAX_DISTANCES:
            raise UsageError(
                "microaggregate compares all rows with each other, and that takes too long for {rows:,} rows "
                "and k = {k}: choose a larger k, or another method.",
                rows=table.rows,
                k=self.k,
            )
        columns = [table[name] for name in names]
        points = np.concatenate([_standardised(column) for column in columns], axis=1)
        group, groups = mdav_groups(points, self.k)
        generalised = {}
        for column in columns:
            published = GeneralisedColumn.from_groups(column, group, groups)
            generalised[column.name] = replace(published, names=_means(column, published))
        return publish(
            table,
            roles,
            np.arange(table.rows),
            generalised=generalised,
            group=group,
            asked_k=self.k,
            promised=tuple(names),
            facts={"groups": groups},
        )


def _standardised(column: Column) -> Floats:
    """Return the numbers of the rows with mean 0 and deviation 1, and whether each is missing (then 0)."""
    missing = column.codes == MISSING
    numbers = column.numbers() if len(column.values) else np.zeros(1)
    rows = numbers[np.maximum(column.codes, 0)]
    mean, deviation = (rows[~missing].mean(), rows[~missing].std()) if (~missing).any() else (0.0, 0.0)
    scaled = np.where(missing, 0.0, (rows - mean) / (deviation or 1.0))
    return np.stack([scaled, missing.astype(np.float64)], axis=1)


def _means(column: Column, published: GeneralisedColumn) -> list[str]:
    """Return the mean of the values of each group as text; empty where all are missing."""
    numbers = column.numbers() if len(column.values) else np.zeros(1)
    members = published.members
    rows = np.bincount(members.group, members.count, minlength=published.groups)
    sums = np.bincount(members.group, members.count * numbers[members.item], minlength=published.groups)
    means = sums / np.maximum(rows, 1)
    return [f"{mean:.{_DIGITS}g}" if count else "" for mean, count in zip(means, rows, strict=True)]
