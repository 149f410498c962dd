"""Place labels beside points without overlaps."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from insanonym_core.figures.theme import SMALL

Point = TypeVar("Point", bound=Hashable)
Box = tuple[float, float, float, float]
Line = tuple[tuple[float, float], tuple[float, float]]

LEADER_SHARE = 0.8  # share of the vertical offset that a leader line covers

_LINE_HEIGHT = SMALL * 1.5
_DOT_RADIUS = 6.0
_CANDIDATE_OFFSETS = [
    (side, rise) for rise in (12, -12, 0, 28, -28, 46, -46, 64, -64, 82, -82) for side in (1, -1)
]
_LABEL_GAP, _MAX_RISE_WITHOUT_LEADER = 12.0, 14.0


def place_labels(
    positions: Mapping[Point, tuple[float, float]],
    label_widths: Mapping[Point, float],
    ring_radii: Mapping[Point, float],
    plot_size: tuple[float, float],
    reserved: Sequence[Box] = (),
) -> dict[Point, tuple[float, float]]:
    """Offset in pixels (right, up) of each label from its point; labels without a free place are left out.

    `label_widths` gives the width of each label in pixels, in order of priority. A label must not overlap a
    point, another label, a leader line or a `reserved` box, and must lie inside the plot. Labels of points in
    `ring_radii` are placed further away.
    """
    dots = {
        point: _square_around(positions[point], _DOT_RADIUS + ring_radii.get(point, 0.0))
        for point in positions
    }
    boxes: list[Box] = list(reserved)
    leaders: list[Line] = []
    offsets: dict[Point, tuple[float, float]] = {}
    for point, label_width in label_widths.items():
        x, y = positions[point]
        others = [dot for other, dot in dots.items() if positions[other] != (x, y)]
        for side, rise in _CANDIDATE_OFFSETS:
            shift = side * (_LABEL_GAP + ring_radii.get(point, 0.0))
            left = x + shift if side > 0 else x + shift - label_width
            box = (left, y + rise - _LINE_HEIGHT / 2, left + label_width, y + rise + _LINE_HEIGHT / 2)
            inside = box[0] >= 0 and box[1] >= 0 and box[2] <= plot_size[0] and box[3] <= plot_size[1]
            leader = ((x, y), (x + shift, y + rise * LEADER_SHARE)) if needs_leader(rise) else None
            obstacles = (
                boxes if point in ring_radii else [*boxes, *others]
            )  # the leader of a ringed point may cross other points
            if (
                inside
                and not any(_overlap(box, other) for other in [*boxes, *dots.values()])
                and not any(_crosses(line, box) for line in leaders)
                and not (leader and any(_crosses(leader, other) for other in obstacles))
            ):
                boxes.append(box)
                leaders += [leader] if leader else []
                offsets[point] = (shift, rise)
                break
    return offsets


def needs_leader(rise: float) -> bool:
    """Whether a label is so far from its point that a leader line is needed."""
    return abs(rise) > _MAX_RISE_WITHOUT_LEADER


def _square_around(position: tuple[float, float], half_side: float) -> Box:
    x, y = position
    return x - half_side, y - half_side, x + half_side, y + half_side


def _crosses(line: Line, box: Box) -> bool:
    """Whether a line segment crosses a box: clip it against each pair of sides."""
    (x0, y0), (x1, y1) = line
    start, end = 0.0, 1.0
    for origin, step, low, high in ((x0, x1 - x0, box[0], box[2]), (y0, y1 - y0, box[1], box[3])):
        if step == 0:
            if not low < origin < high:
                return False
            continue
        entry, leave = sorted(((low - origin) / step, (high - origin) / step))
        start, end = max(start, entry), min(end, leave)
    return start < end


def _overlap(first: Box, second: Box) -> bool:
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]
