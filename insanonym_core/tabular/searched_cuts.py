"""Cut a table where every cut is searched: for the attribute that loses least, or within limits of groups.

The rows are sorted once by each attribute; a cut only parts the sorted rows, so that no level sorts again.
Now and then the rows are numbered anew, node by node: a node of a large table is then read from one place of
memory, and not from all over it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import stable_order
from insanonym_core.runtime.compiled import Arguments, Result, compiled
from insanonym_core.tabular import cut_kernels
from insanonym_core.tabular.hierarchies import HierarchyColumn
from insanonym_core.tabular.limits import CountedColumn, Limits
from insanonym_core.tabular.table import Column

MIDDLE = 0.25  # share of the rows that a cut must leave on both sides to be compared, if another is possible
MIN_NUMBERED_ROWS = 20_000  # a smaller table is near anyway, and so are the rows of smaller nodes
MIN_ROWS_OF_NODE = 1_000  # than this on average
NODES_BETWEEN = 8  # so many times more nodes than when rows were last numbered: numbered anew
MIN_COMPILED_STEPS = 30_000  # rows · attributes²; below, importing numba takes longer than it saves


class CutSearch:
    """The rows of a partition, level by level: `cut` parts all nodes of a level."""

    def __init__(self, columns: Sequence[Column], limits: Limits) -> None:
        self.codes = np.ascontiguousarray(np.stack([column.codes for column in columns], axis=1))
        self.sorted_rows = np.stack(
            [stable_order(column.codes + 1, len(column.values) + 1) for column in columns]
        )
        self.limits = limits
        self.start, self.end = np.zeros(1, dtype=np.int64), np.array([len(self.codes)])
        self._numbered = self.codes, np.arange(len(self.codes))  # by today's numbers: codes, first numbers
        self._nodes = 1
        self.score = np.empty(self.sorted_rows.shape)  # of the cuts of a level, by attribute and place
        self._losses = _loss_arrays(columns)
        self._counted = _count_arrays(limits.counted, len(self.codes))
        self._compiled = self.codes.size * len(columns) >= MIN_COMPILED_STEPS

    def rows_by_node(self) -> tuple[Ints, Ints]:
        """Return the rows of the nodes to cut next, by node, and their nodes."""
        sizes = self.end - self.start
        node = np.repeat(np.arange(len(sizes)), sizes)
        place = np.repeat(self.start - (np.cumsum(sizes) - sizes), sizes) + np.arange(len(node))
        return self._numbered[1][self.sorted_rows[0, place]], node

    def cut(self, order: Ints, compare: bool) -> tuple[Bools, Bools, Ints]:
        """Cut the nodes: which rows go right, which nodes are leaves, and the order of the attributes tried.

        The nodes that were cut are replaced by their two sides, in the order of the nodes. With `compare` the
        attributes whose cuts were all refused come first, then the others by what their cut loses.
        """
        nodes, rows = len(self.start), len(self.codes)
        is_large = rows >= max(MIN_NUMBERED_ROWS, nodes * MIN_ROWS_OF_NODE)
        if is_large and nodes >= NODES_BETWEEN * self._nodes:
            self._number_by_node()
        codes, first_numbers = self._numbered
        score, of_nodes = self.score, (codes, self.sorted_rows, self.start, self.end)
        k = self.limits.k
        if compare:
            self._kernel(cut_kernels.losses_of_cuts)(score, *of_nodes, k, MIDDLE, *self._losses)
        else:
            self._kernel(cut_kernels.distances_from_median)(score, *of_nodes, k)
        if self.limits.counted:
            find = self._kernel(cut_kernels.best_places_within)
            cuts = find(score, self.start, self.end, k, self.sorted_rows, *self._counted)
        else:
            cuts = self._kernel(cut_kernels.best_places)(score, self.start, self.end, k)
        if compare:
            attributes = np.arange(len(self.sorted_rows))
            loss = np.where(cuts < 0, np.inf, score[attributes, self.start[:, None] + np.maximum(cuts, 0)])
            order = np.argsort(np.where(cuts < 0, -1.0, loss), axis=1, kind="stable")
            chosen = loss.argmin(axis=1)
        else:
            by_order = np.take_along_axis(cuts, order, axis=1) >= 0
            chosen = order[np.arange(len(order)), by_order.argmax(axis=1)]
        left = cuts[np.arange(len(cuts)), chosen]
        leaf = left < 0
        right = np.empty(len(codes), dtype=np.bool_)
        right[first_numbers] = self._kernel(cut_kernels.part_rows)(
            self.sorted_rows, self.start, self.end, np.where(leaf, -1, chosen), left
        )
        middle = self.start + left
        starts = np.stack([self.start, middle], axis=1)[~leaf].ravel()
        self.end = np.stack([middle, self.end], axis=1)[~leaf].ravel()
        self.start = starts
        return right, leaf, order

    def _number_by_node(self) -> None:
        """Number the rows anew, in the order of the nodes."""
        order = self.sorted_rows[0].copy()
        new_number = np.empty_like(order)
        new_number[order] = np.arange(len(order))
        for attribute, rows in enumerate(self.sorted_rows):
            self.sorted_rows[attribute] = new_number[rows]
        codes, first_numbers = self._numbered
        self._numbered = codes[order], first_numbers[order]
        counted, *limits = self._counted
        self._counted = np.ascontiguousarray(counted[:, order]), *limits
        self._nodes = len(self.start)

    def _kernel(self, work: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        """Return the compiled function where that is worth the import of numba, otherwise the plain one."""
        if self._compiled:
            try:
                return _compiled(work)
            except (ImportError, OSError):  # no numba for this Python
                self._compiled = False
        return work


@cache
def _compiled(work: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    return compiled(work)


def _loss_arrays(columns: Sequence[Column]) -> tuple[Any, ...]:  # Any: arrays of several types
    """Return what the kernel computes losses from, as `GeneralisedColumn.loss` does."""
    form, scale, steps, numbers = [], [], [], []
    tree_start: list[int] = []
    tree_nodes: list[Ints] = [np.zeros(0, dtype=np.int64)]
    tree_losses: list[Floats] = [np.zeros(0)]
    for column in columns:
        values, tree = column.numbers(), isinstance(column, HierarchyColumn)
        is_category = column.kind == "category"
        width = float(values[-1] - values[0]) if len(values) > 1 else 0.0
        each = 1 / max(column.domain - 1, 1) if is_category else 0.0
        scale.append(each)
        steps.append(len(values) if column.has_missing and not is_category else 0)
        numbers.append(values * each if is_category else values / width if width > 0 else values * 0.0)
        tree_start.append(sum(map(len, tree_nodes)))
        form.append(cut_kernels.NUMBER if tree or not is_category else cut_kernels.SET)
        if isinstance(column, HierarchyColumn) and column.nodes:
            form[-1] = cut_kernels.TREE
            for nodes in column.nodes:
                tree_nodes.append(nodes)
                first, last = (np.searchsorted(nodes, nodes, side) for side in ("left", "right"))
                tree_losses.append(numbers[-1][last - 1] - numbers[-1][first])
    offset = np.cumsum([0, *(len(values) for values in numbers)])
    return (
        np.array(form), offset, np.concatenate(numbers).astype(np.float64), np.array(scale, dtype=np.float64),
        np.array(steps, dtype=np.float64), np.array(tree_start, dtype=np.int64),
        np.concatenate(tree_nodes).astype(np.int64), np.concatenate(tree_losses),
    )  # fmt: skip


def _count_arrays(counted: Sequence[CountedColumn], rows: int) -> tuple[Any, ...]:  # Any: as above
    """Return the limits of the counted columns, and the shares of their values in the table."""
    codes = np.zeros((len(counted), rows), dtype=np.int64)
    for place, column in enumerate(counted):
        codes[place] = column.codes
    offset = np.cumsum([0, *(column.values for column in counted)])
    shares = [column.shares() for column in counted]
    nothing = np.zeros(0)
    cumulated = [np.cumsum(share) for share in shares]
    return (
        codes,
        offset.astype(np.int64),
        np.array([int(np.ceil(column.distinct)) for column in counted], dtype=np.int64),
        np.log(np.array([column.entropy for column in counted], dtype=np.float64)),
        np.array([column.max_t for column in counted], dtype=np.float64),
        np.array([column.ordered for column in counted], dtype=bool),
        np.concatenate([nothing, *shares]),
        np.concatenate([nothing, *cumulated]),
        np.concatenate([nothing, *(np.concatenate(([0.0], np.cumsum(running))) for running in cumulated)]),
    )
