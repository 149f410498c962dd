"""Hierarchies of values: what a value may be published as instead, level by level.

A hierarchy is read from lines `value;level1;level2` (ARX's format), or built in: dates by month, quarter and
year, numbers by round steps, categories by a given order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pandas as pd

from insanonym_core.errors import UsageError, brief
from insanonym_core.numeric.arrays import Ints
from insanonym_core.parameters import lines_by_column
from insanonym_core.tabular.table import MISSING, Column, Table

ROOT = "*"
DATES, ORDER, MARK = "date", "<", ";"
_MAX_LEVELS, _EXAMPLE = 20, "value;level1;level2"


@dataclass(frozen=True, eq=False)
class HierarchyColumn(Column):
    """A column whose values are ordered so that those under a node are next to each other.

    `original` is the column as it is, `back` the code there of each code here. `nodes[level]` numbers the
    node of each value on a level, from the values themselves to the root, and `names[level]` are what the
    nodes are called. Without levels, any range of the order may be published.
    """

    original: Column = field(kw_only=True)
    back: Ints = field(kw_only=True)
    nodes: tuple[Ints, ...] = field(kw_only=True)
    names: tuple[tuple[str, ...], ...] = field(kw_only=True)

    def common_ancestors(self, low: Ints, high: Ints) -> tuple[Ints, Ints]:
        """Return the level and the number of the lowest node above each pair of codes."""
        level = np.zeros(len(low), dtype=np.int64)
        node = self.nodes[0][low] if len(self.nodes) else low
        apart = np.ones(len(low), dtype=bool)
        for place, nodes in enumerate(self.nodes):
            level[apart], node[apart] = place, nodes[low][apart]
            apart &= nodes[low] != nodes[high]
        return level, node

    def spans(self, low: Ints, high: Ints) -> tuple[Ints, Ints, list[str]]:
        """Return the first and last code of what is published for codes low … high, and its text."""
        if not self.nodes:
            texts = self.texts()
            ends = zip(low.tolist(), high.tolist(), strict=True)
            return low, high, [texts[a] if a == b else f"[{texts[a]}, {texts[b]}]" for a, b in ends]
        level, node = self.common_ancestors(low, high)
        first, last = low.copy(), high.copy()
        for place, nodes in enumerate(self.nodes):
            here = level == place
            # Nodes of a level are numbered in the order of the codes, without gaps.
            first[here] = np.searchsorted(nodes, node[here], "left")
            last[here] = np.searchsorted(nodes, node[here], "right") - 1
        pairs = zip(level.tolist(), node.tolist(), strict=True)
        return first, last, [self.names[place][number] for place, number in pairs]


def with_hierarchies(table: Table, names: Sequence[str], text: str) -> list[Column]:
    """Return the columns; those that a line of the text names, with their hierarchy."""
    said = lines_by_column(text)
    for name in said:
        if name not in names:
            raise UsageError(
                "A hierarchy is named for {name}, which is not among the columns to cut: {columns}.",
                name=brief(name),
                columns=", ".join(names),
            )
    return [
        hierarchy_of(table[name], said[name]) if name in said and len(table[name].values) else table[name]
        for name in names
    ]


def hierarchy_of(column: Column, lines: Sequence[str]) -> HierarchyColumn:
    """Read the hierarchy of a column: `date`, steps of numbers, an order of values, or ARX's lines."""
    first = lines[0]
    if any(MARK in line for line in lines):
        return _from_rows(column, [[part.strip() for part in line.split(MARK)] for line in lines])
    if len(lines) > 1:
        raise UsageError(
            "The hierarchy of {name} needs one line, or lines of values with their levels ({example}).",
            name=brief(column.name),
            example=_EXAMPLE,
        )
    if first == DATES:
        return _from_levels(column, _date_levels(column))
    if ORDER in first:
        return _from_order(column, [part.strip() for part in first.split(ORDER)])
    return _from_levels(column, _step_levels(column, first))


def _date_levels(column: Column) -> Iterator[Sequence[str]]:
    """Yield the names of the nodes above each date: day (of times), month, quarter, year."""
    if column.kind != "date":
        raise UsageError(
            "The hierarchy 'date' of {name} needs a column of dates: give another.", name=brief(column.name)
        )
    stamps = pd.DatetimeIndex(column.values)
    if (stamps != stamps.normalize()).any():
        yield stamps.strftime("%Y-%m-%d").tolist()
    yield stamps.strftime("%Y-%m").tolist()
    yield [f"{year:04}-Q{quarter}" for year, quarter in zip(stamps.year, stamps.quarter, strict=True)]
    yield stamps.strftime("%Y").tolist()


def _step_levels(column: Column, said: str) -> Iterator[Sequence[str]]:
    """Yield the names of the nodes above each number: the intervals [a, b) of each step."""
    try:
        steps = [float(part) for part in said.split(",")]
    except ValueError:
        steps = []
    growing = all(
        0 < small < large < np.inf and abs(large / small - round(large / small)) < 1e-9
        for small, large in pairwise(steps)
    )
    if not steps or not growing or not 0 < steps[0] < np.inf or column.kind != "number":
        raise UsageError(
            "The hierarchy of {name} must be 'date', values in order (low < mid < high), lines of values "
            "with their levels ({example}), or for a column of numbers growing steps, each a multiple of the "
            "one before (5, 10, 50).",
            name=brief(column.name),
            example=_EXAMPLE,
        )
    for step in steps:
        first = np.floor(column.numbers() / step + 1e-9) * step
        yield [f"[{number:.10g}, {number + step:.10g})" for number in first.tolist()]


