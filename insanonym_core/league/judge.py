"""Opening what teams handed in: each file is checked for itself, and what is wrong stays with its team.

Whatever a file makes go wrong, even something nobody thought of, must not end the run for the others.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from insanonym_core.errors import DataError, InsanonymError, Problem
from insanonym_core.league.layout import shown
from insanonym_core.mobility.checks import check
from insanonym_core.mobility.competition import Footprint, Guesses, footprint, read_guesses, score_guesses
from insanonym_core.mobility.evaluate import Settings, evaluate, run_attacks
from insanonym_core.mobility.files import Reading, read, refuse
from insanonym_core.mobility.pair import Pair
from insanonym_core.sources import source_of

LARGEST_ATTACK = 50_000_000  # bytes; a hundred people over twelve weeks take a few hundred thousand
_LARGEST_ROW = 1_000  # bytes; a row of four fields takes about fifty
_SPARE = 1_000_000


@dataclass(frozen=True, eq=False)
class Judged:
    """A valid release: its numbers, its secret (in memory alone), and its rows for publishing."""

    pair: Pair
    secret: Footprint
    utilities: Mapping[str, float]
    utility: float
    house: float | None
    sha256: str
    warnings: tuple[Problem, ...] = ()


def read_original(path: Path, columns: Sequence[str] | None) -> Reading:
    """The teacher's file; here a problem ends the run."""
    original = read(path, columns, original=True)
    refuse(original.problems)
    if len(original.track) == 0:
        raise DataError(f"{original.name} has no rows: give an original with at least one.")
    return original


def judge_release(
    path: Path, original: Reading, columns: Sequence[str] | None, settings: Settings, *, house: bool
) -> Judged | tuple[Problem, ...]:
    """A release with its scores, or everything that is wrong with it."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        _refuse_oversized(path, len(original.track))
        checked = check(original, read(path, columns))
        pair = checked.pair()
        report = evaluate(pair, settings)
        found = run_attacks(pair, Settings()) if house else {}
    except Exception as error:
        return problems_of(path, error)
    return Judged(
        pair,
        footprint(pair),
        {name: score.value for name, score in report.utility.items()},
        report.utility_value,
        max(score.value for score in found.values()) if found else None,
        digest,
        tuple(problem for problem in checked.problems if problem.warning),
    )


def _refuse_oversized(path: Path, rows: int) -> None:
    """A few bytes can unpack to gigabytes: stop long before the memory that all teams share is full."""
    source = source_of(path)
    limit = rows * _LARGEST_ROW + _SPARE
    size = path.stat().st_size
    if not source.parquet and size <= limit:
        size = 0
        with source.open() as file:
            while size <= limit and (piece := file.read(1 << 20)):
                size += len(piece)
    if size > limit:
        raise DataError(
            f"{path.name} is far too large for a release of {rows} rows (the limit is {limit:,} bytes, "
            "unpacked): hand in one row for each row of the original."
        )


def read_attack(path: Path) -> Guesses | tuple[Problem, ...]:
    """The guesses of an attack file, or what is wrong with it."""
    try:
        if path.stat().st_size > LARGEST_ATTACK:
            raise DataError(
                f"{path.name} has more than {LARGEST_ATTACK:,} bytes, the limit for an attack: guess fewer."
            )
        return read_guesses(path)
    except Exception as error:
        return problems_of(path, error)


def score_attack(path: Path, guesses: Guesses, judged: Judged) -> tuple[float, tuple[Problem, ...]]:
    """What an attack found, and a warning about guesses that concern nobody."""
    known = judged.secret.answers
    said = sum(len(weeks) for weeks in guesses.values())
    strange = sum(week not in known.get(who, {}) for who, weeks in guesses.items() for week in weeks)
    warnings: tuple[Problem, ...] = ()
    if strange or not said:
        message = f"{strange} of its {said} (id, week) are not in the original and count for nothing."
        warnings = (Problem("unknown-unit", message, max(strange, 1), file=shown(path.name), warning=True),)
    return score_guesses(judged.secret, guesses).value, warnings


def problems_of(path: Path, error: Exception) -> tuple[Problem, ...]:
    """What went wrong with one file, as sentences for its team: its name, but no place on our machine."""
    name = shown(path.name)
    if isinstance(error, DataError) and error.problems:
        return error.problems
    if isinstance(error, InsanonymError):
        text = str(error).replace(str(path), path.name).removeprefix(path.name).lstrip(":, ")
        return tuple(_with_line(shown(sentence), name) for sentence in text.splitlines())
    if isinstance(error, MemoryError):
        return (Problem("unreadable", "takes more memory than this machine has: hand in less.", file=name),)
    why = str(getattr(error, "strerror", None) or type(error).__name__)
    return (Problem("unreadable", f"cannot be read ({why}): hand it in again.", file=name),)


def _with_line(sentence: str, file: str) -> Problem:
    """A sentence that begins with 'line 3: ' as a problem of that line."""
    placed = re.fullmatch(r"line ([0-9]+): (.+)", sentence)
    if placed:
        return Problem("unreadable", placed[2], lines=(int(placed[1]),), file=file)
    return Problem("unreadable", sentence, file=file)
