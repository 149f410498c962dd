"""What a run gives back: every measure with its facts, the headlines, and what was promised and measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from insanonym_core.experiment.headlines import Headline, headline
from insanonym_core.recipe import Recipe, method_entry
from insanonym_core.registry import Measure
from insanonym_core.scores import Evidence, Score


@dataclass(frozen=True)
class Promise:
    """What a step asked for, and what is measured on the table that is published in the end.

    `of`: combinations of the columns, single values of each, or groups. `cleaned`: the table is not published
    itself, traces were counted from it. `individuals`: k counts people, each once, and not rows.
    """

    method: str
    asked: int
    measured: int
    columns: tuple[str, ...]
    of: str = "combinations"
    cleaned: bool = False
    individuals: bool = False

    @property
    def holds(self) -> bool:
        """Whether it is kept."""
        return self.measured >= self.asked

    @property
    def title(self) -> str:
        """The title of the method."""
        return method_entry(self.method, "table").title

    @property
    def text(self) -> str:
        """What holds, and no more; with places for {columns} and {measured}."""
        said = _OF_INDIVIDUALS if self.individuals and self.of == "values" else _PROMISES[self.of]
        return said + (_CLEANED if self.cleaned else "")

    @property
    def symbol(self) -> str:
        """What the numbers are: k counts rows that look alike, and groups have a size."""
        return "group size" if self.of == "groups" else "k"

    def sentence(self) -> str:
        """Asked and measured in one sentence."""
        said = self.text.format(columns=f"[{', '.join(self.columns)}]", measured=self.measured)
        return f"Asked {self.symbol} = {self.asked}, measured {self.symbol} = {self.measured}: {said}"


_PROMISES = {
    "combinations": "Every combination of these columns is shared by at least {measured} rows: {columns}.",
    "values": "Every single value of these columns is shared by at least {measured} rows: {columns}.",
    "groups": "Every group holds at least {measured} rows. The columns {columns} stay exact: k counts the "
    "rows that share them, and is another number.",
}
_OF_INDIVIDUALS = (
    "Every single value of these columns is shared by at least {measured} individuals: {columns}."
)
_CLEANED = " (In the table from which the traces were counted.)"


@dataclass(frozen=True, eq=False)
class Report:
    """All there is to say about a release. The data and the release stay in memory for maps and previews.

    `file` is where the run itself read the data; data that was handed over has none, whatever the recipe
    calls it. An upload brings its SHA-256 as `file_digest`.
    """

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
