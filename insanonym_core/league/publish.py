"""What attackers get: each valid release as anybody would publish it (mobility.publication).

A release as handed in is to score, not to publish: row i of it is row i of the original, so its order would
give every answer away. In what is published, deleted rows are left out because teams leave things in them;
how many there are, the number of rows tells anyway. The others are sorted and written anew in one form, so
that no order and no habit of writing numbers survives.

A copy stays as it is while its release stays as it is: an attacker must find what was attacked. The accepted
releases themselves are kept in the teacher's folder: once the league is closed, they count, whatever became
of the teams' files.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from insanonym_core.errors import UsageError
from insanonym_core.league.layout import PUBLISHED, TEACHER, key_of, same
from insanonym_core.mobility.geometry import PUBLISHED_DECIMALS
from insanonym_core.mobility.publication import Resolution, write_published_track
from insanonym_core.mobility.track import Track
from insanonym_core.output import writing
from insanonym_core.scores import as_json

_STATE = "accepted.json"
_RESOLUTION = Resolution(PUBLISHED_DECIMALS)  # what methods write: attackers see what utility was scored on
_FIELDS = ("team", "release", "sha256", "published")


@dataclass(frozen=True)
class Accepted:
    """A release as it was published: the teacher's copy of it, its hash, and that of the published copy."""

    team: str
    release: str
    sha256: str
    published: str

    @property
    def key(self) -> str:
        """Its public name."""
        return key_of(self.team, self.release)


@dataclass
class Publisher:
    """The folders `published` and `teacher`, and what is in them."""

    folder: Path
    accepted: dict[str, Accepted] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)  # all that was ever withdrawn and did not come back

    @classmethod
    def open(cls, folder: Path) -> Publisher:
        """Make the folders where they are missing, and read what was accepted before."""
        home = folder / TEACHER
        try:
            home.mkdir(mode=0o700, exist_ok=True)
            home.chmod(0o700)
            (folder / PUBLISHED).mkdir(exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"{folder} cannot be written to ({error.strerror}): choose another place."
            ) from None
        accepted, gone = _read_state(home / _STATE)
        return cls(folder, accepted, gone=gone)

    @contextmanager
    def incoming(self) -> Iterator[Path]:
        """A folder for the copies of what is looked at, empty again in the end."""
        try:
            made = tempfile.TemporaryDirectory(prefix=".incoming-", dir=self.folder / TEACHER)
        except OSError as error:
            raise UsageError(
                f"{self.folder / TEACHER} cannot be written to ({error.strerror}): change its rights."
            ) from None
        with made as name:
            yield Path(name)

    def public(self, key: str) -> Path:
        """The published copy that attackers read."""
        return self.folder / PUBLISHED / f"{key}.csv"

    def own(self, accepted: Accepted) -> Path:
        """The teacher's copy of a release as it was accepted."""
        return self.folder / TEACHER / f"{accepted.key}.release"

    def before(self, team: str, release: str) -> Accepted | None:
        """What was accepted under that name, however its capitals were written."""
        key = same(key_of(team, release))
        return next((one for one in self.accepted.values() if same(one.key) == key), None)

    def publish(self, team: str, name: str, copy: Path, release: Track, sha256: str) -> None:
        """Publish a valid release, unless just this one is published; `copy` becomes the teacher's."""
        key, public = key_of(team, name), self.public(key_of(team, name))
        before = self.accepted.get(key)
        if before and before.sha256 == sha256 and self._is_whole(before):
            self.kept.append(key)
            return
        write_published_track(release, public, _RESOLUTION, force=True)
        self.accepted[key] = accepted = Accepted(team, name, sha256, _digest(public))
        try:
            copy.chmod(0o600)
            copy.replace(self.own(accepted))
        except OSError as error:
            raise UsageError(
                f"{self.own(accepted)} cannot be written ({error.strerror}): change the rights there."
            ) from None
        self.gone.discard(key)
        self.written.append(key)
        self._save()

    def _is_whole(self, accepted: Accepted) -> bool:
        """Whether both copies are there, and the public one as it was written."""
        return self.own(accepted).is_file() and accepted.published == _digest(self.public(accepted.key))

    def withdraw(self) -> None:
        """Remove the copies of releases that are not handed in any more."""
        for key in sorted(set(self.accepted) - {*self.written, *self.kept}):
            gone = self.accepted.pop(key)
            for path in (self.public(key), self.own(gone)):
                path.unlink(missing_ok=True)
            self.withdrawn.append(key)
            self.gone.add(key)
        self._save()

    def _save(self) -> None:
        accepted = {key: vars(one) for key, one in sorted(self.accepted.items())}
        content = {"accepted": accepted, "withdrawn": sorted(self.gone)}
        write_json(self.folder / TEACHER / _STATE, content, private=True)


def write_json(path: Path, content: Mapping[str, Any], *, private: bool = False) -> None:
    """One JSON object, under its name only when it is whole."""
    with writing(path, force=True, private=private) as beside:
        text = json.dumps(as_json(content), ensure_ascii=False, indent=1, allow_nan=False)
        beside.write_text(text + "\n", encoding="utf-8")


def _digest(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_state(path: Path) -> tuple[dict[str, Accepted], set[str]]:
    if not path.exists():
        return {}, set()
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if "accepted" not in content:  # as it was written before withdrawals were remembered
            content = {"accepted": content, "withdrawn": []}
        found = [
            Accepted(**{name: str(one[name]) for name in _FIELDS}) for one in content["accepted"].values()
        ]
        gone = set(map(str, content["withdrawn"]))
    except (OSError, ValueError, RecursionError, AttributeError, KeyError, TypeError):
        raise UsageError(f"{path} cannot be read: remove it, and every release is published anew.") from None
    return {one.key: one for one in found}, gone
