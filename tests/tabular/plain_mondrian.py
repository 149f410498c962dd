"""Mondrian written plainly, row by row, to compare the fast one with: no numpy, no sorting tricks.

Every cut of a node is tried in turn, attribute by attribute, and its sides are looked at as lists of rows.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from insanonym_core.tabular.table import Table

Rows = list[int]


@dataclass
class PlainMondrian:
    """A table as lists of codes; `extra` are further tests that each side of a cut must pass."""

    table: Table
    names: Sequence[str]
    k: int
    extra: Sequence[Callable[[Rows], bool]] = ()
    groups: list[Rows] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.codes = {name: self.table[name].codes.tolist() for name in self.names}

    def run(self) -> list[Rows]:
        """The groups of rows."""
        waiting = [list(range(self.table.rows))]
        while waiting:
            rows = waiting.pop()
            cuts = [cut for name in self.names for cut in self.cuts(name, rows)]
            if cuts:
                waiting += min(cuts, key=lambda sides: sum(map(self.loss, sides)))
            else:
                self.groups.append(rows)
        return self.groups

    def cuts(self, name: str, rows: Rows) -> list[tuple[Rows, Rows]]:
        """The allowed cuts with a quarter of the rows on both sides, and the one nearest the median."""
        code = self.codes[name]
        count = Counter(code[row] for row in rows)
        found, left = [], 0
        for value in sorted(count)[:-1]:
            left += count[value]
            if min(left, len(rows) - left) >= self.k:
                found.append((abs(2 * left - len(rows)), left, value))
        cuts = []
        for _, left, value in sorted(found, key=lambda one: one[1]):
            if (left, value) != min(found)[1:] and 4 * min(left, len(rows) - left) < len(rows):
                continue
            sides = [row for row in rows if code[row] <= value], [row for row in rows if code[row] > value]
            if all(test(side) for side in sides for test in self.extra):
                cuts.append(sides)
        return cuts

    def loss(self, rows: Rows) -> float:
        """NCP of a group, summed over its rows and the attributes, from the definition in docs/tables.md."""
        total = 0.0
        for name in self.names:
            column, found = self.table[name], {self.codes[name][row] for row in rows}
            if column.kind == "category":
                total += (len(found) - 1) * (1 / max(column.domain - 1, 1))
                continue
            numbers = column.numbers()
            width, present = 0.0, [value for value in found if value >= 0]
            if present and len(numbers) > 1:
                whole = numbers[-1] - numbers[0]
                width = numbers[max(present)] / whole - numbers[min(present)] / whole
            if column.has_missing and len(numbers):
                width = (width * (len(numbers) - 1) + bool(present and -1 in found)) / len(numbers)
            total += width
        return total * len(rows)

    def ncp(self) -> float:
        return sum(map(self.loss, self.groups)) / self.table.rows / len(self.names)


def at_least(codes: Sequence[int], number: int) -> Callable[[Rows], bool]:
    """So many different values."""
    return lambda rows: len({codes[row] for row in rows}) >= number


def as_mixed_as(codes: Sequence[int], l: float) -> Callable[[Rows], bool]:  # noqa: E741
    """exp(entropy) of at least l."""

    def test(rows: Rows) -> bool:
        shares = [count / len(rows) for count in Counter(codes[row] for row in rows).values()]
        return math.exp(-sum(share * math.log(share) for share in shares)) >= l - 1e-9

    return test


def near_the_table(codes: Sequence[int], t: float, ordered: bool) -> Callable[[Rows], bool]:
    """A distance of at most t between the values of a group and those of the table."""
    overall = Counter(codes)
    values = sorted(overall)

    def test(rows: Rows) -> bool:
        count = Counter(codes[row] for row in rows)
        gaps = [count[value] / len(rows) - overall[value] / len(codes) for value in values]
        if not ordered:
            return sum(max(gap, 0) for gap in gaps) <= t + 1e-9
        running, moved = 0.0, 0.0
        for gap in gaps:
            running += gap
            moved += abs(running)
        return moved / max(len(values) - 1, 1) <= t + 1e-9

    return test
