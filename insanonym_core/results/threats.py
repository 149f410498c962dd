"""Threats: what an attacker achieves against a release, as a share from 0 to 1, and the worst of them.

A measure that is a threat declares it with its Entry; the attacks of a kind share one declaration (Kind). The
groups are the three criteria of the European data-protection authorities' opinion on anonymisation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from insanonym_core.texts import say
from insanonym_core.texts.numbers import percent

if TYPE_CHECKING:
    from insanonym_core.registry import Measure
    from insanonym_core.results.scores import Score

SINGLING_OUT, LINKABILITY, INFERENCE = "singling out", "linkability", "inference"
GROUPS = (SINGLING_OUT, LINKABILITY, INFERENCE)
WITHOUT_DELETED = "{threat} ({share} without what was deleted)"
FOUND_OF_PUBLISHED = "found_of_published"
"""The name, among the values of a run, of the worst threat without what was deleted."""
MIN_GAP = 0.01  # smaller ones are not told
DEFINITION = 2
"""The version of the privacy headline; 1 was a single measure, chosen for each kind."""


def _chance(score: Score) -> float:
    chance = score.details.get("chance")
    return math.nan if chance is None else float(chance)


@dataclass(frozen=True)
class Threat:
    """How a measure is read as a threat: its group, a sentence about {share}, and the share itself.

    `interval` and `chance` belong to that share; NaN where no chance is known. `published` is the share of
    the people or rows that were not deleted: the others count, and are not found.
    """

    group: str
    text: str
    share: Callable[[Score], float] = lambda score: score.value
    interval: Callable[[Score], tuple[float, float] | None] = lambda score: score.interval
    chance: Callable[[Score], float] = _chance
    published: Callable[[Score], float] = lambda score: 1.0


@dataclass(frozen=True)
class Found:
    """A threat with its measured share on a release."""

    measure: Measure
    threat: Threat
    share: float

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the share, where there is one."""
        return self.threat.interval(self.measure.score)

    @property
    def chance(self) -> float:
        """The share that random guessing achieves; NaN if unknown."""
        return self.threat.chance(self.measure.score)

    @property
    def share_of_published(self) -> float:
        """The share of those who were not deleted; 0 if nobody is left."""
        published = self.threat.published(self.measure.score)
        return min(1.0, self.share / published) if published > 0 else 0.0

    @property
    def hidden_by_deletion(self) -> bool:
        """Whether the share would be noticeably larger without what was deleted."""
        return self.share_of_published >= self.share + MIN_GAP

    def sentence(self, lang: str = "en") -> str:
        """33 % of all rows give their sensitive value away (100 % without what was deleted)."""
        said = say(self.threat.text, lang, share=percent(self.share, lang), title=self.title(lang))
        if not self.hidden_by_deletion:
            return said
        return say(WITHOUT_DELETED, lang, threat=said, share=percent(self.share_of_published, lang))

    def title(self, lang: str = "en") -> str:
        """The title of the measure."""
        return say(self.measure.entry.title, lang)

    def as_json(self) -> dict[str, object]:
        """The threat as JSON values."""
        return {
            "measure": self.measure.key,
            "group": self.threat.group,
            "share": self.share,
            "interval": self.interval,
            "text": self.sentence(),
            **({"share_of_published": self.share_of_published} if self.hidden_by_deletion else {}),
        }


def applies(threat: Threat | None, release: object) -> bool:
    """Whether a threat is one to this release: it may name the groups that apply to it as `threat_groups`."""
    groups = getattr(release, "threat_groups", None)
    return threat is None or groups is None or threat.group in groups


def found_threats(measures: Iterable[Measure]) -> list[Found]:
    """The threats that were measured, the worst first. What is undefined or does not apply is left out."""
    found = (as_threat(measure) for measure in measures)
    return sorted((one for one in found if one is not None), key=lambda one: -one.share)


PLAIN = Threat("", "{title}: {share}")
"""How an attack is read whose kind declares nothing."""


def as_threat(measure: Measure, otherwise: Threat | None = None) -> Found | None:
    """The threat that a measure declares, or `otherwise`; None if it has neither, or no value."""
    threat = measure.threat or otherwise
    if threat is None or not measure.score.defined:
        return None
    share = threat.share(measure.score)
    return None if math.isnan(share) else Found(measure, threat, share)


def by_group(measures: Iterable[Measure]) -> Mapping[str, Found | str]:
    """The worst threat of each group, or why there is none: not measured, or not applicable."""
    measures = list(measures)
    declared = [(one.entry.threat.group, one.applicable) for one in measures if one.entry.threat is not None]
    worst: dict[str, Found | str] = {
        group: "not applicable"
        if (group, False) in declared and (group, True) not in declared
        else "not measured"
        for group in GROUPS
    }
    for one in reversed(found_threats(measures)):
        worst[one.threat.group] = one
    return worst
