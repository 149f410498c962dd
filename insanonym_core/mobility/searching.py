"""What a search wants to know of GPS traces: the ceiling of privacy, and a sample of weeks."""

from __future__ import annotations

import numpy as np

from insanonym_core.mobility.track import Track
from insanonym_core.recipe import Recipe
from insanonym_core.results.ceiling import Ceiling
from insanonym_core.texts import Phrase


def ceiling(recipe: Recipe, data: Track) -> Ceiling:
    """A blind guess finds one individual in each week; who is alone in a week is found by everybody."""
    pairs = np.unique(np.stack([data.week, data.individual]), axis=1)
    _, people = np.unique(pairs[0], return_counts=True)
    share = len(people) / max(1, pairs.shape[1])
    alone = int((people == 1).sum())
    why = Phrase.plural(
        "With everybody kept, privacy is at most {privacy:.3f}: a blind guess finds {share:.1%} of the "
        "individuals in a week, and {n} of them is alone in a week.",
        "With everybody kept, privacy is at most {privacy:.3f}: a blind guess finds {share:.1%} of the "
        "individuals in a week, and {n} of them are alone in a week.",
        n=alone,
        privacy=1 - share,
        share=share,
    )
    return Ceiling(1 - share, why)


def sample(recipe: Recipe, data: Track, rows: int, generator: np.random.Generator) -> Track:
    """Whole weeks, drawn until there are so many rows: at least one."""
    week = np.asarray(data.week)
    weeks, counts = np.unique(week, return_counts=True)
    order = generator.permutation(len(weeks))
    enough = int(np.searchsorted(np.cumsum(counts[order]), rows)) + 1
    return data.take(np.flatnonzero(np.isin(week, weeks[order[:enough]])))
