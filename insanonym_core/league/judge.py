"""Check and score the releases of teams; problems are reported to the team that handed in the file.

An error caused by one file, even an unexpected one, must not end the run for the other teams.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow.parquet as parquet

from insanonym_core.errors import DataError, Problem
from insanonym_core.experiment import run
from insanonym_core.io.parquet_files import open_parquet
from insanonym_core.io.sources import Source, TooLargeError, source_of
from insanonym_core.io.spreadsheets import FORMULA_SIGNS
from insanonym_core.league.intake import DiskError, copy_submission
from insanonym_core.league.layout import printable
from insanonym_core.league.problems import file_problems
from insanonym_core.mobility.checks import check
from insanonym_core.mobility.competition import Footprint, footprint, seen_units
from insanonym_core.mobility.files import Reading, read, refuse
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.runs import made_of_pair
from insanonym_core.mobility.track import week_label
from insanonym_core.recipe import Recipe
from insanonym_core.texts import Phrase

_MAX_ROW_BYTES = 1_000  # a row of four fields takes about fifty bytes
_EXTRA_BYTES = 1_000_000
_MAX_PSEUDONYM_LENGTH = 100


@dataclass(frozen=True, eq=False)
class ScoredRelease:
    """A valid release with its scores, its solution (`secret`, only in memory) and its rows.

    `house` is the best score of the attacks of this package, None if they do not count.
    """

    pair: Pair
    secret: Footprint
    utilities: Mapping[str, float]
    utility: float
    house: float | None
    sha256: str
    copy: Path
    warnings: tuple[Problem, ...] = ()

    @cached_property
    def published_tokens(self) -> Mapping[str, frozenset[str]]:
        """Tokens that occur in the published rows of each ISO week."""
        units, _ = seen_units(self.pair.release.kept)
        weeks: dict[int, set[str]] = {}
        for week, token in zip(units.week.tolist(), units.name.tolist(), strict=True):
            weeks.setdefault(week, set()).add(units.individuals[token])
        return {week_label(week): frozenset(tokens) for week, tokens in weeks.items()}


def read_original(path: Path, columns: Sequence[str] | None) -> Reading:
    """Read the teacher's original; a problem with it ends the run."""
    original = read(path, columns, original=True)
    refuse(original.problems)
    if len(original.track) == 0:
        raise DataError(
            "{original} has no rows: give an original with at least one row.", original=original.name
        )
    return original


Judged = ScoredRelease | tuple[Problem, ...]
"""A scored release, or the problems because of which a file does not count."""


@dataclass(frozen=True, eq=False)
class Judge:
    """Scores releases of one original by one recipe; `house`: also by the attacks of this package.

    `judged` keeps results by name and SHA-256 of the file, and `earlier` those of the run before: a file that
    has not changed is read and scored once, however often the league runs.
    """

    original: Reading
    columns: Sequence[str] | None
    recipe: Recipe
    house: bool
    judged: dict[tuple[str, str], Judged] = field(default_factory=dict)
    earlier: dict[tuple[str, str], Judged] = field(default_factory=dict)

    def for_next_run(self) -> Judge:
        """The same judge, which forgets files that were not judged since the last call."""
        return replace(self, judged={}, earlier=self.judged)

    def judge_release(self, path: Path, incoming: Path) -> Judged:
        """Score a team's release, or return its problems; the file is copied once into `incoming`."""
        rows = len(self.original.track)
        copy = incoming / path.name
        try:
            copy_submission(path, copy, max_release_bytes(rows), _too_large_message(rows))
        except DiskError:
            raise
        except Exception as error:
            return file_problems(path, error)
        return self.judge_copy(copy)

    def judge_copy(self, path: Path) -> Judged:
        """Score a release that is in the teacher's folder, or return its problems."""
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            key = (path.name, digest)
            found = self.judged.get(key) or self.earlier.get(key) or self._judge(path, digest)
            self.judged[key] = found
            return replace(found, copy=path) if isinstance(found, ScoredRelease) else found
        except Exception as error:
            return file_problems(path, error)

    def _judge(self, path: Path, digest: str) -> Judged:
        """Read, check and score a release."""
        try:
            _refuse_oversized(path, self.original)
            release = read(path, self.columns)
            release = replace(release, problems=(*release.problems, *_unsafe_pseudonyms(release)))
            checked = check(self.original, release)
            pair = checked.pair()
        except DataError as error:
            return file_problems(path, error)
        # Compute only the scores that the rules count, and our attacks only if they count.
        official = self.recipe.data_kind.official(self.recipe.rules) or frozenset()
        only = (*official, "attack") if self.house else official
        report = run(self.recipe, release=made_of_pair(pair), only=only)
        attack_scores = [measure.score.value for measure in report.family("attack")]
        return ScoredRelease(
            pair,
            footprint(pair),
            {measure.entry.name: measure.score.value for measure in report.family("utility")},
            report.utility,
            max(attack_scores) if attack_scores else None,
            digest,
            path,
            (*(problem for problem in checked.problems if problem.warning), *_unchanged(pair, path)),
        )


