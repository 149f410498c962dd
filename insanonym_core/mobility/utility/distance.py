"""Distance: how far each row moved."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from insanonym_core.mobility.geometry import METRES_PER_DEGREE, haversine_km
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.sums import Sums
from insanonym_core.mobility.utility._declare import utility_score
from insanonym_core.mobility.utility._rows import costliest_rows
from insanonym_core.numeric.arrays import Floats
from insanonym_core.parameters import Range
from insanonym_core.results.scores import Distribution, Score
from insanonym_core.texts import Phrase

EDGES_KM = np.array([0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 20_100])
SAMPLE = 20_000
DX = 0.1  # degrees at which a row earns nothing under the rules v1


def _coordinates(pair: Pair, every: int = 1) -> tuple[Floats, Floats, Floats, Floats]:
    """Original and released coordinates of the kept rows, or of every n-th."""
    original, release = pair.original, pair.release.kept
    rows = pair.release.kept_row_numbers[::every] if every > 1 else pair.kept_rows
    return (
        original.latitude[rows],
        original.longitude[rows],
        release.latitude[::every],
        release.longitude[::every],
    )


def points_v2(pair: Pair) -> Floats:
    """1 within a kilometre, 1/d beyond; for each kept row."""
    lat_a, lon_a, lat_b, lon_b = _coordinates(pair)
    # On a sphere d ≤ R·√(Δφ² + Δλ²). This bound settles most rows, which move little, without a sine.
    bound = (lat_b - lat_a) ** 2 + (lon_b - lon_a) ** 2
    limit = (1000 / METRES_PER_DEGREE) ** 2
    far = np.flatnonzero(bound >= limit * (1 - 1e-6))
    points = np.ones(len(bound))
    distance = haversine_km(lat_a[far], lon_a[far], lat_b[far], lon_b[far])
    points[far] = 1 / np.maximum(distance, 1)
    return points


def points_v1(pair: Pair, dx: float) -> Floats:
    """1 − (|Δlat| + |Δlon|)/dx, at least 0; for each kept row."""
    lat_a, lon_a, lat_b, lon_b = _coordinates(pair)
    moved = np.abs(lat_b - lat_a) + np.abs(lon_b - lon_a)
    return np.maximum(0, 1 - moved / dx)


def _sums_v2(pair: Pair) -> Sums:
    return _sums(pair, points_v2(pair))


def _sums_v1(pair: Pair, dx: float) -> Sums:
    return _sums(pair, points_v1(pair, dx))


def _sums(pair: Pair, points: Floats) -> Sums:
    # An even sample of the rows is enough for the histogram, and fast.
    every = max(1, len(points) // SAMPLE)
    counts, _ = np.histogram(haversine_km(*_coordinates(pair, every)), EDGES_KM)
    return Sums(
        {"rows": pair.rows, "kept": len(points), "earned": float(points.sum()), "km": counts},
        lambda: costliest_rows(pair, lambda: points),
    )


def _score(sums: Sums) -> Score:
    every = round(sums["kept"] / max(1, int(sums["km"].sum())))
    unit = "rows" if every <= 1 else Phrase("rows (one in {every})", every=every)
    counts = {"rows": sums["km"]}
    moved = Distribution("Kilometres moved", unit, "km", EDGES_KM, counts, shows_individuals=False)
    return Score(sums["earned"] / sums["rows"], evidence=(moved, *sums.row_level_evidence()))


@utility_score(
    "distance",
    rules="v2",
    title="Distance",
    order=3,
    formula="Σ (1 if d < 1 km else 1/d) / n, d haversine in km",
    sums=_sums_v2,
)
def distance_v2(sums: Sums) -> Score:
    """Each row is worth 1 while it stays within a kilometre of its place, 1/d beyond."""
    return _score(sums)


@utility_score(
    "distance",
    rules="v1",
    title="Distance",
    order=3,
    formula="Σ max(0, 1 − (|Δlat| + |Δlon|)/dx) / n",
    sums=_sums_v1,
)
def distance_v1(
    sums: Sums, *, dx: Annotated[float, Range(0.0001, 10, unit="degrees", scale="log")] = DX
) -> Score:
    """Each row loses in proportion to the degrees it moved; nothing is left at dx degrees."""
    return _score(sums)
