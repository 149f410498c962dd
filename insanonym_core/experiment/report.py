"""What a run gives back: every measure with its facts, the headlines, and what was promised and measured."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from insanonym_core.headlines import Headline, defence
from insanonym_core.promises import Promise
from insanonym_core.recipe import Recipe
from insanonym_core.registry import Measure
from insanonym_core.scores import Evidence, Score
from insanonym_core.threats import Found, found_threats


@dataclass(frozen=True, eq=False)
class Report:
    """All there is to say about a release. The data and the release stay in memory for maps and previews.

    `file` is where the run itself read the data; data that was handed over has none, whatever the recipe
    calls it. An upload brings its SHA-256 as `file_digest`.
    """

    recipe: Recipe
    data: Any
    release: Any
    rows: int
    kept: int
    measures: tuple[Measure, ...]
    evidence: tuple[Evidence, ...] = ()
    promises: tuple[Promise, ...] = ()
    warnings: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    file: Path | None = None
    file_digest: str = ""

    def family(self, name: str) -> Iterator[Measure]:
        """The measures of a family: utility, privacy or attack."""
        return (measure for measure in self.measures if measure.family == name)

    @cached_property
    def scores(self) -> dict[str, Score]:
        """Score by key, such as utility.poi and attack.poi."""
        return {measure.key: measure.score for measure in self.measures}

    def headline_of(self, what: str) -> Headline:
        """What stands for privacy or utility in this recipe."""
        return self.recipe.data_kind.headline(what, self.recipe.headline.get(what))

    @property
    def privacy(self) -> float:
        """The headline of privacy; higher is safer."""
        return self._number("privacy")

    @cached_property
    def threats(self) -> list[Found]:
        """Every threat that was measured, the worst first."""
        return found_threats(self.measures)

    @property
    def decided_by(self) -> Found | None:
        """The threat that decides the headline of privacy; None where none does or there is no number."""
        if math.isnan(self.privacy):
            return None
        return next(iter(self.headline_of("privacy").threats(self.measures)), None)

    @property
    def unmeasured(self) -> list[Measure]:
        """Threats of the headline that apply and have no number: privacy is at most what it says."""
        if math.isnan(self.privacy):
            return []
        return [
            one for one in self.headline_of("privacy").threatening(self.measures) if not one.score.defined
        ]

    def in_headline(self, threat: Found) -> bool:
        """Whether a threat is one of those that the headline of privacy is about."""
        keys = {one.measure.key for one in self.headline_of("privacy").threats(self.measures)}
        return threat.measure.key in keys

    @property
    def utility(self) -> float:
        """The headline of utility; higher is more useful."""
        return self._number("utility")

    @property
    def defence(self) -> float:
        """Utility × privacy."""
        return defence(self.utility, self.privacy)

    def _number(self, what: str) -> float:
        official = self.recipe.data_kind.official(self.recipe.rules)
        return self.headline_of(what).compute(self.measures, official)

    def values(self) -> dict[str, float]:
        """Every number by name, headlines first."""
        return {
            "privacy": self.privacy,
            "utility": self.utility,
            "defence": self.defence,
            **{key: score.value for key, score in self.scores.items()},
        }
