"""Publish valid releases for the attackers, in the form of mobility.publication.

A release as handed in must not be published: its row i is row i of the original, so the order of the rows
would give every answer away. The published copy has no deleted rows, as teams may leave information in them
(their number is known anyway). Its rows are sorted and its numbers rewritten in one format.

A published copy changes only if its release changes, so that attackers can rely on it. Accepted releases are
kept in the teacher's folder: once the league is closed they count, whatever happens to the teams' files.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from insanonym_core.errors import UsageError
from insanonym_core.io.output import writing
from insanonym_core.league.layout import PUBLISHED, TEACHER, normalise_name, release_key
from insanonym_core.mobility.geometry import PUBLISHED_DECIMALS
from insanonym_core.mobility.publication import Resolution, write_published_track
from insanonym_core.mobility.track import Track
from insanonym_core.results.scores import as_json

_STATE_FILE = "accepted.json"
_RESOLUTION = Resolution(PUBLISHED_DECIMALS)  # as methods write it: attackers see what utility was scored on
_ACCEPTED_FIELDS = ("team", "release", "sha256", "published")


@dataclass(frozen=True)
class Accepted:
    """An accepted release: SHA-256 of the file handed in and of its published copy (`published`)."""

    team: str
    release: str
    sha256: str
    published: str

    @property
    def key(self) -> str:
        """The public name TEAM__RELEASE."""
        return release_key(self.team, self.release)


@dataclass
class Publisher:
    """Accepted releases, and the keys of those written, kept or withdrawn in this run."""

    folder: Path
    accepted: dict[str, Accepted] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    ever_withdrawn: set[str] = field(default_factory=set)  # keys withdrawn in any run and not handed in again

    @classmethod
    def open(cls, folder: Path) -> Publisher:
        """Create missing folders, and read which releases were accepted before."""
        accepted, gone = _read_state(make_teacher_folder(folder) / _STATE_FILE)
        return cls(folder, accepted, ever_withdrawn=gone)

    @contextmanager
    def incoming(self) -> Iterator[Path]:
        """A temporary folder for copies of submissions."""
        try:
            temporary = tempfile.TemporaryDirectory(prefix=".incoming-", dir=self.folder / TEACHER)
        except OSError as error:
            raise UsageError(
                "{folder} cannot be written to ({reason}): change its rights.",
                folder=self.folder / TEACHER,
                reason=error.strerror,
            ) from None
        with temporary as name:
            yield Path(name)

    def published_path(self, key: str) -> Path:
        """Path of the published copy that attackers read."""
        return self.folder / PUBLISHED / f"{key}.csv"

    def teacher_copy(self, accepted: Accepted) -> Path:
        """Path of the teacher's copy of an accepted release."""
        return self.folder / TEACHER / f"{accepted.key}.release"

    def find_accepted(self, team: str, release: str) -> Accepted | None:
        """The accepted release of that name, ignoring case; None if there is none."""
        key = normalise_name(release_key(team, release))
        return next(
            (accepted for accepted in self.accepted.values() if normalise_name(accepted.key) == key), None
        )

    def publish(self, team: str, name: str, copy: Path, release: Track, sha256: str) -> None:
        """Publish a valid release unless it is published already; `copy` is moved to the teacher's folder."""
        key, public_path = release_key(team, name), self.published_path(release_key(team, name))
        previous = self.accepted.get(key)
        if previous and previous.sha256 == sha256 and self._is_whole(previous):
            self.kept.append(key)
            return
        write_published_track(release, public_path, _RESOLUTION, force=True)
        self.accepted[key] = accepted = Accepted(team, name, sha256, _digest(public_path))
        try:
            copy.chmod(0o600)
            copy.replace(self.teacher_copy(accepted))
        except OSError as error:
            raise UsageError(
                "{accepted} cannot be written ({reason}): change the rights there.",
                accepted=self.teacher_copy(accepted),
                reason=error.strerror,
            ) from None
        self.ever_withdrawn.discard(key)
        self.written.append(key)
        self._save()

    def _is_whole(self, accepted: Accepted) -> bool:
        """Whether both copies exist and the published one is unchanged."""
        return self.teacher_copy(accepted).is_file() and accepted.published == _digest(
            self.published_path(accepted.key)
        )

    def withdraw(self) -> None:
        """Remove the copies of releases that are no longer handed in."""
        for key in sorted(set(self.accepted) - {*self.written, *self.kept}):
            entry = self.accepted.pop(key)
            for path in (self.published_path(key), self.teacher_copy(entry)):
                path.unlink(missing_ok=True)
            self.withdrawn.append(key)
            self.ever_withdrawn.add(key)
        self._save()

    def _save(self) -> None:
        accepted = {key: vars(accepted_release) for key, accepted_release in sorted(self.accepted.items())}
        content = {"accepted": accepted, "withdrawn": sorted(self.ever_withdrawn)}
        write_json(self.folder / TEACHER / _STATE_FILE, content, private=True)


def make_teacher_folder(folder: Path) -> Path:
    """Create the teacher's folder, which only its owner may read, and the one of the published releases."""
    teacher_folder = folder / TEACHER
    try:
        teacher_folder.mkdir(mode=0o700, exist_ok=True)
        teacher_folder.chmod(0o700)
        (folder / PUBLISHED).mkdir(exist_ok=True)
    except OSError as error:
        raise UsageError(
            "{folder} cannot be written to ({reason}): choose another place.",
            folder=folder,
            reason=error.strerror,
        ) from None
    return teacher_folder


def write_json(path: Path, content: Mapping[str, object], *, private: bool = False) -> None:
    """Write a JSON object; `path` is replaced only once it is complete."""
    with writing(path, force=True, private=private) as temporary:
        text = json.dumps(as_json(content), ensure_ascii=False, indent=1, allow_nan=False)
        temporary.write_text(text + "\n", encoding="utf-8")


def _digest(path: Path) -> str:
    """SHA-256 of a file; empty if there is none."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_state(path: Path) -> tuple[dict[str, Accepted], set[str]]:
    """Accepted releases by key, and withdrawn keys, from an earlier run."""
    if not path.exists():
        return {}, set()
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if "accepted" not in content:  # format of earlier versions, without withdrawals
            content = {"accepted": content, "withdrawn": []}
        accepted = [
            Accepted(**{name: str(entry[name]) for name in _ACCEPTED_FIELDS})
            for entry in content["accepted"].values()
        ]
        withdrawn = set(map(str, content["withdrawn"]))
    except (OSError, ValueError, RecursionError, AttributeError, KeyError, TypeError):
        raise UsageError(
            "{path} cannot be read: remove it, and every release is published again.", path=path
        ) from None
    return {entry.key: entry for entry in accepted}, withdrawn
