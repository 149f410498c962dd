"""Evidence of scores that are sums over rows: the kept rows with the fewest points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

import numpy as np

from insanonym_core.mobility.pair import Pair
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.results.scores import Table, Values

MAX_LISTED_ROWS = 100
MAX_ROWS = 500_000  # above, finding single rows takes longer than the score


def costliest_rows(pair: Pair, points_of_rows: Callable[[], Floats]) -> tuple[Table, ...]:
    """The kept rows with the fewest points (counted from 1), worst first; none when nothing was lost."""
    if pair.rows > MAX_ROWS:
        return ()
    return (Table("Rows that cost most", _LazyColumns(pair, points_of_rows), shows_individuals=True),)


class _LazyColumns(Mapping[str, Values]):
    """Columns computed on first access: a slider that never shows them is a tenth faster."""

    def __init__(self, pair: Pair, points_of_rows: Callable[[], Floats]) -> None:
        self._pair, self._points_of_rows = pair, points_of_rows

    @cached_property
    def _columns(self) -> dict[str, Values]:
        points = self._points_of_rows()
        self._points_of_rows = lambda: np.zeros(0)  # free the points of all rows
        listed = min(MAX_LISTED_ROWS, len(points))
        worst: Ints = np.argpartition(points, listed - 1)[:listed] if listed else np.zeros(0, dtype=np.int64)
        worst = worst[np.lexsort((worst, points[worst]))]
        worst = worst[points[worst] < 1]
        rows = np.arange(self._pair.rows)[self._pair.kept_rows][worst] + 1
        return {"row": rows, "points": points[worst]}

    def __getitem__(self, name: str) -> Values:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __reduce__(self) -> tuple[object, ...]:
        return dict, (self._columns,)  # pickle as a plain dict of the columns
