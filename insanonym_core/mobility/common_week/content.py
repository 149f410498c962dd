"""The rows that a group publishes: as many as its smallest member has, all records of members.

Each segment of the week gets a number of rows like the members have there on average, and one member whose
rows are taken. The members are chosen one segment at a time, to raise the sum of the scores of all members:
date, hour and distance (each row counts by itself), points of interest (the stays of the segments of one kind
add up) and cells covered (also in the other weeks of the members).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.mobility.common_week.rows import (
    KIND_OF_SEGMENT,
    KINDS,
    OUTSIDE,
    SEGMENTS,
    Rows,
    nearest,
    points,
)
from insanonym_core.mobility.common_week.stays import PlacesOfInterest, places_of_interest, stays
from insanonym_core.mobility.common_week.tables import Weights
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import starts_of_runs, sum_by_group

MAX_PASSES = 4
_PRICE_QUANTILE = 0.4  # of the values of rows: what a row costs that is too many
_MIN_GAIN = 1e-12


@dataclass(frozen=True, eq=False)
class Coverage:
    """How many cells the members of a group should cover, and what they publish in other weeks.

    `wanted` and `elsewhere` are numbers of cells by member: those of the whole original, and those published
    in other weeks in cells that no member visits this week. `published` says by member and cell of the group
    whether it is published in another week.
    """

    wanted: Ints
    elsewhere: Ints
    published: Bools
    weight: float

    def values(self, cells: Bools) -> Floats:
        """What the members gain together for each of several sets of cells of the common week."""
        covered = self.elsewhere + (cells[:, None, :] | self.published[None]).sum(axis=2)
        ratio = np.minimum(covered, self.wanted) / np.maximum(covered, self.wanted)
        total: Floats = self.weight * ratio.sum(axis=1)
        return total


@dataclass(frozen=True, eq=False)
class Offer:
    """The rows of each member in each segment, thinned to the number of rows wanted, with their scores.

    By row of the group: `row_value`, its score for all members; whether it is `inside` a stay, an end of a
    stay at a member's point of interest, and `taken`; `cell` as a place in `cells_of_group`. By (segment,
    member), of the rows taken: their number `counts`, `value`, `stay` at each member's point of interest of
    the segment's kind, and the `cells` they cover.
    """

    rows: Rows
    size: int
    weights: Weights
    row_value: Floats
    inside: Bools
    is_end: Bools
    taken: Bools
    counts: Ints
    value: Floats
    stay: Floats
    cells: Bools
    cells_of_group: Ints
    cell: Ints
    places: PlacesOfInterest


def make_offer(rows: Rows, weights: Weights) -> Offer:
    """The offer of a group, given the rows of its members."""
    members, size = len(rows.people), int(rows.counts.min())
    row_value = weights.row * _row_scores(rows)
    inside, places = _is_inside_stay(rows), places_of_interest(rows)
    taken = _first_of_segments(rows, _wanted_rows(rows, size), inside, row_value)
    is_end = ~inside & _is_at_place(rows, places)
    taken |= is_end
    group = rows.segment * members + rows.person
    value = sum_by_group(group[taken], row_value[taken], SEGMENTS * members).reshape(SEGMENTS, members)
    cells_of_group, cell = np.unique(rows.cell, return_inverse=True)
    cells = np.zeros((SEGMENTS, members, len(cells_of_group)), dtype=bool)
    cells[rows.segment[taken], rows.person[taken], cell[taken]] = True
    return Offer(
        rows,
        size,
        weights,
        row_value,
        inside,
        is_end,
        taken,
        np.bincount(group[taken], minlength=SEGMENTS * members).reshape(SEGMENTS, members),
        value,
        _stays_at_places(rows, taken, places),
        cells,
        cells_of_group,
        cell,
        places,
    )


def _row_scores(rows: Rows) -> Floats:
    """What each row would score for all members together, each with their row nearest in time."""
    total = np.zeros(len(rows))
    for member in range(len(rows.people)):
        own = rows.of(member)
        at = nearest(rows.time[own], rows.time) + own.start
        total += points(rows.day, rows.hour, rows.place, rows.day[at], rows.hour[at], rows.place[at])
    return total


def _is_inside_stay(rows: Rows) -> Bools:
    """Whether the row before and the row after are in the same stay: without it the stay is as long."""
    inside = np.zeros(len(rows), dtype=bool)
    same = np.ones(max(len(rows) - 1, 0), dtype=bool)
    for column in (rows.person, rows.segment, rows.cell):
        same &= column[1:] == column[:-1]
    inside[1:-1] = same[1:] & same[:-1]
    return inside


def _is_at_place(rows: Rows, places: PlacesOfInterest) -> Bools:
    """Whether a row is in the cell of a member's point of interest, in a window of its kind."""
    at_place = np.zeros(len(rows), dtype=bool)
    for kind in range(OUTSIDE):
        at_place |= (rows.kind == kind) & np.isin(rows.cell, places.cell[kind])
    return at_place


def _wanted_rows(rows: Rows, size: int) -> Ints:
    """How many of `size` rows each segment gets: the mean share of the members, by largest remainder."""
    members = len(rows.people)
    counts = np.bincount(rows.person * SEGMENTS + rows.segment, minlength=members * SEGMENTS)
    share = (counts.reshape(members, SEGMENTS) / rows.counts[:, None]).mean(axis=0) * size
    wanted = np.floor(share + 1e-9).astype(np.int64)
    rest = np.argsort(wanted - share, kind="stable")[: size - int(wanted.sum())]
    wanted[rest] += 1
    return wanted


