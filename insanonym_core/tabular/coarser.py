"""Columns whose values are replaced by coarser ones, value by value: rounded, recoded, cut off at the ends.

Further steps work on the coarser table. What is measured is measured against the original: each published
value stands for all values that became it, as the interval or the set of a group does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from insanonym_core.numeric.arrays import Ints
from insanonym_core.numeric.grouping import PairCounts, combine, expanded
from insanonym_core.tabular.generalised import GeneralisedColumn
from insanonym_core.tabular.table import MISSING, AnySeries, Column, Table, code_column


@dataclass(frozen=True, eq=False)
class CoarserColumn:
    """A column with coarser values, and for each code of `original` the code in `column` that it became.

    Numbers and dates keep their order. A missing value stays missing.
    """

    original: Column
    column: Column
    became: Ints

    @classmethod
    def of(cls, original: Column, values: AnySeries) -> CoarserColumn:
        """Replace each distinct value of a column by the value at its place in `values`."""
        coded = code_column(original.name, values)
        became = coded.codes.astype(np.int64)
        return cls(
            original, Column(original.name, coded.kind, coded.values, _through(became, original)), became
        )

    def over(self, column: Column) -> CoarserColumn:
        """Return the same replacement for a column with the same values and other rows."""
        coarser = self.column
        codes = _through(self.became, column)
        return CoarserColumn(column, Column(coarser.name, coarser.kind, coarser.values, codes), self.became)

    def after(self, earlier: CoarserColumn | None) -> CoarserColumn:
        """Return this replacement as one of the column before an earlier one."""
        if earlier is None:
            return self
        return CoarserColumn(earlier.original, self.column, self.became[earlier.became])

    def values_of(self, codes: Ints) -> Ints:
        """Return what codes of the original became."""
        return np.where(codes == MISSING, MISSING, self.became[np.maximum(codes, 0)])

    def below(self, published: GeneralisedColumn) -> GeneralisedColumn:
        """Return groups of the coarser column as groups of the original: all values that became theirs."""
        low, high = published.low.copy(), published.high.copy()
        held = np.flatnonzero(low != MISSING)
        by_value = np.argsort(self.became, kind="stable")
        became = self.became[by_value]
        if self.original.kind != "category":  # of an interval every value may be meant
            low[held] = np.searchsorted(became, published.low[held], "left")
            high[held] = np.searchsorted(became, published.high[held], "right") - 1
            owner, item = expanded(low[held], high[held] + 1, np.arange(len(became)))
            group: Ints = held[owner]
        else:
            first, last = (
                np.searchsorted(became, published.members.item, side) for side in ("left", "right")
            )
            owner, item = expanded(first, last, by_value)
            group = published.members.group[owner]
            order = np.lexsort((item, group))
            group, item = group[order], item[order]
            low[held] = item[np.searchsorted(group, held, "left")]
            high[held] = item[np.searchsorted(group, held, "right") - 1]
        under = PairCounts(group, item, np.ones(len(item), dtype=np.int64))
        groups, missing = published.groups, published.missing
        return GeneralisedColumn(
            self.original, groups, low, high, missing, under, published.value_labels(), published.emptied
        )


def _through(became: Ints, original: Column) -> Ints:
    """Return the codes of the rows after a replacement."""
    codes = np.append(became, MISSING)[original.codes]  # index -1 (MISSING) selects the last entry
    return codes.astype(np.int32)


def coarser_table(table: Table, coarser: Mapping[str, CoarserColumn]) -> Table:
    """Return a table with its coarser columns in their place."""
    columns = {name: coarser[name].column if name in coarser else table[name] for name in table.columns}
    return Table(columns, table.rows, table.demonstration) if coarser else table


def groups_of_originals(
    coarser: Mapping[str, CoarserColumn],
    rows: Ints,
    group: Ints,
    generalised: Mapping[str, GeneralisedColumn],
) -> tuple[Ints, dict[str, GeneralisedColumn]]:
    """Return groups of published rows, and what each publishes, in terms of the original columns.

    `rows` are the rows of the table, `group` and `generalised` what a last step made of the coarser columns.
    """
    plain = [name for name in coarser if name not in generalised]
    codes = [(coarser[name].column.codes[rows] + 1, len(coarser[name].column.values) + 1) for name in plain]
    key = combine((group, int(group.max(initial=0)) + 1), *codes)
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    taken = {name: one.take(group[first]) for name, one in generalised.items()}
    everyone = np.arange(len(first))
    for name in plain:
        column = coarser[name].column.take(rows[first])
        taken[name] = GeneralisedColumn.from_groups(column, everyone, len(first))
    found = {name: coarser[name].below(one) if name in coarser else one for name, one in taken.items()}
    return number, found
