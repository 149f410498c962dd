"""Weeks and places taken from similar people: borrowed weeks, swapped places, a partner's places."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.mobility.cells import Decimals
from insanonym_core.mobility.geometry import METRE_DIGITS, round_coordinates
from insanonym_core.mobility.guessing import cartesian_km
from insanonym_core.mobility.methods.delete import Share
from insanonym_core.mobility.methods.grid import People, delete_rows
from insanonym_core.mobility.person_weeks import PersonWeeks, person_weeks
from insanonym_core.mobility.similar_people import groups_of_similar
from insanonym_core.mobility.track import Track
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import (
    combine,
    lengths_of_runs,
    pieces,
    renumber,
    rows_of_groups,
    starts_of_runs,
    sum_by_group,
)
from insanonym_core.registry import methods

_MAX_COMPARED = 1_000_000  # pairs of a row and a place that are compared at once


def draw_partners(track: Track, k: int, generator: np.random.Generator) -> Ints:
    """The partner of each (individual, week): a random permutation inside each group of a week.

    Groups hold k similar people, the last one up to 2k - 1; whoever is absent in a week is not permuted.
    """
    weeks = person_weeks(track)
    group = groups_of_similar(track, k)[weeks.individual]
    week = weeks.week - weeks.week.min(initial=0)
    key = combine((week, int(week.max(initial=0)) + 1), (group, int(group.max(initial=0)) + 1))
    partner = np.empty(weeks.number, dtype=np.int64)
    partner[np.argsort(key, kind="stable")] = np.lexsort((generator.random(weeks.number), key))
    return partner


def _nearest_of_partner(weeks: PersonWeeks, partner: Ints) -> Ints:
    """Of each sorted row, the sorted row of the partner that is nearest in time."""
    return weeks.nearest_in_time(np.arange(len(weeks.rows)), np.repeat(partner, weeks.sizes))


def _moved(track: Track, weeks: PersonWeeks, near: Ints, *columns: str) -> Track:
    """The track whose sorted rows take these columns from the sorted rows `near`."""
    changed = {}
    for name in columns:
        values = getattr(track, name)
        changed[name] = values.copy()
        changed[name][weeks.rows] = values[weeks.rows[near]]
    return track.changed(**changed)


@methods.add("borrow_weeks", data="mobility", title="Borrowed weeks", order=13)
@dataclass(frozen=True, kw_only=True)
class BorrowWeeks:
    """Every week, people in groups of k similar ones publish each other's weeks, drawn at random.

    Each row takes the time and place of the partner's row nearest in time. Whoever has more rows than the
    partner loses the surplus, and then a `share` of all rows is deleted at random. Attacks on places find
    about one in k, or one of those who are there that week; `hours` finds more, because rows stay near their
    own times. True weeks are still published, under somebody else's pseudonym: see week_in_the_open.
    """

    k: People = 3
    share: Share = 0.05

    published_digits = METRE_DIGITS

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Exchange the weeks."""
        weeks = person_weeks(track)
        partner = draw_partners(track, self.k, generator)
        near = _nearest_of_partner(weeks, partner)
        surplus = _surplus(weeks, partner, near)
        stays = np.ones(len(weeks.rows), dtype=bool)
        stays[surplus] = False
        left = np.flatnonzero(stays)
        more = generator.choice(left, round(self.share * len(left)), replace=False)
        release = _moved(track, weeks, near, "time", "latitude", "longitude")
        return delete_rows(release, weeks.rows[np.concatenate([surplus, more])])


def _surplus(weeks: PersonWeeks, partner: Ints, near: Ints) -> Ints:
    """The sorted rows that each pair has too many beside its partner.

    Rows that would repeat a point of the partner go first, the further in time the sooner.
    """
    too_many = np.maximum(weeks.sizes - weeks.sizes[partner], 0)
    rows, pair = rows_of_groups(weeks.ends, np.flatnonzero(too_many))
    if len(rows) == 0:
        return rows
    too_many, sizes = too_many[too_many > 0], weeks.sizes[too_many > 0]
    moved, point = np.abs(weeks.time[near[rows]] - weeks.time[rows]), near[rows]
    # Both are in order of time: rows that take one point of the partner follow each other.
    starts = starts_of_runs(pair, point)
    lengths = lengths_of_runs(starts, len(rows))
    run = np.repeat(np.arange(len(starts)), lengths)
    by_point = np.argsort(combine((run, len(starts)), (moved, weeks.span)), kind="stable")
    repeats = np.empty(len(rows), dtype=np.int64)
    repeats[by_point] = np.arange(len(rows)) - np.repeat(starts, lengths)
    most = int(repeats.max())
    first_to_go = (most - repeats, most + 1), (weeks.span - 1 - moved, weeks.span)
    order = np.argsort(combine((pair, len(sizes)), *first_to_go), kind="stable")
    rank = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return rows[order[rank < np.repeat(too_many, sizes)]]


