"""What each person's rows lose in a published table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from insanonym_core.numeric.holders import numbered_people
from insanonym_core.results.person_losses import PersonLosses, mean_by_person
from insanonym_core.tabular.metrics.loss import losses_of_rows

if TYPE_CHECKING:
    from insanonym_core.experiment.report import Report
    from insanonym_core.tabular.release import TableRelease

_MEANING = (
    "Mean over the cells of a person’s quasi-identifiers: 0 for a value as it was, the width of an interval "
    "or the size of a set as a share of all values, 1 for what was deleted."
)


def person_losses(report: Report) -> PersonLosses:
    """The loss of each person: NCP of their own rows."""
    release: TableRelease = report.release
    rows = release.original.rows
    lost = np.ones(rows)
    columns = list(losses_of_rows(release).values())
    lost[release.rows] = np.mean(columns, axis=0) if columns else 0.0
    identifier = release.roles.identifier
    named = (release.original[identifier].codes,) if identifier else release.people
    if not named:
        return PersonLosses(lost, _MEANING, rows=True)
    # Where none is declared, names that several people share do not make one person of them.
    person = max(map(numbered_people, named), key=lambda codes: int(codes.max(initial=0)))
    return PersonLosses(mean_by_person(lost, person, int(person.max()) + 1), _MEANING)
