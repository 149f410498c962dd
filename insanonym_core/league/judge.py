"""Opening what teams handed in: each file is checked for itself, and what is wrong stays with its team.

Whatever a file makes go wrong, even something nobody thought of, must not end the run for the others.
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
from insanonym_core.league.intake import DiskError, take
from insanonym_core.league.layout import shown
from insanonym_core.mobility.attack_files import read_guesses
from insanonym_core.mobility.checks import check
from insanonym_core.mobility.competition import Footprint, Guesses, footprint, seen_units
from insanonym_core.mobility.files import Reading, read, refuse
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.runs import made_of_pair
from insanonym_core.mobility.scoring import score_guesses
from insanonym_core.mobility.track import DELETED_ID, week_label
from insanonym_core.parquet_files import open_parquet
from insanonym_core.recipe import Recipe
from insanonym_core.sources import Source, TooLargeError, source_of
from insanonym_core.spreadsheets import FORMULA_SIGNS, restored

LARGEST_ATTACK = 50_000_000  # bytes; a hundred people over twelve weeks take a few hundred thousand
_LARGEST_ROW = 1_000  # bytes; a row of four fields takes about fifty
_SPARE = 1_000_000
_LONGEST_PSEUDONYM = 100


@dataclass(frozen=True, eq=False)
class Judged:
    """A valid release: its numbers, its secret (in memory alone), and its rows for publishing."""

    pair: Pair
    secret: Footprint
    utilities: Mapping[str, float]
    utility: float
    house: float | None
    sha256: str
    copy: Path
    warnings: tuple[Problem, ...] = ()

    @cached_property
    def shown(self) -> Mapping[str, frozenset[str]]:
        """ISO week → the pseudonyms that its published rows show."""
        units, _ = seen_units(self.pair.release.kept)
        weeks: dict[int, set[str]] = {}
        for week, token in zip(units.week.tolist(), units.name.tolist(), strict=True):
            weeks.setdefault(week, set()).add(units.individuals[token])
        return {week_label(week): frozenset(tokens) for week, tokens in weeks.items()}


def read_original(path: Path, columns: Sequence[str] | None) -> Reading:
    """The teacher's file; here a problem ends the run."""
    original = read(path, columns, original=True)
    refuse(original.problems)
    if len(original.track) == 0:
        raise DataError(f"{original.name} has no rows: give an original with at least one.")
    return original


def judge_release(
    path: Path,
    incoming: Path,
    original: Reading,
    columns: Sequence[str] | None,
    recipe: Recipe,
    *,
    house: bool,
) -> Judged | tuple[Problem, ...]:
    """A team's release with its scores, or everything that is wrong with it; read once, into `incoming`."""
    rows = len(original.track)
    copy = incoming / path.name
    try:
        take(path, copy, _limit(rows), _too_large(rows))
    except DiskError:
        raise
    except Exception as error:
        return problems_of(path, error)
    return judge_copy(copy, original, columns, recipe, house=house)


