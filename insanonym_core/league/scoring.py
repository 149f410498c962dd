"""Compute the table of a league from scores.

    defence(team) = max over its releases of utility × (1 − best attack on it by another team)
    attack(team)  = Σ over the other teams with a release of min over their releases of the team's best attack
    general       = defence + attack

A release that a team did not attack counts 0 among its results on that team. A team without a valid release
has defence 0 and cannot be attacked. An attack on a release of one's own team is ignored.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from insanonym_core.results.headlines import defence

Key = tuple[str, str]
"""Team and name of a release."""
HOUSE_TEAM = "(house)"  # not a valid team name


@dataclass(frozen=True)
class AttackedRelease:
    """A release after all attacks; `best_attackers` is empty if no attack found anybody."""

    team: str
    name: str
    utility: float
    best_attack: float
    best_attackers: tuple[str, ...]

    @property
    def defence(self) -> float:
        """Utility × (1 − best attack)."""
        return defence(self.utility, 1 - self.best_attack)


@dataclass(frozen=True)
class Standing:
    """A team's line in the table; `against` is its weakest result on each other team with a release."""

    team: str
    defence: float
    attack: float
    releases: tuple[AttackedRelease, ...]
    against: Mapping[str, float] = field(default_factory=dict)
    rank: int = 0

    @property
    def general(self) -> float:
        """Defence + attack."""
        return self.defence + self.attack

    @property
    def best_release(self) -> str:
        """Name of the release with the best defence, which counts; "" without any."""
        return max(self.releases, key=lambda release: release.defence).name if self.releases else ""


def standings(
    teams: Iterable[str],
    utilities: Mapping[Key, float],
    attacks: Mapping[str, Mapping[Key, Iterable[float]]],
    house: Mapping[Key, float] | None = None,
) -> list[Standing]:
    """Compute the table, best general score first; equal scores share a rank.

    `utilities` holds the valid releases, `attacks` the scores of each team on each release. `house` are
    scores of attacks that belong to no team: they lower a defence and give no points.
    """
    teams = sorted(set(teams))
    best_scores = {
        team: {key: max(results, default=0.0) for key, results in attacks.get(team, {}).items()}
        for team in teams
    }
    defended = {
        key: _attacked_release(key, utility, best_scores, house or {}) for key, utility in utilities.items()
    }
    lines = []
    for team in teams:
        own_releases = tuple(release for key, release in sorted(defended.items()) if key[0] == team)
        against = {
            other: min(best_scores[team].get(key, 0.0) for key in utilities if key[0] == other)
            for other in teams
            if other != team and any(key[0] == other for key in utilities)
        }
        defence = max((release.defence for release in own_releases), default=0.0)
        lines.append(Standing(team, defence, math.fsum(against.values()), own_releases, against))
    return _with_ranks(lines)


def _attacked_release(
    key: Key, utility: float, best_scores: Mapping[str, Mapping[Key, float]], house: Mapping[Key, float]
) -> AttackedRelease:
    """Best attack on a release by other teams or the house, and who made it."""
    team, name = key
    results = {other: score[key] for other, score in best_scores.items() if other != team and key in score}
    if key in house:
        results[HOUSE_TEAM] = house[key]
    best_attack = max(results.values(), default=0.0)
    return AttackedRelease(
        team,
        name,
        utility,
        best_attack,
        tuple(attacker for attacker, score in results.items() if score == best_attack > 0),
    )


def _with_ranks(lines: list[Standing]) -> list[Standing]:
    lines = sorted(lines, key=lambda line: (-line.general, line.team))
    return [replace(line, rank=1 + sum(other.general > line.general for other in lines)) for line in lines]
