"""What an attacker may know: subsets of columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np


def sample_subsets(
    names: Sequence[str], size: int, most: int, draw: np.random.Generator
) -> list[tuple[str, ...]]:
    """All subsets of that size, or as many different ones as are to be tried."""
    if comb(len(names), size) <= most:
        return list(combinations(names, size))
    found: dict[tuple[str, ...], None] = {}
    while len(found) < most:
        places = np.sort(draw.choice(len(names), size, replace=False))
        found[tuple(names[place] for place in places)] = None
    return list(found)
