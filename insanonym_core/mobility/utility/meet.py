"""Meet: whether the busiest cells are still the busiest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.arrays import Bools, Ints
from insanonym_core.grouping import positions_in
from insanonym_core.mobility.cells import Cells, Decimals
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.utility._declare import utility_score
from insanonym_core.parameters import Range
from insanonym_core.scores import CellMap, Score

Share = Annotated[float, Range(0.001, 1, step=0.001, unit="of the cells")]


def records_per_cell(track: Track, decimals: int) -> Ints:
    """How many rows lie in each cell."""
    cells = track.cells(decimals)
    return track.derive(("records", decimals), lambda: np.bincount(cells.code, minlength=cells.number))


def busiest(track: Track, decimals: int, number: int) -> Ints:
    """Codes of the `number` cells with the most records; ties go to the smaller cell index."""
    ranking = track.derive(
        ("ranking", decimals),
        lambda: np.argsort(-records_per_cell(track, decimals), kind="stable"),
    )
    return ranking[:number]


@dataclass(frozen=True, eq=False)
class _Comparison:
    """The top m cells of both files: which the original's are, which of them the release shares."""

    number: int
    common: int
    records_original: int
    records_common: int
    map: CellMap


def _compare(pair: Pair, decimals: int, share: float) -> _Comparison:
    original, release = pair.original, pair.release.kept
    cells, released = original.cells(decimals), release.cells(decimals)
    number = max(1, math.floor(share * cells.number + 1e-9))
    top = busiest(original, decimals, number)
    released_top = busiest(release, decimals, number)
    place = positions_in(released.key(), cells.key())
    in_both = np.isin(place[top], released_top) & (place[top] >= 0)
    counts, released_counts = (
        records_per_cell(original, decimals),
        records_per_cell(release, decimals),
    )
    return _Comparison(
        number,
        int(in_both.sum()),
        int(counts[top].sum()),
        int(released_counts[place[top][in_both]].sum()),
        _map(
            cells,
            released,
            counts,
            released_counts,
            place,
            _flags(cells, top),
            _flags(released, released_top),
        ),
    )


def _flags(cells: Cells, codes: Ints) -> Bools:
    flags = np.zeros(cells.number, dtype=bool)
    flags[codes] = True
    return flags


def _map(
    cells: Cells,
    released: Cells,
    counts: Ints,
    released_counts: Ints,
    place: Ints,
    top: Bools,
    released_top: Bools,
) -> CellMap:
    """Every cell of either file with its records before and after."""
    matched = place >= 0
    new = np.ones(released.number, dtype=bool)
    new[place[matched]] = False
    scale = 10.0**cells.decimals

    def seen(values: Ints | Bools) -> Ints | Bools:
        found = np.zeros(cells.number, dtype=values.dtype)
        found[matched] = values[place[matched]]
        return found

    return CellMap(
        "Records in each cell",
        1 / scale,
        np.concatenate((cells.latitude, released.latitude[new])) / scale,
        np.concatenate((cells.longitude, released.longitude[new])) / scale,
        {
            "original": np.concatenate((counts, np.zeros(int(new.sum()), dtype=counts.dtype))),
            "release": np.concatenate((seen(released_counts), released_counts[new])),
            "busiest_original": np.concatenate((top, np.zeros(int(new.sum()), dtype=bool))),
            "busiest_release": np.concatenate((seen(released_top), released_top[new])),
        },
    )


def _score(pair: Pair, value: float, seen: _Comparison, share: float) -> Score:
    return Score(
        value,
        (seen.map,),
        {
            "literal_ratio": seen.records_common / (share * pair.rows),
            "cells_compared": seen.number,
            "cells_common": seen.common,
        },
    )


@utility_score(
    "meet",
    rules="v2",
    title="Busiest places",
    order=6,
    formula="min(1, release records on the common top cells / original records on its top cells)",
)
def meet_v2(pair: Pair, *, decimals: Decimals = 2, share: Share = 0.1) -> Score:
    """How many records the busiest 10 % of the cells keep, where both files agree that they are busy."""
    seen = _compare(pair, decimals, share)
    return _score(pair, min(1.0, seen.records_common / seen.records_original), seen, share)


@utility_score("meet", rules="v1", title="Busiest places", order=6, formula="common top cells / m")
def meet_v1(pair: Pair, *, decimals: Decimals = 2, share: Share = 0.1) -> Score:
    """Which share of the original's busiest 10 % of cells is among the release's busiest ones."""
    seen = _compare(pair, decimals, share)
    return _score(pair, seen.common / seen.number, seen, share)
