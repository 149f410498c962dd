"""What a method gives back: the published table, and apart from it how it came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from insanonym_core.arrays import Ints
from insanonym_core.scores import Evidence
from insanonym_core.tabular.generalised import GeneralisedColumn
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Table, code_column


@dataclass(frozen=True, eq=False)
class TableRelease:
    """A published table. `rows` and `group` pair it with the original: they are never exported.

    Row i of `frame` is row `rows[i]` of the original. Columns in `generalised` are published by group.
    """

    original: Table
    roles: Roles
    frame: pd.DataFrame
    rows: Ints
    group: Ints
    generalised: Mapping[str, GeneralisedColumn] = field(default_factory=dict)
    asked_k: int = 1
    facts: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()

    @cached_property
    def published(self) -> Table:
        """The published table, coded anew from what stands in it."""
        return Table.from_frame(self.frame)

    @property
    def lost(self) -> int:
        """Rows of the original that are not published."""
        return self.original.rows - len(self.rows)


def publish(
    original: Table,
    roles: Roles,
    rows: Ints,
    *,
    generalised: Mapping[str, GeneralisedColumn] | None = None,
    group: Ints | None = None,
    columns: Sequence[str] | None = None,
    **more: Any,
) -> TableRelease:
    """Put a release together: columns in their order without the identifier, rows sorted by all of them.

    The order of the original would tell who is who, so nothing of it is left.
    """
    generalised = generalised or {}
    names = [name for name in columns or original.columns if name != roles.identifier]
    group_of_row = np.zeros(original.rows, dtype=np.int64) if group is None else group
    coded = []
    for name in names:
        if name in generalised:
            labels = generalised[name].labels()
            column = code_column(name, pd.Series(labels, dtype=object))
            coded.append((column, column.codes[group_of_row[rows]]))
        else:
            coded.append((original[name], original[name].codes[rows]))
    order = np.lexsort([codes for _, codes in reversed(coded)]) if coded else np.arange(len(rows))
    frame = pd.DataFrame(
        {
            column.name: type(column)(column.name, column.kind, column.values, codes[order]).series()
            for column, codes in coded
        }
    )
    return TableRelease(original, roles, frame, rows[order], group_of_row[rows][order], generalised, **more)
