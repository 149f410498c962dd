"""How figures are drawn from a report: a piece of evidence, that of a step, a family of measures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from insanonym_core.experiment import Report
from insanonym_core.figures import Size
from insanonym_core.texts import say
from insanonym_dashboard import pieces

Drawer = Callable[..., Any]
"""(report, lang, size) → a figure, or its JSON; None when the report does not hold what it shows."""


def evidence(key: str, place: int = 0) -> Drawer:
    """Draws a piece of evidence of one measure."""

    def drawn(report: Report, lang: str, size: Size) -> Any:
        from insanonym_core.figures import draw
        from insanonym_core.figures.gallery import card_of

        score = report.scores.get(key)
        if score is None or len(score.evidence) <= place:
            return None
        measure = next(one for one in report.measures if one.key == key)
        return draw(
            score.evidence[place],
            card=card_of(report, say(measure.entry.formula, lang)),
            lang=lang,
            size=size,
        )

    return drawn


def step_evidence(title: str) -> Drawer:
    """Draws the evidence of a step, found by how its title begins."""

    def drawn(report: Report, lang: str, size: Size) -> Any:
        from insanonym_core.figures import draw
        from insanonym_core.figures.gallery import card_of

        found = next((one for one in report.evidence if one.title.startswith(title)), None)
        return None if found is None else draw(found, card=card_of(report), lang=lang, size=size)

    return drawn


def overview(family: str) -> Drawer:
    """Draws all measures of a family: scores as bars, attacks with intervals beside chance."""

    def drawn(report: Report, lang: str, size: Size, previous: Mapping[str, float] | None = None) -> Any:
        from insanonym_core.figures.gallery import card_of
        from insanonym_core.figures.measures import attacks_sheet, utility_sheet

        found = list(report.family(family))
        if not found:
            return None
        if family == "attack":
            return attacks_sheet(found, card=card_of(report), lang=lang, size=size).plain()
        title = say("Privacy: what an attacker can learn", lang) if family == "privacy" else ""
        before = {one.entry.name: (previous or {}).get(one.key, math.nan) for one in found}
        now = {one.entry.name: one.score.value for one in found}
        changed = any(abs(before[name] - now[name]) >= pieces.SAME for name in now)
        return utility_sheet(
            found,
            card=card_of(report),
            lang=lang,
            title=title,
            size=size,
            previous=before if changed else None,
        ).plain()

    drawn.compares = True  # type: ignore[attr-defined]
    return drawn
