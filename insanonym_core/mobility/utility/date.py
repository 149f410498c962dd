"""Date: how many calendar days each row moved."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.sums import Sums
from insanonym_core.mobility.utility._declare import utility_score
from insanonym_core.mobility.utility._rows import costliest_rows
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.parameters import Range
from insanonym_core.results.scores import Bars, Score
from insanonym_core.texts import Phrase

DAYS = {"v2": 7, "v1": 3}  # shift at which a row earns nothing
Days = Annotated[int, Range(1, 31, whole=True, unit="days")]


def days_moved(pair: Pair) -> Ints:
    """Calendar days between the two dates of each kept row."""
    return np.abs(pair.release.kept.day - pair.original.day[pair.kept_rows])


def points(pair: Pair, days: int) -> Floats:
    """The points of each kept row."""
    return np.maximum(0, 1 - days_moved(pair) / days)


def _rows_by_days(pair: Pair, days: int) -> Sums:
    # Count rows by days moved before adding: the sum is then exact, an unchanged file scores exactly 1, and
    # the counts are the evidence.
    counts = np.bincount(np.minimum(days_moved(pair), days), minlength=days + 1)
    return Sums(
        {"rows": pair.rows, "deleted": pair.deleted, "moved": counts},
        lambda: costliest_rows(pair, lambda: points(pair, days)),
    )


def _score(sums: Sums, days: int) -> Score:
    points_by_days = np.maximum(0, 1 - np.arange(days + 1) / days)
    labels = (*(str(moved) for moved in range(days)), Phrase("{days} or more", days=days), Phrase("deleted"))
    counts = np.append(sums["moved"], sums["deleted"])
    bars = Bars("Rows by days moved", "rows", labels, counts, shows_individuals=False)
    return Score(
        float(sums["moved"] @ points_by_days) / sums["rows"], evidence=(bars, *sums.row_level_evidence())
    )


@utility_score(
    "date", rules="v2", title="Date", order=1, formula="Σ max(0, 1 − Δdays/7) / n", sums=_rows_by_days
)
def date_v2(sums: Sums, *, days: Days = DAYS["v2"]) -> Score:
    """Each row is worth 1, less 1/7 for each calendar day its date moved; deleted rows earn 0."""
    return _score(sums, days)


@utility_score(
    "date", rules="v1", title="Date", order=1, formula="Σ max(0, 1 − Δdays/3) / n", sums=_rows_by_days
)
def date_v1(sums: Sums, *, days: Days = DAYS["v1"]) -> Score:
    """Each row is worth 1, less 1/3 for each calendar day its date moved; deleted rows earn 0."""
    return _score(sums, days)
