"""All figures of a report: overviews, maps, and the evidence of each measure and step."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from insanonym_core.errors import UsageError, brief
from insanonym_core.experiment import Report
from insanonym_core.figures import draw
from insanonym_core.figures.attacks import attacks
from insanonym_core.figures.card import card_of
from insanonym_core.figures.evidence_selection import fingerprint, select_evidence
from insanonym_core.figures.measures import utility_scores
from insanonym_core.figures.print_width import PAGE, print_width
from insanonym_core.figures.theme import SCREEN, Size
from insanonym_core.registry import Measure
from insanonym_core.results.scores import Evidence, may_be_handed_over
from insanonym_core.runtime.jobs import Job
from insanonym_core.texts import say

if TYPE_CHECKING:
    import plotly.graph_objects as go

_MAX_NAME = 60


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure with its file name and title; `key` is that of its measure, empty for overviews and steps.

    It is drawn when it is first asked for, and again for another width.
    """

    name: str
    title: str
    key: str
    drawn: Callable[[Size], go.Figure]
    size: Size = SCREEN

    @cached_property
    def figure(self) -> go.Figure:
        """The figure at the size of the gallery."""
        return self.drawn(self.size)

    def save(
        self,
        path: Path | str,
        *,
        width: str = PAGE.name,
        title: bool = True,
        card: bool = True,
        force: bool = False,
    ) -> Path:
        """Write the figure at its true width (85mm, 170mm or slide), and its caption as a text beside it.

        The suffix of `path` decides the format. Without `title` and `card` they are in the caption only.
        """
        from insanonym_core.figures.printed import save_printed

        wanted, path = print_width(width), Path(path)
        save_printed(self.drawn(wanted.layout(title=title, card=card)), [path], wanted, force=force)
        return path


def figure_named(report: Report, name: str, *, lang: str = "en", individuals: bool = False) -> Picture:
    """The picture of a report by its name."""
    found = {picture.name: picture for picture in pictures(report, lang=lang, individuals=individuals)}
    if name not in found:
        raise UsageError(
            "There is no figure called {name} in this report; choose from: {known}.",
            name=brief(name),
            known=", ".join(found),
        )
    return found[name]


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
    names: Counter[str] = Counter()
    for picture in _all_pictures(report, lang, size, individuals, compared, job):
        names[picture.name] += 1  # two figures may show the same of two measures
        number = names[picture.name]
        yield picture if number == 1 else replace(picture, name=f"{picture.name}-{number}")


def _all_pictures(
    report: Report, lang: str, size: Size, individuals: bool, compared: object, job: Job
) -> Iterator[Picture]:
    """The pictures, some of the same name."""
    yield from _overviews(report, lang, size, job, compared)
    selected = list(_evidence_to_draw(report, individuals))
    titles = Counter(evidence.title for _, _, evidence in selected)
    for measure, number, evidence in selected:
        job.progress(evidence.title)
        name, title, formula = _slug(say(evidence.title, "en")), say(evidence.title, lang), ""
        if measure is not None:
            formula = say(measure.entry.formula, lang)
            name = name or _slug(measure.key, str(number))
            if titles[evidence.title] > 1:  # several measures share this title
                name = _slug(say(evidence.title, "en"), measure.entry.title)
                title = f"{title} ({say(measure.entry.title, lang)})"
                evidence = replace(evidence, title=title)
        drawn = partial(_draw, evidence, report, formula, lang)
        yield Picture(name or f"step-{number}", title, measure.key if measure else "", drawn, size)


def _draw(evidence: Evidence, report: Report, formula: str, lang: str, size: Size) -> go.Figure:
    return draw(evidence, card=card_of(report, formula), lang=lang, size=size)


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
            yield Picture(family, title, "", partial(_scores, defined, report, lang, title), size)
    comparison = report.recipe.data_kind.code("comparison")
    if comparison is not None:
        compared = comparison.compute(report, job) if compared is None else compared
        if comparison.figure(report, compared, lang, size) is not None:
            drawn = partial(comparison.figure, report, compared, lang)
            yield Picture(comparison.name, say(comparison.title, lang), "", drawn, size)
    attack_measures = list(report.family("attack"))
    if attack_measures:
        yield Picture(
            "attacks", say("Attacks", lang), "", partial(_attacks, attack_measures, report, lang), size
        )
    yield from _who_pays(report, lang, size)
    draw_map = report.recipe.data_kind.code("map_figure")
    if draw_map is not None:
        title = say("Map: original and release", lang)
        yield Picture("map", title, "", partial(draw_map, report, lang), size)


def _who_pays(report: Report, lang: str, size: Size) -> Iterator[Picture]:
    """Yield how much people lose, where that is known."""
    losses = report.person_losses
    if losses is not None:
        evidence = losses.evidence(report.recipe.min_holders)
        drawn = partial(_draw, evidence, report, "", lang)
        yield Picture("who-pays", say(evidence.title, lang), "", drawn, size)


def _scores(measures: Sequence[Measure], report: Report, lang: str, title: str, size: Size) -> go.Figure:
    return utility_scores(measures, card=card_of(report), lang=lang, title=title, size=size)


def _attacks(measures: Sequence[Measure], report: Report, lang: str, size: Size) -> go.Figure:
    return attacks(measures, card=card_of(report), lang=lang, size=size)


def _slug(*parts: str) -> str:
    """A name for a file: plain letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", "-".join(parts)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower())[:_MAX_NAME].strip("-")
