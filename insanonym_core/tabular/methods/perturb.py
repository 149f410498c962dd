"""The perturbative classics: values are swapped, drawn anew or get noise; k means nothing afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import pandas as pd

from insanonym_core.errors import UsageError, brief
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.holders import MIN_HOLDERS, count_holders
from insanonym_core.parameters import Range
from insanonym_core.registry import methods
from insanonym_core.results.scores import Evidence, Matrix
from insanonym_core.tabular.methods.everyday import Columns, columns_of_numbers
from insanonym_core.tabular.release import TableRelease, people_columns, publish
from insanonym_core.tabular.roles import Roles, refuse_hidden
from insanonym_core.tabular.table import MISSING, Column, Table, code_column
from insanonym_core.tabular.table import Kind as ValueKind
from insanonym_core.texts import Phrase

_MAX_SHOWN = 8


def _refuse_sensitive(roles: Roles, names: list[str]) -> None:
    """Refuse sensitive columns: threats of inference are measured on their true values."""
    for name in names:
        if name in roles.sensitive:
            raise UsageError(
                "The column {name} is sensitive and is not perturbed: choose quasi-identifiers.",
                name=brief(name),
            )


def _publish(
    table: Table,
    roles: Roles,
    perturbed: dict[str, Column],
    evidence: tuple[Evidence, ...] = (),
    evidence_against: Mapping[str, Floats] | None = None,
) -> TableRelease:
    return publish(
        table,
        roles,
        np.arange(table.rows),
        perturbed=perturbed,
        evidence=evidence,
        evidence_against=evidence_against or {},
    )


@methods.add("swap_ranks", data="table", title="Swap values of near rank", order=11, last=True)
@dataclass(frozen=True, kw_only=True)
class SwapRanks:
    """Swaps each number with one whose rank is near: every column keeps exactly its values.

    k means nothing afterwards: nobody is in a crowd; who knows several values still finds the nearest row.
    """

    works_on: ClassVar[ValueKind] = "number"

    columns: Columns = ()
    share: Annotated[float, Range(0, 1, step=0.01)] = 0.05

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Swap the values of each column by itself, within a share of the rows."""
        roles = roles.decided(table, self.columns)
        names = columns_of_numbers(table, roles, self.columns, Phrase("columns to swap"))
        _refuse_sensitive(roles, names)
        return _publish(table, roles, {name: self._swapped(table[name], generator) for name in names})

    def _swapped(self, column: Column, generator: np.random.Generator) -> Column:
        """From the lowest rank on, swap with a rank drawn among the next ones that were not swapped."""
        present = np.flatnonzero(column.codes != MISSING)
        # Equal values are in random order: the order of the file decides nothing.
        rows = present[np.lexsort((generator.random(len(present)), column.codes[present]))]
        reach = int(self.share * len(rows))
        codes, waiting = column.codes.copy(), np.ones(len(rows), dtype=bool)
        for rank in range(len(rows)):
            if not waiting[rank]:
                continue
            waiting[rank] = False
            others = rank + 1 + np.flatnonzero(waiting[rank + 1 : rank + 1 + reach])
            if len(others):
                other = others[generator.integers(len(others))]
                waiting[other] = False
                one, two = rows[rank], rows[other]
                codes[one], codes[two] = column.codes[two], column.codes[one]
        return Column(column.name, column.kind, column.values, codes)


