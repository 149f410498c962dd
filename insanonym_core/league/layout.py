"""The folder of a league: where things lie, which names are allowed, and what each team handed in.

    FOLDER/original.tsv                      the teacher's (any original.*, or another file by --original)
    FOLDER/teams/ALICE/releases/quiet.csv    what a team hands in
    FOLDER/teams/ALICE/attacks/BOB__low.json its attacks, named after the published release they attack
    FOLDER/teams/ALICE/league-feedback.txt   written for the team
    FOLDER/published/ALICE__quiet.csv        written for everybody: sorted, without deleted rows
    FOLDER/teacher/                          written for the teacher alone: the accepted releases
    FOLDER/league.csv, league.json           the table

Nothing is followed that is a link: a link could lead to another team's files, or to the teacher's.
"""

from __future__ import annotations

import re
import stat
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from insanonym_core.errors import Problem, UsageError

TEAMS, RELEASES, ATTACKS = "teams", "releases", "attacks"
PUBLISHED, TEACHER, FEEDBACK = "published", "teacher", "league-feedback.txt"
JOINT = "__"  # between team and release in the names of published releases and of attack files
_PACKED, _PLAIN = (".gz", ".zip"), (".csv", ".tsv", ".txt", ".parquet")
_NAME = re.compile(r"[^\W_](?:[\w. -]{0,38}[^\W_])?")
_LONGEST = 100  # bytes: team and release together must still be the name of a file
_NAME_RULE = (
    "a name has up to 40 letters, digits, spaces, '-', '.' and '_', begins and ends with a letter or "
    "a digit, and has no two '_' in a row"
)


@dataclass(frozen=True)
class HandedIn:
    """A file of a team; `name` is what it is called in the league."""

    name: str
    path: Path


