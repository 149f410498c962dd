"""Which row of a member carries which row of the common week."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from insanonym_core.mobility.common_week.rows import Rows, points
from insanonym_core.numeric.arrays import Ints

MAX_TABLE = 384 * 384  # rows × points of one matching; above, both are cut into pieces


def carriers(rows: Rows, member: int, common: Ints) -> Ints:
    """For each row of the common week the member's row that carries it: the best one-to-one matching."""
    from scipy.optimize import linear_sum_assignment

    own = np.arange(*rows.of(member).indices(len(rows)))
    carrier = np.empty(len(common), dtype=np.int64)
    for mine, theirs in _pieces(len(own), len(common)):
        here, there = own[mine, None], common[None, theirs]
        score = points(
            rows.day[here],
            rows.hour[here],
            rows.place[here],
            rows.day[there],
            rows.hour[there],
            rows.place[there],
        )
        row, point = linear_sum_assignment(score, maximize=True)
        carrier[theirs][point] = own[mine][row]
    return carrier


def _pieces(rows: int, wanted: int) -> Iterator[tuple[slice, slice]]:
    """Slices of a member's rows and of the common week, both sorted by time, that are matched together."""
    number = 1
    while -(-rows // number) * -(-wanted // number) > MAX_TABLE:
        number += 1
    for piece in range(number):
        yield (
            slice(rows * piece // number, rows * (piece + 1) // number),
            slice(wanted * piece // number, wanted * (piece + 1) // number),
        )
