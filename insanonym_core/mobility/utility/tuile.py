"""Tuile: whether each individual still covers as many cells, or the same cells as often."""

from __future__ import annotations

import numpy as np

from insanonym_core.mobility.cells import Decimals
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.sums import Sums
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.utility._declare import utility_score
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import joint_keys, positions_in
from insanonym_core.results.scores import Score, Table


def cells_covered(track: Track, decimals: int) -> Ints:
    """Number of distinct cells of each individual."""
    return np.bincount(track.visits(decimals).group, minlength=len(track.individuals))


def _ratio(a: Floats | Ints, b: Floats | Ints) -> Floats:
    return np.minimum(a, b) / np.maximum(np.maximum(a, b), 1)


def _table_per_individual(title: str, pair: Pair, **columns: Ints | Floats) -> Table:
    names = np.array(pair.original.individuals, dtype=object)
    return Table(title, {"individual": names, **columns}, shows_individuals=True)


def _sums_by_individual(pair: Pair, decimals: int) -> Sums:
    before = cells_covered(pair.original, decimals)
    after = cells_covered(pair.release.kept, decimals)
    ratio, there = _ratio(before, after), before > 0

    def row_level_evidence() -> tuple[Table, ...]:
        title = "Cells covered by each individual"
        return (_table_per_individual(title, pair, before=before, after=after, score=ratio),)

    return Sums({"alike": float(ratio[there].sum()), "individuals": int(there.sum())}, row_level_evidence)


@utility_score(
    "tuile",
    rules="v2",
    title="Area covered",
    order=5,
    formula="mean over individuals of min(c, c′)/max(c, c′)",
    sums=_sums_by_individual,
)
def tuile_v2(sums: Sums, *, decimals: Decimals = 2) -> Score:
    """How alike the numbers of different cells are that each individual visits before and after."""
    return Score(sums["alike"] / sums["individuals"], sums.row_level_evidence())


def _sums_by_cell(pair: Pair, decimals: int) -> Sums:
    original, release = pair.original, pair.release.kept
    before, after = original.visits(decimals), release.visits(decimals)
    keys_before, keys_after = joint_keys(
        _visit_columns(original, decimals), _visit_columns(release, decimals)
    )
    place = positions_in(keys_after, keys_before)
    in_both = place >= 0
    ratio = _ratio(before.count[in_both], after.count[place[in_both]])
    pairs = len(keys_before) + len(keys_after) - int(in_both.sum())

    def row_level_evidence() -> tuple[Table, ...]:
        people = len(original.individuals)
        alike = np.bincount(before.group[in_both], ratio, minlength=people)
        common = np.bincount(before.group[in_both], minlength=people)
        cells_before, cells_after = cells_covered(original, decimals), cells_covered(release, decimals)
        table = _table_per_individual(
            "Cells of each individual and their agreement",
            pair,
            before=cells_before,
            after=cells_after,
            score=alike / np.maximum(cells_before + cells_after - common, 1),
        )
        return (table,)

    return Sums({"alike": float(ratio.sum()), "pairs": pairs}, row_level_evidence)


@utility_score(
    "tuile",
    rules="v1",
    title="Area covered",
    order=5,
    formula="mean over (individual, cell) in either file of min(c, c′)/max(c, c′)",
    sums=_sums_by_cell,
)
def tuile_v1(sums: Sums, *, decimals: Decimals = 2) -> Score:
    """How alike the numbers of records are that each individual has in each cell, before and after."""
    return Score(sums["alike"] / sums["pairs"], sums.row_level_evidence(), {"pairs": sums["pairs"]})


def _visit_columns(track: Track, decimals: int) -> tuple[Ints, Ints, Ints]:
    """Individual and grid indices of each visited cell, comparable between the two files."""
    visits, cells = track.visits(decimals), track.cells(decimals)
    return visits.group, cells.latitude[visits.item], cells.longitude[visits.item]
