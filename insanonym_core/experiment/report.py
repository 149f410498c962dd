"""What a run gives back: every measure with its facts, the headlines, and what was promised and measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from insanonym_core.experiment.headlines import Headline, headline
from insanonym_core.recipe import Recipe
from insanonym_core.registry import Measure
from insanonym_core.scores import Evidence, Score


@dataclass(frozen=True)
class Promise:
    """What a step asked for, and what is measured on the published table; None where nothing was asked."""

    method: str
    asked: int
    measured: int
    columns: tuple[str, ...]
    of: str = "combinations"

    @property
    def holds(self) -> bool:
        """Whether it is kept."""
        return self.measured >= self.asked

    def sentence(self) -> str:
        """Says what holds, and no more."""
        columns = ", ".join(self.columns)
        what = "every combination" if self.of == "combinations" else "every single value"
        return (
            f"Asked k = {self.asked}, measured k = {self.measured}: {what} of [{columns}] in this file is "
            f"shared by at least {self.measured} {'row' if self.measured == 1 else 'rows'}."
        )


@dataclass(frozen=True, eq=False)
class Report:
    """All there is to say about a release. The data and the release stay in memory for maps and previews."""

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

    def family(self, name: str) -> Iterator[Measure]:
        """The measures of a family: utility, privacy or attack."""
        return (measure for measure in self.measures if measure.family == name)

    @cached_property
    def scores(self) -> dict[str, Score]:
        """Score by key, such as utility.poi and attack.poi."""
        return {measure.key: measure.score for measure in self.measures}

    def headline_of(self, what: str) -> Headline:
        """What stands for privacy or utility in this recipe."""
        return headline(self.recipe.kind, what, self.recipe.headline.get(what))

    @property
    def privacy(self) -> float:
        """The headline of privacy; higher is safer."""
        return self.headline_of("privacy").of(self.measures)

    @property
    def utility(self) -> float:
        """The headline of utility; higher is more useful."""
        return self.headline_of("utility").of(self.measures)

    @property
    def defence(self) -> float:
        """Utility × privacy."""
        return self.utility * self.privacy

    def values(self) -> dict[str, float]:
        """Every number by name, headlines first."""
        return {
            "privacy": self.privacy,
            "utility": self.utility,
            "defence": self.defence,
            **{key: score.value for key, score in self.scores.items()},
        }
