"""Individual-weeks whose heat map some token shows, whether or not it is re-identified."""

from __future__ import annotations

import numpy as np

from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import split_people
from insanonym_core.mobility.overlap import common_items
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.scoring import Share, share_by_week
from insanonym_core.numeric.arrays import Bools, Ints
from insanonym_core.numeric.grouping import (
    PairCounts,
    ends_of_groups,
    joint_codes,
    rows_of_groups,
    sum_by_group,
)
from insanonym_core.numeric.holders import MIN_HOLDERS
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Score
from insanonym_core.results.threats import INFERENCE, Threat

DECIMALS = 2


def score_crowds(known: Crowd, seen: Crowd, min_holders: int = MIN_HOLDERS) -> Score:
    """Score the individuals of an original and the tokens of a release, in one piece or joined from parts."""
    exposed = _is_exposed(known, seen)
    share = Share.from_points(known.name, exposed.astype(np.float64))
    weeks, place = np.unique(known.week, return_inverse=True)
    bars = share_by_week(
        weeks,
        sum_by_group(place, exposed),
        np.bincount(place),
        min_holders,
        "Share in the open in each week",
    )
    return Score(share.value, (bars,), {"pairs": len(known)}, (share.low, share.high))


@metrics.add(
    "week_in_the_open",
    data="mobility",
    family="privacy",
    title="Weeks in the open",
    better="lower",
    bounds=(0, 1),
    order=2,
    formula="share of person-weeks with Σ min(p, q) ≥ 0.8 for some pseudonym",
    threat=Threat(INFERENCE, "some pseudonym shows where {share} of the individuals were in a week"),
    of_crowds=score_crowds,
)
def week_in_the_open(pair: Pair) -> Score:
    """The share of person-weeks whose heat map some pseudonym of the week shows to at least 80 %.

    A release may hide who is who and still show where somebody was: swapping whole weeks scores badly here,
    noise scores well.
    """
    return score_crowds(Crowd.known(pair.original), Crowd.seen(pair.release), pair.min_holders)


def _is_exposed(known: Crowd, seen: Crowd) -> Bools:
    """Whether any token of the week overlaps each individual-week by at least 80 %, in integer arithmetic."""
    ours, theirs = known.visits(DECIMALS), seen.visits(DECIMALS)
    cells, seen_cells = known.cells(DECIMALS), seen.cells(DECIMALS)
    cell, seen_cell, different = joint_codes(
        (cells.latitude, cells.longitude), (seen_cells.latitude, seen_cells.longitude)
    )
    ends, seen_ends = _ends_of_units(ours, known), _ends_of_units(theirs, seen)
    exposed = np.zeros(len(known), dtype=bool)
    for week in np.unique(known.week).tolist():
        candidates = seen.units_in_week(week)
        if not len(candidates):
            continue
        yours, column = rows_of_groups(seen_ends, candidates)
        size = seen.rows[candidates]
        for people in split_people(known.units_in_week(week), len(candidates)):
            mine, row = rows_of_groups(ends, people)
            rows = known.rows[people]
            total = np.zeros(len(people) * len(candidates))
            for pair, our_visit, their_visit in common_items(
                (row, cell[ours.item[mine]]),
                (column, seen_cell[theirs.item[yours]]),
                len(candidates),
                different,
            ):
                a = ours.count[mine].take(our_visit) * size.take(column.take(their_visit))
                b = theirs.count[yours].take(their_visit) * rows.take(row.take(our_visit))
                total += np.bincount(pair, np.minimum(a, b), minlength=len(total))
            overlap = total.reshape(len(people), len(candidates))
            exposed[people] = (5 * overlap >= 4 * rows[:, None] * size[None, :]).any(axis=1)
    return exposed


def _ends_of_units(visits: PairCounts, crowd: Crowd) -> Ints:
    return ends_of_groups(visits.group, len(crowd))
