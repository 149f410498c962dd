"""Hour: how far the hour of the day of each row moved, whatever its day."""

from __future__ import annotations

from functools import partial

import numpy as np

from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.sums import Sums
from insanonym_core.mobility.utility._declare import utility_score
from insanonym_core.mobility.utility._rows import costliest_rows
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.results.scores import Matrix, Score

HOUR_SHIFT_POINTS_V1 = (
    1, 0.9, 0.8, 0.6, 0.4, 0.2, 0, 0.1, 0.2, 0.3, 0.4, 0.5,
    0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0, 0.2, 0.4, 0.6, 0.8, 0.9,
)  # fmt: skip


def points_table_v2() -> Floats:
    """Points of a row by (original hour, released hour)."""
    hours = np.arange(24)
    return 1 - np.abs(hours[None, :] - hours[:, None]) / 24


def points_table_v1() -> Floats:
    """Points of a row by (original hour, released hour): the competition's table of shifts."""
    hours = np.arange(24)
    return np.array(HOUR_SHIFT_POINTS_V1)[(hours[None, :] - hours[:, None]) % 24]


def points(pair: Pair, rules: str) -> Floats:
    """The points of each kept row."""
    return (points_table_v2() if rules == "v2" else points_table_v1()).ravel()[_moves(pair)]


def _moves(pair: Pair) -> Ints:
    return pair.original.hour[pair.kept_rows] * np.int32(24) + pair.release.kept.hour


def _rows_by_hours(pair: Pair, rules: str) -> Sums:
    # The score needs only these 24 × 24 counts; they are also the evidence.
    counts = np.bincount(_moves(pair), minlength=24 * 24).reshape(24, 24)
    return Sums(
        {"rows": pair.rows, "moves": counts}, lambda: costliest_rows(pair, lambda: points(pair, rules))
    )


def _score(sums: Sums, points_table: Floats) -> Score:
    labels = tuple(f"{hour} h" for hour in range(24))
    title = "Rows by original and released hour"
    matrix = Matrix(title, labels, labels, sums["moves"], shows_individuals=False)
    return Score(
        float((sums["moves"] * points_table).sum()) / sums["rows"],
        evidence=(matrix, *sums.row_level_evidence()),
    )


@utility_score(
    "hour",
    rules="v2",
    title="Hour",
    order=2,
    formula="Σ (1 − |h′ − h|/24) / n",
    sums=partial(_rows_by_hours, rules="v2"),
)
def hour_v2(sums: Sums) -> Score:
    """Each row is worth 1, less 1/24 for each hour between its two hours of the day."""
    return _score(sums, points_table_v2())


@utility_score(
    "hour",
    rules="v1",
    title="Hour",
    order=2,
    formula="Σ hourdec[(h′ − h) mod 24] / n",
    sums=partial(_rows_by_hours, rules="v1"),
)
def hour_v1(sums: Sums) -> Score:
    """Each row is worth what the competition's table gives for its shift of hours, around the clock."""
    return _score(sums, points_table_v1())
