"""Drawers: functions that make a figure from a report, for evidence of a measure or step, or a family."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from insanonym_core.experiment import Report
from insanonym_core.figures import Size
from insanonym_core.results.scores import Evidence
from insanonym_core.runtime.jobs import Job
from insanonym_core.texts import say
from insanonym_dashboard import pieces
from insanonym_dashboard.trail import SHARE, numbers_of

Named = tuple[str, Report]
"""What a figure is compared with: a name and a report."""
Drawer = Callable[..., Any]
"""(report, lang, size) → a figure, or its JSON; None when the report does not hold what it shows."""


@runtime_checkable
class ComputedDrawer(Protocol):
    """A figure that needs further runs: computed in the worker's thread, then drawn from their results."""

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


def evidence(key: str, place: int = 0, *, titled: bool = False) -> Drawer:
    """Draws a piece of evidence of one measure, beside that of the setting that it is compared with.

    `titled`: its own title stands above it, where that of the tile does not say what it is of.
    """

    def piece(report: Report) -> Evidence | None:
        score = report.scores.get(key)
        return None if score is None or len(score.evidence) <= place else score.evidence[place]

    def drawn(report: Report, lang: str, size: Size, reference: Named | None = None, **_: Any) -> Any:
        formula = next((one.entry.formula for one in report.measures if one.key == key), "")
        return _drawn(piece, report, reference, say(formula, lang), lang, size, titled=titled)

    drawn.compares = True  # type: ignore[attr-defined]
    return drawn


def step_evidence(name: str) -> Drawer:
    """Draws the evidence of a step, found by its name."""

    def piece(report: Report) -> Evidence | None:
        return next((one for one in report.evidence if one.name == name), None)

    def drawn(report: Report, lang: str, size: Size, reference: Named | None = None, **_: Any) -> Any:
        return _drawn(piece, report, reference, "", lang, size)

    drawn.compares = True  # type: ignore[attr-defined]
    return drawn


def _drawn(
    piece: Callable[[Report], Evidence | None],
    report: Report,
    reference: Named | None,
    formula: str,
    lang: str,
    size: Size,
    *,
    titled: bool = False,
) -> Any:
    """A figure of a piece with that of the reference in it, or instead where one figure cannot hold both."""
    from insanonym_core.figures import draw
    from insanonym_core.figures.beside import beside
    from insanonym_core.figures.card import card_of

    found = piece(report)
    if found is None:
        return None
    other = None if reference is None else piece(reference[1])
    both = found if reference is None or other is None else beside(found, other, reference[0])
    notes = [f"{say(found.title, lang)}."] if titled else []
    if both is None and reference is not None and other is not None:
        notes.append(say("Shown: {setting}.", lang, setting=say(reference[0], lang)))
        return draw(other, card=card_of(reference[1], formula), lang=lang, size=size, note=" ".join(notes))
    return draw(both or found, card=card_of(report, formula), lang=lang, size=size, note=" ".join(notes))


def overview(family: str) -> Drawer:
    """Draws all measures of a family: scores as bars, attacks with intervals beside chance."""

    def drawn(
        report: Report,
        lang: str,
        size: Size,
        previous: Mapping[str, float] | None = None,
        pinned: Mapping[str, Mapping[str, float]] | None = None,
        reference: Named | None = None,
    ) -> Any:
        from insanonym_core.figures.attacks import attacks_sheet
        from insanonym_core.figures.card import card_of
        from insanonym_core.figures.measures import utility_sheet

        found = list(report.family(family))
        if not found:
            return None
        prefix = SHARE if family == "attack" else ""
        others = {f"★ {letter}": values for letter, values in (pinned or {}).items()}
        if reference is not None and reference[0] not in others:
            others[reference[0]] = numbers_of(reference[1])
        marks = {
            name: {one.entry.name: values.get(f"{prefix}{one.key}", math.nan) for one in found}
            for name, values in others.items()
        }
        if family == "attack":
            return attacks_sheet(found, card=card_of(report), lang=lang, size=size, pinned=marks).as_dict()
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
            pinned=marks,
        ).as_dict()

    drawn.compares = True  # type: ignore[attr-defined]
    return drawn
