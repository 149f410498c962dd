"""What a method gives back: the published table, and apart from it how it came about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from insanonym_core.arrays import Ints
from insanonym_core.errors import UsageError
from insanonym_core.grouping import lexical_order
from insanonym_core.scores import Evidence
from insanonym_core.tabular.generalised import GeneralisedColumn
from insanonym_core.tabular.roles import Roles, Withheld
from insanonym_core.tabular.table import Column, Table, code_column


@dataclass(frozen=True, eq=False)
class TableRelease:
    """A published table. `rows` and `group` pair it with the original: they are never exported.

    Row i of `published` is row `rows[i]` of the original. Columns in `generalised` are published by group.
    """

    original: Table
    roles: Roles
    published: Table
    rows: Ints
    group: Ints
    generalised: Mapping[str, GeneralisedColumn] = field(default_factory=dict)
    asked_k: int = 1
    facts: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The published table as a pandas frame."""
        return self.published.frame()

    @property
    def lost(self) -> int:
        """Rows of the original that are not published."""
        return self.original.rows - len(self.rows)

    @property
    def not_published(self) -> Withheld:
        """The columns that are not published because of what they are, each with the reason."""
        return self.roles.withheld or ()

    @property
    def pseudonymised(self) -> tuple[str, ...]:
        """The column whose values are replaced by pseudonyms: what it held is no matter for a figure."""
        lookup = self.extra.get("lookup")
        return () if lookup is None else (str(lookup.columns[0]),)


def row_order(columns: Iterable[Column]) -> Ints:
    """The rows sorted by what stands in these columns, missing first: nothing of another order is left."""
    return lexical_order([(column.codes.astype(np.int64) + 1, len(column.values) + 1) for column in columns])


def published_names(original: Table, roles: Roles, columns: Sequence[str] | None = None) -> list[str]:
    """The columns, all by default, that may be published under decided roles; at least one."""
    names = [name for name in columns or original.columns if name not in roles.hidden]
    if not names:
        raise UsageError(
            "No column is left to publish: drop fewer columns, or name those to publish (--publish-columns, "
            "or roles.publish in a recipe)."
        )
    return names


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
    """Put a release together: columns in their order without identifiers, rows sorted by all of them.

    The order of the original would tell who is who, so nothing of it is left.
    """
    generalised = generalised or {}
    roles = roles.decided(original)
    names = published_names(original, roles, columns)
    group_of_row = np.zeros(original.rows, dtype=np.int64) if group is None else group
    shown = {
        name: code_column(name, pd.Series(generalised[name].labels(), dtype=object)).take(group_of_row[rows])
        if name in generalised
        else original[name].take(rows)
        for name in names
    }
    order = row_order(shown.values())
    return TableRelease(
        original,
        roles,
        Table(shown, len(rows)).take(order),
        rows[order],
        group_of_row[rows][order],
        generalised,
        **more,
    )
