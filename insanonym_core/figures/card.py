"""The recipe card: the text below a figure that is needed to reproduce it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from insanonym_core.recipe_texts import quantity
from insanonym_core.texts import join_texts, label, say

if TYPE_CHECKING:
    from insanonym_core.experiment import Report


@dataclass(frozen=True)
class Card:
    """Setting, seed, count `n` of `what`, and formula of a figure; unknown parts are omitted."""

    setting: str
    seed: int | None
    n: int | None
    what: str = "rows"
    formula: str = ""

    def text(self, lang: str = "en") -> str:
        """The card as one line, not wrapped."""
        parts = [
            label(self.setting, lang),
            "" if self.seed is None else say("seed {seed}", lang, seed=self.seed),
            "" if self.n is None else f"n = {say(quantity(self.n, self.what), lang)}",
            self.formula,
        ]
        return " · ".join(part.strip() for part in parts if part.strip())


def card_of(report: Report, formula: str = "") -> Card:
    """The recipe card of a report: data, recipe, seed, number of rows and a formula."""
    data = report.recipe.data_name
    setting = join_texts(" · ", filter(None, [data, report.setting]))
    return Card(setting, report.recipe.seed, report.rows, "rows", formula)