def judge_copy(
    path: Path, original: Reading, columns: Sequence[str] | None, recipe: Recipe, *, house: bool
) -> Judged | tuple[Problem, ...]:
    """A release in the teacher's folder with its scores, or everything that is wrong with it."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        _refuse_oversized(path, original)
        release = read(path, columns)
        release = replace(release, problems=(*release.problems, *_odd_pseudonyms(release)))
        checked = check(original, release)
        pair = checked.pair()
        # Only what the rules count; attacks are the teams' business, unless ours count too.
        official = recipe.data_kind.official(recipe.rules) or frozenset()
        only = (*official, "attack") if house else official
        report = run(recipe, release=made_of_pair(pair), only=only)
        tried = [one.score.value for one in report.family("attack")]
        return Judged(
            pair,
            footprint(pair),
            {one.entry.name: one.score.value for one in report.family("utility")},
            report.utility,
            max(tried) if tried else None,
            digest,
            path,
            tuple(problem for problem in checked.problems if problem.warning),
        )
    except Exception as error:
        return problems_of(path, error)


def _odd_pseudonyms(release: Reading) -> list[Problem]:
    """What must not stand in a file that everybody opens, in a spreadsheet perhaps."""
    track = release.track
    found = []
    for code, message, is_odd in (
        (
            "long-pseudonym",
            f"a pseudonym has at most {_LONGEST_PSEUDONYM} characters; give it a shorter one.",
            lambda text: len(text) > _LONGEST_PSEUDONYM,
        ),
        (
            "formula",
            "a pseudonym must not begin with =, +, @ or a tab, which spreadsheets take for a formula; "
            "put a letter in front.",
            _is_formula,
        ),
    ):
        odd = [number for number, text in enumerate(track.tokens) if is_odd(text)]
        if odd:
            rows = np.flatnonzero(np.isin(track.token, odd))
            found.append(release.problem(code, rows, message))
    return found


def _is_formula(token: str) -> bool:
    """Not with a minus: tokens such as -Ab3x are plausible."""
    return token.startswith("\t") or token.lstrip()[:1] in {*FORMULA_SIGNS} - {"-", "－"}


def _limit(rows: int) -> int:
    return rows * _LARGEST_ROW + _SPARE


def _too_large(rows: int) -> str:
    return (
        f"is far too large for a release of {rows} rows (the limit is {_limit(rows):,} bytes, "
        "unpacked): hand in one row for each row of the original."
    )


def _refuse_oversized(path: Path, original: Reading) -> None:
    """A few bytes can unpack to gigabytes: stop long before the memory that all teams share is full."""
    source, rows = source_of(path), len(original.track)
    if source.parquet:
        _refuse_oversized_parquet(source, original)
        return
    size = 0
    with source.open() as file:
        while size <= _limit(rows) and (piece := file.read(1 << 20)):
            size += len(piece)
    if size > _limit(rows):
        raise DataError(f"{path.name} {_too_large(rows)}")


def _refuse_oversized_parquet(source: Source, original: Reading) -> None:
    """Parquet holds a value once and its repetitions as a number: look before anything is spread out."""
    rows = len(original.track)

    def check_rows(opened: parquet.ParquetFile) -> None:
        if opened.metadata.num_rows != rows:
            raise DataError(
                f"{source.name}: the release must have the {rows} rows of {original.name} and has "
                f"{opened.metadata.num_rows}; mark deleted rows with the id DEL instead of removing them."
            )

    try:
        with open_parquet(source, max_bytes=_limit(rows), check=check_rows):
            pass
    except TooLargeError:
        raise DataError(f"{source.name} {_too_large(rows)}") from None


def read_attack(path: Path, incoming: Path) -> Guesses | tuple[Problem, ...]:
    """The guesses of an attack file, or what is wrong with it; read once, into `incoming`."""
    copy = incoming / path.name
    try:
        take(
            path,
            copy,
            LARGEST_ATTACK,
            f"has more than {LARGEST_ATTACK:,} bytes, the limit for an attack: guess fewer.",
        )
        return read_guesses(copy)
    except DiskError:
        raise
    except Exception as error:
        return problems_of(copy, error)
    finally:
        copy.unlink(missing_ok=True)


def score_attack(path: Path, guesses: Guesses, judged: Judged) -> tuple[float, tuple[Problem, ...]]:
    """What an attack found, and warnings about guesses that count for nothing.

    A guess that its week of the published release does not show is taken out of its list: everybody can see
    that it is wrong, so it is good for nothing but for giving lists lengths of one's choice.
    """
    known, name = judged.secret.answers, shown(path.name)
    told: list[Problem] = []

    def note(code: str, message: str, count: int) -> None:
        told.append(Problem(code, message, max(count, 1), file=name, warning=True))

    said = sum(len(weeks) for weeks in guesses.values())
    strange = sum(week not in known.get(who, {}) for who, weeks in guesses.items() for week in weeks)
    if not any(tried for weeks in guesses.values() for tried in weeks.values()):
        note("no-guesses", "it holds no guesses, and so finds nobody.", 1)
    elif strange:
        note(
            "unknown-unit",
            f"{strange} of its {said} (id, week) are not in the original and count for nothing.",
            strange,
        )
    possible = {
        who: {
            week: tuple(
                guess
                for guess in dict.fromkeys(_as_shown(tried, judged.shown.get(week, frozenset())))
                if guess == DELETED_ID or guess in judged.shown.get(week, ())
            )
            for week, tried in weeks.items()
            if week in known.get(who, {})
        }
        for who, weeks in guesses.items()
        if who in known
    }
    different = sum(len(set(guesses[who][week])) for who, weeks in possible.items() for week in weeks)
    unseen = different - sum(len(tried) for weeks in possible.values() for tried in weeks.values())
    if unseen:
        note(
            "unseen-pseudonym",
            f"{unseen} of its {different} guesses are pseudonyms that the published release does not show "
            "in that week: they count for nothing, not even in the length of their lists.",
            unseen,
        )
    return score_guesses(judged.secret, possible).value, tuple(told)


def _as_shown(tried: Sequence[str], pseudonyms: frozenset[str]) -> list[str]:
    """Guesses as pseudonyms: published files have an apostrophe before what a spreadsheet would run."""
    return [guess if guess in pseudonyms else restored(guess) for guess in tried]


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
