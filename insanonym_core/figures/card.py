"""The recipe card: what a picture needs under it to be believed and made again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from insanonym_core.texts import say
from insanonym_core.written import number

if TYPE_CHECKING:
    from insanonym_core.experiment import Report


@dataclass(frozen=True)
class Card:
    """The setting, the seed, how many of `what` were counted, the formula; what is not known is left out."""

    setting: str
    seed: int | None
    n: int | None
    what: str = "rows"
    formula: str = ""

    def text(self, lang: str = "en") -> str:
        """The card as one line; the figure wraps it."""
        parts = [
            self.setting,
            "" if self.seed is None else say("seed {seed}", lang, seed=self.seed),
            "" if self.n is None else f"n = {number(self.n, lang)} {say(self.what, lang)}",
            self.formula,
        ]
        return " · ".join(part.strip() for part in parts if part.strip())


def card_of(report: Report, formula: str = "") -> Card:
    """Setting, seed, how many rows and the formula: what a figure needs to be made again."""
    data = report.recipe.data_name
    setting = f"{data} · {report.recipe.written()}" if data else report.recipe.written()
    return Card(setting, report.recipe.seed, report.rows, "rows", formula)
