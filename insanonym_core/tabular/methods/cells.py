"""Local suppression: single cells are emptied until every combination is shared by k rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.errors import UsageError
from insanonym_core.numeric.arrays import Bools, Ints
from insanonym_core.numeric.grouping import PairCounts, combine
from insanonym_core.registry import methods
from insanonym_core.results.scores import Bars
from insanonym_core.tabular.emptying import emptied_cells
from insanonym_core.tabular.generalised import GeneralisedColumn
from insanonym_core.tabular.methods.cut import K, refuse_too_few_rows
from insanonym_core.tabular.release import TableRelease, publish
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import MISSING, Column, Table

_MAX_COLUMNS = 12  # each combination of columns to empty is tried


@methods.add("suppress_cells", data="table", title="Empty cells (local suppression)", order=5, last=True)
@dataclass(frozen=True, kw_only=True)
class SuppressCells:
    """Empties few cells so that every combination of the quasi-identifiers is shared by at least k rows.

    k alone says nothing about the sensitive value: all k rows that look alike may share it.
    """

    k: K = 5

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Publish the table with `*` in the emptied cells."""
        roles = roles.checked(table).decided(table)
        refuse_too_few_rows(table, self.k)
        if len(roles.quasi) > _MAX_COLUMNS:
            raise UsageError(
                "suppress_cells tries every combination of columns to empty, and {columns} quasi-identifiers "
                "are too many: name {most} or fewer.",
                columns=len(roles.quasi),
                most=_MAX_COLUMNS,
            )
        columns = [table[name] for name in roles.quasi]
        emptied = emptied_cells([column.codes for column in columns], self.k)
        keys = []
        for place, column in enumerate(columns):
            shown = np.where(emptied[:, place], 0, column.codes.astype(np.int64) + 2)
            keys.append((shown, len(column.values) + 2))
        _, first, group = np.unique(combine(*keys), return_index=True, return_inverse=True)
        generalised = {
            column.name: _published(column, first, emptied[first, place])
            for place, column in enumerate(columns)
        }
        cells = emptied.sum(axis=0)
        bars = Bars(
            "Cells emptied in each column",
            "cells",
            roles.quasi,
            cells,
            why_empty="No combination is rare: nothing was emptied.",
            shows_individuals=False,
            name="cells",
        )
        return publish(
            table,
            roles,
            np.arange(table.rows),
            generalised=generalised,
            group=group,
            asked_k=self.k,
            promised=roles.quasi,
            facts={"cells_emptied": int(cells.sum())},
            evidence=(bars,),
        )


def _published(column: Column, rows: Ints, emptied: Bools) -> GeneralisedColumn:
    """Return what is published of a column for classes: the value of its row, or anything where emptied."""
    everyone = np.arange(len(rows))
    exact = GeneralisedColumn.from_groups(column.take(rows), everyone, len(rows))
    values = len(column.values)
    low = np.where(emptied, 0 if values else MISSING, exact.low)
    high = np.where(emptied, values - 1, exact.high)
    kept = ~emptied[exact.members.group]
    group = np.concatenate([exact.members.group[kept], np.repeat(everyone[emptied], values)])
    item = np.concatenate([exact.members.item[kept], np.tile(np.arange(values), int(emptied.sum()))])
    order = np.lexsort((item, group))
    members = PairCounts(group[order], item[order], np.ones(len(order), dtype=np.int64))
    missing = np.where(emptied, column.has_missing, exact.missing)
    return GeneralisedColumn(column, len(rows), low, high, missing, members, emptied=emptied)
