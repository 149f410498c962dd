"""All figures of a report: what every measure and step has to show, found by the kind of its evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from insanonym_core.experiment import Report
from insanonym_core.figures import draw
from insanonym_core.figures.card import card_of
from insanonym_core.figures.measures import attacks, utility_scores
from insanonym_core.figures.theme import SCREEN, Size
from insanonym_core.figures.worth import chosen, content
from insanonym_core.jobs import Job
from insanonym_core.registry import Measure
from insanonym_core.scores import Evidence, may_be_handed_over
from insanonym_core.texts import say

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure with the name of its files, and the measure it explains (empty for those of the whole)."""

    name: str
    title: str
    key: str
    figure: go.Figure


def pictures(
    report: Report,
    *,
    lang: str = "en",
    size: Size = SCREEN,
    individuals: bool = False,
    compared: Any = None,
    job: Job | None = None,
) -> Iterator[Picture]:
    """Overviews first, then each measure's evidence, then that of the steps.

    What shows single people is left out unless `individuals` are asked for. `compared` is what the kind's
    comparison has computed already.
    """
    job = job or Job()
    yield from _overviews(report, lang, size, job, compared)
    shown = list(_shown(report, individuals))
    titles = Counter(evidence.title for _, _, evidence in shown)
    for measure, place, evidence in shown:
        job.progress(evidence.title)
        title = say(evidence.title, lang)
        if measure is None:
            figure = draw(evidence, card=card_of(report), lang=lang, size=size)
            yield Picture(_slug("step", str(place)), title, "", figure)
            continue
        if titles[evidence.title] > 1:  # other data under the same title: whose is it?
            title = f"{title} ({say(measure.entry.title, lang)})"
            evidence = replace(evidence, title=title)
        formula = say(measure.entry.formula, lang)
        figure = draw(evidence, card=card_of(report, formula), lang=lang, size=size)
        yield Picture(_slug(measure.key, str(place)), title, measure.key, figure)


def _shown(report: Report, individuals: bool) -> Iterator[tuple[Measure | None, int, Evidence]]:
    """What is worth a picture, each once: measures often rest on the same evidence (class sizes)."""
    # Of all attacks the best one is worth its weeks; the others stand in the overview.
    best = max(report.family("attack"), key=lambda measure: measure.score.value, default=None)
    sources: list[tuple[Measure | None, Sequence[Evidence]]] = [
        *(
            (measure, measure.score.evidence)
            for measure in report.measures
            if measure.family != "attack" or measure is best
        ),
        (None, report.evidence),
    ]
    drawn: set[object] = set()
    for measure, evidence in sources:
        for place, one in chosen(evidence):
            if (individuals or may_be_handed_over(one)) and (known := content(one)) not in drawn:
                drawn.add(known)
                yield measure, place, one


def _overviews(report: Report, lang: str, size: Size, job: Job, compared: Any) -> Iterator[Picture]:
    titles = {
        "utility": say("Utility: what an analyst can still do", lang),
        "privacy": say("Privacy: what an attacker can learn", lang),
    }
    for family, title in titles.items():
        found = [measure for measure in report.family(family) if measure.score.defined]
        if found:
            made = utility_scores(found, card=card_of(report), lang=lang, title=title, size=size)
            yield Picture(family, title, "", made)
    comparison = report.recipe.data_kind.code("comparison")
    if comparison is not None:
        compared = comparison.compute(report, job) if compared is None else compared
        drawn = comparison.figure(report, compared, lang, size)
        if drawn is not None:
            yield Picture(comparison.name, say(comparison.title, lang), "", drawn)
    tried = list(report.family("attack"))
    if tried:
        made = attacks(tried, card=card_of(report), lang=lang, size=size)
        yield Picture("attacks", say("Attacks", lang), "", made)


def _slug(*parts: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", "-".join(parts).lower()).strip("-")
