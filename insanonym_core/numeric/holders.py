"""How many people hold a value, and histograms whose ends and bins are nobody's.

People are told apart by one or several columns of codes (`people`); without any, each row is a person. Where
several columns could tell them apart, the one with the fewest people counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import count_pairs

MIN_HOLDERS = 5
_COUNTED = 10**9


def min_holders(*asked: int) -> int:
    """How many must hold a value, or stand in a cell, for it to be named in what is drawn of an original.

    As many as the recipe asks for, and never fewer than five. What fewer hold stands together as "other".
    """
    return max((MIN_HOLDERS, *asked))


def count_holders(group: Ints, groups: int, people: Sequence[Ints]) -> Ints:
    """How many different people stand in each group, by the column that tells the fewest apart."""
    counts = [np.bincount(group, minlength=groups)]
    for who in people:
        code = who + 1  # missing is a person of its own
        pairs = count_pairs(group, groups, code, int(code.max(initial=0)) + 1)
        counts.append(np.bincount(pairs.group, minlength=groups))
    return np.minimum.reduce(counts)


def common_range(values: Floats, people: Sequence[Ints], min_people: int) -> tuple[float, float] | None:
    """The range of the values without the extremes of fewer than `min_people`; None if there are too few."""
    order = np.argsort(values, kind="stable")
    low, high = _row_reaching(order, people, min_people), _row_reaching(order[::-1], people, min_people)
    if low is None or high is None or values[low] > values[high]:
        return None
    return float(values[low]), float(values[high])


def _row_reaching(order: Ints, people: Sequence[Ints], min_people: int) -> int | None:
    """The first row, in this order, by which `min_people` different people have occurred; None if never."""
    place = min_people - 1
    for who in people:
        first = np.sort(np.unique(who[order], return_index=True)[1])
        if len(first) < min_people:
            return None
        place = max(place, int(first[min_people - 1]))
    return int(order[place]) if place < len(order) else None


def round_edges(low: float, high: float, bins: int, *, whole: bool) -> Floats:
    """At most about so many bins of a round width (1, 2 or 5 times a power of ten) that hold both ends.

    The edges are round numbers and not somebody's values. Whole numbers stand in the middle of their bins.
    """
    if whole and max(abs(low), abs(high)) < _COUNTED:
        width = max(1.0, _round_width((high - low + 1) / bins))
        first, last = math.floor(low / width), math.floor(high / width)
        return width * np.arange(first, last + 2) - 0.5
    width = _round_width((high - low) / bins if high > low else max(1.0, abs(low) * 1e-9))
    first, last = math.floor(low / width), math.ceil(high / width)
    return np.unique(width * np.arange(first, max(last, first + 1) + 1))


def _round_width(min_width: float) -> float:
    power = 10.0 ** math.floor(math.log10(min_width))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= min_width * (1 - 1e-9))


def rare_bins(values: Floats, people: Sequence[Ints], edges: Floats, min_people: int) -> Bools:
    """Which bins hold values of fewer than `min_people` people."""
    place = bin_of(values, edges)
    inside = place >= 0
    kept = [who[inside] for who in people]
    return count_holders(place[inside], len(edges) - 1, kept) < min_people


def bin_of(values: Floats, edges: Floats) -> Ints:
    """The bin of each value, as np.histogram counts it; -1 outside."""
    place = np.searchsorted(edges, values, "right") - 1
    place[values == edges[-1]] = len(edges) - 2
    return np.where((values >= edges[0]) & (values <= edges[-1]), place, -1)


def numbered_people(codes: Ints) -> Ints:
    """Number the people of the rows from 0; each row with a missing code is a person of its own."""
    rows = np.arange(len(codes))
    alone = np.where(codes < 0, codes.max(initial=-1) + 1 + rows, codes)
    return np.unique(alone, return_inverse=True)[1]
