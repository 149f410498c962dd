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

if TYPE_CHECKING:
    from insanonym_core.registry import Measure
    from insanonym_core.scores import Score

SINGLING_OUT, LINKABILITY, INFERENCE = "singling out", "linkability", "inference"
GROUPS = (SINGLING_OUT, LINKABILITY, INFERENCE)
DEFINITION = 2
"""The version of the privacy headline; 1 was a single measure, chosen for each kind."""


def _value(score: Score) -> float:
    return score.value


@dataclass(frozen=True)
class Threat:
    """How a measure is read as a threat: its group, a sentence about {share}, and the share itself."""

    group: str
    text: str
    share: Callable[[Score], float] = _value
    interval: Callable[[Score], tuple[float, float] | None] = lambda score: score.interval


@dataclass(frozen=True)
class Found:
    """A threat as it was measured on a release."""

    measure: Measure
    threat: Threat
    share: float

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the share, where there is one."""
        return self.threat.interval(self.measure.score)

    def sentence(self, lang: str = "en") -> str:
        """33 % of the rows give their sensitive value away."""
        return say(self.threat.text, lang, share=percent(self.share, lang), title=self.title(lang))

    def title(self, lang: str = "en") -> str:
        """The title of the measure."""
        return say(self.measure.entry.title, lang)

    def as_json(self) -> dict[str, object]:
        """For `--json`."""
        return {
            "measure": self.measure.key,
            "group": self.threat.group,
            "share": self.share,
            "interval": self.interval,
            "text": self.sentence(),
        }


def applies(threat: Threat | None, release: object) -> bool:
    """Whether a threat is one to this release: it may name the groups that apply to it as `threat_groups`."""
    groups = getattr(release, "threat_groups", None)
    return threat is None or groups is None or threat.group in groups


def found_threats(measures: Iterable[Measure]) -> list[Found]:
    """The threats that were measured, the worst first. What is undefined or does not apply is left out."""
    found = []
    for measure in measures:
        threat = measure.threat
        if threat is not None and measure.score.defined:
            share = threat.share(measure.score)
            if not math.isnan(share):
                found.append(Found(measure, threat, share))
    return sorted(found, key=lambda one: -one.share)


def by_group(threats: Iterable[Found]) -> Mapping[str, Found | None]:
    """The worst threat of each group; None where nothing was measured."""
    worst: dict[str, Found | None] = dict.fromkeys(GROUPS)
    for one in threats:
        before = worst.get(one.threat.group)
        if before is None or one.share > before.share:
            worst[one.threat.group] = one
    return worst


def percent(share: float, lang: str = "en") -> str:
    """33 %; a share that is neither 0 nor 1 is never written as one."""
    number = 100 * share
    shown = f"{number:.0f}" if number in (0, 100) or 0.5 <= number <= 99.5 else f"{number:.1f}"
    if 0 < number < 0.05:
        shown = "< 0.1"
    elif 99.95 < number < 100:
        shown = "> 99.9"
    return f"{shown} %".replace(".", "," if lang == "fr" else ".")
