"""All figures of a report: what every measure and step has to show, found by the kind of its evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from insanonym_core.experiment import Report, run
from insanonym_core.figures import draw
from insanonym_core.figures.card import Card
from insanonym_core.figures.disagreement import disagreement
from insanonym_core.figures.measures import attacks, utility_scores
from insanonym_core.figures.theme import SCREEN, Size
from insanonym_core.recipe import method_entry
from insanonym_core.scores import shows_individuals
from insanonym_core.texts import choice_label, say

if TYPE_CHECKING:
    import plotly.graph_objects as go


_CONTRADICTING = ("dcr_median", "nndr_median", "hidden_rate", "linkage", "membership_auc")


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure with the name of its files, and the measure it explains (empty for those of the whole)."""

    name: str
    title: str
    key: str
    figure: go.Figure


def pictures(
    report: Report, *, lang: str = "en", size: Size = SCREEN, individuals: bool = False
) -> Iterator[Picture]:
    """Overviews first, then each measure's evidence, then that of the steps.

    What shows single people is left out unless `individuals` are asked for.
    """
    yield from _overviews(report, lang, size)
    drawn: set[tuple[str, str]] = set()
    for measure in report.measures:
        formula = say(measure.entry.formula, lang)
        for place, evidence in enumerate(measure.score.evidence, start=1):
            if shows_individuals(evidence) and not individuals:
                continue
            # Measures of one family often rest on the same evidence (class sizes): once is enough.
            if (evidence.title, measure.family) in drawn:
                continue
            drawn.add((evidence.title, measure.family))
            figure = draw(evidence, card=card_of(report, formula), lang=lang, size=size)
            yield Picture(_slug(measure.key, str(place)), say(evidence.title, lang), measure.key, figure)
    for place, evidence in enumerate(report.evidence, start=1):
        if individuals or not shows_individuals(evidence):
            figure = draw(evidence, card=card_of(report), lang=lang, size=size)
            yield Picture(_slug("step", str(place)), say(evidence.title, lang), "", figure)


def _overviews(report: Report, lang: str, size: Size) -> Iterator[Picture]:
    titles = {
        "utility": say("Utility: what an analyst can still do", lang),
        "privacy": say("Privacy: what an attacker can learn", lang),
    }
    for family, title in titles.items():
        found = [measure for measure in report.family(family) if measure.score.defined]
        if found:
            made = utility_scores(found, card=card_of(report), lang=lang, title=title, size=size)
            yield Picture(family, title, "", made)
    if report.recipe.kind == "avatars":
        compared = weights_compared(report, lang, size)
        if compared is not None:
            yield Picture("weights", say("Published against exponential weights", lang), "", compared)
    tried = list(report.family("attack"))
    if tried:
        made = attacks(tried, card=card_of(report), lang=lang, size=size)
        yield Picture("attacks", say("Attacks", lang), "", made)


def weights_compared(report: Report, lang: str = "en", size: Size = SCREEN) -> go.Figure | None:
    """Published against exponential weights: the measures of privacy contradict each other."""
    recipe = report.recipe
    if "weights" not in method_entry(recipe.steps[0].method, "avatars").parameters:
        return None
    keys = [f"privacy.{name}" for name in _CONTRADICTING]
    rows = {}
    for weights in ("published", "exponential"):
        other = run(recipe.with_parameter(0, "weights", weights), data=report.data, only=keys)
        rows[choice_label(weights, lang)] = {m.entry.name: m for m in other.measures if m.score.defined}
    return disagreement(rows, card=card_of(report), lang=lang, size=size)


def card_of(report: Report, formula: str = "") -> Card:
    """Setting, seed, how many rows and the formula: what a figure needs to be made again."""
    data = report.recipe.data
    setting = f"{data} · {report.recipe.written()}" if data else report.recipe.written()
    return Card(setting, report.recipe.seed, report.rows, "rows", formula)


def _slug(*parts: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", "-".join(parts).lower()).strip("-")
