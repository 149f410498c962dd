"""The result of a run: every measure, the headlines, and the promises of the steps as measured."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from insanonym_core.kinds import Facts, Release, resolve
from insanonym_core.recipe import Recipe
from insanonym_core.recipe_texts import recipe_text
from insanonym_core.registry import Measure
from insanonym_core.results.headlines import Headline, defence
from insanonym_core.results.person_losses import PersonLosses
from insanonym_core.results.promises import Promise
from insanonym_core.results.scores import Evidence, Score
from insanonym_core.results.threats import FOUND_OF_PUBLISHED, Found, found_threats
from insanonym_core.texts import Phrase


@dataclass(frozen=True, eq=False)
class Report:
    """The result of a run. The data and the release stay in memory for maps and previews.

    `file` is where the run itself read the data; data that was handed over has none, whatever the recipe
    calls it. An upload brings its SHA-256 as `file_digest`.
    """

    recipe: Recipe
    data: Any  # Any: each kind of data has a class of its own
    release: Release
    rows: int
    kept: int
    measures: tuple[Measure, ...]
    evidence: tuple[Evidence, ...] = ()
    promises: tuple[Promise, ...] = ()
    warnings: tuple[str, ...] = ()
    facts: Facts = field(default_factory=dict)
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
        """The headline of privacy or utility that the recipe names."""
        return self.recipe.data_kind.headline(what, self.recipe.headline.get(what))

    @property
    def setting(self) -> str:
        """What was done, in words."""
        if self.facts.get("made_elsewhere"):
            return Phrase("release made elsewhere")
        return recipe_text(self.recipe)

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
        """Applicable threats of the headline that could not be measured: the true privacy may be lower."""
        if math.isnan(self.privacy):
            return []
        return [
            one for one in self.headline_of("privacy").threatening(self.measures) if not one.score.defined
        ]

    @property
    def larger_uncounted_threat(self) -> Found | None:
        """The worst threat outside the headline, if it is larger than the one that decides it."""
        decided = self.decided_by
        if decided is None or self.threats[0].share <= decided.share:
            return None
        return self.threats[0]

    def in_headline(self, threat: Found) -> bool:
        """Whether a threat is one of those that the headline of privacy is about."""
        keys = {one.measure.key for one in self.headline_of("privacy").threats(self.measures)}
        return threat.measure.key in keys

    @property
    def hollow(self) -> bool:
        """Whether identities may be hidden while other facts (where somebody was) are still published."""
        return self.headline_of("privacy").is_hollow(self.values())

    @property
    def utility(self) -> float:
        """The headline of utility; higher is more useful."""
        return self._number("utility")

    @property
    def defence(self) -> float:
        """Utility × privacy."""
        return defence(self.utility, self.privacy)

    def _found_of_published(self) -> dict[str, float]:
        """The worst threat of the headline without what was deleted, if that is noticeably larger."""
        threats = self.headline_of("privacy").threats(self.measures)
        if not any(one.hidden_by_deletion for one in threats):
            return {}
        return {FOUND_OF_PUBLISHED: max(one.share_of_published for one in threats)}

    def _number(self, what: str) -> float:
        official = self.recipe.data_kind.official(self.recipe.rules)
        return self.headline_of(what).compute(self.measures, official)

    @cached_property
    def person_losses(self) -> PersonLosses | None:
        """What each person's data lose, where that is known."""
        compute = self.recipe.data_kind.code("person_losses")
        losses: PersonLosses | None = compute(self) if compute is not None and self.kept else None
        return losses

    def figure(
        self, name: str, *, lang: str = "en", individual: str = ""
    ) -> Any:  # Any: figures are in a layer above this one
        """The figure of that name, such as "attacks"; `.save("fig.pdf", width="85mm")` writes it for print.

        No figure shows a single individual, except `figure("map", individual="…")`, the map of the one with
        that id in the original: it must not be shared.
        """
        named = resolve("insanonym_core.figures.gallery:figure_named")
        return named(self, name, lang=lang, individual=individual)

    def values(self) -> dict[str, float]:
        """Every number by name, headlines first."""
        return {
            "privacy": self.privacy,
            "utility": self.utility,
            "defence": self.defence,
            **self._found_of_published(),
            **{key: score.value for key, score in self.scores.items()},
        }
