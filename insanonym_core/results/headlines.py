"""Headlines: one number for privacy and one for utility, and their product, the defence."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import TYPE_CHECKING

from insanonym_core.results.threats import Found, found_threats

if TYPE_CHECKING:
    from insanonym_core.registry import Measure

Values = Mapping[str, float]
WHAT = ("privacy", "utility")


def defence(utility: float, privacy: float) -> float:
    """Utility × privacy: the score by which releases are compared, in a run, a sweep and a league."""
    return utility * privacy


@dataclass(frozen=True)
class Headline:
    """What stands for privacy or utility: a formula over measures; `needs` names them by key or family.

    `of_threats`: the formula is over the shares of the threats that were measured, not over the values.
    `beside` are further measures that a sweep takes, each with the level from which on its point is hollow.
    """

    name: str
    title: str
    formula: str
    needs: tuple[str, ...]
    value: Callable[[Values], float]
    of_threats: bool = False
    beside: Mapping[str, float] = field(default_factory=dict)

    def compute(self, measures: Sequence[Measure], official: Collection[str] | None = None) -> float:
        """The number; NaN where a measure it needs is undefined.

        `official` are the keys of the measures that a rule set names: others are shown and never counted.
        """
        if self.of_threats:
            shares = {one.measure.key: one.share for one in self.threats(measures)}
            return self.value(shares) if shares else math.nan
        values = {
            measure.key: measure.score.value
            for measure in self._needed(measures)
            if official is None or measure.family != "utility" or measure.key in official
        }
        if not values or any(math.isnan(value) for value in values.values()):
            defined = {key: value for key, value in values.items() if not math.isnan(value)}
            # A mean over a family goes without its undefined members; a single measure has no substitute.
            if not defined or any("." in need for need in self.needs):
                return math.nan
            values = defined
        return self.value(values)

    def threats(self, measures: Sequence[Measure]) -> list[Found]:
        """The threats that this headline is about, the worst first; none where it is about values."""
        return found_threats(self._needed(measures)) if self.of_threats else []

    def is_hollow(self, values: Values) -> bool:
        """Whether a measure in `beside` reaches its level: then the point is drawn hollow."""
        return any(values.get(key, math.nan) >= level for key, level in self.beside.items())

    def is_about(self, key: str) -> bool:
        """Whether it is about the measure with this key, or about its family."""
        return key in self.needs or key.partition(".")[0] in self.needs

    def threatening(self, measures: Sequence[Measure]) -> list[Measure]:
        """The measures that this headline is about and that apply, whether they have a number or not."""
        return [one for one in self._needed(measures) if one.threat is not None] if self.of_threats else []

    def _needed(self, measures: Sequence[Measure]) -> list[Measure]:
        return [one for one in measures if self.is_about(one.key)]


def worst_threat(*needs: str, beside: Mapping[str, float] | None = None) -> Headline:
    """Privacy = 1 − the worst threat among these measures: the default headline of every kind."""
    return Headline(
        "worst", "Privacy", "1 − worst threat", needs, one_minus_max, of_threats=True, beside=beside or {}
    )


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
