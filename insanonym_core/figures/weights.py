"""Published against exponential weights of avatars: the measures of privacy contradict each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from insanonym_core.experiment import Report, run
from insanonym_core.figures.card import card_of
from insanonym_core.figures.disagreement import disagreement
from insanonym_core.figures.theme import SCREEN, Size
from insanonym_core.jobs import Job
from insanonym_core.recipe import method_entry
from insanonym_core.registry import Measure
from insanonym_core.texts import choice_label

if TYPE_CHECKING:
    import plotly.graph_objects as go

WEIGHTS = ("published", "exponential")
_CONTRADICTING = ("dcr_median", "nndr_median", "hidden_rate", "linkage", "membership_auc")
Compared = Mapping[str, Mapping[str, Measure]]
"""By weights, then by the name of a measure."""


class WeightsComparison:
    """A Comparison: the other weights are run once, and drawn and listed from what that gave."""

    def __init__(self) -> None:
        self._computed: WeakKeyDictionary[Any, Compared] = WeakKeyDictionary()

    name = "weights"
    title = "Published against exponential weights"

    def compute(self, report: Report, job: Job | None = None) -> Compared:
        """The report's own measures, and those of the other weights, run here; {} for other methods.

        They are kept as long as the release: without a seed another run has other numbers, and figure, page
        and download must agree.
        """
        known = self._computed.get(report.release)
        if known is not None:
            return known
        own = _own_weights(report)
        if own is None:
            return {}
        keys = [f"privacy.{name}" for name in _CONTRADICTING]
        found: dict[str, dict[str, Measure]] = {}
        for weights in WEIGHTS:
            measures = report.measures
            if weights != own:
                other = report.recipe.with_parameter(0, "weights", weights)
                measures = run(other, data=report.data, only=keys, job=job).measures
            found[weights] = {
                one.entry.name: one for one in measures if one.key in keys and one.score.defined
            }
        return self._computed.setdefault(report.release, found)

    def figure(
        self, report: Report, compared: Compared, lang: str = "en", size: Size = SCREEN
    ) -> go.Figure | None:
        """The figure; None where there is nothing to compare."""
        rows = {choice_label(weights, lang): measures for weights, measures in compared.items()}
        return disagreement(rows, card=card_of(report), lang=lang, size=size) if rows else None

    def numbers(self, compared: Compared) -> Iterator[tuple[str, str, float]]:
        """Name, detail and value of every number of the figure."""
        for weights, measures in compared.items():
            for name, measure in measures.items():
                yield f"weights.{weights}", name, measure.score.value


def _own_weights(report: Report) -> str | None:
    """The weights of the report's recipe; None for a method without."""
    step = report.recipe.steps[0]
    weights = method_entry(step.method, report.recipe.kind).parameters.get("weights")
    return None if weights is None else str(step.parameters.get("weights", weights.default))


COMPARISON = WeightsComparison()
