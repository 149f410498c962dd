"""Whether a release is a legal one of its original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from insanonym_core.arrays import Bools, Floats, Ints
from insanonym_core.errors import DataError, Problem
from insanonym_core.grouping import affordable, combine
from insanonym_core.mobility.files import Reading, read, refuse
from insanonym_core.mobility.pair import Pair

SCORABLE = ("week-changed", "two-pseudonyms")  # invalid for the competition, but still comparable


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
        return Pair.of(self.original.track, self.release.track, valid=self.valid)

    def bounding_box(self) -> dict[str, dict[str, float]]:
        """South, north, west and east of each file, so that a person sees swapped columns."""
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
        return {low: float(column[shown].min()), high: float(column[shown].max())}

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
        problems += _pair_problems(original, release)
    return Checked(original, release, tuple(problems))


def _pair_problems(original: Reading, release: Reading) -> list[Problem]:
    comparable = original.usable & release.usable & release.track.is_kept & original.track.is_kept
    rows = np.flatnonzero(comparable)
    found: list[Problem] = []
    if len(rows) == 0:
        return found

    def note(code: str, where: Bools, message: str, *, warning: bool = False) -> None:
        if where.any():
            found.append(release.problem(code, rows[where], message, warning=warning))

    before, after = original.track, release.track
    week = before.week[rows]
    individual, token = before.individual[rows], after.token[rows]
    note(
        "week-changed",
        week != after.week[rows],
        "a kept row must stay in its ISO week; move its date back, or mark the row DEL.",
    )
    since = week - week.min()
    weeks = int(since.max()) + 1
    whose = combine((individual, len(before.individuals)), (since, weeks))
    note(
        "two-pseudonyms",
        _differs_from_first(whose, len(before.individuals) * weeks, token),
        "one id has two anonymised ids in one week; give it a single one per week.",
    )
    shared = combine((token, len(after.tokens)), (since, weeks))
    note(
        "shared-pseudonym",
        _differs_from_first(shared, len(after.tokens) * weeks, individual),
        "one anonymised id stands for several ids in one week: they are found or lost together.",
        warning=True,
    )
    return found


def _differs_from_first(group: Ints, groups: int, value: Ints) -> Bools:
    """Where a row's value is not that of the first row of its group."""
    if not affordable(groups, len(group)):
        distinct, group = np.unique(group, return_inverse=True)
        groups = len(distinct)
    first = np.zeros(groups, dtype=value.dtype)
    first[group[::-1]] = value[::-1]  # the last assignment wins: that of the first row
    return first[group] != value
