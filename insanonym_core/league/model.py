"""Rules of a league, results of each team, and the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from insanonym_core.errors import Problem, UsageError
from insanonym_core.experiment.run import check_recipe, pair_recipe
from insanonym_core.league.judge import ScoredRelease
from insanonym_core.league.layout import TeamFiles, release_key
from insanonym_core.league.publish import Publisher
from insanonym_core.league.scoring import Key, Standing
from insanonym_core.recipe import Recipe
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Rules:
    """Rules of a league. `closed`: only releases published before count, whatever is handed in later.

    The limits are those of the INSAnonym competition; beyond a limit, the first files by name count. `house`:
    the attacks of this package lower a defence like those of a team.
    """

    rules: str = "v2"
    aggregate: str = "mean"
    columns: tuple[str, ...] | None = None
    house: bool = False
    closed: bool = False
    max_releases: int = 3
    max_attacks: int = 10

    def __post_init__(self) -> None:
        for name, value in ((Phrase("releases"), self.max_releases), (Phrase("attacks"), self.max_attacks)):
            if value < 1:
                raise UsageError(
                    "The largest number of {name} of a team must be 1 or more, got {value}.",
                    name=name,
                    value=value,
                )

    def recipe(self) -> Recipe:
        """The recipe that scores releases."""
        recipe = pair_recipe("mobility", rules=self.rules, aggregate=self.aggregate)
        check_recipe(recipe)
        return recipe


@dataclass
class Team:
    """Results of a team's files: scored releases, attack scores (file, target, score) and problems."""

    files: TeamFiles
    judged: dict[str, ScoredRelease] = field(default_factory=dict)
    attacks: list[tuple[str, Key, float]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name of the team."""
        return self.files.team


@dataclass(frozen=True, eq=False)
class League:
    """Result of a run: the table, best team first, with teams, published releases and problems."""

    folder: Path
    rules: Rules
    original: str
    table: tuple[Standing, ...]
    teams: dict[str, Team]
    publisher: Publisher
    problems: tuple[Problem, ...]

    def frame(self) -> pd.DataFrame:
        """The table as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(
            {
                "place": [line.rank for line in self.table],
                "team": [line.team for line in self.table],
                "general": [line.general for line in self.table],
                "defence": [line.defence for line in self.table],
                "attack": [line.attack for line in self.table],
                "problems": [self.problem_count(line.team) for line in self.table],
            }
        ).set_index("place")

    def problem_count(self, team: str) -> int:
        """Number of problems of a team, without warnings."""
        return sum(not problem.warning for problem in self.teams[team].problems)

    def published(self, team: str, release: str) -> Path:
        """Path of the published copy of a release."""
        return self.publisher.published_path(release_key(team, release))
