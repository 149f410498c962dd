"""The first cuts of a table as a tree, with those refused: why a group stayed as large as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from insanonym_core.arrays import Ints
from insanonym_core.scores import Tree
from insanonym_core.tabular.partition import Level
from insanonym_core.tabular.table import Column
from insanonym_core.texts import Phrase

DEEPEST = 3


@dataclass
class CutTree:
    """Watches a partition and remembers its first levels."""

    columns: Sequence[Column]
    k: int
    labels: list[str] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    size: list[int] = field(default_factory=list)
    notes: list[tuple[str, ...]] = field(default_factory=list)
    _place: dict[int, int] = field(default_factory=dict)
    _level: int = 0

    def watch(self, level: Level) -> None:
        """One level of cuts."""
        if self._level == 0:
            self._add(-1, Phrase("all rows"), len(level.rows))
            self._place = {0: 0}
        if self._level >= DEEPEST:
            return
        self._level += 1
        places: dict[int, int] = {}
        for node in range(int(level.node.max()) + 1):
            place = self._place.get(node)
            if place is None:
                continue
            mine = level.node == node
            sides = [level.rows[mine & (level.child == 2 * node + side)] for side in (0, 1)]
            self.notes[place] = self._refused(level.rows[mine], level.order[node], sides)
            if len(sides[1]) == 0:
                continue
            cut = self._cut_by(sides, level.order[node])
            for side, rows in enumerate(sides):
                made = self._add(place, f"{cut.name}: {_span(cut, rows)}", len(rows))
                if not level.leaf[2 * node + side]:
                    places[2 * node + side] = made
        # partition numbers the children that go on without gaps, in their order.
        going_on = np.unique(level.child[~level.leaf[level.child]])
        self._place = {
            number: places[child] for number, child in enumerate(going_on.tolist()) if child in places
        }

    def _add(self, parent: int, label: str, size: int) -> int:
        self.labels.append(label)
        self.parent.append(parent)
        self.size.append(size)
        self.notes.append(())
        return len(self.labels) - 1

    def _cut_by(self, sides: Sequence[Ints], order: Ints) -> Column:
        """The first column tried whose values are apart on the two sides: it could cut, so it did."""
        for column in (self.columns[place] for place in order.tolist()):
            left, right = (column.codes[rows] for rows in sides)
            if left.max() < right.min():
                return column
        raise ValueError("no column separates the two sides")  # a cut is made by one column

    def _refused(self, rows: Ints, order: Ints, sides: Sequence[Ints]) -> tuple[str, ...]:
        """The attributes tried before the one that cut (all of them at a leaf), each with its best cut."""
        cut = self._cut_by(sides, order) if len(sides[1]) else None
        said = []
        for place in order.tolist():
            column = self.columns[place]
            if column is cut:
                break
            said.append(self._why_not(column, rows))
        return tuple(said)

    def _why_not(self, column: Column, rows: Ints) -> str:
        """zip: 4 < 5, or a single value."""
        _, counts = np.unique(column.codes[rows], return_counts=True)
        if len(counts) < 2:
            return Phrase("{column}: a single value", column=column.name)
        left = np.cumsum(counts)[:-1]
        return f"{column.name}: {int(np.minimum(left, len(rows) - left).max())} < {self.k}"

    def evidence(self) -> Tree:
        """To be drawn."""
        return Tree(
            "The first cuts, and those refused",
            "rows",
            tuple(self.labels),
            np.array(self.parent),
            np.array(self.size),
            tuple(self.notes),
        )


def _span(column: Column, rows: Ints) -> str:
    codes = np.unique(column.codes[rows])
    texts = column.texts()
    known = [texts[code] for code in codes.tolist() if code >= 0]
    if not known:
        return "–"
    return known[0] if len(known) == 1 else f"{known[0]} … {known[-1]}"
