"""How figures are drawn from a report: a piece of evidence, that of a step, a family of measures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from insanonym_core.experiment import Report
from insanonym_core.figures import Size
from insanonym_core.jobs import Job
from insanonym_core.texts import say
from insanonym_dashboard import pieces

Drawer = Callable[..., Any]
"""(report, lang, size) → a figure, or its JSON; None when the report does not hold what it shows."""


@runtime_checkable
class ComputedDrawer(Protocol):
    """A figure that needs further runs: computed beside the page, then drawn from what they gave."""

    def compute(self, report: Report, job: Job) -> Any:
        """Runs on the worker's thread."""

    def draw(self, report: Report, computed: Any, lang: str, size: Size) -> Any:
        """The figure; runs nothing."""


class KindComparison:
    """Draws the comparison that the kind of data declares."""

    def compute(self, report: Report, job: Job) -> Any:
        """The further runs."""
        return report.recipe.data_kind.code("comparison").compute(report, job)

    def draw(self, report: Report, computed: Any, lang: str, size: Size) -> Any:
        """The figure."""
        return report.recipe.data_kind.code("comparison").figure(report, computed, lang, size)


def evidence(key: str, place: int = 0) -> Drawer:
    """Draws a piece of evidence of one measure."""

    def drawn(report: Report, lang: str, size: Size) -> Any:
        from insanonym_core.figures import draw
        from insanonym_core.figures.card import card_of

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


def step_evidence(name: str) -> Drawer:
    """Draws the evidence of a step, found by its name."""

    def drawn(report: Report, lang: str, size: Size) -> Any:
        from insanonym_core.figures import draw
        from insanonym_core.figures.card import card_of

        found = next((one for one in report.evidence if one.name == name), None)
        return None if found is None else draw(found, card=card_of(report), lang=lang, size=size)

    return drawn


def overview(family: str) -> Drawer:
    """Draws all measures of a family: scores as bars, attacks with intervals beside chance."""

    def drawn(report: Report, lang: str, size: Size, previous: Mapping[str, float] | None = None) -> Any:
        from insanonym_core.figures.card import card_of
        from insanonym_core.figures.measures import attacks_sheet, utility_sheet

        found = list(report.family(family))
        if not found:
            return None
        if family == "attack":
            return attacks_sheet(found, card=card_of(report), lang=lang, size=size).as_dict()
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
        ).as_dict()

    drawn.compares = True  # type: ignore[attr-defined]
    return drawn
