"""Check and score the files of teams; problems are reported to the team that handed in the file.

An error caused by one file, even an unexpected one, must not end the run for the other teams.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow.parquet as parquet

from insanonym_core.errors import DataError, InsanonymError, Problem
from insanonym_core.experiment import run
from insanonym_core.io.parquet_files import open_parquet
from insanonym_core.io.sources import Source, TooLargeError, source_of
from insanonym_core.io.spreadsheets import FORMULA_SIGNS, restored
from insanonym_core.league.intake import DiskError, copy_submission
from insanonym_core.league.layout import printable
from insanonym_core.mobility.attack_files import read_guesses
from insanonym_core.mobility.checks import check
from insanonym_core.mobility.competition import Footprint, Guesses, footprint, seen_units
from insanonym_core.mobility.files import Reading, read, refuse
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.runs import made_of_pair
from insanonym_core.mobility.scoring import score_guesses
from insanonym_core.mobility.track import DELETED_ID, week_label
from insanonym_core.recipe import Recipe
from insanonym_core.texts import Phrase

MAX_ATTACK_BYTES = 50_000_000  # a hundred individuals over twelve weeks take a few hundred thousand bytes
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


def judge_release(
    path: Path,
    incoming: Path,
    original: Reading,
    columns: Sequence[str] | None,
    recipe: Recipe,
    *,
    house: bool,
) -> ScoredRelease | tuple[Problem, ...]:
    """Score a team's release, or return its problems; the file is copied once into `incoming`."""
    rows = len(original.track)
    copy = incoming / path.name
    try:
        copy_submission(path, copy, _max_bytes(rows), _too_large_message(rows))
    except DiskError:
        raise
    except Exception as error:
        return file_problems(path, error)
    return judge_copy(copy, original, columns, recipe, house=house)


