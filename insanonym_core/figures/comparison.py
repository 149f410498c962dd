"""Figures that show two recipes: on the plane of privacy and utility, and measure by measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from insanonym_core.experiment import Report
from insanonym_core.figures.attacks import attacks
from insanonym_core.figures.card import Card
from insanonym_core.figures.dispatch import draw_evidence
from insanonym_core.figures.gallery import Picture
from insanonym_core.figures.measures import utility_scores
from insanonym_core.figures.print_width import PAGE
from insanonym_core.figures.theme import Size
from insanonym_core.figures.tradeoff import FrontPoint, front
from insanonym_core.recipe_texts import recipe_text
from insanonym_core.results.scores import Bars
from insanonym_core.results.threats import PLAIN, as_threat
from insanonym_core.texts import Phrase, join_texts, say

if TYPE_CHECKING:
    import plotly.graph_objects as go


def comparison_pictures(
    names: Sequence[str], both: Sequence[Report], *, lang: str = "en", size: Size = PAGE.size
) -> Iterator[Picture]:
    """Yield the plane with both recipes, then scores and attacks of the first with marks of the second."""
    card = _card(names, both)
    yield Picture(
        "plane", say("Privacy against utility", lang), "", partial(_plane, names, both, card, lang), size
    )
    titles = {
        "utility": say("Utility: what an analyst can still do", lang),
        "privacy": say("Privacy: what an attacker can learn", lang),
    }
    for family, title in titles.items():
        measures = [measure for measure in both[0].family(family) if measure.score.defined]
        if measures:
            marks = {names[1]: {one.entry.name: one.score.value for one in both[1].family(family)}}
            draw = partial(utility_scores, measures, card=card, lang=lang, title=title, pinned=marks)
            yield Picture(family, title, "", partial(_sized, draw), size)
    found = list(both[0].family("attack"))
    if found:
        threats = [as_threat(measure, PLAIN) for measure in both[1].family("attack")]
        marks = {names[1]: {one.measure.entry.name: one.share for one in threats if one is not None}}
        draw = partial(attacks, found, card=card, lang=lang, pinned=marks)
        yield Picture("attacks", say("Attacks", lang), "", partial(_sized, draw), size)
    losses = _losses(names, both)
    if losses is not None:
        draw = partial(draw_evidence, losses, card=card, lang=lang)
        yield Picture("who-pays", say(losses.title, lang), "", partial(_sized, draw), size)


def _sized(draw: Callable[..., go.Figure], size: Size) -> go.Figure:
    return draw(size=size)


def _card(names: Sequence[str], both: Sequence[Report]) -> Card:
    """The recipe card of a figure with two recipes."""
    settings = [
        Phrase("{series}: {setting}", series=name, setting=recipe_text(report.recipe))
        for name, report in zip(names, both, strict=True)
    ]
    setting = join_texts(" · ", filter(None, (both[0].recipe.data_name, join_texts("; ", settings))))
    return Card(setting, None, both[0].rows)


def _plane(names: Sequence[str], both: Sequence[Report], card: Card, lang: str, size: Size) -> go.Figure:
    points = [
        FrontPoint(
            name,
            name,
            report.privacy,
            report.utility,
            *(report.privacy,) * 2,
            *(report.utility,) * 2,
            on_front=False,
            chosen=False,
            number=number,
            hollow=report.hollow,
        )
        for number, (name, report) in enumerate(zip(names, both, strict=True))
    ]
    return front(points, card=card, lang=lang, size=size)


def _losses(names: Sequence[str], both: Sequence[Report]) -> Bars | None:
    """How many people lose how much under both, in the same classes; None where it is not known."""
    losses = [report.person_losses for report in both]
    if losses[0] is None or losses[1] is None:
        return None
    return losses[0].beside(losses[1], names, max(report.recipe.min_holders for report in both))
