"""Numbers and names on the pages of a league."""

from __future__ import annotations

import math

from insanonym_core.errors import Problem
from insanonym_core.league.layout import ATTACKS, RELEASES, printable
from insanonym_core.league.room import Round
from insanonym_core.texts import say
from insanonym_core.texts.numbers import number


def rounded(value: float, lang: str) -> str:
    """Two decimals: more would tell attackers whether one more guess was right."""
    return "–" if math.isnan(value) else number(value, lang, decimals=2)


def sentences(problems: list[Problem], lang: str) -> list[str]:
    """Problems as sentences in a language, without control characters."""
    return [printable(say(problem.sentence(), lang)) for problem in problems]


def round_title(current: Round, now: float, lang: str) -> str:
    """What teams can do now."""
    if current.name == RELEASES:
        if current.is_over(now):
            return say("Releases are closed. Attacks can be handed in.", lang)
        return say("Releases and attacks can be handed in.", lang)
    if current.name == ATTACKS and current.is_over(now):
        return say("The league is over.", lang)
    return say("Attacks can be handed in, releases are closed.", lang)