@methods.add("pram", data="table", title="Post-randomisation (PRAM)", order=12, last=True)
@dataclass(frozen=True, kw_only=True)
class Pram:
    """Keeps each text with a probability, and else draws one by the shares of the column.

    k means nothing afterwards: most values are true, and who knows several still finds the nearest row.
    """

    works_on: ClassVar[ValueKind] = "category"

    columns: Columns = ()
    keep: Annotated[float, Range(0, 1, step=0.01)] = 0.8

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Draw the values of each column by itself; the evidence shows the chances."""
        roles = roles.decided(table, self.columns)
        names = list(table.named(self.columns, "columns to draw anew", at_least_one=False))
        refuse_hidden(roles, names, "columns to draw anew")
        for name in names:
            if table[name].kind != "category":
                raise UsageError(
                    "The column {name} holds no texts: choose columns of texts.", name=brief(name)
                )
        quasi = [name for name in roles.quasi if name in table.columns]
        names = names or [name for name in quasi if table[name].kind == "category"]
        _refuse_sensitive(roles, names)
        people = people_columns(table, roles)
        evidence = tuple(shown for name in names if (shown := self._shown(table[name], people)) is not None)
        drawn = {name: self._drawn(table[name], generator) for name in names}
        against = {name: self.against(table[name]) for name in names}
        return _publish(table, roles, drawn, evidence, against)

    def chances(self, column: Column) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        """Return the chance of each value (a line) to be published as another: shares of values stay."""
        count = np.bincount(column.codes[column.codes != MISSING], minlength=len(column.values))
        drawn = np.tile(count / max(count.sum(), 1), (len(column.values), 1))
        return self.keep * np.eye(len(column.values)) + (1 - self.keep) * drawn

    def against(self, column: Column) -> Floats:
        """Return how much it speaks against a row, for who knows the chances, that its text is another.

        A row of the person has the known text v with the chance keep + (1 − keep)·share(v), any other row
        with share(v); another text with (1 − keep) times its share. The logarithm of the ratio of these
        ratios is log(1 + keep / ((1 − keep)·share(v))): a rare text says more than a frequent one, and
        nothing if keep is 0.
        """
        count = np.bincount(column.codes[column.codes != MISSING], minlength=len(column.values))
        share = np.maximum(count, 0.5) / max(count.sum(), 1)
        if self.keep == 1:
            return np.full(len(share), np.inf)
        return np.log1p(self.keep / ((1 - self.keep) * share))

    def _drawn(self, column: Column, generator: np.random.Generator) -> Column:
        present = np.flatnonzero(column.codes != MISSING)
        codes = column.codes.copy()
        change = present[generator.random(len(present)) >= self.keep]
        # The value of a random row: values come by their shares.
        if len(present):
            codes[change] = column.codes[present[generator.integers(len(present), size=len(change))]]
        return Column(column.name, column.kind, column.values, codes)

    def _shown(self, column: Column, people: tuple[Ints, ...]) -> Matrix | None:
        """Draw the chances of the values that are frequent enough to be named."""
        holders = count_holders(column.codes + 1, len(column.values) + 1, people)[1:]
        named = np.argsort(-holders, kind="stable")[:_MAX_SHOWN]
        named = np.sort(named[holders[named] >= MIN_HOLDERS])
        if len(named) == 0:
            return None
        texts = Column(column.name, column.kind, column.values[named], np.zeros(0, dtype=np.int32)).texts()
        title = Phrase("Chance that {column} is published as another value", column=column.name)
        chances = self.chances(column)[np.ix_(named, named)]
        return Matrix(title, tuple(texts), tuple(texts), chances, shows_individuals=False, name="chances")


@methods.add("add_noise", data="table", title="Add noise to numbers", order=13, last=True)
@dataclass(frozen=True, kw_only=True)
class AddNoise:
    """Adds normal noise to numbers, in shares of the standard deviation of their column.

    k means nothing afterwards: if the noise is small, who knows several numbers still finds the nearest row.
    """

    works_on: ClassVar[ValueKind] = "number"

    columns: Columns = ()
    deviation: Annotated[float, Range(0, 5, step=0.01)] = 0.1

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Add the noise, and round to as many decimals as the column has."""
        roles = roles.decided(table, self.columns)
        names = columns_of_numbers(table, roles, self.columns, Phrase("columns to add noise to"))
        _refuse_sensitive(roles, names)
        return _publish(table, roles, {name: self._noisy(table[name], generator) for name in names})

    def _noisy(self, column: Column, generator: np.random.Generator) -> Column:
        missing = column.codes == MISSING
        if missing.all():
            return column
        numbers = column.numbers()
        rows = numbers[np.maximum(column.codes, 0)]
        scale = self.deviation * float(rows[~missing].std())
        decimals = next((digits for digits in range(7) if (np.round(numbers, digits) == numbers).all()), 9)
        noisy = np.round(rows + generator.normal(0, 1, len(rows)) * scale, decimals)
        return code_column(column.name, pd.Series(np.where(missing, np.nan, noisy)))
