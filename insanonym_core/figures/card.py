"""The recipe card: what a picture needs under it to be believed and made again."""

from __future__ import annotations

from dataclasses import dataclass

from insanonym_core.figures.words import number
from insanonym_core.texts import say


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
