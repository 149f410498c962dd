"""One person in a release: would they be found, and by which places?"""

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
from insanonym_core.threats import found_threats


def best_attack(measures: Iterable[Measure]) -> Entry | None:
    """The attack that re-identifies most among these measures, the first of equals; None without any.

    An attack that learns from the recipe is left out: its guesses cannot be made again here.
    """
    found = found_threats(one for one in measures if one.family == "attack" and not one.entry.given)
    return found[0].measure.entry if found else None


@dataclass(frozen=True)
class Found:
    """In how many of a person's weeks an attack names the right pseudonym; which types of places stayed."""

    found: int
    weeks: int
    places: tuple[str, ...]


def weeks_found(pair: Pair, who: str, attack: Entry, settings: Mapping[str, object] | None = None) -> Found:
    """Attack the release and look at one person; the guesses are kept with the pair."""
    values = values_for(attack, settings or {})
    guesses = pair.derive(
        ("guesses", attack.name, repr(values)),
        lambda: attack.item(Crowd.known(pair.original), Crowd.seen(pair.release), **values),
    )
    answers = footprint(pair).answers.get(who, {})
    hits = sum(answer in guesses.get(who, {}).get(week, ()) for week, answer in answers.items())
    return Found(hits, len(answers), _kept_places(pair, who))


def _kept_places(pair: Pair, who: str) -> tuple[str, ...]:
    """Types of places where the original and the release agree on the cell in some week."""
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
    """A kept row of somebody: its line in the file, how far it moved, and the points it lost of 3."""

    row: int
    before: np.datetime64
    after: np.datetime64
    days: int
    km: float
    lost: float


def costly_rows(pair: Pair, who: str, rules: str = "v2", how_many: int = 5) -> tuple[list[CostlyRow], int]:
    """The kept rows of a person that cost most of date, hour and distance, and how many are deleted."""
    original = pair.original
    if who not in original.individuals:
        return [], 0
    mine = np.flatnonzero(original.individual == original.individuals.index(who))
    own = Pair.from_tracks(original.take(mine), pair.release.take(mine))
    rows = mine[own.kept_rows]
    earned = date_points(own, DAYS[rules]) + hour_points(own, rules)
    earned += points_v2(own) if rules == "v2" else points_v1(own, DX)
    before, after = own.original, own.release.kept
    kept = own.kept_rows
    km = haversine_km(before.latitude[kept], before.longitude[kept], after.latitude, after.longitude)
    days = days_moved(own)
    found = []
    for place in np.lexsort((rows, earned))[:how_many].tolist():
        if earned[place] >= 3:
            break
        then, now = (
            np.datetime64(int(time[place]) // original.resolution, "s")
            for time in (before.time[kept], after.time)
        )
        found.append(
            CostlyRow(
                int(rows[place]) + 1, then, now, int(days[place]), float(km[place]), 3 - float(earned[place])
            )
        )
    return found, own.deleted
