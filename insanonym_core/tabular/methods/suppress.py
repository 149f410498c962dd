"""Deleting rows: those with rare values, and those with rare combinations of values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.errors import UsageError, brief
from insanonym_core.numeric.arrays import Bools, Ints
from insanonym_core.numeric.grouping import count_pairs
from insanonym_core.parameters import Choice, ColumnNames, Range
from insanonym_core.registry import methods
from insanonym_core.results.scores import Bars
from insanonym_core.tabular.release import TableRelease, publish, published_names
from insanonym_core.tabular.roles import Roles, refuse_hidden
from insanonym_core.tabular.table import Column, Table
from insanonym_core.texts import Phrase

K = Annotated[int, Range(1, 1_000_000, whole=True, unit="rows")]
Columns = Annotated[tuple[str, ...], ColumnNames(none_is_all=True)]
_ALL = ""
_MAX_PASSES = 5


def _columns(table: Table, roles: Roles, requested: tuple[str, ...]) -> tuple[str, ...]:
    """Return the requested columns (all published ones by default); refuse identifiers."""
    names = table.named(requested, "columns", at_least_one=False) or tuple(published_names(table, roles))
    for name in names:
        if name in roles.identifiers:
            raise UsageError(
                "The column {name} is the identifier: leave it out of the columns.", name=brief(name)
            )
    refuse_hidden(roles, names, "column of a step")
    return table.named(names, "columns")


@methods.add("suppress_rare_values", data="table", title="Delete rare values", order=5)
@dataclass(frozen=True, kw_only=True)
class SuppressRareValues:
    """Deletes rows with a value that fewer than k rows share, pass by pass until none is left.

    Gives every column support of k, not k-anonymity: combinations of frequent values can be unique.
    """

    columns: Columns = ()
    k: K = 5
    scope: Annotated[str, Choice("row", "individual")] = "row"

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Delete the rows; the facts list the rare values per column and pass."""
        roles = roles.decided(table, self.columns)
        names = _columns(table, roles, self.columns)
        individual = self._individual_codes(table, roles)
        alive = np.ones(table.rows, dtype=bool)
        passes: list[dict[str, int]] = []
        deleted: list[dict[str, int]] = []
        while True:
            bad, rare, hits = np.zeros(table.rows, dtype=bool), {}, {}
            for name in names:
                hit, number = _rare_rows(table[name], alive, individual, self.k)
                bad |= hit
                if number:
                    rare[name], hits[name] = number, int(hit.sum())
            if not rare:
                break
            if individual is not None:
                condemned = np.zeros(int(individual.max()) + 1, dtype=bool)
                condemned[individual[bad]] = True
                bad = condemned[individual]
            deleted.append({_ALL: int((alive & bad).sum()), **hits})
            alive &= ~bad
            passes.append(rare)
        return publish(
            table,
            roles,
            np.flatnonzero(alive),
            facts={"passes": passes, "columns": list(names)},
            evidence=(_passes_figure(names, deleted),),
        )

    def _individual_codes(self, table: Table, roles: Roles) -> Ints | None:
        if self.scope == "row":
            return None
        if roles.identifier is None:
            raise UsageError("scope = individual needs to know who is who: name the identifier column.")
        return table[roles.identifier].codes.astype(np.int64) + 1


def _passes_figure(names: tuple[str, ...], deleted: list[dict[str, int]]) -> Bars:
    """Draw the rows deleted in each pass: all, and by the column with the rare value (several may apply)."""
    labels = [_ALL, *(name for name in names if any(name in counts for counts in deleted))]
    rows = {
        Phrase("pass {number}", number=number): [counts.get(name, 0) for name in labels]
        for number, counts in enumerate(deleted[:_MAX_PASSES], start=1)
    }
    if len(deleted) > _MAX_PASSES:
        later = deleted[_MAX_PASSES:]
        rows[Phrase("later passes")] = [sum(counts.get(name, 0) for counts in later) for name in labels]
    return Bars(
        "Rows deleted in each pass",
        "rows",
        (Phrase("all rows deleted"), *(Phrase("rare {column}", column=name) for name in labels[1:])),
        {name: np.array(values) for name, values in rows.items()},
        why_empty=Phrase("No value is rare: nothing was deleted."),
        shows_individuals=False,
        name="passes",
    )


def _rare_rows(column: Column, alive: Bools, individual: Ints | None, k: int) -> tuple[Bools, int]:
    """Return the remaining rows with a rare value, and the number of rare values."""
    code = column.codes.astype(np.int64) + 1
    size = len(column.values) + 1
    if individual is None:
        count = np.bincount(code[alive], minlength=size)
    else:
        pairs = count_pairs(code[alive], size, individual[alive], int(individual.max()) + 1)
        count = np.bincount(pairs.group, minlength=size)
    rare = (count > 0) & (count < k)
    return rare[code] & alive, int(rare.sum())


@methods.add("suppress_rare_rows", data="table", title="Delete rare combinations", order=6)
@dataclass(frozen=True, kw_only=True)
class SuppressRareRows:
    """Keeps some columns and deletes the rows whose combination of values occurs fewer than k times.

    Publishing two such projections of one table can give the deleted rows away again: see differencing.
    """

    columns: Columns = ()
    k: K = 5

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Select the columns and delete the rows with rare combinations."""
        roles = roles.decided(table, self.columns)
        names = _columns(table, roles, self.columns)
        kept = np.flatnonzero(table.classes(names).size_of_row >= self.k)
        return publish(
            table,
            roles,
            kept,
            columns=names,
            asked_k=self.k,
            promised=names,
            facts={"columns": list(names)},
        )
