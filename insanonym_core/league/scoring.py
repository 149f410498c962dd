"""The arithmetic of a league, on results alone.

    defence(team) = max over its releases of utility × (1 − best attack on it by another team)
    attack(team)  = Σ over the other teams with a release of min over their releases of the team's best attack
    general       = defence + attack

A release that a team did not attack counts 0 among its results on that team. A team without a valid release
has defence 0, and nobody can gain anything from it. An attack on one's own release counts for nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from insanonym_core.headlines import defence

Key = tuple[str, str]
"""A release: its team and its name."""
HOUSE = "(house)"  # no team can be called so


@dataclass(frozen=True)
class Defended:
    """A release after all attacks: `by` are the teams whose attack was best (none found anybody: nobody)."""

    team: str
    name: str
    utility: float
    best_attack: float
    by: tuple[str, ...]

    @property
    def defence(self) -> float:
        """Utility × (1 − best attack)."""
        return defence(self.utility, 1 - self.best_attack)


@dataclass(frozen=True)
class Standing:
    """A team's line in the table. `against` holds its weakest result on each other team with a release."""

    team: str
    defence: float
    attack: float
    releases: tuple[Defended, ...]
    against: Mapping[str, float] = field(default_factory=dict)
    rank: int = 0

    @property
    def general(self) -> float:
        """Defence + attack."""
        return self.defence + self.attack

    @property
    def counts(self) -> str:
        """The release that defends the team best; "" without any."""
        return max(self.releases, key=lambda one: one.defence).name if self.releases else ""


def standings(
    teams: Iterable[str],
    utilities: Mapping[Key, float],
    attacks: Mapping[str, Mapping[Key, Iterable[float]]],
    house: Mapping[Key, float] | None = None,
) -> list[Standing]:
    """The table, best general score first; equal scores share a place.

    `utilities` are those of the valid releases, `attacks` each team's results on releases, in any number.
    `house` are results of nobody's attacks: they weaken a defence and give no team any points.
    """
    teams = sorted(set(teams))
    best = {
        team: {key: max(results, default=0.0) for key, results in attacks.get(team, {}).items()}
        for team in teams
    }
    defended = {key: _defended(key, utility, best, house or {}) for key, utility in utilities.items()}
    lines = []
    for team in teams:
        own = tuple(one for key, one in sorted(defended.items()) if key[0] == team)
        against = {
            other: min(best[team].get(key, 0.0) for key in utilities if key[0] == other)
            for other in teams
            if other != team and any(key[0] == other for key in utilities)
        }
        defence = max((one.defence for one in own), default=0.0)
        lines.append(Standing(team, defence, math.fsum(against.values()), own, against))
    return _ranked(lines)


def _defended(
    key: Key, utility: float, best: Mapping[str, Mapping[Key, float]], house: Mapping[Key, float]
) -> Defended:
    team, name = key
    results = {other: found[key] for other, found in best.items() if other != team and key in found}
    if key in house:
        results[HOUSE] = house[key]
    top = max(results.values(), default=0.0)
    return Defended(
        team, name, utility, top, tuple(who for who, found in results.items() if found == top > 0)
    )


def _ranked(lines: list[Standing]) -> list[Standing]:
    lines = sorted(lines, key=lambda line: (-line.general, line.team))
    return [replace(line, rank=1 + sum(other.general > line.general for other in lines)) for line in lines]
