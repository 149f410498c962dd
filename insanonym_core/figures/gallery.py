"""All figures of a report: overviews, maps, and the evidence of each measure and step."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from insanonym_core.errors import UsageError, brief
from insanonym_core.experiment import Report
from insanonym_core.figures import draw
from insanonym_core.figures.attacks import attacks
from insanonym_core.figures.card import Card, card_of
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

    So is `formula`, what the measure computes.

    It is drawn when it is first asked for, and again for another width.
    """

    name: str
    title: str
    key: str
    drawn: Callable[[Size], Any]  # Any: a figure, or None where there is nothing to show
    size: Size = SCREEN
    formula: str = ""

    @cached_property
    def figure(self) -> Any:  # Any: a figure, or None where there is nothing to show
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


@dataclass(frozen=True, eq=False)
class Drawable:
    """A figure before it is drawn; `draw` returns None where there turns out to be nothing to show.

    `part` is what a job is told before, empty for overviews.
    """

    name: str
    title: str
    key: str
    draw: Callable[[Size], go.Figure | None]
    part: str = ""
    formula: str = ""


def figure_named(
    report: Report, name: str, *, lang: str = "en", individuals: bool = False, individual: str = ""
) -> Picture:
    """The picture of a report by its name; with an `individual`, the map that shows this one."""
    if individual:
        return _map_of_individual(report, name, individual, lang)
    found = {one.name: one for one in drawables(report, lang=lang, individuals=individuals)}
    if name not in found:
        raise UsageError(
            "There is no figure called {name} in this report; choose from: {known}.",
            name=brief(name),
            known=", ".join(found),
        )
    one = found[name]
    return Picture(one.name, one.title, one.key, one.draw, formula=one.formula)


def _map_of_individual(report: Report, name: str, individual: str, lang: str) -> Picture:
    """The map of one individual: the title and the caption do not name them."""
    draw_one = report.recipe.data_kind.code("individual_map")
    if name != "map" or draw_one is None:
        raise UsageError("One individual is shown by the figure map alone, of GPS traces.")
    return Picture(
        "individual", say("One individual, followed", lang), "", partial(draw_one, report, individual, lang)
    )


def pictures(
    report: Report,
    *,
    lang: str = "en",
    size: Size = SCREEN,
    individuals: bool = False,
    compared: object = None,
    job: Job | None = None,
) -> Iterator[Picture]:
    """Draw all figures: see `drawables`."""
    job = job or Job()
    for one in drawables(report, lang=lang, individuals=individuals, compared=compared, job=job):
        if one.part:
            job.progress(one.part)
        picture = Picture(one.name, one.title, one.key, one.draw, size, one.formula)
        if picture.figure is not None:
            yield picture


def drawables(
    report: Report,
    *,
    lang: str = "en",
    individuals: bool = False,
    compared: object = None,
    job: Job | None = None,
) -> Iterator[Drawable]:
    """Yield the overviews, then the evidence of each measure, then that of the steps.

    Figures that show single individuals are left out unless `individuals` is true. `compared` is the result
    of the comparison of the data kind, if already computed.
    """
    names: Counter[str] = Counter()
    for one in _all_drawables(report, lang, individuals, compared, job or Job()):
        names[one.name] += 1  # two figures may show the same of two measures
        number = names[one.name]
        yield one if number == 1 else replace(one, name=f"{one.name}-{number}")


def _all_drawables(
    report: Report, lang: str, individuals: bool, compared: object, job: Job
) -> Iterator[Drawable]:
    """The figures, some of the same name."""
    yield from _overviews(report, lang, job, compared)
    selected = list(_evidence_to_draw(report, individuals))
    titles = Counter(evidence.title for _, _, evidence in selected)
    for measure, number, evidence in selected:
        name, title, part = _slug(say(evidence.title, "en")), say(evidence.title, lang), evidence.title
        formula = key = ""
        if measure is not None:
            formula, key = say(measure.entry.formula, lang), measure.key
            name = name or _slug(measure.key, str(number))
            if titles[evidence.title] > 1:  # several measures share this title
                name = _slug(say(evidence.title, "en"), measure.entry.title)
                title = f"{title} ({say(measure.entry.title, lang)})"
                evidence = replace(evidence, title=title)
        drawn = partial(_draw, evidence, card_of(report, formula), lang)
        yield Drawable(name or f"step-{number}", title, key, drawn, part, formula)


def _draw(evidence: Evidence, card: Card, lang: str, size: Size) -> go.Figure:
    return draw(evidence, card=card, lang=lang, size=size)


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


def _overviews(report: Report, lang: str, job: Job, compared: object) -> Iterator[Drawable]:
    """Yield the overviews: utility and privacy scores, the comparison of the data kind, attacks."""
    card = card_of(report)
    titles = {
        "utility": say("Utility: what an analyst can still do", lang),
        "privacy": say("Privacy: what an attacker can learn", lang),
    }
    for family, title in titles.items():
        defined = [measure for measure in report.family(family) if measure.score.defined]
        if defined:
            yield Drawable(family, title, "", partial(_scores, defined, card, lang, title))
    comparison = report.recipe.data_kind.code("comparison")
    if comparison is not None:

        def draw_comparison(size: Size) -> go.Figure | None:
            result = comparison.compute(report, job) if compared is None else compared
            figure: go.Figure | None = comparison.figure(report, result, lang, size)
            return figure

        yield Drawable(comparison.name, say(comparison.title, lang), "", draw_comparison)
    attack_measures = list(report.family("attack"))
    if attack_measures:
        yield Drawable("attacks", say("Attacks", lang), "", partial(_attacks, attack_measures, card, lang))
    losses = report.person_losses
    if losses is not None:
        evidence = losses.evidence(report.recipe.min_holders)
        yield Drawable("who-pays", say(evidence.title, lang), "", partial(_draw, evidence, card, lang))
    maps = report.recipe.data_kind.code("map_figures")
    for name, title, draw_map in maps(report) if maps is not None else ():
        yield Drawable(name, say(title, lang), "", partial(draw_map, report, lang))


def _scores(measures: Sequence[Measure], card: Card, lang: str, title: str, size: Size) -> go.Figure:
    return utility_scores(measures, card=card, lang=lang, title=title, size=size)


def _attacks(measures: Sequence[Measure], card: Card, lang: str, size: Size) -> go.Figure:
    return attacks(measures, card=card, lang=lang, size=size)


def _slug(*parts: str) -> str:
    """A name for a file: plain letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", "-".join(parts)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower())[:_MAX_NAME].strip("-")
