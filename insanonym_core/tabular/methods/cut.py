"""Generalisation by median cuts: one column, or all quasi-identifiers at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.numeric.arrays import Ints
from insanonym_core.parameters import Choice, ColumnNames, Lines, Range
from insanonym_core.registry import methods
from insanonym_core.tabular.cut_tree import CutTree
from insanonym_core.tabular.generalised import GeneralisedColumn
from insanonym_core.tabular.hierarchies import HierarchyColumn, with_hierarchies
from insanonym_core.tabular.limits import Limits, limits_of
from insanonym_core.tabular.partition import partition
from insanonym_core.tabular.release import TableRelease, publish
from insanonym_core.tabular.roles import Roles, refuse_hidden
from insanonym_core.tabular.table import Column, Table

K = Annotated[int, Range(1, 1_000_000, whole=True, unit="rows")]
Stop = Annotated[str, Choice("both", "source")]


def refuse_too_few_rows(table: Table, k: int) -> None:
    """Refuse a table that cannot hold even one group."""
    if table.rows < k:
        raise DataError(
            "k = {k} needs at least {k} rows and the table has {rows}: choose a smaller k.",
            k=k,
            rows=table.rows,
        )


@methods.add("generalise_column", data="table", title="One column (unidimensional)", order=2, last=True)
@dataclass(frozen=True, kw_only=True)
class GeneraliseColumn:
    """Cuts one column near its median, again and again; a leaf of at least k rows becomes an interval or set.

    Protects this column alone: together with other columns a person can still be unique.
    """

    column: Annotated[tuple[str, ...], ColumnNames(single=True)] = ()
    k: K = 5
    stop: Stop = "both"

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Generalise the column; all others are published as they are."""
        name = table.named(self.column, "column to generalise")[0]
        roles = roles.decided(table, self.column)
        if name in roles.identifiers:
            raise UsageError(
                "The column {name} is the identifier and is not published: choose another column.",
                name=brief(name),
            )
        refuse_hidden(roles, (name,), "column to generalise")
        refuse_too_few_rows(table, self.k)
        return _cut(table, roles, [table[name]], Limits(self.k), "widest", self.stop, generator)


@methods.add("mondrian", data="table", title="Mondrian (multidimensional)", order=3, last=True)
@dataclass(frozen=True, kw_only=True)
class Mondrian:
    """Cuts the table along one quasi-identifier after the other; each leaf of at least k rows looks alike.

    k alone says nothing about the sensitive value: all k rows of a group may share it, unless l or t is set.
    """

    k: K = 5
    choice: Annotated[str, Choice("best", "widest", "random")] = "best"
    individuals: Annotated[int, Range(1, 1_000_000, whole=True, unit="individuals")] = 1
    l: Annotated[float, Range(1, 1000, step=0.1, unit="values")] = 1.0  # noqa: E741  the name of the field
    diversity: Annotated[str, Choice("distinct", "entropy")] = "distinct"
    t: Annotated[float, Range(0, 1, step=0.01)] = 1.0
    hierarchies: Annotated[str, Lines("country = France;Europe")] = ""
    stop: Stop = "both"

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Generalise all quasi-identifiers."""
        roles = roles.checked(table).decided(table)
        refuse_too_few_rows(table, self.k)
        entropy = self.diversity == "entropy"
        limits = limits_of(
            table, roles, k=self.k, individuals=self.individuals, l=self.l, entropy=entropy, t=self.t
        )
        if self.stop == "source" and (limits.counted or self.choice == "best"):
            raise UsageError(
                "stop = source is the literal rule, which looks at k alone: choose random or widest, and "
                "neither individuals nor l nor t."
            )
        columns = with_hierarchies(table, roles.quasi, self.hierarchies)
        return _cut(table, roles, columns, limits, self.choice, self.stop, generator)


def _cut(
    table: Table,
    roles: Roles,
    columns: Sequence[Column],
    limits: Limits,
    choice: str,
    stop: str,
    generator: np.random.Generator,
) -> TableRelease:
    """Partition the table by the columns and publish these as intervals and sets."""
    tree = CutTree(columns, limits)
    group, groups = partition(
        columns, limits, choice, stop, generator, tree.watch if stop == "both" else None
    )
    return publish(
        table,
        roles,
        np.arange(table.rows),
        generalised={column.name: _generalised(column, group, groups) for column in columns},
        group=group,
        asked_k=limits.k,
        promised=tuple(column.name for column in columns),
        limits=limits.asked(),
        facts={"groups": groups},
        evidence=tree.evidence() if stop == "both" else (),
    )


def _generalised(column: Column, group: Ints, groups: int) -> GeneralisedColumn:
    """Return what is published of a column: nodes of its hierarchy, or intervals and sets."""
    if isinstance(column, HierarchyColumn):
        return GeneralisedColumn.from_hierarchy(column, group, groups)
    return GeneralisedColumn.from_groups(column, group, groups)
