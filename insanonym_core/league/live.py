"""A league that goes on while teams hand in: each file is checked at once, and the table is kept up to date.

The folder stays the truth: what is put there or removed by hand counts in the same way.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from insanonym_core.errors import InsanonymError, Problem
from insanonym_core.league.hand_in import HandedIn, hand_in_attack, hand_in_release, take_back
from insanonym_core.league.judge import Judge
from insanonym_core.league.layout import ATTACKS, RELEASES, TEACHER, TEAMS, find_original, find_teams
from insanonym_core.league.model import League, Rules
from insanonym_core.league.play import make_judge, play
from insanonym_core.league.room import Room, init_league
from insanonym_core.texts import Phrase

Signature = tuple[tuple[str, int, int], ...]


class LiveLeague:
    """The league of a folder, run again after each change; may be used from several threads.

    `league` is the last run, None before the first; `error` is why the last attempt failed, "" if it did not;
    `version` grows with every change that a page shows.
    """

    def __init__(self, folder: Path, rules: Rules, original: Path | None = None) -> None:
        self.folder, self.rules = folder, rules
        self.original = find_original(folder, original)
        self.room = Room.open(folder)
        self.league: League | None = None
        self.error = Phrase("")
        self.version = 0
        self._lock = threading.Lock()
        self._judge: Judge | None = None
        self._judged_original: Signature = ()
        self._played: tuple[Signature, bool] | None = None

    def hand_in(self, team: str, sort: str, path: Path, target: str = "") -> HandedIn:
        """Hand in a release, or an attack on the published release `target`; `path` is moved if accepted."""
        now = time.time()
        refusal = None
        if sort == RELEASES and not self.room.round.accepts_releases(now):
            refusal = "came too late: the round of the releases is over."
        if sort == ATTACKS and not self.room.round.accepts_attacks(now):
            refusal = "came too late: the round of the attacks is over."
        if refusal is not None:
            return HandedIn(path.name, False, (Problem("hand-in", refusal, file=path.name),))
        with self._lock, self.incoming() as incoming:
            if sort == RELEASES:
                handed_in = hand_in_release(
                    self.folder, team, path, self._current_judge(), incoming, self.rules.max_releases
                )
            else:
                handed_in = hand_in_attack(self.folder, team, path, target, incoming, self.rules.max_attacks)
        return handed_in

    def take_back(self, team: str, sort: str, name: str) -> None:
        """Remove a file that a team handed in."""
        with self._lock:
            take_back(self.folder, team, sort, name)

    def start_round(self, name: str, minutes: float | None) -> None:
        """Start a round; its files are scored by `refresh`."""
        with self._lock:
            self.room = Room.open(self.folder).with_round(name, minutes)
            self.version += 1

    def refresh(self) -> bool:
        """Run the league again if files, codes or the round changed; return whether it ran."""
        with self._lock:
            try:
                self.room = self._current_room()
                closed = self.rules.closed or not self.room.round.accepts_releases(time.time())
                state = (self._files(), closed)
                if state == self._played:
                    return False
                judge = self._judge = self._current_judge().for_next_run()
                rules = replace(self.rules, closed=closed)
                self.league = play(self.folder, rules, original=self.original, judge=judge)
                self.error = Phrase("")
                self._played = (self._files(), closed)
            except InsanonymError as error:
                failed = self.error != str(error)
                self.error, self._played = error.phrase, None
                self.version += failed
                return False
            self.version += 1
            return True

    @contextmanager
    def incoming(self) -> Iterator[Path]:
        """A temporary folder inside the teacher's, on the same disk as the folders of the teams."""
        with tempfile.TemporaryDirectory(prefix=".incoming-", dir=self.folder / TEACHER) as name:
            yield Path(name)

    def _current_room(self) -> Room:
        """The room as it is in the folder, with a code for each team; new teams get one."""
        room = Room.open(self.folder)
        teams, _ = find_teams(self.folder)
        return room if room.codes.keys() >= {one.team for one in teams} else init_league(self.folder)

    def _current_judge(self) -> Judge:
        """The judge; a new one if the original has changed."""
        original = _signature([self.original])
        if self._judge is None or original != self._judged_original:
            self._judge, self._judged_original = make_judge(self.original, self.rules), original
        return self._judge

    def _files(self) -> Signature:
        """Names, sizes and times of the original and of all that was handed in."""
        return _signature(
            [self.original, *(path for part in (RELEASES, ATTACKS) for path in self._handed_in(part))]
        )

    def _handed_in(self, part: str) -> Iterator[Path]:
        for team in sorted((self.folder / TEAMS).iterdir()):
            yield team
            if (team / part).is_dir() and not team.is_symlink():
                yield from sorted((team / part).iterdir())


def _signature(paths: list[Path]) -> Signature:
    found = []
    for path in paths:
        try:
            known = path.lstat()
        except OSError:
            continue
        regular = path.is_file() and not path.is_symlink()
        found.append((str(path), known.st_size if regular else -1, known.st_mtime_ns if regular else -1))
    return tuple(found)
