"""Check that a release is valid for its original."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from insanonym_core.errors import DataError, Problem
from insanonym_core.mobility.files import Reading, read, refuse
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.track import DELETED
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import affordable, combine, lengths_of_runs, pieces, starts_of_runs
from insanonym_core.texts import Phrase

_NO_PLACE = "bad-coordinate"
SCORABLE = ("week-changed", "two-pseudonyms")  # invalid for the competition, but still comparable
_NOT_ROWS = frozenset(("columns", "missing-id", "bad-date", "row-count"))  # no row can be told from another
_NO_VALUE = -2  # not a code of an individual or a token


@dataclass(frozen=True, eq=False)
class CheckedPair:
    """An original and a release as read, with all their problems."""

    original: Reading
    release: Reading
    problems: tuple[Problem, ...]

    @property
    def valid(self) -> bool:
        """Whether there are no problems except warnings."""
        return all(problem.warning for problem in self.problems)

    def pair(self, *, allow_invalid: bool = False) -> Pair:
        """The pair to score; `allow_invalid` accepts rows in another week and several tokens per id.

        Rows without a position on the globe are deleted then, as `lenient` says.
        """
        if allow_invalid:
            return replace(self.lenient()._pair(), valid=self.valid)
        refuse(self.problems)
        return self._pair()

    def _pair(self) -> Pair:
        refuse([problem for problem in self.problems if problem.code not in SCORABLE])
        before, after = self.original.track, self.release.track
        if not self.release.usable.all():
            after = after.changed(token=np.where(self.release.usable, after.token, DELETED))
        if not self.original.usable.all():
            rows = np.flatnonzero(self.original.usable)
            before, after = before.take(rows), after.take(rows)
        return Pair.from_tracks(before, after)

    def lenient(self) -> CheckedPair:
        """Rows without a position on the globe, as warnings: those of the release count as deleted.

        Those of the original are left out of both files. Other problems stay.
        """
        codes = {problem.code for problem in self.problems}
        if _NO_PLACE not in codes or not _NOT_ROWS.isdisjoint(codes):
            return self
        problems = tuple(_left_out(one) if one.code == _NO_PLACE else one for one in self.problems)
        return replace(self, problems=problems)

    def bounding_box(self) -> dict[str, dict[str, float]]:
        """South, north, west and east of each file, which shows swapped columns.

        Rounded outward to a tenth of a degree, because an extreme is the position of one individual.
        """
        return {
            role: box
            for role, reading in (("original", self.original), ("release", self.release))
            if (box := bounding_box(reading))
        }


def _left_out(problem: Problem) -> Problem:
    """What is said of rows without a position on the globe that are not refused."""
    if problem.role == "original":
        said = Phrase.plural(
            "{n:,} row has no position on the globe and is left out of both files.",
            "{n:,} rows have no position on the globe and are left out of both files.",
            n=problem.count,
        )
    else:
        said = Phrase.plural(
            "{n:,} row has no position on the globe and counts as deleted.",
            "{n:,} rows have no position on the globe and count as deleted.",
            n=problem.count,
        )
    lines = () if problem.whole else problem.lines  # a frame has no lines
    return replace(problem, warning=True, message=said, lines=lines, whole=None)


def bounding_box(reading: Reading) -> dict[str, float]:
    """South, north, west and east of a file, rounded outward; empty if it has no positions."""
    rows = reading.usable & reading.track.is_kept
    if not rows.any():
        return {}

    def outer_bounds(column: Floats, low: str, high: str) -> dict[str, float]:
        # Round first: 1.1 * 10 is slightly more than 11.
        lowest, highest = (round(float(end) * 10, 6) for end in (column[rows].min(), column[rows].max()))
        return {low: math.floor(lowest) / 10, high: math.ceil(highest) / 10}

    track = reading.track
    return outer_bounds(track.latitude, "south", "north") | outer_bounds(track.longitude, "west", "east")


def check_files(
    original: Path | str, release: Path | str, columns: Sequence[str] | None = None
) -> CheckedPair:
    """Read both files and find all problems."""
    return check(read(original, columns, original=True), read(release, columns))


def check(original: Reading, release: Reading) -> CheckedPair:
    """Find all problems of two files: those of each file, then those of the pair."""
    problems = [*original.problems, *release.problems]
    expected, actual = len(original.track), len(release.track)
    if expected == 0:
        raise DataError(
            "{original} has no rows: give an original with at least one row.", original=original.name
        )
    if expected != actual:
        problems.append(
            Problem(
                "row-count",
                Phrase(
                    "the release must have the {expected} rows of {original} and has {actual}; mark "
                    "deleted rows with the id DEL instead of removing them.",
                    expected=expected,
                    original=original.name,
                    actual=actual,
                ),
                count=abs(expected - actual),
                file=release.name,
                role="release",
            )
        )
    else:
        # Give the release the individuals of the original; what the check derives is cached with that track.
        people = {name: getattr(original.track, name) for name in ("individual", "individuals")}
        release = replace(release, track=release.track.changed(**people))
        problems += _pair_problems(original, release)
    return CheckedPair(original, release, tuple(problems))


def _pair_problems(original: Reading, release: Reading) -> list[Problem]:
    before, after = original.track, release.track
    week = before.week if original.usable.all() else before.week[original.usable]
    if len(week) == 0:
        return []
    first = int(week.min())
    weeks = int(week.max()) - first + 1
    tokens = _FirstValues(len(before.individuals) * weeks, len(before))
    individuals = _FirstValues(len(after.tokens) * weeks, len(before))
    other_week, several_tokens, several_individuals = [], [], []
    for piece in pieces(len(before)):
        comparable = original.usable[piece] & release.usable[piece]
        comparable &= after.is_kept[piece] & before.is_kept[piece]
        rows = np.flatnonzero(comparable) + piece.start
        week, individual, token = before.week[rows], before.individual[rows], after.token[rows]
        other_week.append(rows[week != after.week[rows]])
        # Consecutive rows are often equal: check one row per run.
        run = starts_of_runs(individual, week, token)
        length = lengths_of_runs(run, len(rows))
        week, individual, token = week[run], individual[run], token[run]
        week_code = (week - first, weeks)
        different = tokens.differ(combine((individual, len(before.individuals)), week_code), token)
        several_tokens.append(rows[np.repeat(different, length)])
        different = individuals.differ(combine((token, len(after.tokens)), week_code), individual)
        several_individuals.append(rows[np.repeat(different, length)])
    problems: list[Problem] = []

    def note(code: str, where: list[Ints], message: str, *, warning: bool = False) -> None:
        rows = np.concatenate(where)
        if len(rows):
            problems.append(release.problem(code, rows, message, warning=warning))

    note(
        "week-changed",
        other_week,
        "a kept row must stay in its ISO week; move its date back, or mark the row DEL.",
    )
    note(
        "two-pseudonyms",
        several_tokens,
        "one id has two anonymised ids in one week; give it a single one per week.",
    )
    note(
        "shared-pseudonym",
        several_individuals,
        "one anonymised id stands for several ids in one week: they are found or lost together.",
        warning=True,
    )
    return problems


class _FirstValues:
    """The value of the first row of each group, over rows processed piece by piece."""

    def __init__(self, groups: int, rows: int) -> None:
        self._table = np.full(groups, _NO_VALUE, dtype=np.int32) if affordable(groups, rows) else None
        self._seen: dict[int, int] = {}  # used if a table of all groups would be too large

    def differ(self, group: Ints, value: Ints) -> Bools:
        """Where a row's value is not that of the first row of its group."""
        if self._table is not None:
            return _differ(self._table, group, value)
        keys, place = np.unique(group, return_inverse=True)
        first = np.array([self._seen.get(key, _NO_VALUE) for key in keys.tolist()], dtype=np.int32)
        different = _differ(first, place, value)
        self._seen.update(zip(keys.tolist(), first.tolist(), strict=True))
        return different


def _differ(first: Ints, group: Ints, value: Ints) -> Bools:
    """Where a row's value is not the first of its group; `first` is filled in for new groups."""
    new = first[group] == _NO_VALUE
    if new.any():
        first[group[new][::-1]] = value[new][
            ::-1
        ]  # reversed: the last assignment wins, which is the first row
    return first[group] != value
