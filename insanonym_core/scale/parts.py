"""Parts of a pair that hold whole individuals: in memory, or as files of a partitioned folder."""

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

ROWS_OF_A_PART = 2_000_000
IN_ONE_PIECE = 5_000_000  # rows up to which parts would only cost


class Part(Protocol):
    """Some individuals of a pair; it may be loaded in another process."""

    def load(self) -> tuple[Pair, Sequence[Problem]]:
        """The pair, and what is to be said about it although it can be scored."""


@dataclass(frozen=True)
class FilePart:
    """Two files of partitioned folders."""

    original: Path
    release: Path
    allow_invalid: bool = False

    def load(self) -> tuple[Pair, Sequence[Problem]]:
        """Read and checked."""
        checked = check_files(self.original, self.release)
        return checked.pair(allow_invalid=self.allow_invalid), checked.problems


@dataclass(frozen=True)
class HeldPart:
    """Individuals `first` to `last` of the pair that this process holds (see `parts_of_pair`)."""

    first: int
    last: int

    def load(self) -> tuple[Pair, Sequence[Problem]]:
        """The rows of these individuals."""
        pair = _held[0]
        original, release = (track.between(self.first, self.last) for track in (pair.original, pair.release))
        return Pair.of(original, release, valid=pair.valid), ()


_held: list[Pair] = []


@contextmanager
def parts_of_pair(pair: Pair, least: int = 1) -> Iterator[list[Part]]:
    """A pair in memory as parts of some million rows, at least so many.

    A process that is forked meanwhile finds the pair where it is; nothing is copied or sent.
    """
    rows = np.bincount(pair.original.individual, minlength=len(pair.original.individuals))
    number = min(len(rows), max(least, round(len(pair.original) / ROWS_OF_A_PART), 1))
    ends = np.searchsorted(np.cumsum(rows), np.linspace(0, len(pair.original), number + 1)[1:])
    cuts = np.unique(np.concatenate(([0], np.minimum(ends + 1, len(rows)))))
    cuts[-1] = len(rows)
    _held.append(pair)
    try:
        yield [HeldPart(int(first), int(last)) for first, last in pairwise(cuts)]
    finally:
        _held.clear()


def parts_of_folders(original: Path, release: Path, *, allow_invalid: bool = False) -> list[Part]:
    """The parts of two folders that `insanonym partition` made: files of the same name belong together."""
    ours, theirs = (
        {path.name: path for path in sorted(one.glob("*.parquet"))} for one in (original, release)
    )
    if not ours:
        raise UsageError(f"{original} holds no Parquet files: make them with 'insanonym partition'.")
    if ours.keys() != theirs.keys():
        odd = sorted(ours.keys() ^ theirs.keys())[0]
        raise UsageError(
            f"{original} and {release} must hold files of the same names, and only one of them has {odd}: "
            "partition the release with --original."
        )
    return [FilePart(path, theirs[name], allow_invalid) for name, path in ours.items()]
