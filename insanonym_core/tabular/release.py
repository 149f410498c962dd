"""The result of a method: the published table, and how it is paired with the original."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from insanonym_core.errors import DataError, UsageError
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import lexical_order
from insanonym_core.numeric.holders import MIN_HOLDERS, count_holders
from insanonym_core.results.scores import Evidence
from insanonym_core.results.threats import GROUPS, INFERENCE, LINKABILITY
from insanonym_core.tabular.coarser import CoarserColumn, groups_of_originals
from insanonym_core.tabular.generalised import GeneralisedColumn
from insanonym_core.tabular.roles import Roles, Withheld
from insanonym_core.tabular.table import Column, Table, code_column

if TYPE_CHECKING:
    from insanonym_core.kinds import Facts


@dataclass(frozen=True, eq=False)
class TableRelease:
    """A published table. `rows` and `group` pair it with the original: they are never exported.

    Row i of `published` is row `rows[i]` of the original. Columns in `generalised` are published by group.
    A value of the original that fewer than `min_holders` hold is named nowhere. `roles` are those that were
    declared, whatever the method did; `promised` are the columns that its k is about, where these are others;
    `limits` are what else the method promises of classes: individuals, l, entropy_l, t. `coarser` are columns
    whose values were replaced one by one; they are among the generalised ones, too. Values of the columns
    `perturbed` are other people's or made up; `perturbed_from` says what steps before had made of their
    original values, and `evidence_against`, for texts drawn by known chances, how much it speaks against a
    row if its text is not the known one (logarithm of the likelihood ratio), by code of the known text.
    `rehearse` makes a release of some rows of the original in the same way; None where nobody knows how.
    """

    original: Table
    roles: Roles
    published: Table
    rows: Ints
    group: Ints
    generalised: Mapping[str, GeneralisedColumn] = field(default_factory=dict)
    asked_k: int = 1
    facts: Facts = field(default_factory=dict)
    extra: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    min_holders: int = MIN_HOLDERS
    promised: tuple[str, ...] = ()
    limits: Mapping[str, float] = field(default_factory=dict)
    coarser: Mapping[str, CoarserColumn] = field(default_factory=dict)
    perturbed: tuple[str, ...] = ()
    perturbed_from: Mapping[str, CoarserColumn] = field(default_factory=dict)
    evidence_against: Mapping[str, Floats] = field(default_factory=dict)
    rehearse: Callable[[Ints], TableRelease] | None = None

    @cached_property
    def quasi(self) -> tuple[str, ...]:
        """The published quasi-identifiers, on which everything is measured.

        If no declared one is published, the columns that the method's k is about.
        """
        published = [name for name in self.roles.quasi if name in self.published.columns]
        promised = [name for name in self.promised if name in self.published.columns]
        return tuple(published or [name for name in promised if name not in self.roles.sensitive] or promised)

    @property
    def assumed_quasi(self) -> tuple[str, ...]:
        """Columns taken for quasi-identifiers because none was named, if others are published beside them."""
        others = {*self.published.columns} - {*self.quasi} - {*self.roles.sensitive}
        return self.quasi if others and not self.roles.quasi else ()

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The sensitive columns that are published, beside the rows or by group."""
        published = {*self.published.columns, *self.sensitive_by_group} - {*self.quasi}
        return tuple(name for name in self.roles.sensitive if name in published)

    @property
    def threat_groups(self) -> tuple[str, ...]:
        """The groups of threats that apply.

        Only inference if sensitive values are published by group. Nobody is singled out by values that are
        not theirs.
        """
        if self.perturbed_quasi:
            return LINKABILITY, INFERENCE
        return (INFERENCE,) if self.sensitive_by_group else GROUPS

    @property
    def perturbed_quasi(self) -> tuple[str, ...]:
        """The quasi-identifiers whose values are perturbed: classes are no crowds then."""
        return tuple(name for name in self.quasi if name in self.perturbed)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The published table as a pandas frame."""
        return self.published.frame()

    @cached_property
    def people(self) -> tuple[Ints, ...]:
        """Codes of the original columns that identify people."""
        return people_columns(self.original, self.roles)

    def holders(self, name: str) -> Ints:
        """Count the people who hold each value of an original column, missing first."""
        column = self.original[name]
        return count_holders(column.codes + 1, len(column.values) + 1, self.people)

    @property
    def sensitive_by_group(self) -> tuple[str, ...]:
        """Sensitive columns that are published in a second table, by group, and not beside the rows."""
        second = self.extra.get("sensitive")
        return (
            () if second is None else tuple(name for name in self.roles.sensitive if name in second.columns)
        )

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
        """The column whose values are replaced by pseudonyms, if any; its values must not be drawn."""
        lookup = self.extra.get("lookup")
        return () if lookup is None else (str(lookup.columns[0]),)


def people_columns(table: Table, roles: Roles) -> tuple[Ints, ...]:
    """Return the codes of the columns that identify people: identifiers, and columns that look like one.

    They are used to count people instead of rows.
    """
    looks_like_one = [name for name, _ in roles.withheld or () if name not in roles.drop]
    names = dict.fromkeys((*roles.identifiers, *looks_like_one))
    return tuple(table[name].codes for name in names if name in table.columns)


def row_order(columns: Iterable[Column]) -> Ints:
    """Return the order of the rows by all these columns, missing first: no trace of the original order."""
    return lexical_order([(column.codes.astype(np.int64) + 1, len(column.values) + 1) for column in columns])


def sorted_rows(table: Table) -> Table:
    """Return the table sorted by all its columns."""
    return table.take(row_order(table.columns.values()))


def published_names(original: Table, roles: Roles, columns: Sequence[str] | None = None) -> list[str]:
    """Return those of the columns (all by default) that may be published; refuse if there is none."""
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
    coarser: Mapping[str, CoarserColumn] | None = None,
    perturbed: Mapping[str, Column] | None = None,
    columns: Sequence[str] | None = None,
    **more: Any,  # Any: further fields of TableRelease
) -> TableRelease:
    """Build a release: columns in order without identifiers, rows sorted by all of them.

    The row order of the original would identify people, so it is not kept.
    """
    generalised, coarser, perturbed = generalised or {}, coarser or {}, perturbed or {}
    roles = roles.decided(original)
    names = published_names(original, roles, columns)
    group_of_row = np.zeros(original.rows, dtype=np.int64) if group is None else group
    published = {
        name: code_column(name, pd.Series(generalised[name].labels(), dtype=object)).take(group_of_row[rows])
        if name in generalised
        else (perturbed.get(name) or (coarser[name].column if name in coarser else original[name])).take(rows)
        for name in names
    }
    order = row_order(published.values())
    release = TableRelease(
        original,
        roles,
        Table(published, len(rows)).take(order),
        rows[order],
        group_of_row[rows][order],
        generalised,
        perturbed=tuple(perturbed),
        **more,
    )
    return with_coarser(release, coarser)


def with_coarser(release: TableRelease, coarser: Mapping[str, CoarserColumn]) -> TableRelease:
    """Return a release of coarser columns as one of the originals: with what each value stands for."""
    coarser = {name: one for name, one in coarser.items() if name in release.published.columns}
    if not coarser:
        return release
    group, generalised = groups_of_originals(coarser, release.rows, release.group, release.generalised)
    return replace(release, group=group, generalised=generalised, coarser=coarser)


def unchanged(table: Table, roles: Roles, rows: Ints | None = None) -> TableRelease:
    """Publish a table unchanged, without direct identifiers; all rows, or some."""
    roles = roles.checked(table, needs_quasi=False).decided(table)
    published = table.select(published_names(table, roles))
    if rows is None:
        rows = np.arange(table.rows)
    else:
        published = published.take(rows)
    return TableRelease(table, roles, published, rows, np.zeros_like(rows))


def refuse_empty_release(release: TableRelease) -> None:
    """Refuse a release without rows."""
    if len(release.rows) == 0:
        raise DataError("Nothing is left: every row was deleted; ask for a smaller k or fewer columns.")