@methods.add("swap_places", data="mobility", title="Swapped places", order=14)
@dataclass(frozen=True, kw_only=True)
class SwapPlaces:
    """Every week, rows move to where a partner, one of k similar people, was nearest in time.

    Hides who was where: attacks on places find about one in k. Times stay exact, so `hours` and `join` find
    everybody.
    """

    k: People = 3

    published_digits = METRE_DIGITS

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Exchange the places."""
        weeks = person_weeks(track)
        near = _nearest_of_partner(weeks, draw_partners(track, self.k, generator))
        return _moved(track, weeks, near, "latitude", "longitude")


@methods.add("partner_places", data="mobility", title="A partner's places", order=15)
@dataclass(frozen=True, kw_only=True)
class PartnerPlaces:
    """Every week, each row moves to the nearest place that a partner, one of k similar people, visits.

    A place is the mean of the partner's rows in a cell. The heat map becomes one over the partner's cells,
    and rows move less than with swap_places. Times stay exact, so `hours` and `join` find everybody.
    """

    k: People = 3
    decimals: Decimals = 2
    published_digits = METRE_DIGITS

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Move the rows."""
        weeks = person_weeks(track)
        partner = draw_partners(track, self.k, generator)
        places = visited_places(track, self.decimals)
        latitude, longitude = track.latitude.copy(), track.longitude.copy()
        chosen = _nearest_places(weeks, partner, places)
        latitude[weeks.rows], longitude[weeks.rows] = places.latitude[chosen], places.longitude[chosen]
        return track.changed(latitude=latitude, longitude=longitude)


@dataclass(frozen=True, eq=False)
class VisitedPlaces:
    """The places of each (individual, week), pair by pair: those of pair i are ends[i] to ends[i + 1] - 1."""

    ends: Ints
    latitude: Floats
    longitude: Floats
    xyz: Floats
    row_xyz: Floats
    """Positions of the places, and of the sorted rows, in km."""


def visited_places(track: Track, decimals: int) -> VisitedPlaces:
    """The places of each pair: the mean position of its rows in each cell; kept with the track."""

    def compute() -> VisitedPlaces:
        weeks = person_weeks(track)
        cells = track.kept.cells(decimals)
        code = np.empty(len(track), dtype=np.int64)
        code[track.kept_row_numbers] = cells.code
        key, place = renumber(
            combine((weeks.pair_of_rows, weeks.number), (code[weeks.rows], cells.number)),
            weeks.number * cells.number,
        )
        rows = np.bincount(place, minlength=len(key))
        mine = track.latitude[weeks.rows], track.longitude[weeks.rows]
        mean = round_coordinates(*(sum_by_group(place, side, len(key)) / rows for side in mine))
        ends = np.searchsorted(key, np.arange(weeks.number + 1) * cells.number)
        return VisitedPlaces(ends, *mean, cartesian_km(mean).T, cartesian_km(mine).T)

    return track.derive(("visited places", decimals), compute)


def _nearest_places(weeks: PersonWeeks, partner: Ints, places: VisitedPlaces) -> Ints:
    """Of each sorted row, the nearest of the partner's places; the first of equal ones."""
    chosen = np.empty(len(weeks.rows), dtype=np.int64)
    for pair, other in enumerate(partner.tolist()):
        first, end = places.ends[other], places.ends[other + 1]
        there = places.xyz[first:end] - places.xyz[first]  # from the first place: small numbers are exact
        half_squares = (there**2).sum(axis=1) / 2
        start = int(weeks.ends[pair])
        for piece in pieces(int(weeks.ends[pair + 1]) - start, max(1, _MAX_COMPARED // len(there))):
            rows = slice(start + piece.start, start + piece.stop)
            nearness = (places.row_xyz[rows] - places.xyz[first]) @ there.T - half_squares
            chosen[rows] = first + nearness.argmax(axis=1)
    return chosen
