"""Match by heat maps: the share of records in each cell (as in AP-attack)."""

from __future__ import annotations

import numpy as np

from insanonym_core.mobility.cells import Decimals
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import Costs, guess_nearest
from insanonym_core.mobility.overlap import common_items
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import ends_of_groups, joint_codes, rows_of_groups
from insanonym_core.registry import attacks
from insanonym_core.runtime.compiled import run_compiled_or

_MAX_CACHED_COSTS = 8_000_000


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
    visits, seen_visits = known.visits(decimals), seen.visits(decimals)
    cells, seen_cells = known.cells(decimals), seen.cells(decimals)
    cell, seen_cell, different = joint_codes(
        (cells.latitude, cells.longitude), (seen_cells.latitude, seen_cells.longitude)
    )
    item, seen_item = cell[visits.item], seen_cell[seen_visits.item]
    share = visits.count / known.rows[visits.group]
    seen_share = seen_visits.count / seen.rows[seen_visits.group]
    ends, seen_ends = ends_of_groups(visits.group, len(known)), ends_of_groups(seen_visits.group, len(seen))

    def costs(people: Ints, candidates: Ints) -> Floats:
        if len(known) * len(candidates) > _MAX_CACHED_COSTS:
            return compute(people, candidates)
        # Cached: one-to-one matching needs the same tables. Candidates are all those of the week.
        key = "topsøe", decimals, known.units, people.tobytes()
        return seen.derive(key, lambda: compute(people, candidates))

    def compute(people: Ints, candidates: Ints) -> Floats:
        def compiled() -> Floats:
            from insanonym_core.mobility.kernels.topsoe import topsoe

            ours, theirs = (item, share, ends), (seen_item, seen_share, seen_ends)
            return topsoe(*ours, people, *theirs, candidates, different)

        return run_compiled_or(lambda: plain(people, candidates), compiled, len(people) * len(candidates))

    def plain(people: Ints, candidates: Ints) -> Floats:
        ours, row = rows_of_groups(ends, people)
        theirs, column = rows_of_groups(seen_ends, candidates)
        total = np.zeros(len(people) * len(candidates))
        for pair, our_visit, their_visit in common_items(
            (row, item[ours]), (column, seen_item[theirs]), len(candidates), different
        ):
            p, q = share[ours].take(our_visit), seen_share[theirs].take(their_visit)
            both = p + q
            np.add.at(total, pair, _times_log(p, both) + _times_log(q, both))
        return np.maximum(0, 2 * np.log(2) + total).reshape(len(people), len(candidates))

    return costs


def _times_log(part: Floats, whole: Floats) -> Floats:
    """part · ln(part / whole), with one temporary array."""
    result = part / whole
    np.log(result, out=result)
    result *= part
    return result
