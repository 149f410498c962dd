"""Grid cells: coordinates rounded to n decimals; codes are in the order (latitude, longitude)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import combine, renumber
from insanonym_core.parameters import Range

Decimals = Annotated[int, Range(-2, 6, whole=True, unit="decimals")]


@dataclass(frozen=True, eq=False)
class Cells:
    """The cell of each row as a code, and each code's grid indices. Smaller code = smaller (lat, lon)."""

    decimals: int
    code: Ints
    latitude: Ints
    longitude: Ints

    @property
    def number(self) -> int:
        """Number of distinct cells."""
        return len(self.latitude)

    def key(self) -> Ints:
        """One integer per cell that is comparable between files with the same decimals."""
        return grid_key(self.latitude, self.longitude, self.decimals)

    def centres(self) -> tuple[Floats, Floats]:
        """Latitude and longitude of each cell's centre, in degrees."""
        scale = 10.0**self.decimals
        return self.latitude / scale, self.longitude / scale


def grid_index(degrees: Floats, decimals: int) -> Ints:
    """Grid index of coordinates: rint(degrees · 10^decimals)."""
    return np.rint(degrees * 10.0**decimals).astype(np.int64)


def grid_key(latitude: Ints, longitude: Ints, decimals: int) -> Ints:
    """Pack grid indices into one integer, the same for every file."""
    half = int(np.ceil(180 * 10.0**decimals)) + 1
    return (latitude.astype(np.int64) + half) * (2 * half + 1) + longitude + half


def cells_from_coordinates(latitude: Floats, longitude: Floats, decimals: int) -> Cells:
    """Assign a cell code to each point; codes are in the order of the grid indices."""
    lat, lon = grid_index(latitude, decimals), grid_index(longitude, decimals)
    if len(lat) == 0:
        return Cells(decimals, lat, lat, lon)
    south, west = int(lat.min()), int(lon.min())
    height, width = int(lat.max()) - south + 1, int(lon.max()) - west + 1
    lat -= south
    lon -= west
    keys, code = renumber(combine((lat, height), (lon, width)), height * width)
    return Cells(decimals, code, keys // width + south, keys % width + west)
