"""Headlines: one number for privacy and one for utility, and their product, the defence."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from insanonym_core.registry import Measure

Values = Mapping[str, float]
WHAT = ("privacy", "utility")


def defence(utility: float, privacy: float) -> float:
    """Utility × privacy: the score by which releases are compared, in a run, a sweep and a league."""
    return utility * privacy


@dataclass(frozen=True)
class Headline:
    """What stands for privacy or utility: a formula over measures; `needs` names them by key or family."""

    name: str
    title: str
    formula: str
    needs: tuple[str, ...]
    value: Callable[[Values], float]

    def compute(self, measures: Sequence[Measure], official: Collection[str] | None = None) -> float:
        """The number; NaN where a measure it needs is undefined.

        `official` are the keys of the measures that a rule set names: others are shown and never counted.
        """
        values = {
            measure.key: measure.score.value
            for measure in measures
            if (measure.key in self.needs or measure.family in self.needs)
            and (official is None or measure.family != "utility" or measure.key in official)
        }
        if not values or any(math.isnan(value) for value in values.values()):
            defined = {key: value for key, value in values.items() if not math.isnan(value)}
            # A mean over a family goes without its undefined members; a single measure has no substitute.
            if not defined or any("." in need for need in self.needs):
                return math.nan
            values = defined
        return self.value(values)


def only_value(values: Values) -> float:
    """The one value."""
    return next(iter(values.values()))


def one_minus(values: Values) -> float:
    """1 − the one value."""
    return 1 - only_value(values)


def one_minus_max(values: Values) -> float:
    """1 − the largest value."""
    return 1 - max(values.values())


def one_minus_mean(values: Values) -> float:
    """1 − the mean."""
    return 1 - fmean(values.values())


AGGREGATES: Mapping[str, Callable[[Values], float]] = {
    "mean": lambda values: fmean(values.values()),
    "median": lambda values: float(median(values.values())),
    "min": lambda values: min(values.values()),
    "max": lambda values: max(values.values()),
}