def _unchanged(pair: Pair, path: Path) -> tuple[Problem, ...]:
    """A warning about a release that is the original, apart from the pseudonyms."""
    before, after = pair.original, pair.release
    same = bool(after.is_kept.all()) and all(
        np.array_equal(getattr(before, name), getattr(after, name))
        for name in ("time", "latitude", "longitude")
    )
    if not same:
        return ()
    message = (
        "every place and time is that of the original: anybody who has it finds everybody, "
        "whatever the pseudonyms are."
    )
    return (Problem("unchanged", message, file=printable(path.name), warning=True),)


def _unsafe_pseudonyms(release: Reading) -> list[Problem]:
    """Problems of pseudonyms that are too long or that a spreadsheet would run as a formula."""
    track = release.track
    problems = []
    for code, message, is_unsafe in (
        (
            "long-pseudonym",
            Phrase(
                "a pseudonym must have at most {most} characters; give it a shorter one.",
                most=_MAX_PSEUDONYM_LENGTH,
            ),
            lambda text: len(text) > _MAX_PSEUDONYM_LENGTH,
        ),
        (
            "formula",
            Phrase(
                "a pseudonym must not begin with =, +, @ or a tab, which spreadsheets take for a formula; "
                "put a letter in front."
            ),
            _is_formula,
        ),
    ):
        unsafe = [number for number, text in enumerate(track.tokens) if is_unsafe(text)]
        if unsafe:
            rows = np.flatnonzero(np.isin(track.token, unsafe))
            problems.append(release.problem(code, rows, message))
    return problems


def _is_formula(token: str) -> bool:
    """Whether a spreadsheet takes a token for a formula; a minus is allowed, as in -Ab3x."""
    return token.startswith("\t") or token.lstrip()[:1] in {*FORMULA_SIGNS} - {"-", "－"}


def max_release_bytes(rows: int) -> int:
    """Largest size of a release of an original with that many rows, unpacked."""
    return rows * _MAX_ROW_BYTES + _EXTRA_BYTES


def _too_large_message(rows: int) -> str:
    return Phrase(
        "is far too large for a release of {rows:,} rows (the limit is {most:,} bytes, unpacked): hand in "
        "one row for each row of the original.",
        rows=rows,
        most=max_release_bytes(rows),
    )


def _refuse_oversized(path: Path, original: Reading) -> None:
    """Raise a DataError if a file is too large when decompressed, before reading it into memory."""
    source, rows = source_of(path), len(original.track)
    if source.parquet:
        _refuse_oversized_parquet(source, original)
        return
    size = 0
    with source.open() as file:
        while size <= max_release_bytes(rows) and (chunk := file.read(1 << 20)):
            size += len(chunk)
    if size > max_release_bytes(rows):
        raise DataError("{file} {reason}", file=path.name, reason=_too_large_message(rows))


def _refuse_oversized_parquet(source: Source, original: Reading) -> None:
    """Check the number of rows and bytes from the metadata, as repeated values take no space in Parquet."""
    rows = len(original.track)

    def check_rows(parquet_file: parquet.ParquetFile) -> None:
        if parquet_file.metadata.num_rows != rows:
            raise DataError(
                "{file}: the release must have the {expected} rows of {original} and has {actual}; "
                "mark deleted rows with the id DEL instead of removing them.",
                file=source.name,
                expected=rows,
                original=original.name,
                actual=parquet_file.metadata.num_rows,
            )

    try:
        with open_parquet(source, max_bytes=max_release_bytes(rows), check=check_rows):
            pass
    except TooLargeError:
        raise DataError("{file} {reason}", file=source.name, reason=_too_large_message(rows)) from None
