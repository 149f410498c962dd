"""Hand in a file for a team, or take it back: the file is checked before it replaces another one.

A file that does not count is not kept: what the team handed in before stays where it is.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from pathlib import Path

from insanonym_core.errors import Problem, UsageError, brief
from insanonym_core.league.judge import Judge, ScoredRelease
from insanonym_core.league.judge_attacks import read_attack
from insanonym_core.league.layout import (
    ATTACKS,
    KEY_SEPARATOR,
    NAME_RULE,
    PUBLISHED,
    RELEASES,
    TEAMS,
    TeamFiles,
    is_valid_name,
    normalise_name,
    printable,
    read_team,
    release_name,
)
from insanonym_core.texts import Phrase


@dataclass(frozen=True)
class HandedIn:
    """Whether a file was accepted, its name in the team's folder, and what there is to say about it."""

    name: str
    accepted: bool
    problems: tuple[Problem, ...] = ()


def hand_in_release(
    folder: Path, team: str, path: Path, judge: Judge, incoming: Path, max_releases: int
) -> HandedIn:
    """Check a release and move it to its team's folder; a release of the same name is replaced."""
    name = unicodedata.normalize("NFC", path.name)
    stem = release_name(name)
    if not stem:
        return _refused(
            name, "is not a release: hand in .tsv, .csv, .txt or .parquet, or a text packed as .zip or .gz."
        )
    if not is_valid_name(stem):
        return _refused(name, Phrase("is not a possible name: {rule}; rename it.", rule=NAME_RULE))
    files = _team_files(folder, team)
    same_name = [one for one in files.releases if normalise_name(one.name) == normalise_name(stem)]
    if not same_name and len(files.releases) >= max_releases:
        return _refused(
            name,
            Phrase(
                "is one release too many, {max_releases} count: give it the name of one that it replaces "
                "({names}), or take one back first.",
                max_releases=max_releases,
                names=", ".join(one.name for one in files.releases),
            ),
        )
    judged = judge.judge_release(path, incoming)
    if not isinstance(judged, ScoredRelease):
        return HandedIn(name, False, judged)
    _move(path, files.path / RELEASES / name)
    for other in same_name:
        if other.path.name != path.name:
            other.path.unlink(missing_ok=True)
    return HandedIn(name, True, judged.warnings)


def hand_in_attack(
    folder: Path, team: str, path: Path, target: str, incoming: Path, max_attacks: int
) -> HandedIn:
    """Check an attack on the published release `target` and move it to its team's folder."""
    if target.partition(KEY_SEPARATOR)[0] == team:
        return _refused(path.name, "attacks a release of your own: it does not count.")
    if target not in published_keys(folder):
        return _refused(
            path.name,
            Phrase("attacks {target}, which is not published: choose one that is.", target=brief(target)),
        )
    files = _team_files(folder, team)
    taken = {normalise_name(one.name) for one in files.attacks}
    names = [target, *(f"{target}{KEY_SEPARATOR}{number}" for number in range(2, max_attacks + 1))]
    free = [name for name in names if normalise_name(name) not in taken]
    if not free:
        return _refused(
            path.name,
            Phrase(
                "is one attack too many on {target}, {max_attacks} count: take one back first.",
                target=target,
                max_attacks=max_attacks,
            ),
        )
    guesses = read_attack(path, incoming)
    if isinstance(guesses, tuple):
        return HandedIn(path.name, False, guesses)
    name = f"{free[0]}.json"
    _move(path, files.path / ATTACKS / name)
    return HandedIn(name, True)


def take_back(folder: Path, team: str, sort: str, name: str) -> None:
    """Remove a file that a team handed in; `sort` is releases or attacks."""
    files = _team_files(folder, team)
    handed_in = {RELEASES: files.releases, ATTACKS: files.attacks}.get(sort, ())
    found = [one.path for one in handed_in if one.path.name == name]
    if not found:
        raise UsageError(
            "{name} is not a file that you handed in: reload the page.", name=brief(printable(name))
        )
    found[0].unlink(missing_ok=True)


def published_keys(folder: Path) -> list[str]:
    """TEAM__RELEASE of each published release, sorted."""
    return sorted(path.stem for path in (folder / PUBLISHED).glob("*.csv") if not path.is_symlink())


def _team_files(folder: Path, team: str) -> TeamFiles:
    path = folder / TEAMS / team
    if path.is_symlink() or not path.is_dir():
        raise UsageError("There is no team {team} any more: ask your teacher.", team=brief(team))
    for part in (RELEASES, ATTACKS):
        (path / part).mkdir(exist_ok=True)
    return read_team(team, path)


def _move(path: Path, target: Path) -> None:
    """Move a checked file into a team's folder."""
    try:
        path.chmod(0o644)
        path.replace(target)
    except OSError as error:
        raise UsageError(
            "{name} could not be kept ({reason}): tell your teacher.",
            name=target.name,
            reason=error.strerror or error,
        ) from None


def _refused(name: str, message: str) -> HandedIn:
    return HandedIn(name, False, (Problem("hand-in", message, file=printable(name)),))
