"""From a pair to all its numbers: utility scores, attacks, privacy and the defence score."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from insanonym_core.errors import UsageError
from insanonym_core.mobility.competition import footprint, score_guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.pair import Pair
from insanonym_core.registry import Entry, attacks, check_settings, metrics, values_for
from insanonym_core.scores import AGGREGATES, Score, aggregate, as_json

RULES = ("v2", "v1")
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """How to score. `values` sets parameters: 'share' wherever there is one, or 'meet.share' by name.

    A name that a score and an attack share (poi) concerns both.
    """

    rules: str = "v2"
    aggregate: str = "mean"
    attacks: tuple[str, ...] | None = None
    values: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.rules not in RULES:
            raise UsageError(f"The rules must be v2 or v1, got {self.rules!r}.")
        if self.aggregate not in AGGREGATES:
            raise UsageError(f"The aggregate must be one of {', '.join(AGGREGATES)}, got {self.aggregate!r}.")
        check_settings([*self.metric_entries(), *self.attack_entries()], self.values)

    def metric_entries(self) -> list[Entry]:
        """The utility scores under these rules."""
        return [m for m in metrics.all(data="mobility", rules=self.rules) if m.family == "utility"]

    def attack_entries(self) -> list[Entry]:
        """The attacks to run: all unless some are named."""
        if self.attacks is None:
            return list(attacks.all(data="mobility"))
        return [attacks.get(name, data="mobility") for name in dict.fromkeys(self.attacks)]


@dataclass(frozen=True, eq=False)
class Report:
    """Everything `insanonym score` says about a release."""

    settings: Settings
    rows: int
    deleted: int
    utility: Mapping[str, Score]
    attacks: Mapping[str, Score]
    valid: bool = True

    @property
    def utility_value(self) -> float:
        """The scores as one number."""
        return aggregate(list(self.utility.values()), self.settings.aggregate)

    @property
    def privacy(self) -> float:
        """1 − the best attack that was run; NaN with none."""
        return 1 - max(score.value for score in self.attacks.values()) if self.attacks else math.nan

    @property
    def defence(self) -> float:
        """Utility × privacy."""
        return self.utility_value * self.privacy

    def to_json(self) -> dict[str, Any]:
        """The shape that spec and scripts rely on."""
        return as_json(
            {
                "rules": self.settings.rules,
                "rows": self.rows,
                "deleted": self.deleted,
                "utility": {name: score.value for name, score in self.utility.items()}
                | {self.settings.aggregate: self.utility_value},
                "utility_details": {
                    name: dict(score.details)
                    | ({"undefined_because": score.undefined_because} if not score.defined else {})
                    for name, score in self.utility.items()
                },
                "valid": self.valid,
                "attacks": {name: score.value for name, score in self.attacks.items()},
                "attack_details": {
                    name: {"interval": score.interval, **score.details}
                    for name, score in self.attacks.items()
                },
                "privacy": self.privacy,
                "defence": self.defence,
            }
        )


def evaluate(
    pair: Pair,
    settings: Settings | None = None,
    *,
    progress: Progress | None = None,
) -> Report:
    """Score a release and attack it; `progress` is told the name of each part before it begins."""
    settings = settings or Settings()
    tell = progress or (lambda _: None)
    utility: dict[str, Score] = {}
    for entry in settings.metric_entries():
        tell(entry.name)
        utility[entry.name] = entry.item(pair, **values_for(entry, settings.values))
    return Report(settings, pair.rows, pair.deleted, utility, run_attacks(pair, settings, tell), pair.valid)


def run_attacks(pair: Pair, settings: Settings, tell: Progress = lambda _: None) -> dict[str, Score]:
    """The score of each attack, beside chance and with its interval."""
    chosen: Sequence[Entry] = settings.attack_entries()
    if not chosen:
        return {}
    secret = footprint(pair)
    known, seen = Crowd.known(pair.original), Crowd.seen(pair.release)
    scores: dict[str, Score] = {}
    for entry in chosen:
        tell(entry.name)
        guesses = entry.item(known, seen, **values_for(entry, settings.values))
        scores[entry.name] = score_guesses(secret, guesses)
    return scores
