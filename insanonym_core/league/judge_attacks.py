"""Read and score the attack files of teams; problems are reported to the team that handed in the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from insanonym_core.errors import Problem
from insanonym_core.io.spreadsheets import restored
from insanonym_core.league.intake import DiskError, copy_submission
from insanonym_core.league.judge import ScoredRelease
from insanonym_core.league.layout import printable
from insanonym_core.league.problems import file_problems
from insanonym_core.mobility.attack_files import read_guesses
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.scoring import score_guesses
from insanonym_core.mobility.track import DELETED_ID
from insanonym_core.texts import Phrase

MAX_ATTACK_BYTES = 50_000_000  # a hundred individuals over twelve weeks take a few hundred thousand bytes


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
