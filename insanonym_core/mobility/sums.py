"""What a score needs to know of some individuals, so that it can be added up over parts of a file.

Every utility score is finish(sums of part 1 + sums of part 2 + …) over parts that hold whole individuals; a
file in one piece is one part. So one logic serves a slider, a pool of processes and a cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from insanonym_core.arrays import Ints
from insanonym_core.grouping import starts_of_runs
from insanonym_core.scores import Evidence


def _nothing() -> tuple[Evidence, ...]:
    return ()


@dataclass(frozen=True, eq=False)
class Sums:
    """Numbers, arrays and tables by name, all of which can be added.

    `alone` makes evidence about single rows or people: it belongs to a part that stands alone, and does not
    travel to another process.
    """

    values: Mapping[str, Any]
    alone: Callable[[], tuple[Evidence, ...]] = field(default=_nothing, repr=False)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def __add__(self, other: Sums) -> Sums:
        return Sums({name: value + other.values[name] for name, value in self.values.items()})

    def __getstate__(self) -> dict[str, Any]:
        return {"values": self.values}

    def __setstate__(self, state: dict[str, Any]) -> None:
        object.__setattr__(self, "values", state["values"])
        object.__setattr__(self, "alone", _nothing)


@dataclass(frozen=True, eq=False)
class CellCounts:
    """How many rows each cell has; cells by their grid indices, in their order."""

    latitude: Ints
    longitude: Ints
    count: Ints

    def __len__(self) -> int:
        return len(self.count)

    def __add__(self, other: CellCounts) -> CellCounts:
        latitude = np.concatenate((self.latitude, other.latitude))
        longitude = np.concatenate((self.longitude, other.longitude))
        count = np.concatenate((self.count, other.count))
        if len(count) == 0:
            return self
        order = np.lexsort((longitude, latitude))
        latitude, longitude, count = latitude[order], longitude[order], count[order]
        starts = starts_of_runs(latitude, longitude)
        return CellCounts(latitude[starts], longitude[starts], np.add.reduceat(count, starts))
