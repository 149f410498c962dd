"""The folder of a league: its layout, allowed names, and the files that each team handed in.

    FOLDER/original.tsv                      the teacher's (any original.*, or another file by --original)
    FOLDER/teams/ALICE/releases/quiet.csv    what a team hands in
    FOLDER/teams/ALICE/attacks/BOB__low.json its attacks, named after the published release they attack
    FOLDER/teams/ALICE/league-feedback.txt   written for the team
    FOLDER/published/ALICE__quiet.csv        written for everybody: sorted, without deleted rows
    FOLDER/teacher/                          written for the teacher alone: the accepted releases
    FOLDER/league.csv, league.json           the table

Links are never followed: one could point to the files of another team or of the teacher.
"""

from __future__ import annotations

import re
import stat
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from insanonym_core.errors import Problem, UsageError, brief
from insanonym_core.texts import Phrase

TEAMS, RELEASES, ATTACKS = "teams", "releases", "attacks"
PUBLISHED, TEACHER, FEEDBACK = "published", "teacher", "league-feedback.txt"
KEY_SEPARATOR = "__"  # between team and release in the names of published releases and of attack files
_COMPRESSED_SUFFIXES, _TABLE_SUFFIXES = (".gz", ".zip"), (".csv", ".tsv", ".txt", ".parquet")
_NAME_PATTERN = re.compile(r"[^\W_](?:[\w. -]{0,38}[^\W_])?")
_MAX_NAME_BYTES = 100  # team and release together must be a valid file name
NAME_RULE = Phrase(
    "a name has up to 40 letters, digits, spaces, '-', '.' and '_', begins and ends with a letter or "
    "a digit, and has no two '_' in a row"
)


@dataclass(frozen=True)
class Submission:
    """A file of a team; `name` is its name in the league."""

    name: str
    path: Path


@dataclass(frozen=True)
class TeamFiles:
    """The files that a team handed in, and problems found without opening them; `path` is its folder.

    `unusable` holds the normalised names of releases that are not regular files; `readable` is whether the
    folder of the releases can be listed.
    """

    team: str
    path: Path
    releases: tuple[Submission, ...] = ()
    attacks: tuple[Submission, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    unusable: frozenset[str] = frozenset()
    readable: bool = True

    def has_release(self, release: str) -> bool:
        """Whether a release of that name exists, usable or not; True if the folder cannot be read."""
        return (
            not self.readable
            or normalise_name(release) in self.unusable
            or any(normalise_name(submission.name) == normalise_name(release) for submission in self.releases)
        )


def printable(text: str) -> str:
    """Replace unprintable characters, such as line breaks and terminal escapes, by '?'.

    The spaces of French typography stay.
    """
    kept = "\u00a0\u202f"
    return "".join(character if character.isprintable() or character in kept else "?" for character in text)


def normalise_name(name: str) -> str:
    """Normal form of a name for comparisons: ignores case and Unicode composition."""
    return unicodedata.normalize("NFC", name).casefold()


def release_key(team: str, release: str) -> str:
    """TEAM__RELEASE: the name of a published release and of attack files on it."""
    return f"{team}{KEY_SEPARATOR}{release}"


def new_team(folder: Path | str, name: str) -> Path:
    """Create the empty folders of a team; return the team's folder."""
    if not is_valid_name(name):
        raise UsageError(
            "A team cannot be called {name}: {rule}.", name=brief(printable(name)), rule=NAME_RULE
        )
    team_folder = Path(folder) / TEAMS / name
    try:
        for part in (RELEASES, ATTACKS):
            (team_folder / part).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            "{team_folder} cannot be made ({reason}): choose another place.",
            team_folder=team_folder,
            reason=error.strerror,
        ) from None
    return team_folder


def find_original(folder: Path, given: Path | None) -> Path:
    """Path of the teacher's original: `given`, or the only file original.* in the folder."""
    if not folder.is_dir():
        raise UsageError(
            "{folder} is not a folder: give the one that holds '{teams}' and the original.",
            folder=folder,
            teams=TEAMS,
        )
    if given is not None:
        return given
    candidates = sorted(path for path in folder.glob("original.*") if path.is_file())
    if len(candidates) != 1:
        names = Phrase("none") if not candidates else ", ".join(path.name for path in candidates)
        raise UsageError(
            "{folder} must hold one original, such as original.tsv, and holds {names}; or name "
            "it by --original.",
            folder=folder,
            names=names,
        )
    return candidates[0]


