"""Trials of a search: recipes with what was measured of them, and the front that they draw."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from insanonym_core.recipe import Recipe
from insanonym_core.results.headlines import defence
from insanonym_core.tuning.wish import Wish


@dataclass(frozen=True)
class Tried:
    """A recipe that was tried: its numbers as means over `draws` runs, or why there are none.

    `choices` are those of the sampler; `sampled` says that only a sample of the data was used.
    """

    number: int
    recipe: Recipe
    values: Mapping[str, float] = field(default_factory=dict)
    draws: int = 0
    decided_by: str = ""
    failed: str = ""
    sampled: bool = False
    choices: Mapping[str, object] = field(default_factory=dict)

    @property
    def utility(self) -> float:
        """The headline of utility."""
        return self.values.get("utility", math.nan)

    @property
    def privacy(self) -> float:
        """The headline of privacy, against the attackers that the search knows."""
        return self.values.get("privacy", math.nan)

    @property
    def counts(self) -> bool:
        """Whether it may be on the front: measured on all of the data."""
        return not self.failed and not self.sampled and math.isfinite(self.utility + self.privacy)


def mean_values(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each number over some runs, NaN where one has none; the defence of the means."""
    names = dict.fromkeys(name for run in runs for name in run)
    means = {name: fmean(run.get(name, math.nan) for run in runs) for name in names}
    if {"utility", "privacy"} <= means.keys():
        means["defence"] = defence(means["utility"], means["privacy"])
    return means


def front_of_trials(trials: Iterable[Tried]) -> list[Tried]:
    """The trials that no other beats in both privacy and utility, by rising utility."""
    best: list[Tried] = []
    for one in sorted((one for one in trials if one.counts), key=lambda one: (-one.utility, -one.privacy)):
        if not best or one.privacy > best[-1].privacy:
            best.append(one)
    return best[::-1]


def distance_to_front(one: Mapping[str, float], front: Sequence[Tried]) -> float:
    """How far a point lies below the front, in the smaller of the two directions; 0 on it or above."""
    utility, privacy = one.get("utility", math.nan), one.get("privacy", math.nan)
    if math.isnan(utility + privacy):
        return math.inf
    below = [
        min(other.utility - utility, other.privacy - privacy)
        for other in front
        if other.utility >= utility and other.privacy >= privacy
    ]
    return max(below, default=0.0)


def better(wish: Wish, best: Tried | None, one: Tried) -> Tried | None:
    """The better of two trials that keep the wish; the first one if the second does not."""
    if not one.counts or not wish.holds(one.values):
        return best
    return one if best is None or wish.objective(one.values) > wish.objective(best.values) else best
