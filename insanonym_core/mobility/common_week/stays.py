"""Stays inside segments: the points of interest of a week, and how long others stay there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.mobility.common_week.rows import KIND_OF_SEGMENT, KINDS, OUTSIDE, Rows
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import largest_of_runs, starts_of_runs, sum_by_group

NOWHERE = -1


@dataclass(frozen=True, eq=False)
class Stays:
    """Stays longer than zero inside the windows (night, work, weekend), in the order of the rows."""

    person: Ints
    segment: Ints
    cell: Ints
    ticks: Ints

    @property
    def kind(self) -> Ints:
        """Kind of the segment."""
        return KIND_OF_SEGMENT[self.segment]


def stays(person: Ints, segment: Ints, cell: Ints, time: Ints) -> Stays:
    """Runs of rows in one segment and cell, of rows sorted by person and time."""
    start = starts_of_runs(person, segment, cell)
    end = np.append(start[1:], len(person))[: len(start)] - 1
    ticks = time[end] - time[start]
    counted = (ticks > 0) & (KIND_OF_SEGMENT[segment[start]] != OUTSIDE)
    start = start[counted]
    return Stays(person[start], segment[start], cell[start], ticks[counted])


@dataclass(frozen=True, eq=False)
class PlacesOfInterest:
    """The cell in which each individual stays longest in each kind of window, and for how long.

    Both by (kind, individual); NOWHERE and 0 where there is none. `others` is the total stay of each
    individual (third place) in the cell of another (second): `others[kind, of, who]`.
    """

    cell: Ints
    ticks: Floats
    others: Floats


def places_of_interest(rows: Rows) -> PlacesOfInterest:
    """Points of interest of the individuals of a week."""
    people = len(rows.people)
    found = stays(rows.person, rows.segment, rows.cell, rows.time)
    cell = np.full((KINDS - 1, people), NOWHERE, dtype=np.int64)
    ticks, others = np.zeros((KINDS - 1, people)), np.zeros((KINDS - 1, people, people))
    for kind in range(KINDS - 1):
        of_kind = found.kind == kind
        who, where, length = found.person[of_kind], found.cell[of_kind].astype(np.int64), found.ticks[of_kind]
        if not len(who):
            continue
        width = int(where.max()) + 1
        keys, group = np.unique(who * width + where, return_inverse=True)
        total = sum_by_group(group, length, len(keys))
        longest = largest_of_runs(total, keys // width)
        owner = keys[longest] // width
        cell[kind, owner], ticks[kind, owner] = keys[longest] % width, total[longest]
        for key, seconds in zip(keys.tolist(), total.tolist(), strict=True):
            others[kind, cell[kind] == key % width, key // width] = seconds
    return PlacesOfInterest(cell, ticks, others)
