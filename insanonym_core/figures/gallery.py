"""All figures of a report: what every measure and step has to show, found by the kind of its evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from insanonym_core.experiment import Report, run
from insanonym_core.figures import draw
from insanonym_core.figures.card import Card
from insanonym_core.figures.disagreement import disagreement
from insanonym_core.figures.measures import attacks, utility_scores
from insanonym_core.figures.theme import SCREEN, Size
from insanonym_core.figures.worth import chosen, content
from insanonym_core.recipe import method_entry
from insanonym_core.registry import Measure
from insanonym_core.scores import Evidence, may_be_handed_over
from insanonym_core.texts import choice_label, say

if TYPE_CHECKING:
    import plotly.graph_objects as go


Tell = Callable[[str], None]
WEIGHTS = ("published", "exponential")
_CONTRADICTING = ("dcr_median", "nndr_median", "hidden_rate", "linkage", "membership_auc")


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
    tell: Tell = lambda _: None,
) -> Iterator[Picture]:
    """Overviews first, then each measure's evidence, then that of the steps.

    What shows single people is left out unless `individuals` are asked for. `tell` hears each part before it
    begins.
    """
    yield from _overviews(report, lang, size, tell)
    shown = list(_shown(report, individuals))
    titles = Counter(evidence.title for _, _, evidence in shown)
    for measure, place, evidence in shown:
        tell(evidence.title)
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


def _overviews(report: Report, lang: str, size: Size, tell: Tell) -> Iterator[Picture]:
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
        compared = weights_compared(report, lang, size, tell)
        if compared is not None:
            yield Picture("weights", say("Published against exponential weights", lang), "", compared)
    tried = list(report.family("attack"))
    if tried:
        made = attacks(tried, card=card_of(report), lang=lang, size=size)
        yield Picture("attacks", say("Attacks", lang), "", made)


def weights_compared(
    report: Report, lang: str = "en", size: Size = SCREEN, tell: Tell = lambda _: None
) -> go.Figure | None:
    """Published against exponential weights: the measures of privacy contradict each other."""
    rows = {choice_label(weights, lang): found for weights, found in weights_measures(report, tell).items()}
    return disagreement(rows, card=card_of(report), lang=lang, size=size) if rows else None


def weights_are_measured(report: Report) -> bool:
    """Whether weights_measures has nothing left to run."""
    own = _own_weights(report)
    others = (name for name in WEIGHTS if name != own)
    return own is None or all(report.release.has_derived(("measures of weights", name)) for name in others)


def _own_weights(report: Report) -> str | None:
    """The weights of the report's recipe; None for a method without."""
    step = report.recipe.steps[0]
    weights = method_entry(step.method, "avatars").parameters.get("weights")
    return None if weights is None else str(step.parameters.get("weights", weights.default))


def weights_measures(report: Report, tell: Tell = lambda _: None) -> dict[str, dict[str, Measure]]:
    """By weights, then by name: the report's own measures, and those of the other weights, run here.

    Nothing for a method without weights. What is run is kept with the release: a recipe without a seed draws
    anew each time, and figure and numbers must be the same. `tell` hears each part before it begins.
    """
    recipe = report.recipe
    own = _own_weights(report)
    if own is None:
        return {}
    keys = [f"privacy.{name}" for name in _CONTRADICTING]

    def others(name: str) -> tuple[Measure, ...]:
        other = recipe.with_parameter(0, "weights", name)
        return run(other, data=report.data, only=keys, tell=tell).measures

    found: dict[str, dict[str, Measure]] = {}
    for name in WEIGHTS:
        measures = (
            report.measures
            if name == own
            else report.release.derive(("measures of weights", name), partial(others, name))
        )
        found[name] = {one.entry.name: one for one in measures if one.key in keys and one.score.defined}
    return found


def card_of(report: Report, formula: str = "") -> Card:
    """Setting, seed, how many rows and the formula: what a figure needs to be made again."""
    data = report.recipe.data_name
    setting = f"{data} · {report.recipe.written()}" if data else report.recipe.written()
    return Card(setting, report.recipe.seed, report.rows, "rows", formula)


def _slug(*parts: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", "-".join(parts).lower()).strip("-")
