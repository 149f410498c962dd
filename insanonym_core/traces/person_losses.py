"""What each individual loses when traces are cleaned, counted and masked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from insanonym_core.results.person_losses import PersonLosses
from insanonym_core.traces.texts import column_texts

if TYPE_CHECKING:
    from insanonym_core.experiment.report import Report
    from insanonym_core.tabular.release import TableRelease
    from insanonym_core.traces.release import TraceRelease

_MEANING = (
    "Everything is lost for a person whose trace is not published with its count; otherwise the share of "
    "their enrolments that was deleted before counting."
)


def person_losses(report: Report) -> PersonLosses:
    """The loss of each individual of the original table."""
    release: TraceRelease = report.release
    cleaned: TableRelease = report.facts["cleaned"]
    table = release.published
    counted = {trace for trace, masked in zip(table.traces, table.masked.tolist(), strict=True) if not masked}
    traces = release.traces
    followed = {name for number, name in enumerate(traces.identifiers) if traces.steps(number) in counted}
    person = column_texts(cleaned.original[report.facts["roles"].identifier].series())
    rows, kept = (
        np.bincount(codes, minlength=len(person.values))
        for codes in (person.code[person.code >= 0], person.code[cleaned.rows])
    )
    lost = np.ones(len(person.values))
    known = np.array([name in followed for name in person.values], dtype=bool)
    lost[known] = 1 - kept[known] / rows[known]
    return PersonLosses(lost, _MEANING)
