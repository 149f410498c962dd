"""What every group must have: k rows, k individuals, l sensitive values, and a distance of at most t."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import renumber
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Column, Table
from insanonym_core.texts import Phrase

TOLERANCE = 1e-9  # rounding error of logarithms and sums


@dataclass(frozen=True, eq=False)
class CountedColumn:
    """A column whose values are counted in each group: at least `distinct`, exp(entropy) ≥ `entropy`, t.

    `codes` number the values that occur, missing included, in order. `individuals` tells people from values.
    """

    name: str
    codes: Ints
    values: int
    distinct: float = 1
    entropy: float = 1
    max_t: float = 1
    ordered: bool = False
    individuals: bool = False

    @classmethod
    def of(cls, column: Column, **limits: float | bool) -> CountedColumn:
        """Number the values of a column that occur."""
        distinct, codes = renumber(column.codes + 1, len(column.values) + 1)
        return cls(column.name, codes, len(distinct), **limits)  # type: ignore[arg-type]

    def shares(self, rows: Ints | None = None) -> Floats:
        """Return the share of each value in all rows, or in some."""
        codes = self.codes if rows is None else self.codes[rows]
        return np.bincount(codes, minlength=self.values) / len(codes)

    def refusal(self, rows: Ints) -> Phrase | None:
        """Return what a group of these rows lacks, None if nothing; of this column's limits."""
        share = self.shares(rows)
        found = int((share > 0).sum())
        if found < self.distinct:
            form = "{found} individuals < {asked}" if self.individuals else "l = {found} < {asked}"
            return Phrase(form, found=found, asked=f"{self.distinct:g}")
        present = share[share > 0]
        entropy = float(np.exp(-(present * np.log(present)).sum()))
        if entropy < self.entropy - TOLERANCE:
            return Phrase("entropy l = {found} < {asked}", found=f"{entropy:.2f}", asked=f"{self.entropy:g}")
        gap = share - self.shares()
        distance = (
            float(np.abs(np.cumsum(gap)).sum() / max(self.values - 1, 1))
            if self.ordered
            else (float(np.maximum(gap, 0).sum()))
        )
        if distance > self.max_t + TOLERANCE:
            return Phrase("t = {found} > {asked}", found=f"{distance:.2f}", asked=f"{self.max_t:g}")
        return None


@dataclass(frozen=True, eq=False)
class Limits:
    """k rows in every group, and limits of the counted columns."""

    k: int
    counted: tuple[CountedColumn, ...] = ()

    def asked(self) -> dict[str, float]:
        """Return what is asked of groups besides k rows, by name."""
        asked: dict[str, float] = {}
        for column in self.counted:
            if column.individuals:
                asked["individuals"] = column.distinct
            limits = {"l": (column.distinct, 1), "entropy_l": (column.entropy, 1), "t": (column.max_t, 1)}
            if not column.individuals:
                asked |= {name: limit for name, (limit, free) in limits.items() if limit != free}
        return asked

    def refusal(self, sides: Sequence[Ints]) -> Phrase | None:
        """Return why a cut into these sides is refused, by the first limit that one of them breaks."""
        smallest = min(len(side) for side in sides)
        if smallest < self.k:
            return Phrase("{rows} < {k}", rows=smallest, k=self.k)
        return next(
            (
                broken
                for column in self.counted
                for side in sides
                if (broken := column.refusal(side)) is not None
            ),
            None,
        )


def limits_of(
    table: Table,
    roles: Roles,
    *,
    k: int,
    individuals: int,
    l: float,  # noqa: E741
    entropy: bool,
    t: float,
) -> Limits:
    """Return the limits for a table; refuse those that cannot be met even by all rows together."""
    counted: list[CountedColumn] = []
    if individuals > 1:
        if roles.identifier is None:
            raise UsageError("k in individuals needs to know who is who: name the identifier column.")
        column = CountedColumn.of(table[roles.identifier], distinct=individuals, individuals=True)
        if column.values < individuals:
            raise DataError(
                "Groups of {asked} individuals are impossible: the table has {found}; choose a smaller "
                "number.",
                asked=individuals,
                found=column.values,
            )
        counted.append(column)
    if l > 1 or t < 1:
        if not roles.sensitive:
            raise UsageError("l and t are about sensitive columns, and none is named: name one.")
        for name in roles.sensitive:
            counted.append(_sensitive_limits(table[name], l, entropy, t))
    return Limits(k, tuple(counted))


def _sensitive_limits(column: Column, l: float, entropy: bool, t: float) -> CountedColumn:  # noqa: E741
    """Return the limits of one sensitive column; t is ordered for numbers and dates."""
    ordered = column.kind != "category"
    kind = {"entropy": l} if entropy else {"distinct": l}
    limited = CountedColumn.of(column, max_t=t, ordered=ordered, **kind)
    share = limited.shares()
    present = share[share > 0]
    found = float(np.exp(-(present * np.log(present)).sum())) if entropy else float(limited.values)
    if found < l - TOLERANCE:
        raise DataError(
            "l = {asked} is impossible: {column} has l = {found} in the whole table; choose a smaller l.",
            asked=f"{l:g}",
            column=brief(column.name),
            found=f"{np.floor(found * 100) / 100:g}",
        )
    return limited
