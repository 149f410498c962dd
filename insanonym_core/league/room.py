"""A league in which teams sign in: their codes and the round, kept in the teacher's folder."""

from __future__ import annotations

import hmac
import json
import secrets
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from insanonym_core.errors import UsageError, brief
from insanonym_core.league.layout import TEACHER, TEAMS, find_teams, new_team, normalise_name
from insanonym_core.league.publish import make_teacher_folder, write_json

ROOM_FILE = "room.json"
RELEASES_ROUND, ATTACKS_ROUND = "releases", "attacks"
MAX_TEAMS = 100
MAX_MINUTES = 24 * 60
_CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is easily taken for another
_CODE_PARTS, _CODE_PART_LENGTH = 2, 5


@dataclass(frozen=True)
class Round:
    """What is accepted now: releases and attacks, or attacks alone; `ends` is in seconds since 1970."""

    name: str = RELEASES_ROUND
    ends: float | None = None

    def is_over(self, now: float) -> bool:
        """Whether its time is up."""
        return self.ends is not None and now >= self.ends

    def accepts_releases(self, now: float) -> bool:
        """Whether releases can be handed in."""
        return self.name == RELEASES_ROUND and not self.is_over(now)

    def accepts_attacks(self, now: float) -> bool:
        """Whether attacks can be handed in: also between the rounds."""
        return self.name == RELEASES_ROUND or not self.is_over(now)


@dataclass(frozen=True)
class Room:
    """Codes of the teams and of the teacher, the secret that signs cookies, and the round."""

    folder: Path
    teacher_code: str
    cookie_secret: str
    codes: dict[str, str] = field(default_factory=dict)
    round: Round = field(default_factory=Round)

    @classmethod
    def open(cls, folder: Path) -> Room:
        """Read the room of a folder; a UsageError if the league was not prepared for one."""
        path = folder / TEACHER / ROOM_FILE
        if not path.is_file():
            raise UsageError(
                "{folder} has no codes of teams yet: run 'insanonym league init' on it first.", folder=folder
            )
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            ends = content["round"]["ends"]
            return cls(
                folder,
                str(content["teacher_code"]),
                str(content["cookie_secret"]),
                {str(team): str(code) for team, code in content["codes"].items()},
                Round(str(content["round"]["name"]), None if ends is None else float(ends)),
            )
        except (OSError, ValueError, RecursionError, AttributeError, KeyError, TypeError):
            raise UsageError(
                "{path} cannot be read: remove it, and 'insanonym league init' makes new codes.", path=path
            ) from None

    def team_of(self, code: str) -> str | None:
        """The team with this code, compared in constant time; None if no team has it."""
        given = normalise_code(code)
        return next((team for team, known in self.codes.items() if _same(known, given)), None)

    def is_teacher(self, code: str) -> bool:
        """Whether this is the teacher's code."""
        return _same(self.teacher_code, normalise_code(code))

    def with_round(self, name: str, minutes: float | None) -> Room:
        """Start a round that ends after some minutes, or never; saved in the folder."""
        if name not in (RELEASES_ROUND, ATTACKS_ROUND):
            raise UsageError(
                "A round must be {releases} or {attacks}, got {name}.",
                releases=RELEASES_ROUND,
                attacks=ATTACKS_ROUND,
                name=name,
            )
        if minutes is not None and not 0 <= minutes <= MAX_MINUTES:  # also refuses NaN
            raise UsageError(
                "A round must last from 0 to {max_minutes:,} minutes, got {minutes}.",
                max_minutes=MAX_MINUTES,
                minutes=minutes,
            )
        return replace(
            self, round=Round(name, None if minutes is None else time.time() + 60 * minutes)
        ).save()

    def save(self) -> Room:
        """Write the room, readable by its owner only."""
        content = {
            "teacher_code": self.teacher_code,
            "cookie_secret": self.cookie_secret,
            "codes": self.codes,
            "round": vars(self.round),
        }
        write_json(self.folder / TEACHER / ROOM_FILE, content, private=True)
        return self


def init_league(folder: Path | str, names: list[str] | None = None, *, teams: int | None = None) -> Room:
    """Make the folders of the teams, and a code for each; teams and codes that exist stay as they are.

    Parameters
    ----------
    folder : Path or str
        Folder of the league; it is made if there is none.
    names : list of str, optional
        Names of the teams.
    teams : int, optional
        Number of teams called "Team 1", "Team 2", ..., instead of names.
    """
    folder = Path(folder)
    wanted = names or []
    if teams is not None:
        if not 1 <= teams <= MAX_TEAMS:
            raise UsageError(
                "The number of teams must be from 1 to {max_teams}, got {teams}.",
                max_teams=MAX_TEAMS,
                teams=teams,
            )
        digits = len(str(teams))
        wanted = [*wanted, *(f"Team {number:0{digits}}" for number in range(1, teams + 1))]
    if not wanted and not (folder / TEAMS).is_dir():
        raise UsageError(
            "{folder} has no teams: say how many by --teams, or name them by --name.", folder=folder
        )
    for name in wanted:
        if _existing_folder(folder, name) is None:
            new_team(folder, name)
    make_teacher_folder(folder)
    try:
        room = Room.open(folder)
    except UsageError:
        if (folder / TEACHER / ROOM_FILE).exists():
            raise
        room = Room(folder, _new_code(), secrets.token_hex(32))
    found, _ = find_teams(folder)
    return replace(room, codes={one.team: room.codes.get(one.team) or _new_code() for one in found}).save()


def is_closed(folder: Path) -> bool:
    """Whether the round that was started on the page accepts no releases now; False without a room."""
    if not (folder / TEACHER / ROOM_FILE).is_file():
        return False
    return not Room.open(folder).round.accepts_releases(time.time())


def minutes_of(text: str) -> float | None:
    """The minutes of a round as they were typed, with a decimal comma or point; None for no end."""
    if not text.strip():
        return None
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        raise UsageError(
            "The minutes of a round must be a number such as 30, got {minutes}.", minutes=brief(text)
        ) from None


def _existing_folder(folder: Path, name: str) -> Path | None:
    """The folder of a team whose name differs at most in capitals."""
    teams_folder = folder / TEAMS
    if not teams_folder.is_dir():
        return None
    return next(
        (path for path in teams_folder.iterdir() if normalise_name(path.name) == normalise_name(name)), None
    )


def normalise_code(text: str) -> str:
    """A code as it is kept: small letters and digits in groups, however it was typed."""
    letters = "".join(letter for letter in text.casefold() if letter.isalnum())
    return "-".join(
        letters[start : start + _CODE_PART_LENGTH] for start in range(0, len(letters), _CODE_PART_LENGTH)
    )


def _new_code() -> str:
    return normalise_code(
        "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_PARTS * _CODE_PART_LENGTH))
    )


def _same(known: str, given: str) -> bool:
    return hmac.compare_digest(known.encode(), given.encode())
