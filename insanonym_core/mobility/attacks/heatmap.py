"""People are told by their whole map: how often they are in which cell (the idea of AP-attack)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.grouping import joint_keys
from insanonym_core.mobility.cells import Decimals
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import Costs, guess_nearest
from insanonym_core.registry import attacks


@attacks.add(
    "heatmap",
    data="mobility",
    title="Most similar heat map",
    formula="Topsøe: Σ p ln(2p/(p+q)) + q ln(2q/(p+q))",
    order=6,
)
def heatmap(known: Crowd, seen: Crowd, *, decimals: Decimals = 2) -> Guesses:
    """Guesses the pseudonym whose heat map over cells diverges least from the person's."""
    return guess_nearest(known, seen, topsoe_costs(known, seen, decimals))


def topsoe_costs(known: Crowd, seen: Crowd, decimals: int) -> Costs:
    """Topsøe divergence between the cell histograms of known and seen units.

    Only cells that both visit matter one by one: D = 2 ln 2 + Σ over common cells of
    p ln(p/(p+q)) + q ln(q/(p+q)), because p and q each add up to 1.
    """
    # One-to-one matching asks for the same tables again.
    kept: dict[tuple[int, int, int], Floats] = seen.derive(("topsøe", decimals, known.units), dict)
    visits, seen_visits = known.visits(decimals), seen.visits(decimals)
    cells, seen_cells = known.cells(decimals), seen.cells(decimals)
    key, seen_key = joint_keys((cells.latitude, cells.longitude), (seen_cells.latitude, seen_cells.longitude))
    share = visits.count / known.rows[visits.group]
    seen_share = seen_visits.count / seen.rows[seen_visits.group]

    def costs(people: Ints, candidates: Ints) -> Floats:
        asked = int(people[0]), int(people[-1]), len(people)  # of one week, and so are the candidates
        if asked in kept:
            return kept[asked]
        table = computed(people, candidates)
        if len(known) * len(candidates) <= _LARGEST_KEPT:
            kept[asked] = table
        return table

    def computed(people: Ints, candidates: Ints) -> Floats:
        ours, row = _among(people, visits.group, len(known))
        theirs, column = _among(candidates, seen_visits.group, len(seen))
        total = np.zeros(len(people) * len(candidates))
        for pair, p, q in _common_cells(
            (row, key[visits.item[ours]], share[ours]),
            (column, seen_key[seen_visits.item[theirs]], seen_share[theirs]),
            len(candidates),
        ):
            both = p + q
            np.add.at(total, pair, p * np.log(p / both) + q * np.log(q / both))
        return np.maximum(0, 2 * np.log(2) + total).reshape(len(people), len(candidates))

    return costs


def _among(chosen: Ints, group: Ints, groups: int) -> tuple[Ints, Ints]:
    """The rows whose group is chosen, and its place among those chosen."""
    place = np.full(groups, -1)
    place[chosen] = np.arange(len(chosen))
    rows = np.flatnonzero(place[group] >= 0)
    return rows, place[group[rows]]


_Side = tuple[Ints, Ints, Floats]
_PIECE = 2_000_000
_LARGEST_KEPT = 8_000_000


def _common_cells(ours: _Side, theirs: _Side, width: int) -> Iterator[tuple[Ints, Floats, Floats]]:
    """Every (known, seen) pair on every cell that both visit, in pieces of bounded size, cell by cell."""
    row, cell, share = ours
    by_cell = np.lexsort((theirs[0], theirs[1]))
    column, seen_cell, seen_share = (values[by_cell] for values in theirs)
    order = np.lexsort((row, cell))
    row, cell, share = row[order], cell[order], share[order]
    start = np.searchsorted(seen_cell, cell, "left")
    partners = np.searchsorted(seen_cell, cell, "right") - start
    ends = np.cumsum(partners)
    cuts = np.searchsorted(ends, np.arange(_PIECE, ends[-1] if len(ends) else 0, _PIECE))
    for some in np.split(np.arange(len(row)), cuts):
        number = partners[some]
        first = np.repeat(np.cumsum(number) - number, number)
        partner = np.repeat(start[some], number) + np.arange(int(number.sum())) - first
        yield (
            np.repeat(row[some] * width, number) + column[partner],
            np.repeat(share[some], number),
            seen_share[partner],
        )