def _first_of_segments(rows: Rows, wanted: Ints, inside: Bools, row_value: Floats) -> Bools:
    """The wanted number of rows of each (member, segment): ends of stays first, then the best rows."""
    order = np.lexsort((-row_value, inside, rows.segment, rows.person))
    person, segment = rows.person[order], rows.segment[order]
    starts = starts_of_runs(person, segment)
    place = np.arange(len(order))
    place -= np.repeat(starts, np.diff(np.append(starts, len(order))))
    taken = np.zeros(len(rows), dtype=bool)
    taken[order] = place < wanted[segment]
    return taken


def _stays_at_places(rows: Rows, taken: Bools, places: PlacesOfInterest) -> Floats:
    """Stay of the taken rows of each (segment, member) at the point of interest of each member."""
    members = len(rows.people)
    found = stays(rows.person[taken], rows.segment[taken], rows.cell[taken], rows.time[taken])
    there = (places.cell[found.kind] == found.cell[:, None]) * found.ticks[:, None]
    total = np.zeros((SEGMENTS, members, members))
    np.add.at(total, (found.segment, found.person), there)
    return total


def choose(offer: Offer, coverage: Coverage, begin: Ints | None = None) -> Ints:
    """The member whose rows are taken in each segment; `begin` is an earlier choice to improve."""
    chosen = _best_for_kinds(offer) if begin is None else begin.copy()
    all_segments = np.arange(SEGMENTS)
    stay = np.zeros((KINDS, len(offer.rows.people)))
    np.add.at(stay, KIND_OF_SEGMENT, offer.stay[all_segments, chosen])
    times = offer.cells[all_segments, chosen].sum(axis=0)  # in how many segments each cell is covered
    busiest = np.argsort(-offer.value.max(axis=1), kind="stable")
    busiest = busiest[offer.value[busiest].max(axis=1) > 0]
    number = int(offer.counts[all_segments, chosen].sum())
    price = np.quantile(offer.row_value, _PRICE_QUANTILE)
    for _ in range(MAX_PASSES):
        changed = False
        for segment in busiest.tolist():
            now, kind = int(chosen[segment]), int(KIND_OF_SEGMENT[segment])
            rest = times - offer.cells[segment, now]
            total = offer.value[segment] + coverage.values((rest > 0) | offer.cells[segment])
            counts = number - offer.counts[segment, now] + offer.counts[segment]
            total -= price * np.maximum(counts - offer.size, 0)
            if kind != OUTSIDE:
                without = stay[kind] - offer.stay[segment, now]
                total -= _stay_lost(offer, kind, without + offer.stay[segment])
            best = int(total.argmax())
            if total[best] > total[now] + _MIN_GAIN:
                chosen[segment], changed = best, True
                number = int(counts[best])
                times = rest + offer.cells[segment, best]
                stay[kind] += offer.stay[segment, best] - offer.stay[segment, now]
        if not changed:
            break
    return chosen


def _stay_lost(offer: Offer, kind: int, stay: Floats) -> Floats:
    lost: Floats = offer.weights.tick * np.abs(offer.places.ticks[kind] - stay).sum(axis=-1)
    return lost


def _best_for_kinds(offer: Offer) -> Ints:
    """The member who serves all best in all segments of a kind."""
    chosen = np.zeros(SEGMENTS, dtype=np.int64)
    for kind in range(KINDS):
        of_kind = kind == KIND_OF_SEGMENT
        total = offer.value[of_kind].sum(axis=0)
        if kind != OUTSIDE:
            total -= _stay_lost(offer, kind, offer.stay[of_kind].sum(axis=0))
        chosen[of_kind] = total.argmax()
    return chosen


def common_rows(offer: Offer, chosen: Ints, coverage: Coverage) -> Ints:
    """The rows of the common week, as places in the rows of the group, sorted by time.

    Where the chosen members have fewer rows than wanted, the best of the others fill up: of the same members
    first, then of segments that have none or lie outside the windows. Where they have more, the worst inside
    stays go. Then rows in cells with few rows make way for others, where covering fewer cells is better.
    """
    rows = offer.rows
    of_chosen = chosen[rows.segment] == rows.person
    common = offer.taken & of_chosen
    missing = offer.size - int(common.sum())
    if missing < 0:
        found = np.flatnonzero(common)
        common[found[np.lexsort((offer.row_value[found], ~offer.inside[found]))[:-missing]]] = False
    covered = np.zeros(SEGMENTS, dtype=bool)
    covered[rows.segment[common]] = True
    breaks_stays = covered[rows.segment] & (rows.kind != OUTSIDE)
    rank = np.where(of_chosen, 0, np.where(breaks_stays, 2, 1))
    order = np.lexsort((-offer.row_value, rank))
    if missing > 0:
        common[order[~common[order]][:missing]] = True
    _cover_fewer_cells(offer, common, order[rank[order] < 2], coverage)
    found = np.flatnonzero(common)
    return found[np.argsort(rows.time[found], kind="stable")]


def _cover_fewer_cells(offer: Offer, common: Bools, spare: Ints, coverage: Coverage) -> None:
    """Replace the rows of cells that have few by the first of the `spare` ones, where the scores rise."""
    cell = offer.cell
    counts = np.bincount(cell[common], minlength=len(offer.cells_of_group))
    for rare in np.argsort(counts, kind="stable").tolist():
        here = np.flatnonzero(common & (cell == rare))
        if not len(here) or offer.is_end[here].any():
            continue
        without = counts > 0
        without[rare] = False
        gain = coverage.values(np.stack([without, counts > 0]))
        gained = gain[0] - gain[1] - offer.row_value[here].sum()
        new = spare[~common[spare] & without[cell[spare]]][: len(here)]
        if len(new) == len(here) and gained + offer.row_value[new].sum() > _MIN_GAIN:
            common[here], common[new] = False, True
            counts[rare] = 0
            counts += np.bincount(cell[new], minlength=len(counts))
