"""How a league is played, what came of each team's files, and the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from insanonym_core.errors import Problem, UsageError
from insanonym_core.experiment.run import check_recipe, pair_recipe
from insanonym_core.league.judge import Judged
from insanonym_core.league.layout import TeamFiles, key_of
from insanonym_core.league.publish import Publisher
from insanonym_core.league.scoring import Key, Standing
from insanonym_core.recipe import Recipe

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Rules:
    """How a league is played. `closed`: what was published counts, whatever is handed in since.

    The limits are those of the INSAnonym competition; of more files the first by name count. `house`: our own
    attacks weaken a defence as a team's would.
    """

    rules: str = "v2"
    aggregate: str = "mean"
    columns: tuple[str, ...] | None = None
    house: bool = False
    closed: bool = False
    most_releases: int = 3
    most_attacks: int = 10

    def __post_init__(self) -> None:
        for name, value in (("releases", self.most_releases), ("attacks", self.most_attacks)):
            if value < 1:
                raise UsageError(f"The most {name} of a team must be 1 or more, got {value}.")

    def recipe(self) -> Recipe:
        """How releases are measured."""
        recipe = pair_recipe("mobility", rules=self.rules, aggregate=self.aggregate)
        check_recipe(recipe)
        return recipe


@dataclass
class Team:
    """What came of a team's files."""

    files: TeamFiles
    judged: dict[str, Judged] = field(default_factory=dict)
    attacks: list[tuple[str, Key, float]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its name."""
        return self.files.team


@dataclass(frozen=True, eq=False)
class League:
    """The table, best team first, and all that was found on the way."""

    folder: Path
    rules: Rules
    original: str
    table: tuple[Standing, ...]
    teams: dict[str, Team]
    publisher: Publisher
    problems: tuple[Problem, ...]

    def frame(self) -> pd.DataFrame:
        """The table for a notebook."""
        import pandas as pd

        return pd.DataFrame(
            {
                "place": [line.rank for line in self.table],
                "team": [line.team for line in self.table],
                "general": [line.general for line in self.table],
                "defence": [line.defence for line in self.table],
                "attack": [line.attack for line in self.table],
                "problems": [self.broken(line.team) for line in self.table],
            }
        ).set_index("place")

    def broken(self, team: str) -> int:
        """How many problems a team has, warnings aside."""
        return sum(not problem.warning for problem in self.teams[team].problems)

    def published(self, team: str, release: str) -> Path:
        """The published copy of a release."""
        return self.publisher.public(key_of(team, release))
