"""One individual in a release: weeks re-identified, places kept, and the rows that changed most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from insanonym_core.mobility.competition import footprint
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.geometry import haversine_km
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.places import pois_of
from insanonym_core.mobility.utility.date import DAYS, days_moved
from insanonym_core.mobility.utility.date import points as date_points
from insanonym_core.mobility.utility.distance import DX, points_v1, points_v2
from insanonym_core.mobility.utility.hour import points as hour_points
from insanonym_core.registry import Entry, Measure, values_for
from insanonym_core.results.threats import found_threats


def best_attack(measures: Iterable[Measure]) -> Entry | None:
    """The attack with the highest share re-identified, the first of equals; None if there is none.

    Attacks that learn from the recipe are skipped: their guesses cannot be repeated here.
    """
    threats = found_threats(
        measure for measure in measures if measure.family == "attack" and not measure.entry.given
    )
    return threats[0].measure.entry if threats else None


@dataclass(frozen=True)
class WeeksFound:
    """Number of an individual's weeks in which an attack finds the right token; types of places kept."""

    found: int
    weeks: int
    places: tuple[str, ...]


def weeks_found(
    pair: Pair, who: str, attack: Entry, settings: Mapping[str, object] | None = None
) -> WeeksFound:
    """Run an attack and count the weeks of one individual that it finds; guesses are cached with the pair."""
    values = values_for(attack, settings or {})
    guesses = pair.derive(
        ("guesses", attack.name, repr(values)),
        lambda: attack.item(Crowd.known(pair.original), Crowd.seen(pair.release), **values),
    )
    answers = footprint(pair).answers.get(who, {})
    hits = sum(answer in guesses.get(who, {}).get(week, ()) for week, answer in answers.items())
    return WeeksFound(hits, len(answers), _kept_places(pair, who))


def _kept_places(pair: Pair, who: str) -> tuple[str, ...]:
    """Types of places whose cell is the same in the original and the release in at least one week."""
    before, after = (pois_of(track).of_individual(who) for track in (pair.original, pair.release))
    seen = {
        (kind, week, round(float(lat), 6), round(float(lon), 6))
        for kind, week, lat, lon in zip(after.kind, after.week, after.latitude, after.longitude, strict=True)
    }
    same = {
        str(kind)
        for kind, week, lat, lon in zip(
            before.kind, before.week, before.latitude, before.longitude, strict=True
        )
        if (kind, week, round(float(lat), 6), round(float(lon), 6)) in seen
    }
    return tuple(kind for kind in ("home", "work", "activity") if kind in same)


@dataclass(frozen=True)
class CostlyRow:
    """A kept row: its number in the file (from 1), how far it moved, and the points it lost of 3."""

    row: int
    before: np.datetime64
    after: np.datetime64
    days: int
    km: float
    lost: float


def costly_rows(pair: Pair, who: str, rules: str = "v2", how_many: int = 5) -> tuple[list[CostlyRow], int]:
    """The kept rows of an individual that lose most points, worst first, and the number of deleted rows."""
    original = pair.original
    if who not in original.individuals:
        return [], 0
    own_rows = np.flatnonzero(original.individual == original.individuals.index(who))
    own = Pair.from_tracks(original.take(own_rows), pair.release.take(own_rows))
    rows = own_rows[own.kept_rows]
    earned = date_points(own, DAYS[rules]) + hour_points(own, rules)
    earned += points_v2(own) if rules == "v2" else points_v1(own, DX)
    before, after = own.original, own.release.kept
    kept = own.kept_rows
    km = haversine_km(before.latitude[kept], before.longitude[kept], after.latitude, after.longitude)
    days = days_moved(own)
    costly = []
    for place in np.lexsort((rows, earned))[:how_many].tolist():
        if earned[place] >= 3:
            break
        time_before, time_after = (
            np.datetime64(int(time[place]) // original.resolution, "s")
            for time in (before.time[kept], after.time)
        )
        costly.append(
            CostlyRow(
                int(rows[place]) + 1,
                time_before,
                time_after,
                int(days[place]),
                float(km[place]),
                3 - float(earned[place]),
            )
        )
    return costly, own.deleted
