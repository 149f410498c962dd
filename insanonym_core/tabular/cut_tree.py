"""Record the cuts of a partition as two trees, with refused cuts: the first levels, and one full branch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from insanonym_core.numeric.arrays import Ints
from insanonym_core.results.scores import Tree
from insanonym_core.tabular.limits import Limits
from insanonym_core.tabular.partition import Level
from insanonym_core.tabular.table import MISSING, Column
from insanonym_core.texts import Phrase

MAX_DEPTH = 3


@dataclass
class _Nodes:
    """A tree under construction, one list entry per node."""

    labels: list[str] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    size: list[int] = field(default_factory=list)
    notes: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, parent: int, label: str, size: int) -> int:
        """Add a node and return its index."""
        self.labels.append(label)
        self.parent.append(parent)
        self.size.append(size)
        self.notes.append(())
        return len(self.labels) - 1

    def tree(self, title: str, name: str, *, branch: bool = False) -> Tree:
        """Return the tree as evidence to draw."""
        parent, size = np.array(self.parent), np.array(self.size)
        notes = tuple(self.notes)
        labels = tuple(self.labels)
        return Tree(title, "rows", labels, parent, size, notes, branch, shows_individuals=True, name=name)


class CutTree:
    """Observer of a partition: keeps the first levels, and one branch (the larger side) to its leaf."""

    def __init__(self, columns: Sequence[Column], limits: Limits) -> None:
        self.columns, self.limits = columns, limits
        self._first, self._branch = _Nodes(), _Nodes()
        self._level = 0
        self._node_places = {0: 0}  # node of the level → index in the tree of the first levels
        self._followed: tuple[int, int] | None = (0, 0)  # the node of the branch, and its index there
        self._ancestor = np.zeros(1, dtype=np.int64)  # for each node the index of its lowest drawn ancestor
        self._groups: dict[int, int] = {}

    def watch(self, level: Level) -> None:
        """Record one level of cuts."""
        if self._level == 0:
            for tree in (self._first, self._branch):
                tree.add(-1, Phrase("all rows"), len(level.rows))
        size = np.bincount(level.child, minlength=len(level.leaf))
        # As in partition: children that are not leaves are numbered in order, without gaps.
        continuing = np.flatnonzero((size > 0) & ~level.leaf)
        if self._level < MAX_DEPTH:
            self._extend_first_levels(level, continuing)
        else:
            self._count_groups_below(level, size, continuing)
        self._extend_branch(level, continuing)
        self._level += 1

    def _extend_first_levels(self, level: Level, continuing: Ints) -> None:
        """Add the cuts of this level to the tree of the first levels."""
        places: dict[int, int] = {}
        for node, place in self._node_places.items():
            children = self._cut_node(level, node, self._first, place)
            places |= {
                _node_number(continuing, 2 * node + side): child for side, child in enumerate(children)
            }
        self._node_places = places
        self._ancestor = np.array([places[node] for node in range(len(continuing))], dtype=np.int64)

    def _count_groups_below(self, level: Level, size: Ints, continuing: Ints) -> None:
        """Below the drawn levels: note the refused cuts, and count the groups that descend from each node."""
        if self._level == MAX_DEPTH:
            for node, place in self._node_places.items():
                self._first.notes[place] = self._refused(*_node_rows(level, node), level.order[node])
        leaves = np.flatnonzero((size > 0) & level.leaf) // 2
        for place, groups in zip(*np.unique(self._ancestor[leaves], return_counts=True), strict=True):
            self._groups[int(place)] = self._groups.get(int(place), 0) + int(groups)
        self._ancestor = self._ancestor[continuing // 2]

    def _extend_branch(self, level: Level, continuing: Ints) -> None:
        """Add the cut of the followed node to the branch, and follow its larger side."""
        if self._followed is None:
            return
        node, place = self._followed
        children = self._cut_node(level, node, self._branch, place)
        self._followed = None
        if children:
            side = int(self._branch.size[children[1]] > self._branch.size[children[0]])
            self._followed = _node_number(continuing, 2 * node + side), children[side]

    def _cut_node(self, level: Level, node: int, tree: _Nodes, place: int) -> list[int]:
        """Note the refused cuts of a node, add its two sides if it was cut, and return their indices."""
        rows, sides = _node_rows(level, node)
        order = level.order[node]
        tree.notes[place] = self._refused(rows, sides, order)
        if len(sides[1]) == 0:
            return []
        cut_column = self._cut_by(sides, order)
        children = [tree.add(place, _side_label(cut_column, side), len(side)) for side in sides]
        for child, side in zip(children, sides, strict=True):
            if len(side) < 2 * self.limits.k:  # no cut can leave k rows on both sides
                tree.notes[child] = self._refused(side, [side, side[:0]], order)
        return children

    def _cut_by(self, sides: Sequence[Ints], order: Ints) -> Column:
        """Return the column that was cut: the first tried whose values do not overlap on the two sides."""
        for column in (self.columns[place] for place in order.tolist()):
            left, right = (column.codes[rows] for rows in sides)
            if left.max() < right.min():
                return column
        raise ValueError("no column separates the two sides")  # a cut is made by one column

    def _refused(self, rows: Ints, sides: Sequence[Ints], order: Ints) -> tuple[str, ...]:
        """Describe the attributes refused before the cut (all of them at a leaf), each with why.

        Told is the first limit that the cut nearest the median breaks. Attributes with a single value come
        last.
        """
        cut = self._cut_by(sides, order) if len(sides[1]) else None
        notes: dict[bool, list[str]] = {True: [], False: []}
        for place in order.tolist():
            column = self.columns[place]
            if column is cut:
                break
            best = _best_cut(column, rows)
            why = self.limits.refusal(best) if best else Phrase("a single value")
            notes[best is not None].append(Phrase("{column}: {why}", column=column.name, why=why))
        return *notes[True], *notes[False]

    def evidence(self) -> tuple[Tree, ...]:
        """Return the first levels as a tree, and the branch if it is deeper than them."""
        for place, groups in self._groups.items():
            if groups > 1:
                note = Phrase("→ {groups} groups", groups=groups)
                self._first.notes[place] = (note, *self._first.notes[place])
        self._groups = {}
        first = self._first.tree("The first cuts, and those refused", "first_cuts")
        if len(self._branch.labels) <= 1 + 2 * MAX_DEPTH:
            return (first,)
        title = "One branch of the cuts, down to the node where all are refused"
        return first, self._branch.tree(title, "branch", branch=True)


def _node_number(continuing: Ints, child: int) -> int:
    """Return the number that a child has as a node of the next level."""
    return int(np.searchsorted(continuing, child))


def _best_cut(column: Column, rows: Ints) -> tuple[Ints, Ints] | None:
    """Return the two sides of the cut nearest the median, ties to the lower; None for a single value."""
    code = column.codes[rows]
    _, counts = np.unique(code, return_counts=True)
    left = np.cumsum(counts)[:-1]
    if len(left) == 0:
        return None
    nearest = left[np.argmin(np.abs(2 * left - len(rows)))]
    by_value = rows[np.argsort(code, kind="stable")]
    return by_value[:nearest], by_value[nearest:]


def _node_rows(level: Level, node: int) -> tuple[Ints, list[Ints]]:
    """Return the rows of a node, and the rows of its two sides; `level` is sorted by node."""
    start, end = np.searchsorted(level.node, [node, node + 1])
    rows, child = level.rows[start:end], level.child[start:end]
    return rows, [rows[child == 2 * node + side] for side in (0, 1)]


def _side_label(column: Column, rows: Ints) -> str:
    """Describe the values of the cut column on one side; missing sorts first."""
    codes = column.codes[rows]
    known = codes[codes != MISSING]
    if len(known) == 0:
        return Phrase("{column}: missing", column=column.name)
    # Format only the two end values: formatting all texts of a large column would be slow.
    ends = column.values[[int(known.min()), int(known.max())]]
    low, high = Column(column.name, column.kind, ends, np.arange(2)).texts()
    span = low if low == high else f"{low} … {high}"
    form = "{column}: missing or {span}" if len(known) < len(codes) else "{column}: {span}"
    return Phrase(form, column=column.name, span=span)
