"""Subsets of columns that an attacker may know."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np


def sample_subsets(
    names: Sequence[str], size: int, max_subsets: int, draw: np.random.Generator
) -> list[tuple[str, ...]]:
    """Return all subsets of the given size, or `max_subsets` different random ones."""
    if comb(len(names), size) <= max_subsets:
        return list(combinations(names, size))
    subsets: dict[tuple[str, ...], None] = {}
    while len(subsets) < max_subsets:
        drawn = np.sort(draw.choice(len(names), size, replace=False))
        subsets[tuple(names[place] for place in drawn)] = None
    return list(subsets)
