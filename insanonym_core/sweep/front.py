"""Results of a sweep: settings averaged over seeds, the Pareto front, and the suggested setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from insanonym_core.errors import DataError
from insanonym_core.experiment.run import entries_of
from insanonym_core.recipe import method_entry
from insanonym_core.recipe_texts import quantity, setting_text
from insanonym_core.results.headlines import Headline
from insanonym_core.results.threats import FOUND_OF_PUBLISHED, MIN_GAP
from insanonym_core.sweep.plan import Outcome, Plan
from insanonym_core.texts import Phrase, choice_phrase, join_texts, localised, say

Band = tuple[float, float, float]

MAX_FOUND_PRIVACY = 0.02
"""Up to this privacy of what is published a setting counts as found: nobody is advised to take it."""
_NONE_DEFENDS = (
    "no setting defends: in each of them utility is 0, or 98 % or more of what is published are found"
)
HOLLOW = "who is who may be hidden, where somebody was is not"
"""Said of a setting that a measure beside the headline makes hollow."""


@dataclass(frozen=True)
class Setting:
    """One setting of the axes over all its seeds: mean, lowest and highest of each headline."""

    series: str
    values: Mapping[str, object]
    units: Mapping[str, str]
    kind: str
    seeds: int
    privacy: Band
    utility: Band
    defence: Band
    hollow: bool = False
    """Whether a measure in the `beside` of the privacy headline reaches its level."""
    decided_by: str = ""
    """The key of the threat that decides privacy, at the seed where it is lowest."""
    found_of_published: float = 0.0
    """The worst threat without what was deleted, on average over the seeds."""
    fully_measured: bool = True
    """Whether every run has the costly measures of the headline; without them privacy is at most this."""

    @property
    def hidden_by_deletion(self) -> bool:
        """Whether the worst threat is noticeably larger without deleted people or rows."""
        return self.found_of_published >= 1 - self.privacy[0] + MIN_GAP

    @property
    def key(self) -> tuple[str, tuple[tuple[str, object], ...]]:
        """Tells settings apart."""
        return self.series, tuple(self.values.items())

    def _title_of(self, method: str) -> str:
        name, _, nth = method.partition("#")
        title = Phrase(method_entry(name, self.kind).title)
        return join_texts(" ", [title, f"({nth})"]) if nth else title

    def written(self, lang: str = "en") -> str:
        """radius = 310 m."""
        names = [label.partition(".")[2] for label in self.values]
        parts = []
        for label, value in self.values.items():
            method, _, name = label.partition(".")
            unit = self.units.get(label, "")
            setting = setting_text(name, _written(value, "" if unit == name else unit))
            of_which = names.count(name) > 1  # k of which step?
            parts.append(join_texts(" · ", [self._title_of(method), setting]) if of_which else setting)
        return say(join_texts(", ", parts), lang)


@dataclass(frozen=True, eq=False)
class Sweep:
    """Outcomes of a plan, in its order; fewer than planned when it was stopped."""

    plan: Plan
    outcomes: tuple[Outcome, ...]
    costly: frozenset[str] = frozenset()
    """Keys of the measures that are taken on the front alone."""

    def headline_of(self, what: str) -> Headline:
        """What stands for privacy or utility."""
        recipe = self.plan.recipe
        return recipe.data_kind.headline(what, recipe.headline.get(what))

    @cached_property
    def costly_threats(self) -> frozenset[str]:
        """Those of the costly measures that the headline of privacy is about."""
        return frozenset(filter(self.headline_of("privacy").is_about, self.costly))

    @property
    def complete(self) -> bool:
        """Whether every point was run."""
        return len(self.outcomes) == len(self.plan.points)

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """Points without an answer, with the reason of each."""
        return tuple(outcome for outcome in self.outcomes if outcome.failed)

    def title_of(self, key: str) -> str:
        """The title of a measure."""
        return next((entry.title for entry in entries_of(self.plan.recipe) if entry.key == key), key)

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """Settings with an answer for at least one seed, in the order of the plan."""
        groups: dict[tuple[str, tuple[Any, ...]], list[Outcome]] = {}
        for outcome in self.outcomes:
            groups.setdefault(outcome.point.key, []).append(outcome)
        made = (self._setting(group) for group in groups.values())
        return tuple(setting for setting in made if setting is not None)

    def _setting(self, group: list[Outcome]) -> Setting | None:
        bands: dict[str, Any] = {}
        seeds = 0
        for name in ("privacy", "utility", "defence"):
            found = np.array([one.values.get(name, np.nan) for one in group], dtype=np.float64)
            found = found[~np.isnan(found)]
            if len(found) == 0:
                return None
            seeds = len(found)
            bands[name] = (float(found.mean()), float(found.min()), float(found.max()))
        point = group[0].point
        worst = min(group, key=lambda one: np.nan_to_num(one.values.get("privacy", np.nan), nan=np.inf))
        own: dict[str, Any] = {
            "hollow": self._hollow(group),
            "decided_by": worst.decided_by,
            "found_of_published": max(1 - bands["privacy"][0], _mean_found(group)),
            "fully_measured": all(
                self.costly_threats <= one.values.keys() for one in group if not one.failed
            ),
        }
        return Setting(point.series, point.values, self.plan.units, point.recipe.kind, seeds, **bands, **own)

    def _hollow(self, group: list[Outcome]) -> bool:
        headline = self.headline_of("privacy")
        found = {
            key: [one.values[key] for one in group if not np.isnan(one.values.get(key, np.nan))]
            for key in headline.beside
        }
        return headline.is_hollow({key: float(np.mean(values)) for key, values in found.items() if values})

    @cached_property
    def front(self) -> tuple[Setting, ...]:
        """Settings that no other beats in both privacy and utility, by rising utility."""
        best: list[Setting] = []
        ordered = sorted(self.settings, key=lambda one: (-one.utility[0], -one.privacy[0]))
        for setting in ordered:
            if not best or setting.privacy[0] > best[-1].privacy[0]:
                best.append(setting)
        return tuple(reversed(best))

    def suggested(self) -> Setting | None:
        """The setting of the front with the largest mean defence; None where no setting defends at all.

        What is found at 98 % or more is not suggested, whatever was deleted besides. Only settings that stood
        the costly attackers too: a sweep that was stopped may have none yet.
        """
        if not self.settings:
            why = self.failures[0].failed if self.failures else Phrase("nothing was run")
            raise DataError("No run of the sweep has a result; the first one says: {why}", why=why)
        measured = [
            one for one in self.front if one.fully_measured and one.found_of_published < 1 - MAX_FOUND_PRIVACY
        ]
        best = max(measured, key=lambda one: one.defence[0], default=None)
        return best if best is not None and best.defence[0] > 0 else None

    def reason(self, lang: str = "en") -> str:
        """A sentence that says why this setting is suggested."""
        one = self.suggested()
        if one is None and not any(one.fully_measured for one in self.front):
            return say("no setting was attacked by all attackers yet: let the sweep finish", lang)
        if one is None:
            return say(_NONE_DEFENDS, lang)
        series = f"{one.series}, " if len({setting.series for setting in self.settings}) > 1 else ""
        over = say(", mean of {seeds} seeds", lang, seeds=one.seeds) if one.seeds > 1 else ""
        score = localised(f"{one.defence[0]:.3f}", lang)
        said = say(
            "largest defence score ({score}{over}): {setting}",
            lang,
            score=score,
            over=over,
            setting=series + one.written(lang),
        )
        caution = say(HOLLOW, lang)
        return say("{reason}; {caution}", lang, reason=said, caution=caution) if one.hollow else said


def _mean_found(group: Sequence[Outcome]) -> float:
    """The mean of what is found of what is published, over the seeds where deletion makes a difference."""
    found = [one.values[FOUND_OF_PUBLISHED] for one in group if FOUND_OF_PUBLISHED in one.values]
    return float(np.mean(found)) if found else 0.0


def joined(sweeps: Sequence[Sweep]) -> Sweep:
    """Several sweeps that can be compared as one, in their order; their series need names of their own."""
    labels = tuple(dict.fromkeys(label for sweep in sweeps for label in sweep.plan.labels))
    units = {label: unit for sweep in sweeps for label, unit in sweep.plan.units.items()}
    points = tuple(point for sweep in sweeps for point in sweep.plan.points)
    plan = Plan(points, labels, units, max(sweep.plan.seeds for sweep in sweeps))
    costly = frozenset[str]().union(*(sweep.costly for sweep in sweeps))
    return Sweep(plan, tuple(outcome for sweep in sweeps for outcome in sweep.outcomes), costly)


def _written(value: object, unit: str) -> str:
    if isinstance(value, bool):
        return Phrase("yes") if value else Phrase("no")
    if isinstance(value, int | float):
        return quantity(value, unit)
    return ", ".join(map(str, value)) if isinstance(value, tuple) else choice_phrase(str(value))
