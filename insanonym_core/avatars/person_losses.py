"""How far each person is from their own avatar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from insanonym_core.numeric.arrays import Floats
from insanonym_core.results.person_losses import PersonLosses, mean_by_person
from insanonym_core.tabular.table import MISSING, Column, column_values

if TYPE_CHECKING:
    from insanonym_core.avatars.release import Avatars
    from insanonym_core.experiment.report import Report

_MEANING = (
    "Mean over the columns of how far a person’s avatar is from them: the difference as a share of the range "
    "of the column, 1 for another text, a missing value or no avatar."
)


def person_losses(report: Report) -> PersonLosses | None:
    """Gower's distance of each person to their own avatar; None where nobody knows whose each avatar is."""
    avatars: Avatars = report.release
    if avatars.owner is None:
        return None
    source = avatars.source
    lost = np.ones(source.rows)
    lost[avatars.owner] = np.mean(
        [
            _apart(column.take(avatars.owner), avatars.published[name], column)
            for name, column in source.columns.items()
        ],
        axis=0,
    )
    if avatars.person is None:
        return PersonLosses(lost, _MEANING, rows=not avatars.people)
    return PersonLosses(mean_by_person(lost, avatars.person, int(avatars.person.max()) + 1), _MEANING)


def _apart(own: Column, published: Column, column: Column) -> Floats:
    """How far each published value is from the row's own, from 0 to 1."""
    missing = own.codes == MISSING, published.codes == MISSING
    if column.kind == "category":
        texts = [np.array([*one.texts(), ""], dtype=object)[one.codes] for one in (own, published)]
        apart = (texts[0] != texts[1]).astype(np.float64)
    else:
        numbers = column.numbers()
        span = float(numbers[-1] - numbers[0]) if len(numbers) > 1 else 0.0
        gap = np.abs(column_values(own) - column_values(published))
        apart = np.minimum(np.nan_to_num(gap) / span, 1.0) if span else (np.nan_to_num(gap) > 0).astype(float)
    apart[missing[0] != missing[1]] = 1.0
    apart[missing[0] & missing[1]] = 0.0
    return apart
