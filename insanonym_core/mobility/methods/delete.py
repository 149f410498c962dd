"""Delete rows at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.mobility.methods.grid import delete_rows
from insanonym_core.mobility.track import Track
from insanonym_core.parameters import Range
from insanonym_core.registry import methods


@methods.add("delete_at_random", data="mobility", title="Random deletion", order=10)
@dataclass(frozen=True, kw_only=True)
class DeleteAtRandom:
    """Deletes exactly round(share · kept rows) rows, drawn at random.

    Defeats counting rows; a person's places show in half of the rows as well as in all of them.
    """

    share: Annotated[float, Range(0, 1, step=0.01)] = 0.1

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Delete the rows."""
        rows = track.kept_row_numbers
        return delete_rows(track, generator.choice(rows, round(self.share * len(rows)), replace=False))
