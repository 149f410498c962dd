"""Classes of pseudonyms whose weeks are the same, time by time and place by place."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from insanonym_core.mobility import week_classes as classes
from insanonym_core.mobility.pair import Pair
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Score
from insanonym_core.texts import Phrase

_SIZES = (1, 2, 3, 4, 5, 10)


@metrics.add(
    "week_classes",
    data="mobility",
    family="privacy",
    title="Weeks that are the same",
    better="higher",
    bounds=(0, 1),
    order=3,
    formula="1 − classes / person-weeks",
)
def week_classes(pair: Pair) -> Score:
    """Pseudonyms of a week are in one class if they publish the same times and places, each as often.

    1 − classes / person-weeks: whoever does not see the order of the rows cannot expect to find more than the
    rest, whatever they know. A mean can hide somebody who is alone: look at the smallest class as well.
    """
    found = classes.week_classes(pair)
    published = found.size > 0
    counts = np.bincount(np.searchsorted(_SIZES, found.size[published], side="right"), minlength=7)[1:]
    labels = (
        *(f"{size}" if size + 1 == after else f"{size}–{after - 1}" for size, after in _ranges()),
        Phrase("{size} or more", size=_SIZES[-1]),
    )
    bars = Bars(
        "Person-weeks by size of their class",
        "share of the person-weeks",
        labels,
        counts / max(len(published), 1),
        share=True,
        shows_individuals=False,
    )
    details = {
        "smallest_class": found.smallest,
        "smallest_linked_class": found.smallest_linked,
        "alone": float((found.size == 1).sum() / max(len(published), 1)),
        "pairs": len(published),
    }
    return Score(1 - found.bound, (bars,), details)


def _ranges() -> list[tuple[int, int]]:
    """Sizes that stand together: from, and up to (not included)."""
    return list(pairwise(_SIZES))
