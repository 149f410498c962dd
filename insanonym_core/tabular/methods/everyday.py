"""The everyday steps before a table is published: columns left out, values recoded, cut off, or rounded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import pandas as pd

from insanonym_core.errors import UsageError, brief
from insanonym_core.numeric.arrays import Floats
from insanonym_core.parameters import ColumnNames, Lines, Range, lines_by_column
from insanonym_core.registry import methods
from insanonym_core.tabular.coarser import CoarserColumn
from insanonym_core.tabular.release import TableRelease, publish, published_names
from insanonym_core.tabular.roles import Roles, refuse_hidden
from insanonym_core.tabular.table import MISSING, Column, Table
from insanonym_core.tabular.table import Kind as ValueKind
from insanonym_core.texts import Phrase

Columns = Annotated[tuple[str, ...], ColumnNames()]
Share = Annotated[float, Range(0, 0.5, step=0.01)]


@methods.add("drop_columns", data="table", title="Leave columns out", order=7)
@dataclass(frozen=True, kw_only=True)
class DropColumns:
    """Publishes the table without some columns.

    Who is known by the other columns is found as before, and what can be told from them is not gone.
    """

    columns: Columns = ()

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Publish all other columns."""
        roles = roles.decided(table)
        dropped = table.named(self.columns, "columns to leave out", at_least_one=False)
        kept = [name for name in published_names(table, roles) if name not in dropped]
        if not kept:
            raise UsageError("No column is left: leave out fewer columns.")
        return publish(table, roles, np.arange(table.rows), columns=kept)


@methods.add("recode", data="table", title="Recode values", order=8)
@dataclass(frozen=True, kw_only=True)
class Recode:
    """Publishes several texts of a column as one: town = Aldermoor, Brackenford > north.

    No crowd is promised: a new value may still be one person's, alone or with other columns.
    """

    rules: Annotated[str, Lines("town = Aldermoor, Brackenford > north")] = ""

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Replace the values that the rules name; all others stay."""
        said = lines_by_column(self.rules)
        roles = roles.decided(table, said)
        names = table.named(tuple(said), "columns to recode", at_least_one=False)
        refuse_hidden(roles, names, "column to recode")
        coarser = {name: CoarserColumn.of(table[name], _recoded(table[name], said[name])) for name in names}
        return publish(table, roles, np.arange(table.rows), coarser=coarser)


def _recoded(column: Column, rules: Sequence[str]) -> pd.Series[str]:
    """Return the new text of each value."""
    if column.kind != "category":
        raise UsageError(
            "The column {name} holds numbers or dates: round them, or give mondrian a hierarchy.",
            name=brief(column.name),
        )
    texts = column.texts()
    new = dict(zip(texts, texts, strict=True))
    for rule in rules:
        old, mark, label = (part.strip() for part in rule.rpartition(">"))
        named = [part.strip() for part in old.split(",")]
        if not (mark and label and old):
            raise UsageError(
                "The rules of {name} must be values and what they become, such as 'a, b > c'.",
                name=brief(column.name),
            )
        absent = sum(text not in new for text in named)
        if absent:
            raise UsageError(
                "A rule of {name} names values that are not in the column ({count:,}): correct it.",
                name=brief(column.name),
                count=absent,
            )
        new |= dict.fromkeys(named, label)
    return pd.Series([new[text] for text in texts], dtype=object)


def columns_of_numbers(table: Table, roles: Roles, requested: tuple[str, ...], what: str) -> list[str]:
    """Return the columns of numbers to change: those named, or the quasi-identifiers that are numbers."""
    names = table.named(requested, what, at_least_one=False)
    refuse_hidden(roles, names, what)
    for name in names:
        if table[name].kind != "number":
            raise UsageError(
                "The column {name} holds no numbers: choose columns of numbers.", name=brief(name)
            )
    quasi = [name for name in roles.quasi if name in table.columns]
    return list(names) or [name for name in quasi if table[name].kind == "number"]


def _changed_numbers(
    table: Table, roles: Roles, names: Sequence[str], change: Callable[[Column], Floats]
) -> TableRelease:
    """Publish the table with other numbers in some columns; whole ones stay whole."""
    coarser = {}
    for name in names:
        if len(table[name].values):
            coarser[name] = CoarserColumn.of(table[name], pd.Series(change(table[name])))
    return publish(table, roles, np.arange(table.rows), coarser=coarser)


@methods.add("top_bottom_code", data="table", title="Top and bottom coding", order=9)
@dataclass(frozen=True, kw_only=True)
class TopBottomCode:
    """Publishes the highest and the lowest numbers of a column as the limit beyond which they are.

    Hides extremes only: between the limits every number stays as it is, and so does who is unique by it.
    """

    works_on: ClassVar[ValueKind] = "number"

    columns: Columns = ()
    top: Share = 0.05
    bottom: Share = 0.05

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Cut numbers off so that at least these shares of the rows stand at the limits."""
        roles = roles.decided(table, self.columns)
        names = columns_of_numbers(table, roles, self.columns, Phrase("columns to cut off"))
        return _changed_numbers(table, roles, names, self._cut_off)

    def _cut_off(self, column: Column) -> Floats:
        """Return the values between the limits, which are values of the column."""
        numbers = column.numbers()
        rank = np.sort(column.codes[column.codes != MISSING])
        if len(rank) == 0:
            return numbers
        low = rank[max(0, int(np.ceil(self.bottom * len(rank))) - 1)]
        high = rank[min(len(rank) - 1, len(rank) - int(np.ceil(self.top * len(rank))))]
        low, high = min(low, high), max(low, high)
        return np.clip(numbers, numbers[low], numbers[high])


@methods.add("round_numbers", data="table", title="Round numbers", order=10)
@dataclass(frozen=True, kw_only=True)
class RoundNumbers:
    """Publishes numbers rounded to the nearest multiple of a step.

    No crowd is promised: a rounded number may still be one person's, alone or with other columns.
    """

    works_on: ClassVar[ValueKind] = "number"

    columns: Columns = ()
    step: Annotated[float, Range(0.001, 1_000_000, step=0.001, scale="log")] = 5.0

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Round the columns; a half goes to the even multiple."""
        roles = roles.decided(table, self.columns)
        names = columns_of_numbers(table, roles, self.columns, Phrase("columns to round"))
        return _changed_numbers(table, roles, names, self._rounded)

    def _rounded(self, column: Column) -> Floats:
        multiples = np.rint(column.numbers() / self.step) * self.step
        return np.round(multiples, 9)
