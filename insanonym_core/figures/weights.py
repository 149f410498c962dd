"""Compare published and exponential weights of avatars, on which privacy measures disagree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from insanonym_core.experiment import Report, run
from insanonym_core.figures.card import card_of
from insanonym_core.figures.disagreement import disagreement
from insanonym_core.figures.theme import SCREEN, Size
from insanonym_core.recipe import method_entry
from insanonym_core.registry import Measure
from insanonym_core.runtime.jobs import Job
from insanonym_core.texts import choice_label

if TYPE_CHECKING:
    import plotly.graph_objects as go

WEIGHTS = ("published", "exponential")
_COMPARED_MEASURES = ("dcr_median", "nndr_median", "hidden_rate", "linkage", "membership_auc")
Compared = Mapping[str, Mapping[str, Measure]]
"""Weights → name of a measure → measure."""


class WeightsComparison:
    """A Comparison that runs the recipe once with the other weights."""

    def __init__(self) -> None:
        self._computed: WeakKeyDictionary[Any, Compared] = WeakKeyDictionary()

    name = "weights"
    title = "Published against exponential weights"

    def compute(self, report: Report, job: Job | None = None) -> Compared:
        """Measures of the report and of a run with the other weights; {} if the method has no weights.

        Results are cached for the lifetime of the release: without a seed a second run would give other
        numbers, and figure, page and download must agree.
        """
        cached = self._computed.get(report.release)
        if cached is not None:
            return cached
        own_weights = _own_weights(report)
        if own_weights is None:
            return {}
        keys = [f"privacy.{name}" for name in _COMPARED_MEASURES]
        by_weights: dict[str, dict[str, Measure]] = {}
        for weights in WEIGHTS:
            measures = report.measures
            if weights != own_weights:
                other = report.recipe.with_parameter(0, "weights", weights)
                measures = run(other, data=report.data, only=keys, job=job).measures
            by_weights[weights] = {
                measure.entry.name: measure
                for measure in measures
                if measure.key in keys and measure.score.defined
            }
        return self._computed.setdefault(report.release, by_weights)

    def figure(
        self, report: Report, compared: Compared, lang: str = "en", size: Size = SCREEN
    ) -> go.Figure | None:
        """The figure, or None if there is nothing to compare."""
        rows = {choice_label(weights, lang): measures for weights, measures in compared.items()}
        return disagreement(rows, card=card_of(report), lang=lang, size=size) if rows else None

    def numbers(self, compared: Compared) -> Iterator[tuple[str, str, float]]:
        """Name, detail and value of every number of the figure."""
        for weights, measures in compared.items():
            for name, measure in measures.items():
                yield f"weights.{weights}", name, measure.score.value


def _own_weights(report: Report) -> str | None:
    """The weights in the recipe of a report, or None if its method has no weights."""
    if not report.recipe.steps:  # avatars made elsewhere
        return None
    step = report.recipe.steps[0]
    weights = method_entry(step.method, report.recipe.kind).parameters.get("weights")
    return None if weights is None else str(step.parameters.get("weights", weights.default))


COMPARISON = WeightsComparison()
