"""An original and its release, aligned row by row."""

from __future__ import annotations

from dataclasses import dataclass, field

from insanonym_core.errors import DataError
from insanonym_core.mobility.track import DELETED, Track
from insanonym_core.numeric.arrays import Ints
from insanonym_core.numeric.holders import MIN_HOLDERS
from insanonym_core.runtime.derived import KeepsDerived


@dataclass(frozen=True, eq=False)
class Pair(KeepsDerived):
    """Original and release: row i of the release is row i of the original, anonymised.

    `valid` is False for a release that can be scored but breaks the rules of the competition. Weeks with
    fewer than `min_holders` individuals are never named.
    """

    original: Track
    release: Track
    valid: bool = True
    min_holders: int = MIN_HOLDERS
    _derived: dict[object, object] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def from_tracks(cls, original: Track, release: Track, *, valid: bool = True) -> Pair:
        """Align a release with its original; the individuals of the release become those of the original."""
        if len(original) != len(release):
            raise DataError(
                "A release must have as many rows as its original, {expected:,}, and has {actual:,}: "
                "mark deleted rows with the id DEL instead of removing them.",
                expected=len(original),
                actual=len(release),
            )
        if len(original) == 0:
            raise DataError("An empty file cannot be scored: give an original with at least one row.")
        if (original.token == DELETED).any():
            raise DataError(
                "An original cannot have rows with the id DEL, which marks deleted rows: rename that id."
            )
        if release.individual is original.individual:
            return cls(original, release, valid)
        return cls(
            original,
            release.changed(individual=original.individual, individuals=original.individuals),
            valid,
        )

    @property
    def rows(self) -> int:
        """Number of rows of the original."""
        return len(self.original)

    @property
    def deleted(self) -> int:
        """Number of deleted rows of the release."""
        return len(self.release) - len(self.release.kept)

    @property
    def kept_rows(self) -> slice | Ints:
        """Index of the rows that the release kept."""
        return self.release.kept_rows
