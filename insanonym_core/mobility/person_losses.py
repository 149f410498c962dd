"""What each individual's GPS traces lose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from insanonym_core.mobility.utility.distance import points_v2
from insanonym_core.results.person_losses import PersonLosses, mean_by_person

if TYPE_CHECKING:
    from insanonym_core.experiment.report import Report
    from insanonym_core.mobility.pair import Pair

_MEANING = (
    "Mean over a person’s records: nothing is lost while a record stays within a kilometre of its place, "
    "1 − 1/d at d kilometres, everything if it was deleted."
)


def person_losses(report: Report) -> PersonLosses:
    """The loss of each individual: 1 − mean points of the distance score."""
    pair: Pair = report.release
    lost = np.ones(pair.rows)
    lost[pair.kept_rows] = 1 - points_v2(pair)
    return PersonLosses(
        mean_by_person(lost, pair.original.individual, len(pair.original.individuals)), _MEANING
    )
