"""Guess DEL for everybody: a baseline of the competition score."""

from __future__ import annotations

import numpy as np

from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import GuessLists, guess_by_week
from insanonym_core.mobility.track import DELETED
from insanonym_core.numeric.arrays import Ints
from insanonym_core.registry import attacks


@attacks.add("deleted", data="mobility", title="Everybody deleted", formula="DEL for everybody", order=15)
def deleted(known: Crowd, seen: Crowd) -> Guesses:
    """Guesses DEL for everybody: right in the competition where a person's whole week was deleted.

    It re-identifies nobody.
    """

    def choose(people: Ints, candidates: Ints) -> list[GuessLists]:
        return [
            GuessLists(np.zeros(len(people), dtype=np.int64), np.ones(1, dtype=np.int64), np.array([DELETED]))
        ]

    return guess_by_week(known, seen, choose)