@dataclass(frozen=True)
class TeamFiles:
    """What a team handed in, and what is wrong before any file is opened; `path` is its folder.

    `unusable` are names (as `same` has them) of links and the like among the releases; `readable` is whether
    the folder of the releases can be looked into.
    """

    team: str
    path: Path
    releases: tuple[HandedIn, ...] = ()
    attacks: tuple[HandedIn, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    unusable: frozenset[str] = frozenset()
    readable: bool = True

    def holds(self, release: str) -> bool:
        """Whether something of that name is there, usable or not; of a folder that cannot be read, yes."""
        return (
            not self.readable
            or same(release) in self.unusable
            or any(same(one.name) == same(release) for one in self.releases)
        )


def shown(text: str) -> str:
    """A name as it may be printed: no line breaks, no commands to a terminal, nothing that is not Unicode."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def same(name: str) -> str:
    """Names that are equal here are one: capitals and ways of writing an accent do not tell them apart."""
    return unicodedata.normalize("NFC", name).casefold()


def key_of(team: str, release: str) -> str:
    """The name of a published release, and what attack files on it are named after."""
    return f"{team}{JOINT}{release}"


def new_team(folder: Path | str, name: str) -> Path:
    """Make the empty folders of a team, and give back the team's own."""
    if not _is_name(name):
        raise UsageError(f"A team cannot be called {shown(name)!r}: {_NAME_RULE}.")
    home = Path(folder) / TEAMS / name
    try:
        for part in (RELEASES, ATTACKS):
            (home / part).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{home} cannot be made ({error.strerror}): choose another place.") from None
    return home


def find_original(folder: Path, given: Path | None) -> Path:
    """The teacher's file."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder: give the one that holds '{TEAMS}' and the original.")
    if given is not None:
        return given
    found = sorted(path for path in folder.glob("original.*") if path.is_file())
    if len(found) != 1:
        held = "none" if not found else ", ".join(path.name for path in found)
        raise UsageError(
            f"{folder} must hold one original, such as original.tsv, and holds {held}; "
            "or name it by --original."
        )
    return found[0]


def find_teams(folder: Path) -> tuple[list[TeamFiles], list[Problem]]:
    """Every team in the order of their names, and what in the folder `teams` is no team."""
    home = folder / TEAMS
    if not home.is_dir():
        raise UsageError(f"{folder} has no folder '{TEAMS}': make it, with one folder for each team.")
    teams: list[TeamFiles] = []
    problems: list[Problem] = []
    taken: dict[str, str] = {}
    for path in _entries(home):
        name = unicodedata.normalize("NFC", path.name)
        said = shown(name)
        if path.is_symlink() or not path.is_dir():
            problems.append(_problem(said, "is not a folder: a team is one; move it elsewhere."))
        elif not _is_name(name):
            problems.append(_problem(said, f"cannot be a team: {_NAME_RULE}; rename the folder."))
        elif same(name) in taken:
            problems.append(_problem(said, f"is too much like {taken[same(name)]}: rename one of the teams."))
        else:
            taken[same(name)] = name
            teams.append(_team(name, path))
    if not teams:
        raise UsageError(
            f"{home} holds no team: make one folder for each, with '{RELEASES}' and '{ATTACKS}'."
        )
    return teams, problems


def _team(name: str, path: Path) -> TeamFiles:
    team = TeamFiles(name, path)
    releases: dict[str, HandedIn] = {}
    found = _files(path / RELEASES, team.problems)
    for file in found.regular:
        stem = _release_name(file.name)
        if not stem:
            message = (
                "is not a release: hand in .tsv, .csv, .txt or .parquet, or a text packed as .zip or .gz."
            )
            team.problems.append(_problem(shown(file.name), message))
        elif not _is_name(stem):
            team.problems.append(
                _problem(shown(file.name), f"is not a possible name: {_NAME_RULE}; rename it.")
            )
        elif same(stem) in releases:
            other = releases[same(stem)].path.name
            message = f"has the same name as {other}, which counts instead: rename one of them."
            team.problems.append(_problem(shown(file.name), message))
        else:
            releases[same(stem)] = HandedIn(stem, file)
    attacks = []
    for file in _files(path / ATTACKS, team.problems).regular:
        if file.suffix.lower() == ".json":
            attacks.append(HandedIn(unicodedata.normalize("NFC", file.stem), file))
        else:
            team.problems.append(_problem(shown(file.name), "is not .json: an attack is a JSON file."))
    unusable = frozenset(same(_release_name(file.name)) for file in found.other)
    return TeamFiles(
        name, path, tuple(releases.values()), tuple(attacks), team.problems, unusable, found.readable
    )


@dataclass
class _Files:
    regular: list[Path] = field(default_factory=list)
    other: list[Path] = field(default_factory=list)
    readable: bool = True


def _files(folder: Path, problems: list[Problem]) -> _Files:
    """The regular files of a team's folder, in the order of their names; whatever else is there is said."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        problems.append(
            _problem(folder.name, "must be a folder of its own, not a link or a file; make it anew.")
        )
        return _Files(readable=False)
    if not folder.exists():
        return _Files()
    try:
        found = _entries(folder)
        kinds = [path.lstat().st_mode for path in found]
    except OSError as error:
        problems.append(_problem(folder.name, f"cannot be read ({error.strerror}): hand it in again."))
        return _Files(readable=False)
    files = _Files()
    for path, kind in zip(found, kinds, strict=True):
        if stat.S_ISREG(kind):
            files.regular.append(path)
        else:
            files.other.append(path)
            what = "a link" if stat.S_ISLNK(kind) else "a folder" if stat.S_ISDIR(kind) else "a special file"
            problems.append(_problem(shown(path.name), f"is {what}: hand in the file itself, right there."))
    return files


def _entries(folder: Path) -> list[Path]:
    """What lies in a folder, hidden files aside: they are the file manager's."""
    return sorted((path for path in folder.iterdir() if path.name[:1] != "."), key=lambda path: path.name)


def _release_name(name: str) -> str:
    """A file's name without its endings; "" for a kind of file that is no release."""
    path = Path(unicodedata.normalize("NFC", name))
    if path.suffix.lower() in _PACKED:
        path = path.with_suffix("")
        return path.stem if path.suffix.lower() in _PLAIN else path.name
    return path.stem if path.suffix.lower() in _PLAIN else ""


def _is_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and JOINT not in name and len(name.encode()) <= _LONGEST


def _problem(file: str, message: str) -> Problem:
    return Problem("name", message, file=file)