def judge_copy(
    path: Path, original: Reading, columns: Sequence[str] | None, recipe: Recipe, *, house: bool
) -> ScoredRelease | tuple[Problem, ...]:
    """Score a release that is in the teacher's folder, or return its problems."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        _refuse_oversized(path, original)
        release = read(path, columns)
        release = replace(release, problems=(*release.problems, *_unsafe_pseudonyms(release)))
        checked = check(original, release)
        pair = checked.pair()
        # Compute only the scores that the rules count, and our attacks only if they count.
        official = recipe.data_kind.official(recipe.rules) or frozenset()
        only = (*official, "attack") if house else official
        report = run(recipe, release=made_of_pair(pair), only=only)
        attack_scores = [measure.score.value for measure in report.family("attack")]
        return ScoredRelease(
            pair,
            footprint(pair),
            {measure.entry.name: measure.score.value for measure in report.family("utility")},
            report.utility,
            max(attack_scores) if attack_scores else None,
            digest,
            path,
            tuple(problem for problem in checked.problems if problem.warning),
        )
    except Exception as error:
        return file_problems(path, error)


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


def _max_bytes(rows: int) -> int:
    return rows * _MAX_ROW_BYTES + _EXTRA_BYTES


def _too_large_message(rows: int) -> str:
    return Phrase(
        "is far too large for a release of {rows:,} rows (the limit is {most:,} bytes, unpacked): hand in "
        "one row for each row of the original.",
        rows=rows,
        most=_max_bytes(rows),
    )


def _refuse_oversized(path: Path, original: Reading) -> None:
    """Raise a DataError if a file is too large when decompressed, before reading it into memory."""
    source, rows = source_of(path), len(original.track)
    if source.parquet:
        _refuse_oversized_parquet(source, original)
        return
    size = 0
    with source.open() as file:
        while size <= _max_bytes(rows) and (chunk := file.read(1 << 20)):
            size += len(chunk)
    if size > _max_bytes(rows):
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
        with open_parquet(source, max_bytes=_max_bytes(rows), check=check_rows):
            pass
    except TooLargeError:
        raise DataError("{file} {reason}", file=source.name, reason=_too_large_message(rows)) from None


def read_attack(path: Path, incoming: Path) -> Guesses | tuple[Problem, ...]:
    """Read the guesses of an attack file, or return its problems; the file is copied once into `incoming`."""
    copy = incoming / path.name
    try:
        copy_submission(
            path,
            copy,
            MAX_ATTACK_BYTES,
            Phrase(
                "has more than {most:,} bytes, the limit for an attack: make fewer guesses.",
                most=MAX_ATTACK_BYTES,
            ),
        )
        return read_guesses(copy)
    except DiskError:
        raise
    except Exception as error:
        return file_problems(copy, error)
    finally:
        copy.unlink(missing_ok=True)


def score_attack(path: Path, guesses: Guesses, release: ScoredRelease) -> tuple[float, tuple[Problem, ...]]:
    """Score of an attack, and warnings about ignored guesses.

    A token that does not occur in the published week is removed from its list of guesses: it is known to be
    wrong and could only serve to choose the length of the list, which the score depends on.
    """
    answers, name = release.secret.answers, printable(path.name)
    warnings: list[Problem] = []

    def warn(code: str, message: str, count: int) -> None:
        warnings.append(Problem(code, message, max(count, 1), file=name, warning=True))

    unit_count = sum(len(weeks) for weeks in guesses.values())
    unknown_count = sum(
        week not in answers.get(individual, {}) for individual, weeks in guesses.items() for week in weeks
    )
    if not any(week_guesses for weeks in guesses.values() for week_guesses in weeks.values()):
        warn("no-guesses", "it holds no guesses, and so finds nobody.", 1)
    elif unknown_count:
        warn(
            "unknown-unit",
            Phrase(
                "{unknown:,} of its {units:,} (id, week) are not in the original and count for nothing.",
                unknown=unknown_count,
                units=unit_count,
            ),
            unknown_count,
        )
    valid_guesses = {
        individual: {
            week: tuple(
                guess
                for guess in dict.fromkeys(
                    _restore_pseudonyms(week_guesses, release.published_tokens.get(week, frozenset()))
                )
                if guess == DELETED_ID or guess in release.published_tokens.get(week, ())
            )
            for week, week_guesses in weeks.items()
            if week in answers.get(individual, {})
        }
        for individual, weeks in guesses.items()
        if individual in answers
    }
    distinct_count = sum(
        len(set(guesses[individual][week])) for individual, weeks in valid_guesses.items() for week in weeks
    )
    unseen_count = distinct_count - sum(
        len(week_guesses) for weeks in valid_guesses.values() for week_guesses in weeks.values()
    )
    if unseen_count:
        warn(
            "unseen-pseudonym",
            Phrase(
                "{unseen:,} of its {guesses:,} guesses are pseudonyms that the published release does not "
                "show in that week: they count for nothing, not even in the length of their lists.",
                unseen=unseen_count,
                guesses=distinct_count,
            ),
            unseen_count,
        )
    return score_guesses(release.secret, valid_guesses).value, tuple(warnings)


def _restore_pseudonyms(guesses: Sequence[str], pseudonyms: frozenset[str]) -> list[str]:
    """Remove the apostrophe that published files put before tokens that look like a formula."""
    return [guess if guess in pseudonyms else restored(guess) for guess in guesses]


def file_problems(path: Path, error: Exception) -> tuple[Problem, ...]:
    """Problems for the team from an exception; they name the file but not its path."""
    name = printable(path.name)
    if isinstance(error, DataError) and error.problems:
        return error.problems
    if isinstance(error, InsanonymError):
        text = str(error).replace(str(path), path.name).removeprefix(path.name).lstrip(":, ")
        return tuple(_problem_from_sentence(printable(sentence), name) for sentence in text.splitlines())
    if isinstance(error, MemoryError):
        message = "takes more memory than this machine has: hand in a smaller file."
        return (Problem("unreadable", message, file=name),)
    reason = str(getattr(error, "strerror", None) or type(error).__name__)
    return (
        Problem(
            "unreadable", Phrase("cannot be read ({reason}): hand it in again.", reason=reason), file=name
        ),
    )


def _problem_from_sentence(sentence: str, file: str) -> Problem:
    """A Problem from a sentence; a leading 'line 3: ' becomes its line number."""
    match = re.fullmatch(r"line ([0-9]+): (.+)", sentence)
    if match:
        return Problem("unreadable", match[2], lines=(int(match[1]),), file=file)
    return Problem("unreadable", sentence, file=file)
