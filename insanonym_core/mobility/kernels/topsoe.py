"""Topsøe divergences between the cell histograms of people and candidates."""

from __future__ import annotations

import math

import numpy as np

from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.runtime.compiled import compiled


@compiled
def topsoe(
    cell: Ints,
    share: Floats,
    ends: Ints,
    people: Ints,
    seen_cell: Ints,
    seen_share: Floats,
    seen_ends: Ints,
    candidates: Ints,
    cells: int,
) -> Floats:
    """2 ln 2 + Σ p ln p + q ln q − (p + q) ln(p + q) over common cells, for each person and candidate.

    Unit i has the cells (numbered below `cells`) and shares from ends[i] to ends[i + 1].
    """
    first = np.zeros(cells + 1, dtype=np.int64)
    for unit in candidates:
        for visit in range(seen_ends[unit], seen_ends[unit + 1]):
            first[seen_cell[visit] + 1] += 1
    for number in range(cells):
        first[number + 1] += first[number]
    # For each cell, the candidates that visit it and their shares.
    last, visits = first[:-1].copy(), first[cells]
    column_of, shares, logarithms = np.empty(visits, dtype=np.int64), np.empty(visits), np.empty(visits)
    for column in range(len(candidates)):
        for visit in range(seen_ends[candidates[column]], seen_ends[candidates[column] + 1]):
            entry = last[seen_cell[visit]]
            last[seen_cell[visit]] += 1
            column_of[entry], shares[entry] = column, seen_share[visit]
            logarithms[entry] = seen_share[visit] * math.log(seen_share[visit])
    table = np.full((len(people), len(candidates)), 2 * math.log(2))
    for place in range(len(people)):
        for visit in range(ends[people[place]], ends[people[place] + 1]):
            p = share[visit]
            own = p * math.log(p)
            for entry in range(first[cell[visit]], first[cell[visit] + 1]):
                both = p + shares[entry]
                table[place, column_of[entry]] += own + logarithms[entry] - both * math.log(both)
        for column in range(len(candidates)):
            table[place, column] = max(table[place, column], 0.0)
    return table
