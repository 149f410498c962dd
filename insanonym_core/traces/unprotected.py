"""Sentences on what is not protected in a table of traces, from its measures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from insanonym_core.results.sentences import Sentence, share_of

if TYPE_CHECKING:
    from insanonym_core.experiment.report import Report


def unprotected(report: Report) -> Iterator[Sentence]:
    """Yield sentences on unique and small traces, and on what a second table would reveal."""
    alone, pinned = report.scores["privacy.alone"], report.scores["privacy.pinned"]
    yield Sentence(
        "{share} of the individuals are alone in their trace: whoever knows their path finds it here.",
        {"share": share_of("privacy.alone", alone.value)},
    )
    small = report.scores["privacy.small_traces"]
    if small.value > 0:
        yield Sentence(
            "{share} of the individuals have a rare trace whose exact count is published or can be derived.",
            {"share": share_of("privacy.small_traces", small.value)},
        )
    if pinned.defined:
        yield Sentence(
            "If the traces are published without their prefix too, {share} of masked counts become known.",
            {"share": share_of("privacy.pinned", pinned.value)},
        )
