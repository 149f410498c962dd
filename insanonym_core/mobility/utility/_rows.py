"""Evidence of the scores that are sums over rows: which kept rows cost most."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.mobility.pair import Pair
from insanonym_core.scores import Table

SHOWN = 100
LARGEST = 500_000  # beyond that, picking single rows costs more than the score itself


def costliest_rows(pair: Pair, points_of_rows: Callable[[], Floats]) -> tuple[Table, ...]:
    """The kept rows with the fewest points (counted from 1), worst first; none when nothing was lost."""
    if pair.rows > LARGEST:
        return ()
    points = points_of_rows()
    some = min(SHOWN, len(points))
    worst: Ints = np.argpartition(points, some - 1)[:some] if some else np.zeros(0, dtype=np.int64)
    worst = worst[np.lexsort((worst, points[worst]))]
    worst = worst[points[worst] < 1]
    rows = np.arange(pair.rows)[pair.kept_rows][worst] + 1
    return (Table("Rows that cost most", {"row": rows, "points": points[worst]}, individual=True),)
