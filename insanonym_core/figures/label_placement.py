"""Names beside points: where there is room for them, and nowhere else."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from insanonym_core.figures.theme import SMALL

Point = TypeVar("Point", bound=Hashable)
Box = tuple[float, float, float, float]
Line = tuple[tuple[float, float], tuple[float, float]]

LEADER = 0.8  # how much of the way up a line leads

_LINE = SMALL * 1.5
_DOT = 6.0
_AROUND = [(side, rise) for rise in (12, -12, 0, 28, -28, 46, -46, 64, -64, 82, -82) for side in (1, -1)]
_GAP, _NEAR = 12.0, 14.0


def beside(
    spots: Mapping[Point, tuple[float, float]],
    wanted: Mapping[Point, float],
    rings: Mapping[Point, float],
    plot: tuple[float, float],
    kept_free: Sequence[Box] = (),
) -> dict[Point, tuple[float, float]]:
    """How far right and up of its point each `wanted` name (its width in pixels) begins.

    The first ones choose first; a name that would lie over a point, over another name, over a line that leads
    to one, over what is kept free or outside the plot is left out. A point with a ring keeps its name further
    away.
    """
    dots = {point: _around(spots[point], _DOT + rings.get(point, 0.0)) for point in spots}
    names: list[Box] = list(kept_free)
    leaders: list[Line] = []
    found: dict[Point, tuple[float, float]] = {}
    for point, long in wanted.items():
        x, y = spots[point]
        others = [dot for other, dot in dots.items() if spots[other] != (x, y)]
        for side, rise in _AROUND:
            shift = side * (_GAP + rings.get(point, 0.0))
            left = x + shift if side > 0 else x + shift - long
            box = (left, y + rise - _LINE / 2, left + long, y + rise + _LINE / 2)
            inside = box[0] >= 0 and box[1] >= 0 and box[2] <= plot[0] and box[3] <= plot[1]
            leader = ((x, y), (x + shift, y + rise * LEADER)) if needs_leader(rise) else None
            under = names if point in rings else [*names, *others]  # the suggested one is named at any rate
            if (
                inside
                and not any(_touch(box, other) for other in [*names, *dots.values()])
                and not any(_crosses(line, box) for line in leaders)
                and not (leader and any(_crosses(leader, other) for other in under))
            ):
                names.append(box)
                leaders += [leader] if leader else []
                found[point] = (shift, rise)
                break
    return found


def needs_leader(rise: float) -> bool:
    """Whether a name stands so far from its point that a line has to lead there."""
    return abs(rise) > _NEAR


def _around(spot: tuple[float, float], far: float) -> Box:
    x, y = spot
    return x - far, y - far, x + far, y + far


def _crosses(line: Line, box: Box) -> bool:
    """Whether a line runs through a box: what is left of it between the box's sides, one after the other."""
    (x0, y0), (x1, y1) = line
    start, end = 0.0, 1.0
    for place, way, low, high in ((x0, x1 - x0, box[0], box[2]), (y0, y1 - y0, box[1], box[3])):
        if way == 0:
            if not low < place < high:
                return False
            continue
        one, other = sorted(((low - place) / way, (high - place) / way))
        start, end = max(start, one), min(end, other)
    return start < end


def _touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