def find_teams(folder: Path) -> tuple[list[TeamFiles], list[Problem]]:
    """All teams sorted by name, and problems with other entries of the folder `teams`."""
    teams_folder = folder / TEAMS
    if not teams_folder.is_dir():
        raise UsageError(
            "{folder} has no folder '{teams}': make it, with one folder for each team.",
            folder=folder,
            teams=TEAMS,
        )
    teams: list[TeamFiles] = []
    problems: list[Problem] = []
    used_names: dict[str, str] = {}
    for path in _visible_entries(teams_folder):
        name = unicodedata.normalize("NFC", path.name)
        printable_name = printable(name)
        if path.is_symlink() or not path.is_dir():
            problems.append(_problem(printable_name, "is not a folder: a team is one; move it elsewhere."))
        elif not is_valid_name(name):
            problems.append(
                _problem(
                    printable_name, Phrase("cannot be a team: {rule}; rename the folder.", rule=NAME_RULE)
                )
            )
        elif normalise_name(name) in used_names:
            problems.append(
                _problem(
                    printable_name,
                    Phrase(
                        "is too much like {other}: rename one of the teams.",
                        other=used_names[normalise_name(name)],
                    ),
                )
            )
        else:
            used_names[normalise_name(name)] = name
            teams.append(read_team(name, path))
    if not teams:
        raise UsageError(
            "{teams_folder} holds no team: make one folder for each, with '{releases}' and '{attacks}'.",
            teams_folder=teams_folder,
            releases=RELEASES,
            attacks=ATTACKS,
        )
    return teams, problems


def read_team(name: str, path: Path) -> TeamFiles:
    """List the releases and attacks of a team, with problems of their names."""
    team = TeamFiles(name, path)
    releases: dict[str, Submission] = {}
    release_files = _list_files(path / RELEASES, team.problems)
    for file in release_files.regular:
        stem = release_name(file.name)
        if not stem:
            message = (
                "is not a release: hand in .tsv, .csv, .txt or .parquet, or a text packed as .zip or .gz."
            )
            team.problems.append(_problem(printable(file.name), message))
        elif not is_valid_name(stem):
            team.problems.append(
                _problem(
                    printable(file.name),
                    Phrase("is not a possible name: {rule}; rename it.", rule=NAME_RULE),
                )
            )
        elif normalise_name(stem) in releases:
            other = releases[normalise_name(stem)].path.name
            message = Phrase(
                "has the same name as {other}, which counts instead: rename one of them.", other=other
            )
            team.problems.append(_problem(printable(file.name), message))
        else:
            releases[normalise_name(stem)] = Submission(stem, file)
    attacks = []
    for file in _list_files(path / ATTACKS, team.problems).regular:
        if file.suffix.lower() == ".json":
            attacks.append(Submission(unicodedata.normalize("NFC", file.stem), file))
        else:
            team.problems.append(
                _problem(printable(file.name), "is not .json: hand in an attack as a JSON file.")
            )
    unusable = frozenset(normalise_name(release_name(file.name)) for file in release_files.other)
    return TeamFiles(
        name, path, tuple(releases.values()), tuple(attacks), team.problems, unusable, release_files.readable
    )


@dataclass
class _FolderContent:
    """Entries of a folder: regular files, other entries, and whether it could be listed."""

    regular: list[Path] = field(default_factory=list)
    other: list[Path] = field(default_factory=list)
    readable: bool = True


def _list_files(folder: Path, problems: list[Problem]) -> _FolderContent:
    """List the files of a team's folder by name; add a problem for each entry that is not a regular file."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        problems.append(
            _problem(folder.name, "must be a folder of its own, not a link or a file; make it again.")
        )
        return _FolderContent(readable=False)
    if not folder.exists():
        return _FolderContent()
    try:
        entries = _visible_entries(folder)
        modes = [path.lstat().st_mode for path in entries]
    except OSError as error:
        problems.append(
            _problem(
                folder.name, Phrase("cannot be read ({reason}): hand it in again.", reason=error.strerror)
            )
        )
        return _FolderContent(readable=False)
    files = _FolderContent()
    for path, mode in zip(entries, modes, strict=True):
        if stat.S_ISREG(mode):
            files.regular.append(path)
        else:
            files.other.append(path)
            what = "a special file"
            if stat.S_ISLNK(mode) or stat.S_ISDIR(mode):
                what = "a link" if stat.S_ISLNK(mode) else "a folder"
            problems.append(
                _problem(
                    printable(path.name), Phrase("is {what}: hand in the file itself.", what=Phrase(what))
                )
            )
    return files


def _visible_entries(folder: Path) -> list[Path]:
    """Entries of a folder sorted by name, without hidden files."""
    return sorted((path for path in folder.iterdir() if path.name[:1] != "."), key=lambda path: path.name)


def release_name(name: str) -> str:
    """Name of a file without its suffixes; "" if it cannot be a release."""
    path = Path(unicodedata.normalize("NFC", name))
    if path.suffix.lower() in _COMPRESSED_SUFFIXES:
        path = path.with_suffix("")
        return path.stem if path.suffix.lower() in _TABLE_SUFFIXES else path.name
    return path.stem if path.suffix.lower() in _TABLE_SUFFIXES else ""


def is_valid_name(name: str) -> bool:
    """Whether a team or a release can be called so."""
    return (
        bool(_NAME_PATTERN.fullmatch(name))
        and KEY_SEPARATOR not in name
        and len(name.encode()) <= _MAX_NAME_BYTES
    )


def _problem(file: str, message: str) -> Problem:
    return Problem("name", message, file=file)
