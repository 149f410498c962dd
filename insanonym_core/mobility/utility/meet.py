"""Meet: whether the busiest cells are still the busiest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, TypeVar

import numpy as np
from numpy.typing import NDArray

from insanonym_core.mobility.cells import Decimals, grid_key
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.sums import CellCounts, Sums
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.utility._declare import utility_score
from insanonym_core.numeric.arrays import Bools, Ints
from insanonym_core.numeric.grouping import positions_in
from insanonym_core.parameters import Range
from insanonym_core.results.scores import CellMap, Score

Kind = TypeVar("Kind", bound=np.generic)
Share = Annotated[float, Range(0.001, 1, step=0.001, unit="of the cells")]


def records_per_cell(track: Track, decimals: int) -> Ints:
    """Number of rows in each cell."""
    cells = track.cells(decimals)
    return track.derive(("records", decimals), lambda: np.bincount(cells.code, minlength=cells.number))


def _cell_counts(track: Track, decimals: int) -> CellCounts:
    cells = track.cells(decimals)
    return CellCounts(cells.latitude, cells.longitude, records_per_cell(track, decimals))


def _sums(pair: Pair, decimals: int, share: float) -> Sums:
    return Sums(
        {
            "rows": pair.rows,
            "original": _cell_counts(pair.original, decimals),
            "release": _cell_counts(pair.release.kept, decimals),
        }
    )


def _busiest(cells: CellCounts, number: int) -> Bools:
    """Mask of the `number` cells with the most records; ties go to the smaller cell index."""
    flags = np.zeros(len(cells), dtype=bool)
    flags[np.argsort(-cells.count, kind="stable")[:number]] = True
    return flags


@dataclass(frozen=True, eq=False)
class _Comparison:
    """Comparison of the `number` busiest cells of the original and of the release."""

    number: int
    common: int
    records_original: int
    records_common: int
    map: CellMap


def _compare(sums: Sums, decimals: int, share: float) -> _Comparison:
    original, release = sums["original"], sums["release"]
    number = max(1, math.floor(share * len(original) + 1e-9))
    top, released_top = _busiest(original, number), _busiest(release, number)
    keys, released_keys = (
        grid_key(cells.latitude, cells.longitude, decimals) for cells in (original, release)
    )
    place = positions_in(released_keys, keys)
    matched = place >= 0
    in_both = np.zeros(len(original), dtype=bool)
    in_both[matched] = top[matched] & released_top[place[matched]]
    return _Comparison(
        number,
        int(in_both.sum()),
        int(original.count[top].sum()),
        int(release.count[place[in_both]].sum()),
        _map(original, release, place, top, released_top, decimals),
    )


def _map(
    original: CellCounts, release: CellCounts, place: Ints, top: Bools, released_top: Bools, decimals: int
) -> CellMap:
    """Every cell of either file with its records before and after."""
    matched = place >= 0
    new = np.ones(len(release), dtype=bool)
    new[place[matched]] = False
    scale = 10.0**decimals

    def align(values: NDArray[Kind]) -> NDArray[Kind]:
        aligned = np.zeros(len(original), dtype=values.dtype)
        aligned[matched] = values[place[matched]]
        return aligned

    return CellMap(
        "Records in each cell",
        1 / scale,
        np.concatenate((original.latitude, release.latitude[new])) / scale,
        np.concatenate((original.longitude, release.longitude[new])) / scale,
        {
            "original": np.concatenate(
                (original.count, np.zeros(int(new.sum()), dtype=original.count.dtype))
            ),
            "release": np.concatenate((align(release.count), release.count[new])),
            "busiest_original": np.concatenate((top, np.zeros(int(new.sum()), dtype=bool))),
            "busiest_release": np.concatenate((align(released_top), released_top[new])),
        },
        shows_individuals=True,
    )


def _score(sums: Sums, value: float, comparison: _Comparison, share: float) -> Score:
    return Score(
        value,
        (comparison.map,),
        {
            "literal_ratio": comparison.records_common / (share * sums["rows"]),
            "cells_compared": comparison.number,
            "cells_common": comparison.common,
        },
    )


@utility_score(
    "meet",
    rules="v2",
    title="Busiest places",
    order=6,
    formula="min(1, release records on the common top cells / original records on its top cells)",
    sums=_sums,
)
def meet_v2(sums: Sums, *, decimals: Decimals = 2, share: Share = 0.1) -> Score:
    """How many records the busiest 10 % of the cells keep, where both files agree that they are busy."""
    comparison = _compare(sums, decimals, share)
    return _score(sums, min(1.0, comparison.records_common / comparison.records_original), comparison, share)


@utility_score(
    "meet", rules="v1", title="Busiest places", order=6, formula="common top cells / m", sums=_sums
)
def meet_v1(sums: Sums, *, decimals: Decimals = 2, share: Share = 0.1) -> Score:
    """Which share of the original's busiest 10 % of cells is among the release's busiest ones."""
    comparison = _compare(sums, decimals, share)
    return _score(sums, comparison.common / comparison.number, comparison, share)
