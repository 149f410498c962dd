"""Names beside points: where there is room for them, and nowhere else."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from insanonym_core.figures.theme import SMALL

Point = TypeVar("Point", bound=Hashable)
Box = tuple[float, float, float, float]

_LINE = SMALL * 1.5
_DOT = 6.0
_AROUND = [(side, rise) for rise in (12, -12, 0, 28, -28, 46, -46, 64, -64, 82, -82) for side in (1, -1)]
_GAP = 12.0


def beside(
    spots: Mapping[Point, tuple[float, float]],
    wanted: Mapping[Point, float],
    rings: Mapping[Point, float],
    plot: tuple[float, float],
) -> dict[Point, tuple[float, float]]:
    """How far right and up of its point each `wanted` name (its width in pixels) begins.

    The first ones choose first; a name that would lie over a point, over another name or outside the plot
    is left out. A point with a ring keeps its name further away.
    """
    taken: list[Box] = [(x - _DOT, y - _DOT, x + _DOT, y + _DOT) for x, y in spots.values()]
    found: dict[Point, tuple[float, float]] = {}
    for point, long in wanted.items():
        x, y = spots[point]
        for side, rise in _AROUND:
            shift = side * (_GAP + rings.get(point, 0.0))
            left = x + shift if side > 0 else x + shift - long
            box = (left, y + rise - _LINE / 2, left + long, y + rise + _LINE / 2)
            inside = box[0] >= 0 and box[1] >= 0 and box[2] <= plot[0] and box[3] <= plot[1]
            if inside and not any(_touch(box, other) for other in taken):
                taken.append(box)
                found[point] = (shift, rise)
                break
    return found


def _touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
