"""One person in a release: would they be found, and by which places?"""

from __future__ import annotations

from dataclasses import dataclass

from insanonym_core.mobility.competition import footprint
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.places import pois_of
from insanonym_core.registry import attacks

STRONGEST = "assignment"


@dataclass(frozen=True)
class Found:
    """In how many of a person's weeks an attack names the right pseudonym; which types of places stayed."""

    found: int
    weeks: int
    places: tuple[str, ...]


def weeks_found(pair: Pair, who: str, attack: str = STRONGEST) -> Found:
    """Attack the release and look at one person; the guesses are kept with the release."""
    guesses = pair.release.derive(
        ("guesses", attack, id(pair.original)),
        lambda: attacks.get(attack, data="mobility").item(
            Crowd.known(pair.original), Crowd.seen(pair.release)
        ),
    )
    answers = footprint(pair).answers.get(who, {})
    hits = sum(answer in guesses.get(who, {}).get(week, ()) for week, answer in answers.items())
    return Found(hits, len(answers), _kept_places(pair, who))


def _kept_places(pair: Pair, who: str) -> tuple[str, ...]:
    """Types of places where the original and the release agree on the cell in some week."""
    before, after = (pois_of(track).of(who) for track in (pair.original, pair.release))
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
