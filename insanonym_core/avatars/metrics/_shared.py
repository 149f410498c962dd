"""What the measures of avatars share."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from insanonym_core.arrays import Floats
from insanonym_core.parameters import Choice
from insanonym_core.scores import Distribution
from insanonym_core.texts import Phrase

Where = Annotated[str, Choice("pca", "columns")]
NO_PAIRING = "who is behind which row is not known: the pairing is needed"
BINS = 40
_COUNTED = 10**9


def histogram(
    title: str,
    unit: str,
    groups: dict[str, Floats],
    *,
    bins: int = BINS,
    medians: bool = True,
    ends: tuple[float, float] = (-math.inf, math.inf),
) -> Distribution:
    """Groups of different sizes on the same edges, as shares of each group, with their medians marked.

    What lies outside the `ends` is not drawn.
    """
    values = np.concatenate(list(groups.values()))
    edges = _edges(values[(values >= ends[0]) & (values <= ends[1])], bins)
    shares = {name: np.histogram(values, edges)[0] / len(values) for name, values in groups.items()}
    marks: dict[str, float] = {
        Phrase("median, {group}", group=Phrase(name)): float(np.median(values))
        for name, values in groups.items()
        if medians
    }
    return Distribution(title, "share of the rows", unit, edges, shares, marks, shows_individuals=False)


def _edges(values: Floats, bins: int) -> Floats:
    """As many bins as asked; fewer where so many could not be told apart, at 10^17 say.

    Whole numbers get bins around whole numbers: narrower ones would show gaps that are not there.
    """
    low, high = float(values.min()), float(values.max())
    if max(abs(low), abs(high)) < _COUNTED and (values % 1 == 0).all():
        wide = math.ceil((high - low + 1) / bins) // 2 * 2 + 1 if high - low >= bins else 1
        return low - 0.5 + wide * np.arange(math.ceil((high - low + 1) / wide) + 1)
    if low == high:
        half = max(0.5, abs(low) * 1e-9)
        low, high = low - half, high + half
    return np.unique(np.linspace(low, high, bins + 1))
