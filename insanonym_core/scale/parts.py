"""Parts of a pair, each individual in one part: in memory, or as files of a partitioned folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import numpy as np

from insanonym_core.errors import Problem, UsageError
from insanonym_core.mobility.checks import check_files
from insanonym_core.mobility.pair import Pair

ROWS_PER_PART = 2_000_000
MAX_ROWS_IN_ONE_PIECE = 5_000_000  # below, splitting into parts costs more than it saves


class Part(Protocol):
    """Some individuals of a pair; `load` may run in another process."""

    def load(self) -> tuple[Pair, Sequence[Problem]]:
        """Return the pair, and the problems that do not prevent scoring it."""


@dataclass(frozen=True)
class FilePart:
    """The files of one part in the partitioned folders of an original and its release."""

    original: Path
    release: Path
    allow_invalid: bool = False

    def load(self) -> tuple[Pair, Sequence[Problem]]:
        """Read and check both files."""
        checked = check_files(self.original, self.release)
        pair = checked.pair(allow_invalid=self.allow_invalid)
        return pair, (checked.lenient() if self.allow_invalid else checked).problems


@dataclass(frozen=True)
class MemoryPart:
    """Individuals `first` to `last` - 1 of the pair in this process's memory (see `parts_of_pair`)."""

    first: int
    last: int

    def load(self) -> tuple[Pair, Sequence[Problem]]:
        """Select the rows of the individuals of this part."""
        pair = _shared_pairs[0]
        original, release = (track.between(self.first, self.last) for track in (pair.original, pair.release))
        return Pair.from_tracks(original, release, valid=pair.valid), ()


_shared_pairs: list[Pair] = []


@contextmanager
def parts_of_pair(pair: Pair, min_parts: int = 1) -> Iterator[list[Part]]:
    """Split a pair in memory into parts of about two million rows, at least `min_parts` of them.

    Processes forked inside the context share the pair's memory; nothing is copied or sent.
    """
    rows = np.bincount(pair.original.individual, minlength=len(pair.original.individuals))
    number = min(len(rows), max(min_parts, round(len(pair.original) / ROWS_PER_PART), 1))
    ends = np.searchsorted(np.cumsum(rows), np.linspace(0, len(pair.original), number + 1)[1:])
    cuts = np.unique(np.concatenate(([0], np.minimum(ends + 1, len(rows)))))
    cuts[-1] = len(rows)
    _shared_pairs.append(pair)
    try:
        yield [MemoryPart(int(first), int(last)) for first, last in pairwise(cuts)]
    finally:
        _shared_pairs.clear()


def parts_of_folders(original: Path, release: Path, *, allow_invalid: bool = False) -> list[Part]:
    """Pair the files of two folders made by `insanonym partition`: files of the same name belong together."""
    ours, theirs = (
        {path.name: path for path in sorted(folder.glob("*.parquet"))} for folder in (original, release)
    )
    if not ours:
        raise UsageError(
            "{original} holds no Parquet files: make them with 'insanonym partition'.", original=original
        )
    if ours.keys() != theirs.keys():
        odd = sorted(ours.keys() ^ theirs.keys())[0]
        raise UsageError(
            "{original} and {release} must hold files of the same names, and only one of them "
            "has {odd}: partition the release with --original.",
            original=original,
            release=release,
            odd=odd,
        )
    return [FilePart(path, theirs[name], allow_invalid) for name, path in ours.items()]
