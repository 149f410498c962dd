"""Generalisation by median cuts: one column, or all quasi-identifiers at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.errors import DataError, UsageError
from insanonym_core.parameters import Choice, ColumnNames, Range
from insanonym_core.registry import methods
from insanonym_core.tabular.cut_tree import CutTree
from insanonym_core.tabular.generalised import GeneralisedColumn
from insanonym_core.tabular.partition import partition
from insanonym_core.tabular.release import TableRelease, publish
from insanonym_core.tabular.roles import Roles, refuse_hidden
from insanonym_core.tabular.table import Table

K = Annotated[int, Range(1, 1_000_000, whole=True, unit="rows")]
Stop = Annotated[str, Choice("both", "source")]


def refuse_too_few_rows(table: Table, k: int) -> None:
    """Refuse a table that cannot hold even one group."""
    if table.rows < k:
        raise DataError(
            f"k = {k} needs at least {k} rows and the table has {table.rows}: choose a smaller k."
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
            raise UsageError(f"The column {name!r} is the identifier and is not published: choose another.")
        refuse_hidden(roles, (name,), "column to generalise")
        refuse_too_few_rows(table, self.k)
        return _cut(table, roles, (name,), self.k, "widest", self.stop, generator)


@methods.add("mondrian", data="table", title="Mondrian (multidimensional)", order=3, last=True)
@dataclass(frozen=True, kw_only=True)
class Mondrian:
    """Cuts the table along one quasi-identifier after the other; each leaf of at least k rows looks alike.

    k-anonymity says nothing about the sensitive value: all k rows of a group may share it.
    """

    k: K = 5
    choice: Annotated[str, Choice("random", "widest")] = "random"
    stop: Stop = "both"

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Generalise all quasi-identifiers."""
        roles = roles.checked(table).decided(table)
        refuse_too_few_rows(table, self.k)
        return _cut(table, roles, roles.quasi, self.k, self.choice, self.stop, generator)


def _cut(
    table: Table,
    roles: Roles,
    names: tuple[str, ...],
    k: int,
    choice: str,
    stop: str,
    generator: np.random.Generator,
) -> TableRelease:
    """Partition the table by the columns and publish these as intervals and sets."""
    columns = [table[name] for name in names]
    tree = CutTree(columns, k)
    group, groups = partition(columns, k, choice, stop, generator, tree.watch if stop == "both" else None)
    return publish(
        table,
        roles,
        np.arange(table.rows),
        generalised={column.name: GeneralisedColumn.from_groups(column, group, groups) for column in columns},
        group=group,
        asked_k=k,
        promised=names,
        facts={"groups": groups},
        evidence=tree.evidence() if stop == "both" else (),
    )
