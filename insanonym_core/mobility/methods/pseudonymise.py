"""Replace ids by random tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.mobility.track import DELETED, Track, week_label
from insanonym_core.numeric.grouping import combine, renumber
from insanonym_core.numeric.randomness import random_pseudonyms
from insanonym_core.parameters import Choice
from insanonym_core.registry import methods


@methods.add("pseudonymise", data="mobility", title="Pseudonyms", order=1)
@dataclass(frozen=True, kw_only=True)
class Pseudonymise:
    """Gives each individual a random token, a new one every ISO week or one for the whole file.

    Does not protect against anybody who knows where a person goes: the rows themselves are unchanged.
    """

    per: Annotated[str, Choice("week", "individual")] = "week"

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Give new tokens to all kept rows."""
        kept = track.kept_rows
        owner, size = track.individual[kept], len(track.individuals)
        if self.per == "week" and len(owner):
            week = track.kept.week - track.kept.week.min()
            weeks = int(week.max()) + 1
            owner, size = combine((owner, size), (week, weeks)), size * weeks
        owners, place = renumber(owner, size)
        tokens, token_of_owner = random_pseudonyms(generator, len(owners))
        token = np.full(len(track), DELETED, dtype=np.int32)
        token[kept] = token_of_owner.astype(np.int32)[place]
        return track.changed(token=token, tokens=tuple(tokens))


def lookup_table(track: Track) -> list[tuple[str, str, str]]:
    """Sorted (id, ISO week, token) of a track: inverts the pseudonyms, so it is as secret as the data."""
    kept = track.kept
    if len(kept) == 0:
        return []
    week = kept.week - kept.week.min()
    weeks, tokens = int(week.max()) + 1, len(kept.tokens)
    key = np.unique(
        combine((kept.individual, len(kept.individuals)), (week, weeks), (kept.token, tokens)),
        return_index=True,
    )[1]
    return [
        (
            kept.individuals[kept.individual[row]],
            week_label(int(kept.week[row])),
            kept.tokens[kept.token[row]],
        )
        for row in key.tolist()
    ]
