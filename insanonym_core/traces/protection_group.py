"""One plain trace in all published tables: its counts, and the cheapest steps that protect them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from insanonym_core.traces.linked import NO_LIMIT

_OPEN = (-NO_LIMIT, NO_LIMIT)
_MAX_PAIRED = 12  # counts of a group of which pairs are tried


def bounds(count: int, level: int, threshold: int) -> tuple[int, int]:
    """Return the range that a count is published as; level 0 is the count itself, or the mask."""
    if level == 0 and count >= threshold:
        return count, count
    base = threshold << max(0, level - 1)
    low = count // base * base
    return max(1, low), low + base - 1


class Cell:
    """A count of a table (0: without the prefix), its step of the ladder and its range there."""

    def __init__(self, table: int, row: int, count: int, threshold: int) -> None:
        self.table, self.row, self.count, self.threshold = table, row, count, threshold
        self.lowest = int(count < threshold)  # a small count looks the same on its first two steps
        self.put(self.lowest)

    def put(self, level: int) -> None:
        """Publish the count on a step of the ladder."""
        self.level = level
        self.low, self.high = bounds(self.count, level, self.threshold)

    @property
    def price(self) -> int:
        """Individuals × steps above what the threshold alone asks for."""
        return self.count * (self.level - self.lowest)

    @property
    def looks_masked(self) -> bool:
        """Whether a reader cannot tell it from a small count."""
        return self.low < self.threshold


class Group:
    """The counts of a plain trace in all tables that are published together."""

    def __init__(self, cells: list[Cell], tables: int) -> None:
        self.cells = cells
        self.of_table = [[cell for cell in cells if cell.table == table] for table in range(1, tables + 1)]
        self.plain = next((cell for cell in cells if cell.table == 0), None)

    def levels(self) -> list[int]:
        """The steps of all counts."""
        return [cell.level for cell in self.cells]

    def set(self, levels: Iterable[int]) -> None:
        """Put all counts on these steps."""
        for cell, level in zip(self.cells, levels, strict=True):
            if cell.level != level:
                cell.put(level)

    def price(self) -> int:
        """The price of all steps."""
        return sum(cell.price for cell in self.cells)

    def masks(self) -> bool:
        """Whether a count looks masked."""
        return any(cell.looks_masked for cell in self.cells)

    def span(self) -> tuple[int, int]:
        """The range of the plain count, from this group alone."""
        low, high = (1, NO_LIMIT) if self.plain is None else (self.plain.low, self.plain.high)
        for part in self.of_table:
            low, high = max(low, sum(cell.low for cell in part)), min(high, sum(cell.high for cell in part))
        return low, high

    def missing(self, values: int, outside: tuple[int, int] = _OPEN) -> int:
        """How many values masked counts lack in all; `outside`: what else is known of the plain count."""
        low, high = self.span()
        low, high = max(low, outside[0]), min(high, outside[1])
        lacking = 0
        if self.plain is not None and self.plain.looks_masked:
            lacking += max(0, values - 1 - (high - low))
        for part in self.of_table:
            all_low, all_high = sum(cell.low for cell in part), sum(cell.high for cell in part)
            for cell in part:
                if cell.looks_masked:
                    least = max(cell.low, low - (all_high - cell.high))
                    most = min(cell.high, high - (all_low - cell.low))
                    lacking += max(0, values - 1 - (most - least))
        return lacking

    def protect(self, values: int, top: int) -> None:
        """Raise counts until no masked one lacks values, for a small price."""
        if not self.missing(values):
            return
        people = sum(cell.count for cell in self.cells)
        enough = max(people, values * len(self.cells)) // self.cells[0].threshold
        top = min(top, enough.bit_length() + 2)
        start = self.levels()
        self._climb(values, top)
        self.descend(values)
        found, price = self.levels(), self.price()
        self.set([max(level, 1) for level in start])
        while self.missing(values) and min(self.levels()) < top:
            self.set(min(top, level + 1) for level in self.levels())
        self.descend(values)
        if self.missing(values) or self.price() > price:
            self.set(found)

    def _climb(self, values: int, top: int) -> None:
        """Take the steps that gain the most values for their price, until none are lacking."""
        while self.missing(values) and min(self.levels()) < top:
            now = self.levels()
            best = self._best(self._single_moves(top), values) or self._best(self._pairs(top), values)
            self.set(best or [min(top, level + 1) for level in now])

    def _best(self, moves: Iterable[list[int]], values: int) -> list[int] | None:
        """The steps that gain the most values for their price; None if none gains any."""
        before, price, lacking = self.levels(), self.price(), self.missing(values)
        best: tuple[float, list[int]] | None = None
        for levels in moves:
            self.set(levels)
            gain = lacking - self.missing(values)
            rate = gain / max(1, self.price() - price)
            if gain > 0 and (best is None or rate > best[0]):
                best = rate, levels
        self.set(before)
        return None if best is None else best[1]

    def _single_moves(self, top: int) -> Iterator[list[int]]:
        """Each count raised alone, to every higher step."""
        now = self.levels()
        for place, level in enumerate(now):
            for higher in range(level + 1, top + 1):
                yield [*now[:place], higher, *now[place + 1 :]]

    def _pairs(self, top: int) -> Iterator[list[int]]:
        """Pairs of the cheapest counts raised to the same step."""
        now = self.levels()
        cheap = sorted(range(len(now)), key=lambda place: self.cells[place].count)[:_MAX_PAIRED]
        for pair in combinations(cheap, 2):
            for higher in range(1 + min(now[place] for place in pair), top + 1):
                yield [max(level, higher) if place in pair else level for place, level in enumerate(now)]

    def descend(self, values: int, is_enough: Callable[[], bool] = lambda: True) -> None:
        """Take back steps that are not needed, the most expensive counts first."""
        for cell in sorted(self.cells, key=lambda cell: -cell.count):
            while cell.level > cell.lowest:
                cell.put(cell.level - 1)
                if self.missing(values) or not is_enough():
                    cell.put(cell.level + 1)
                    break

    def widened(self, values: int, top: int) -> Iterator[list[int]]:
        """Steps after which the plain count has a wider range, and which still protect the group."""
        before, (low, high) = self.levels(), self.span()
        cheapest = [min(part, key=lambda cell: (cell.level, cell.count)) for part in self.of_table]
        plain = [] if self.plain is None else [self.plain]
        for chosen in ([*plain], [*cheapest], [*plain, *cheapest]):
            for higher in range(min((cell.level for cell in chosen), default=top) + 1, top + 1):
                for cell in chosen:
                    cell.put(max(cell.level, higher))
                new_low, new_high = self.span()
                if new_high - new_low > high - low:
                    self.protect(values, top)
                    found = self.levels()
                    self.set(before)
                    yield found
                self.set(before)

    def price_of_room(self) -> int:
        """About what a wider range of the plain count costs: one step of each table's cheapest count."""
        parts = [min(cell.count for cell in part) for part in self.of_table]
        return sum(parts) + (self.plain.count if self.plain is not None else 0)

    def room_left(self, top: int, *, below: bool) -> int:
        """How much wider the range of the plain count can still become, downwards or upwards."""
        if below:
            return self.span()[0] - max(1, *map(len, self.of_table), 1)
        return sum(max(0, top - cell.level) for cell in self.cells)
