"""Bucketisation (anatomy): exact quasi-identifiers in one table, sensitive values by group in another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pandas as pd

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.numeric.arrays import Ints
from insanonym_core.numeric.grouping import count_pairs, starts_of_runs
from insanonym_core.parameters import Range
from insanonym_core.registry import methods
from insanonym_core.tabular.methods.cut import K, refuse_too_few_rows
from insanonym_core.tabular.release import TableRelease, publish, row_order
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Column, Table, unused_column_name
from insanonym_core.texts import Phrase


@methods.add("bucketise", data="table", title="Bucketisation", order=4, last=True)
@dataclass(frozen=True, kw_only=True)
class Bucketise:
    """Groups of at least k rows with l different sensitive values, none in more than 1/l of its group.

    The quasi-identifiers stay exact: anyone can see that somebody is in the table, and in which group.
    """

    k: K = 5
    l: Annotated[int, Range(1, 1_000_000, whole=True, unit="values")] = 2  # noqa: E741  the name of the field

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Publish two tables: quasi-identifiers with group, and group with sensitive value and count."""
        roles = roles.checked(table).decided(table)
        if len(roles.sensitive) != 1:
            raise UsageError(
                "bucketise needs exactly one sensitive column, got {count}: name one.",
                count=len(roles.sensitive),
            )
        if self.k < self.l:
            raise UsageError(
                "A group of k rows cannot hold l different values if k < l, and k = {k}, l = {l}: "
                "choose a larger k or a smaller l.",
                k=self.k,
                l=self.l,
            )
        refuse_too_few_rows(table, self.k)
        sensitive = table[roles.sensitive[0]]
        count = np.bincount(sensitive.codes + 1)
        _check_l_possible(sensitive, count, table.rows, self.l)
        groups = _max_groups(table.rows, int(count.max()), self.k, self.l)
        # Assign rows to groups in turn, value by value, so that each group gets its share of every value.
        by_value = np.lexsort((generator.random(table.rows), sensitive.codes))
        group = np.empty(table.rows, dtype=np.int64)
        group[by_value] = np.arange(table.rows) % groups
        return _publish_buckets(table, roles, group, groups, self.k, generator)


def _check_l_possible(sensitive: Column, count: Ints, rows: int, asked_l: int) -> None:
    """Refuse an l that is impossible because one value occurs in more than 1/l of the rows."""
    most_frequent = int(count.argmax())
    max_count = int(count[most_frequent])
    if max_count * asked_l > rows:
        # The value itself may be personal.
        value = Phrase("a missing value") if most_frequent == 0 else Phrase("one value")
        raise DataError(
            "l = {asked_l} is impossible: {value} stands in {count:,} of {rows:,} rows of "
            "{column}, more than 1/{asked_l}; choose l = {largest} or less.",
            asked_l=asked_l,
            value=value,
            count=max_count,
            rows=rows,
            column=brief(sensitive.name),
            largest=rows // max_count,
        )


def _max_groups(rows: int, max_count: int, k: int, asked_l: int) -> int:
    """Return the largest number of groups where no value exceeds 1/l of any group; 1 is always possible."""
    for groups in range(rows // k, 1, -1):
        if -(-max_count // groups) * asked_l <= rows // groups:
            return groups
    return 1


def _publish_buckets(
    table: Table, roles: Roles, group: Ints, groups: int, k: int, generator: np.random.Generator
) -> TableRelease:
    """Build the release: rows with their group number, and sensitive values counted by group."""
    name = roles.sensitive[0]
    # Number the groups by first appearance in the sorted table. Equal rows are in random order there: in file
    # order, the group numbers would reveal the order of the original.
    release = publish(table, roles, generator.permutation(table.rows), columns=roles.quasi)
    group_of_row = group[release.rows]
    first = np.full(groups, table.rows, dtype=np.int64)
    np.minimum.at(first, group_of_row, np.arange(table.rows))
    number = np.empty(groups, dtype=np.int64)
    number[np.argsort(first)] = np.arange(1, groups + 1)
    column = unused_column_name(table, "group")
    numbered = Column(
        column, "number", pd.RangeIndex(1, groups + 1), (number[group_of_row] - 1).astype(np.int32)
    )
    published = Table({**release.published.columns, column: numbered}, table.rows)
    order = row_order(published.columns.values())
    sensitive = table[name]
    values = count_pairs(number[group], groups + 1, sensitive.codes + 1, len(sensitive.values) + 1)
    second = pd.DataFrame(
        {
            column: values.group,
            name: Column(name, sensitive.kind, sensitive.values, (values.item - 1).astype(np.int32)).series(),
            unused_column_name(table, "count"): values.count,
        }
    )
    sizes = np.bincount(number[group])[1:]
    distinct = np.diff(np.append(starts_of_runs(values.group), len(values.group)))
    return TableRelease(
        original=table,
        roles=roles,
        published=published.take(order),
        rows=release.rows[order],
        group=number[group_of_row][order] - 1,
        asked_k=k,
        facts={
            "groups": groups,
            "asked_k": k,
            "smallest_group": int(sizes.min()),
            "l": int(distinct.min()),
            **_min_individuals(table, roles, group, groups),
        },
        extra={"sensitive": second},
    )


def _min_individuals(table: Table, roles: Roles, group: Ints, groups: int) -> dict[str, int]:
    """Return the smallest number of individuals in a group, as a fact; nothing without an identifier."""
    if roles.identifier is None:
        return {}
    individuals = table[roles.identifier]
    pairs = count_pairs(group, groups, individuals.codes + 1, len(individuals.values) + 1)
    return {"smallest_group_individuals": int(np.bincount(pairs.group, minlength=groups).min())}
