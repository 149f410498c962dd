"""Stays: time spent in a cell, inside windows of the week such as nights or working hours.

A stay is a maximal run of consecutive records in one cell and one window instance (that Monday night, that
Tuesday's working hours); its length is last date − first date. A night belongs to the evening on which it
starts; the days of a window are the weekdays of the records themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from insanonym_core.mobility.cells import Cells
from insanonym_core.mobility.track import HOURS_IN_WEEK, MONDAY_OFFSET, Side, Track, hours_of
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import (
    combine,
    joint_keys,
    largest_of_runs,
    lengths_of_runs,
    positions_in,
    starts_of_runs,
)

INSTANCES = 8  # start days of a window within a week: seven, and the Sunday before it
NO_WINDOW = -1
PACKED_BITS = 63
_MIN_ROWS_PER_RUN = 8  # on average, for the faster sort


@dataclass(frozen=True)
class Window:
    """A type of place and its hours of the week; `end` is not included."""

    kind: str
    days: tuple[int, ...]
    start: int
    end: int

    def instances(self) -> Ints:
        """For each hour of the week the instance of this window it lies in, or NO_WINDOW."""
        label = np.full(HOURS_IN_WEEK, NO_WINDOW, dtype=np.int8)
        past_midnight = self.start > self.end
        for day in self.days:
            for hour in range(24):
                if past_midnight and hour < self.end:
                    label[day * 24 + hour] = (day - 1) % INSTANCES
                elif self.start <= hour and (past_midnight or hour < self.end):
                    label[day * 24 + hour] = day
        return label


WORKING_DAYS, WEEKEND = (0, 1, 2, 3, 4), (5, 6)
WINDOWS_V2 = (
    Window("home", WORKING_DAYS, 22, 6),
    Window("work", WORKING_DAYS, 9, 17),
    Window("activity", WEEKEND, 10, 18),
)


@dataclass(frozen=True, eq=False)
class StayTotals:
    """Total stay of each (owner, week, kind of window, cell) with a stay, sorted in that order."""

    owner: Ints
    week: Ints
    kind: Ints
    latitude: Ints
    longitude: Ints
    seconds: Floats

    def longest(self, how_many: int = 1) -> StayTotals:
        """The `how_many` longest of each (owner, week, kind); ties go to the smaller cell index."""
        if how_many == 1:
            return self.select(largest_of_runs(self.seconds, self.owner, self.week, self.kind))
        order = np.lexsort((self.longitude, self.latitude, -self.seconds, self.kind, self.week, self.owner))
        starts = starts_of_runs(self.owner[order], self.week[order], self.kind[order])
        rank = np.arange(len(order))
        rank = rank - np.repeat(starts, np.diff(np.append(starts, len(order))))
        return self.select(order[rank < how_many])

    def select(self, rows: Ints) -> StayTotals:
        """Select rows."""
        return StayTotals(
            self.owner[rows],
            self.week[rows],
            self.kind[rows],
            self.latitude[rows],
            self.longitude[rows],
            self.seconds[rows],
        )


def stay_totals(
    track: Track,
    windows: tuple[Window, ...],
    decimals: int,
    *,
    owner: Side = "individual",
    file_order: bool = True,
) -> StayTotals:
    """Total stays of a track without deleted rows, by individual or by published token.

    Records of the same time are ordered by file order; attacks, which must not depend on it, order them by
    cell (`file_order=False`).
    """
    if not file_order and owner == "individual" and track.derive("no ties", lambda: _has_no_ties(track)):
        file_order = True  # without ties both orders are the same
    return track.derive(
        ("stays", windows, decimals, owner, file_order),
        lambda: _totals(
            [_stays_in(track, table, decimals, owner, file_order) for table in _disjoint_tables(windows)],
            track.cells(decimals),
            track.resolution,
        ),
    )


def _has_no_ties(track: Track) -> bool:
    """Whether records are sorted by individual and time, without equal times of one individual."""
    person, next_person = track.individual[:-1], track.individual[1:]
    later = track.time[1:] > track.time[:-1]
    return bool(((next_person > person) | ((next_person == person) & later)).all())


def _disjoint_tables(windows: tuple[Window, ...]) -> list[Ints]:
    """Hour of the week → kind · INSTANCES + instance. One table, unless windows overlap."""
    tables: list[Ints] = []
    for kind, window in enumerate(windows):
        label = window.instances()
        inside = label != NO_WINDOW
        label = np.where(inside, label + kind * INSTANCES, NO_WINDOW)
        for place, table in enumerate(tables):
            if not (inside & (table != NO_WINDOW)).any():
                tables[place] = np.where(inside, label, table)
                break
        else:
            tables.append(label)
    return tables


_Stays = tuple[Ints, Ints, Ints, Ints, Ints]
"""Owner, week, kind of window, cell code and ticks of each stay."""


def _stays_in(track: Track, table: Ints, decimals: int, owner: Side, file_order: bool) -> _Stays:
    # A window instance is one interval of time, so no record outside lies between two records inside: rows
    # outside all windows can be dropped before the sort, the expensive step.
    rows = track.derive(("rows in windows", table.tobytes()), lambda: _rows_in_windows(track, table))
    code = track.cells(decimals).code
    owner_code = (track.individual if owner == "individual" else track.token)[rows]
    ranking = rows if file_order else code[rows]
    who, time, ranking = _group_by_owner(owner_code, track.time[rows], ranking)
    cell = code[ranking] if file_order else ranking
    hours = hours_of(time, track.resolution)
    start = starts_of_runs(who, _instances(hours, table), cell)
    end = np.append(start[1:], len(who)) - 1 if len(start) else start
    length = time[end] - time[start]
    stayed = start[length > 0]
    week, label = np.divmod(_instances(hours[stayed], table), len(table))
    return who[stayed], week, label // INSTANCES, cell[stayed], length[length > 0]


def _instances(hours: Ints, table: Ints) -> Ints:
    """A number for the window instance that each hour lies in: week · len(table) + label."""
    if len(hours) == 0:
        return hours
    first, last = int(hours.min()), int(hours.max())
    if last - first < len(hours):  # compute each hour once, then look it up
        every = np.arange(first, last + 1, dtype=np.int32)
        return _instance_of(every, table).take(hours - np.int32(first), mode="clip")
    return _instance_of(hours, table)


def _instance_of(hours: Ints, table: Ints) -> Ints:
    week, hour = np.divmod(hours + np.int32(MONDAY_OFFSET), np.int32(HOURS_IN_WEEK))
    return week * np.int32(len(table)) + table[hour]


def _rows_in_windows(track: Track, table: Ints) -> Ints:
    hour_of_week = track.hours + np.int32(MONDAY_OFFSET) - track.week * np.int32(HOURS_IN_WEEK)
    return np.flatnonzero((table != NO_WINDOW).take(hour_of_week, mode="clip"))


def _group_by_owner(owner: Ints, time: Ints, ranking: Ints) -> tuple[Ints, Ints, Ints]:
    """Sort three columns by owner, time and ranking; owners are in the order of their first rows.

    The rows of an owner are often consecutive in a file. They are then nearly in this order, and a stable
    sort takes a fifth of the time.
    """
    starts = starts_of_runs(owner)
    if len(starts) > len(owner) // _MIN_ROWS_PER_RUN:
        return _sort_columns(owner, time, ranking, kind=None)
    owners, first, place = np.unique(owner[starts], return_index=True, return_inverse=True)
    order = np.argsort(first)
    appearance = np.empty(len(owners), dtype=np.int64)
    appearance[order] = np.arange(len(owners))
    who: Ints = np.repeat(appearance[place], lengths_of_runs(starts, len(owner)))
    who, time, ranking = _sort_columns(who, time, ranking, kind="stable")
    return owners[order][who], time, ranking


def _sort_columns(
    owner: Ints, time: Ints, ranking: Ints, kind: Literal["stable"] | None
) -> tuple[Ints, Ints, Ints]:
    """Sort three columns by all three, packed into one integer if they fit into 63 bits."""
    if len(owner) == 0:
        return owner, time, ranking
    first = int(time.min())
    time_bits = (int(time.max()) - first).bit_length()
    rank_bits = int(ranking.max()).bit_length()
    if int(owner.max()).bit_length() + time_bits + rank_bits > PACKED_BITS:
        order = np.lexsort((ranking, time, owner))
        return owner[order], time[order], ranking[order]
    key = owner.astype(np.int64)
    key <<= time_bits
    key |= time - first
    key <<= rank_bits
    key |= ranking
    key.sort(kind=kind)
    ranking = key & ((1 << rank_bits) - 1)
    key >>= rank_bits
    time = (key & ((1 << time_bits) - 1)) + first
    key >>= time_bits
    return key, time, ranking


def _totals(parts: list[_Stays], cells: Cells, resolution: int) -> StayTotals:
    """Add up the stays of equal (owner, week, kind, cell)."""
    owner, week, kind, cell, ticks = (np.concatenate(column) for column in zip(*parts, strict=True))
    if len(owner) == 0:
        return StayTotals(owner, week, kind, cell, cell, ticks.astype(np.float64))
    first = int(week.min())
    key = combine(
        (owner, int(owner.max()) + 1),
        (week - first, int(week.max()) - first + 1),
        (kind, int(kind.max()) + 1),
        (cell, cells.number),
    )
    order = np.argsort(key, kind="stable")
    starts = starts_of_runs(key[order])
    first_stay = order[starts]
    return StayTotals(
        owner[first_stay],
        week[first_stay],
        kind[first_stay],
        cells.latitude[cell[first_stay]],
        cells.longitude[cell[first_stay]],
        np.add.reduceat(ticks[order], starts) / resolution,
    )


def seconds_at(totals: StayTotals, wanted: StayTotals) -> Floats:
    """The stay that `totals` has on each (owner, week, kind, cell) of `wanted`, 0 where it has none."""
    names = ("owner", "week", "kind", "latitude", "longitude")
    ours, theirs = joint_keys(
        [getattr(totals, name) for name in names], [getattr(wanted, name) for name in names]
    )
    place = positions_in(ours, theirs)
    seconds = np.zeros(len(theirs))
    seconds[place >= 0] = totals.seconds[place[place >= 0]]
    return seconds
