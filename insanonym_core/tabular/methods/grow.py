"""Which columns can be published together without losing too many rows?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np

from insanonym_core.errors import UsageError
from insanonym_core.parameters import ColumnNames, Range
from insanonym_core.registry import methods
from insanonym_core.results.scores import Bars
from insanonym_core.tabular.methods.suppress import K, SuppressRareRows
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Classes, Column, Table, group_rows
from insanonym_core.texts import Phrase


class _Step(NamedTuple):
    columns: tuple[str, ...]
    lost: int


@methods.add("grow_projection", data="table", title="Grow a projection", order=7)
@dataclass(frozen=True, kw_only=True)
class GrowProjection:
    """Adds column after column, each time the one that loses the fewest further rows, within a budget.

    Then publishes that projection with rare combinations deleted. Several projections of one table can be
    subtracted from each other.
    """

    start: Annotated[tuple[str, ...], ColumnNames()] = ()
    candidates: Annotated[tuple[str, ...], ColumnNames(none_is_all=True)] = ()
    max_loss: Annotated[float, Range(0, 1, step=0.01)] = 0.05
    k: K = 5
    rows_before: Annotated[int, Range(0, 10**12, whole=True, unit="rows", filled_in=True)] = 0

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Grow the projection, then publish it; the facts list the steps."""
        start = table.named(self.start, "start columns")
        roles = roles.decided(table, (*self.start, *self.candidates))
        candidates = table.named(self.candidates, "candidate columns", at_least_one=False) or tuple(
            name for name in table.columns if name not in roles.hidden and name not in roles.sensitive
        )
        if self.rows_before and self.rows_before < table.rows:
            raise UsageError(
                "rows_before counts the rows before cleaning and must be at least {rows}, got {rows_before}.",
                rows=table.rows,
                rows_before=self.rows_before,
            )
        before = self.rows_before or table.rows
        steps, refused = self._steps(table, start, [name for name in candidates if name not in start], before)
        columns = tuple(steps[-1].columns)
        release = SuppressRareRows(columns=columns, k=self.k).apply(table, roles, generator)
        lost = np.array([step.lost for step in steps])
        facts = {
            "columns": list(columns),
            "steps": [step._asdict() | {"columns": list(step.columns)} for step in steps],
            "within_budget": bool(lost[-1] <= self._budget(before)),
            "rows_before": before,
        }
        all_steps = [*steps, *refused]
        growth = Bars(
            "Rows lost as columns are added",
            "rows lost",
            (
                ", ".join(start),
                *(f"+ {step.columns[-1]}" for step in steps[1:]),
                *(Phrase("+ {column}: refused", column=step.columns[-1]) for step in refused),
            ),
            np.array([step.lost for step in all_steps]),
            references={"budget": self.max_loss * before},
            shows_individuals=False,
            name="growth",
        )
        return replace(release, facts=facts, evidence=(growth,))

    def _steps(
        self, table: Table, start: Sequence[str], candidates: list[str], before: int
    ) -> tuple[list[_Step], list[_Step]]:
        """Return the steps taken, and the first refused step: even its best column loses too many rows."""
        columns = list(start)
        classes = table.classes(columns)
        steps = [_Step(tuple(columns), before - self._rows_kept(classes))]
        while candidates and before - self._rows_kept(classes) <= self._budget(before):
            grown = {name: _refine(classes, table[name]) for name in candidates}
            best = max(candidates, key=lambda name: self._rows_kept(grown[name]))
            lost = before - self._rows_kept(grown[best])
            if lost > self._budget(before):
                return steps, [_Step((*columns, best), lost)]
            classes = grown[best]
            columns.append(best)
            candidates = [name for name in candidates if name != best]
            steps.append(_Step(tuple(columns), lost))
        return steps, []

    def _budget(self, before: int) -> float:
        return self.max_loss * before + 1e-9  # tolerance: 0.29 · 100 is below 29 in floating point

    def _rows_kept(self, classes: Classes) -> int:
        return int(classes.size[classes.size >= self.k].sum())


def _refine(classes: Classes, column: Column) -> Classes:
    """Split classes by the values of one more column."""
    import pandas as pd

    return group_rows([Column("", "category", pd.RangeIndex(classes.number), classes.code), column])
