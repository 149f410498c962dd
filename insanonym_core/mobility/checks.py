"""Whether a release is a legal one of its original."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from insanonym_core.arrays import Bools, Floats, Ints
from insanonym_core.errors import DataError, Problem
from insanonym_core.grouping import affordable, combine, lengths_of_runs, pieces, starts_of_runs
from insanonym_core.mobility.files import Reading, read, refuse
from insanonym_core.mobility.pair import Pair

SCORABLE = ("week-changed", "two-pseudonyms")  # invalid for the competition, but still comparable
_UNSEEN = -2  # no code of an individual or a token


@dataclass(frozen=True, eq=False)
class Checked:
    """Two files side by side with all their problems."""

    original: Reading
    release: Reading
    problems: tuple[Problem, ...]

    @property
    def valid(self) -> bool:
        """Warnings aside, nothing is wrong."""
        return all(problem.warning for problem in self.problems)

    def pair(self, *, allow_invalid: bool = False) -> Pair:
        """The pair to score; `allow_invalid` lets a release pass that left its weeks or mixed pseudonyms."""
        refuse([p for p in self.problems if not (allow_invalid and p.code in SCORABLE)])
        return Pair.from_tracks(self.original.track, self.release.track, valid=self.valid)

    def bounding_box(self) -> dict[str, dict[str, float]]:
        """South, north, west and east of each file, so that a person sees swapped columns.

        Rounded outward to a tenth of a degree: an extreme is one person's point.
        """
        return {
            role: box
            for role, reading in (("original", self.original), ("release", self.release))
            if (box := _box(reading))
        }


def _box(reading: Reading) -> dict[str, float]:
    shown = reading.usable & reading.track.is_kept
    if not shown.any():
        return {}

    def ends(column: Floats, low: str, high: str) -> dict[str, float]:
        # Inner rounding: 1.1 * 10 is a little more than 11.
        least, most = (round(float(end) * 10, 6) for end in (column[shown].min(), column[shown].max()))
        return {low: math.floor(least) / 10, high: math.ceil(most) / 10}

    track = reading.track
    return ends(track.latitude, "south", "north") | ends(track.longitude, "west", "east")


def check_files(original: Path | str, release: Path | str, columns: Sequence[str] | None = None) -> Checked:
    """Read both files and look for every problem."""
    return check(read(original, columns, original=True), read(release, columns))


def check(original: Reading, release: Reading) -> Checked:
    """All problems of two files: their own, then those of the pair."""
    problems = [*original.problems, *release.problems]
    expected, came = len(original.track), len(release.track)
    if expected == 0:
        raise DataError(f"{original.name} has no rows: give an original with at least one.")
    if expected != came:
        problems.append(
            Problem(
                "row-count",
                f"the release must have the {expected} rows of {original.name} and has {came}; "
                "mark deleted rows with the id DEL instead of removing them.",
                count=abs(expected - came),
                file=release.name,
                role="release",
            )
        )
    else:
        # From here on a row of the release knows whose it is; what the check looks up stays with the track.
        people = {name: getattr(original.track, name) for name in ("individual", "individuals")}
        release = replace(release, track=release.track.changed(**people))
        problems += _pair_problems(original, release)
    return Checked(original, release, tuple(problems))


def _pair_problems(original: Reading, release: Reading) -> list[Problem]:
    before, after = original.track, release.track
    week = before.week if original.usable.all() else before.week[original.usable]
    if len(week) == 0:
        return []
    first = int(week.min())
    weeks = int(week.max()) - first + 1
    tokens = _Firsts(len(before.individuals) * weeks, len(before))
    individuals = _Firsts(len(after.tokens) * weeks, len(before))
    moved, torn, shared = [], [], []
    for piece in pieces(len(before)):
        comparable = original.usable[piece] & release.usable[piece]
        comparable &= after.is_kept[piece] & before.is_kept[piece]
        rows = np.flatnonzero(comparable) + piece.start
        week, individual, token = before.week[rows], before.individual[rows], after.token[rows]
        moved.append(rows[week != after.week[rows]])
        # Rows that follow each other are often alike: one of each run is looked at.
        run = starts_of_runs(individual, week, token)
        length = lengths_of_runs(run, len(rows))
        week, individual, token = week[run], individual[run], token[run]
        since = (week - first, weeks)
        different = tokens.differ(combine((individual, len(before.individuals)), since), token)
        torn.append(rows[np.repeat(different, length)])
        different = individuals.differ(combine((token, len(after.tokens)), since), individual)
        shared.append(rows[np.repeat(different, length)])
    found: list[Problem] = []

    def note(code: str, where: list[Ints], message: str, *, warning: bool = False) -> None:
        rows = np.concatenate(where)
        if len(rows):
            found.append(release.problem(code, rows, message, warning=warning))

    note(
        "week-changed",
        moved,
        "a kept row must stay in its ISO week; move its date back, or mark the row DEL.",
    )
    note(
        "two-pseudonyms",
        torn,
        "one id has two anonymised ids in one week; give it a single one per week.",
    )
    note(
        "shared-pseudonym",
        shared,
        "one anonymised id stands for several ids in one week: they are found or lost together.",
        warning=True,
    )
    return found


class _Firsts:
    """The value of the first row of each group, over rows that come piece by piece."""

    def __init__(self, groups: int, rows: int) -> None:
        self._table = np.full(groups, _UNSEEN, dtype=np.int32) if affordable(groups, rows) else None
        self._seen: dict[int, int] = {}  # where a table of all groups would be too large

    def differ(self, group: Ints, value: Ints) -> Bools:
        """Where a row's value is not that of the first row of its group."""
        if self._table is not None:
            return _differ(self._table, group, value)
        keys, place = np.unique(group, return_inverse=True)
        first = np.array([self._seen.get(key, _UNSEEN) for key in keys.tolist()], dtype=np.int32)
        different = _differ(first, place, value)
        self._seen.update(zip(keys.tolist(), first.tolist(), strict=True))
        return different


def _differ(first: Ints, group: Ints, value: Ints) -> Bools:
    """Where a row's value is not the first of its group; unseen firsts are filled in."""
    new = first[group] == _UNSEEN
    if new.any():
        first[group[new][::-1]] = value[new][::-1]  # the last assignment wins: that of the first row
    return first[group] != value
