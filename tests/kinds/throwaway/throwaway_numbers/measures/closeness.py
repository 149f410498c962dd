"""How close the numbers stay."""

from __future__ import annotations

import numpy as np

from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Score
from throwaway_numbers.data import Release


@metrics.add(
    "closeness",
    data="numbers",
    family="utility",
    title="Closeness",
    formula="1 / (1 + mean |x − x′|)",
    better="higher",
    bounds=(0, 1),
    ideal=1.0,
)
def closeness(release: Release) -> Score:
    """1 where nothing was changed, less the further the numbers moved."""
    moved = np.abs(release.original.values - release.published.values).mean(axis=0)
    names = tuple(f"column {place}" for place in range(1, len(moved) + 1))
    bars = Bars("Mean distance", "units", names, moved, shows_individuals=False)
    return Score(float(1 / (1 + moved.mean())), (bars,))
