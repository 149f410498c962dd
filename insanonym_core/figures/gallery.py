"""All figures of a report: overviews, and the evidence of each measure and step."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from insanonym_core.experiment import Report
from insanonym_core.figures import draw
from insanonym_core.figures.attacks import attacks
from insanonym_core.figures.card import card_of
from insanonym_core.figures.evidence_selection import fingerprint, select_evidence
from insanonym_core.figures.measures import utility_scores
from insanonym_core.figures.theme import SCREEN, Size
from insanonym_core.registry import Measure
from insanonym_core.results.scores import Evidence, may_be_handed_over
from insanonym_core.runtime.jobs import Job
from insanonym_core.texts import say

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure with its file name and title; `key` is that of its measure, empty for overviews and steps."""

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
    compared: object = None,
    job: Job | None = None,
) -> Iterator[Picture]:
    """Yield the overviews, then the evidence of each measure, then that of the steps.

    Figures that show single individuals are left out unless `individuals` is true. `compared` is the result
    of the comparison of the data kind, if already computed.
    """
    job = job or Job()
    yield from _overviews(report, lang, size, job, compared)
    selected = list(_evidence_to_draw(report, individuals))
    titles = Counter(evidence.title for _, _, evidence in selected)
    for measure, number, evidence in selected:
        job.progress(evidence.title)
        title = say(evidence.title, lang)
        if measure is None:
            figure = draw(evidence, card=card_of(report), lang=lang, size=size)
            yield Picture(_slug("step", str(number)), title, "", figure)
            continue
        if titles[evidence.title] > 1:  # several measures share this title
            title = f"{title} ({say(measure.entry.title, lang)})"
            evidence = replace(evidence, title=title)
        formula = say(measure.entry.formula, lang)
        figure = draw(evidence, card=card_of(report, formula), lang=lang, size=size)
        yield Picture(_slug(measure.key, str(number)), title, measure.key, figure)


def _evidence_to_draw(report: Report, individuals: bool) -> Iterator[tuple[Measure | None, int, Evidence]]:
    """Evidence to draw, without duplicates: several measures may share evidence such as class sizes."""
    # Only the strongest attack gets figures by week; the others are in the overview.
    best = max(report.family("attack"), key=lambda measure: measure.score.value, default=None)
    sources: list[tuple[Measure | None, Sequence[Evidence]]] = [
        *(
            (measure, measure.score.evidence)
            for measure in report.measures
            if measure.family != "attack" or measure is best
        ),
        (None, report.evidence),
    ]
    seen: set[object] = set()
    for measure, evidence in sources:
        for number, piece in select_evidence(evidence):
            if (individuals or may_be_handed_over(piece)) and (identity := fingerprint(piece)) not in seen:
                seen.add(identity)
                yield measure, number, piece


def _overviews(report: Report, lang: str, size: Size, job: Job, compared: object) -> Iterator[Picture]:
    """Yield the overviews: utility and privacy scores, the comparison of the data kind, attacks."""
    titles = {
        "utility": say("Utility: what an analyst can still do", lang),
        "privacy": say("Privacy: what an attacker can learn", lang),
    }
    for family, title in titles.items():
        defined = [measure for measure in report.family(family) if measure.score.defined]
        if defined:
            figure = utility_scores(defined, card=card_of(report), lang=lang, title=title, size=size)
            yield Picture(family, title, "", figure)
    comparison = report.recipe.data_kind.code("comparison")
    if comparison is not None:
        compared = comparison.compute(report, job) if compared is None else compared
        comparison_figure = comparison.figure(report, compared, lang, size)
        if comparison_figure is not None:
            yield Picture(comparison.name, say(comparison.title, lang), "", comparison_figure)
    attack_measures = list(report.family("attack"))
    if attack_measures:
        figure = attacks(attack_measures, card=card_of(report), lang=lang, size=size)
        yield Picture("attacks", say("Attacks", lang), "", figure)


def _slug(*parts: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", "-".join(parts).lower()).strip("-")
