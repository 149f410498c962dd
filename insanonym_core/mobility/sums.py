"""Sufficient statistics of the utility scores, which can be added up over the parts of a file.

Every utility score is finish(sums of part 1 + sums of part 2 + …), where each individual is in one part only;
a file in one piece is one part. The same code serves a slider, a process pool and a cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from insanonym_core.numeric.arrays import Ints
from insanonym_core.numeric.grouping import starts_of_runs
from insanonym_core.results.scores import Evidence


def _no_evidence() -> tuple[Evidence, ...]:
    return ()


@dataclass(frozen=True, eq=False)
class Sums:
    """Named numbers, arrays and tables, all of which support addition.

    `row_level_evidence` returns the evidence about single rows or individuals: it is computed when
    called, and is dropped by addition and by pickling.
    """

    values: Mapping[str, Any]  # Any: what supports addition
    row_level_evidence: Callable[[], tuple[Evidence, ...]] = field(default=_no_evidence, repr=False)

    def __getitem__(self, name: str) -> Any:  # Any: what supports addition
        return self.values[name]

    def __add__(self, other: Sums) -> Sums:
        return Sums({name: value + other.values[name] for name, value in self.values.items()})

    def __getstate__(self) -> dict[str, object]:
        return {"values": self.values}

    def __setstate__(self, state: dict[str, object]) -> None:
        object.__setattr__(self, "values", state["values"])
        object.__setattr__(self, "row_level_evidence", _no_evidence)


@dataclass(frozen=True, eq=False)
class CellCounts:
    """Number of rows in each cell; cells are given by their grid indices, in ascending order."""

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
