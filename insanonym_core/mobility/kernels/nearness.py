"""How near people and candidates are to each other, hour by hour."""

from __future__ import annotations

import numpy as np

from insanonym_core.mobility.geometry import EARTH_RADIUS_KM
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.runtime.compiled import compiled

_INVERSE_SQUARED_DIAMETER = 1 / (2 * EARTH_RADIUS_KM) ** 2  # of the earth, in km
MAX_SERIES_KM = 0.1 * 2 * EARTH_RADIUS_KM  # chord length up to which the series below is exact
# (arcsin(x) / x)² as a polynomial in x², highest power first: unlike arcsin, it is vectorised.
_SERIES = (256 / 6435, 1024 / 21021, 128 / 2079, 128 / 1575, 4 / 35, 8 / 45, 1 / 3, 1.0)


@compiled
def nearness(
    shape: tuple[int, int], row: Ints, here: Floats, ends: Ints, column: Ints, there: Floats, seen_ends: Ints
) -> Floats:
    """Σ min(1, 1/km) over the common hours, for each person and pseudonym.

    Entries of both sides are sorted by hour; `here` and `there` are their positions (rows x, y, z) in km.
    """
    near, terms = np.zeros(shape), np.empty(len(column))
    for hour in range(len(ends) - 1):
        entries = slice(seen_ends[hour], seen_ends[hour + 1])
        partner, east, north, up = column[entries], there[0, entries], there[1, entries], there[2, entries]
        for entry in range(ends[hour], ends[hour + 1]):
            x, y, z, person = here[0, entry], here[1, entry], here[2, entry], row[entry]
            for other in range(len(partner)):
                squared = (x - east[other]) ** 2 + (y - north[other]) ** 2 + (z - up[other]) ** 2
                share, ratio = squared * _INVERSE_SQUARED_DIAMETER, 0.0
                for factor in _SERIES:
                    ratio = ratio * share + factor
                terms[other] = 1 / np.sqrt(max(squared * ratio, 1.0))
            for other in range(len(partner)):
                near[person, partner[other]] += terms[other]
    return near
