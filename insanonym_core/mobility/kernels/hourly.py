"""Sums of the records of each unit in each hour of the week."""

from __future__ import annotations

import numpy as np

from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.runtime.compiled import compiled


@compiled
def sum_by_key(
    key: Ints, size: int, latitude: Floats, longitude: Floats, scale: float
) -> tuple[Ints, Floats]:
    """The keys (below `size`) that occur, in order; of each the number of rows and the sums of coordinates.

    Coordinates are rounded to whole units, `scale` in a degree.
    """
    number, different = np.zeros(size, dtype=np.int32), 0
    for one in key:
        number[one] = 1
    for one in range(size):
        occurs = number[one]
        number[one] = different
        different += occurs
    keys, sums = np.empty(different, dtype=np.int64), np.zeros((different, 3))
    for row in range(len(key)):
        place = number[key[row]]
        keys[place] = key[row]
        sums[place, 0] += 1
        sums[place, 1] += np.rint(latitude[row] * scale)
        sums[place, 2] += np.rint(longitude[row] * scale)
    return keys, sums
