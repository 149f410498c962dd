"""Data for the maps of a track: cells, points of interest, the path of one individual. No drawing here.

Deleted rows are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from insanonym_core.errors import UsageError, brief, choices
from insanonym_core.mobility.stays import WINDOWS_V2, Window
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.utility.meet import records_per_cell
from insanonym_core.mobility.utility.poi import labelled, places_of
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.results.scores import CellMap, Values

MAX_POINTS = 2_000

TITLES = {"rows": "Rows in each cell", "individuals": "Individuals in each cell"}


@dataclass(frozen=True, eq=False)
class Pois:
    """Points of interest of a track: individual, week, type, position, and stay in seconds.

    A position is the centre of a cell of `size` degrees.
    """

    title: str
    size: float
    individual: Values
    week: Values
    kind: Values
    latitude: Values
    longitude: Values
    stay: Values

    def of_individual(self, individual: str) -> Pois:
        """Points of interest of one individual."""
        mine = self.individual == individual
        columns = ("individual", "week", "kind", "latitude", "longitude", "stay")
        return Pois(self.title, self.size, *(getattr(self, name)[mine] for name in columns))


class Path(NamedTuple):
    """Positions of one individual in order of time."""

    time: Values
    latitude: Floats
    longitude: Floats


def cells_of(track: Track, decimals: int = 2, by: Literal["rows", "individuals"] = "rows") -> CellMap:
    """Number of rows and of individuals in each cell; `by` is the count that a map shows first."""
    if by not in TITLES:
        raise UsageError("Cells can be counted by {titles}, got {by}.", titles=choices(TITLES), by=brief(by))
    kept = track.kept
    cells = kept.cells(decimals)
    latitude, longitude = cells.centres()
    # Count individuals, not tokens: an individual with a new token every week counts once.
    individuals = np.bincount(kept.visits(decimals).item, minlength=cells.number)
    values = {"rows": records_per_cell(kept, decimals), "individuals": individuals}
    return CellMap(
        TITLES[by],
        10.0**-decimals,
        latitude,
        longitude,
        {name: values[name] for name in sorted(values, key=lambda name: name != by)},
        shows_individuals=True,
    )


def cells_with_min_individuals(cells: CellMap, min_individuals: int) -> CellMap:
    """Keep the cells with at least `min_individuals` individuals, which may be shown to others."""
    selected = cells.values["individuals"] >= min_individuals
    values = {name: part[selected] for name, part in cells.values.items()}
    places = cells.latitude[selected], cells.longitude[selected]
    return CellMap(cells.title, cells.size, *places, values, shows_individuals=False)


def pois_of(
    track: Track, windows: tuple[Window, ...] = WINDOWS_V2, decimals: int = 2, number: int = 1
) -> Pois:
    """For each individual, week and type of place the `number` longest stays."""
    kept = track.kept
    places = places_of(kept, windows, decimals, number)
    return Pois(
        "Points of interest",
        10.0**-decimals,
        **labelled(places, kept, windows, decimals),
        stay=places.seconds,
    )


def path_of(track: Track, individual: str, max_points: int = MAX_POINTS) -> Path:
    """Kept rows of one individual by time, thinned evenly to `max_points`; first and last are kept."""
    kept, rows = track.kept, rows_of(track, individual)
    if len(rows) > max_points:
        rows = rows[np.linspace(0, len(rows) - 1, max_points).round().astype(np.int64)]
    seconds = (kept.time[rows] // kept.resolution).astype("datetime64[s]")
    return Path(seconds, kept.latitude[rows], kept.longitude[rows])


def rows_of(track: Track, individual: str) -> Ints:
    """Rows of `track.kept` of one individual, sorted by time, then in file order."""
    if individual not in track.individuals:
        raise UsageError(
            "There is no such individual here: choose one of the {individuals:,} ids of the original.",
            individuals=len(track.individuals),
        )
    rows = np.flatnonzero(track.kept.individual == track.individuals.index(individual))
    return rows[np.argsort(track.kept.time[rows], kind="stable")]