def _from_levels(column: Column, levels: Iterator[Sequence[str]]) -> HierarchyColumn:
    """Make a hierarchy from the names of the nodes above each value; equal names stand next to each other."""
    every = [column.texts(), *levels, [ROOT] * len(column.values)]
    nodes, names = [], []
    for labels in every:
        new = np.array([True, *(a != b for a, b in pairwise(labels))])
        nodes.append(np.cumsum(new) - 1)
        names.append(tuple(label for label, starts in zip(labels, new.tolist(), strict=True) if starts))
    return _reordered(column, np.arange(len(column.values)), tuple(nodes), tuple(names))


def _reordered(
    column: Column, back: Ints, nodes: tuple[Ints, ...], names: tuple[tuple[str, ...], ...]
) -> HierarchyColumn:
    """Return the column with its values in the order of the codes `back`."""
    here = np.empty(len(back) + 1, dtype=np.int64)
    here[back], here[-1] = np.arange(len(back)), MISSING  # index -1 (MISSING) selects the last entry
    codes = here[column.codes].astype(np.int32)
    return HierarchyColumn(
        column.name,
        column.kind,
        column.values[back],
        codes,
        original=column,
        back=back,
        nodes=nodes,
        names=names,
    )


def _from_order(column: Column, order: Sequence[str]) -> HierarchyColumn:
    """Make a column whose values are cut, and published as ranges, in a given order."""
    place = {text: number for number, text in enumerate(order)}
    _refuse_missing(column, place)
    if len(place) < len(order):
        raise UsageError("The order of {name} names a value twice: leave one out.", name=brief(column.name))
    if column.kind != "category":
        raise UsageError(
            "The column {name} has an order of its own: an order is given for texts.", name=brief(column.name)
        )
    back = np.argsort([place[text] for text in column.texts()], kind="stable")
    return _reordered(column, back, (), ())


def _refuse_missing(column: Column, known: dict[str, int]) -> None:
    """Refuse a hierarchy that leaves out values of the column; they are counted, not named."""
    absent = sum(text not in known for text in column.texts())
    if absent:
        raise UsageError(
            "The hierarchy of {name} leaves out {count:,} of its {values:,} values: add them.",
            name=brief(column.name),
            count=absent,
            values=len(column.values),
        )


def _from_rows(column: Column, rows: list[list[str]]) -> HierarchyColumn:
    """Make a hierarchy from lines of a value and the nodes above it."""
    name, width = brief(column.name), len(rows[0])
    line_of: dict[str, int] = {}
    parents: dict[tuple[int, str], str] = {}
    first_line: dict[tuple[int, str], int] = {}
    for number, row in enumerate(rows):
        if len(row) != width or not 2 <= width <= _MAX_LEVELS:
            raise UsageError(
                "Line {line} of the hierarchy of {name} has {found} parts, and the first line {first}: give "
                "a value and as many levels in each (at most {most}).",
                line=number + 1,
                name=name,
                found=len(row),
                first=width,
                most=_MAX_LEVELS - 1,
            )
        if line_of.setdefault(row[0], number) != number:
            raise UsageError(
                "Line {line} of the hierarchy of {name} repeats a value: leave one out.",
                line=number + 1,
                name=name,
            )
        for level in range(1, width):
            first_line.setdefault((level, row[level]), number)
            above = row[level + 1] if level + 1 < width else ROOT
            if parents.setdefault((level, row[level]), above) != above:
                raise UsageError(
                    "Line {line} of the hierarchy of {name} puts a node of level {level} below another node "
                    "than an earlier line: give each node one above it.",
                    line=number + 1,
                    name=name,
                    level=level,
                )
    _refuse_missing(column, line_of)
    texts = column.texts()

    def place_of(code: int) -> tuple[int, ...]:
        """Where a value stands: by its node on the highest level first; numbers and dates stay in order."""
        if column.kind != "category":
            return (code,)
        row = rows[line_of[texts[code]]]
        return *(first_line[level, row[level]] for level in range(width - 1, 0, -1)), line_of[row[0]]

    back = np.array(sorted(range(len(texts)), key=place_of), dtype=np.int64)
    levels = [[rows[line_of[texts[code]]][level] for code in back.tolist()] for level in range(width)]
    if len(set(levels[-1])) > 1:
        levels.append([ROOT] * len(texts))
    nodes, names = [], []
    for labels in levels:
        number_of: dict[str, int] = {}
        nodes.append(np.array([number_of.setdefault(label, len(number_of)) for label in labels]))
        names.append(tuple(number_of))
    if any((np.diff(numbers) < 0).any() for numbers in nodes):
        raise UsageError(
            "The hierarchy of {name} puts numbers or dates under one node that are not next to each other.",
            name=name,
        )
    return _reordered(column, back, tuple(nodes), tuple(names))
