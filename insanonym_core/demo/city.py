"""Generate demo:mobility: GPS traces of a synthetic city around Lyon.

People have a home, a workplace and places they like, some shared and some their own. They commute, go out,
explore and return; a few work nights; their phones record in bursts, some far more than others. Two planted
twins have almost the same trace. The weeks lie around the turn of the ISO years 2015 and 2016.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from insanonym_core.demo.arguments import check_whole_numbers
from insanonym_core.demo.city_life import Outings, plan_outings, positions_at, simulate_days
from insanonym_core.demo.city_map import People, make_people, to_degrees
from insanonym_core.demo.city_phones import draw_bursts_per_week, draw_gps_noise, draw_record_times
from insanonym_core.errors import UsageError
from insanonym_core.mobility.track import Track
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.randomness import step_generator

if TYPE_CHECKING:
    from insanonym_core.parameters import ParameterValues

MAX_USERS, MAX_WEEKS, MAX_USER_WEEKS = 1_000_000, 520, 1_000_000
USER_WEEKS_PER_GROUP = 4_000  # people are generated in groups of about 650,000 rows, to bound the memory
FIRST_WEEK_OF_2016 = np.datetime64("2016-01-04", "s")
SECONDS_IN_WEEK = 7 * 86_400


@dataclass(frozen=True)
class City:
    """The track, sorted by id and time, and the ids of the twins and of the shift workers."""

    track: Track
    twins: tuple[str, str]
    shift_workers: tuple[str, ...]


def demo_track(reading: ParameterValues) -> Track:
    """The track of demo:mobility."""
    return make_city().track


def make_city(users: int = 80, weeks: int = 6, seed: int = 7) -> City:
    """Generate the demonstration city; the same arguments give the same rows."""
    _check(users, weeks, seed)
    size = max(2, USER_WEEKS_PER_GROUP // weeks)
    people = make_people(users, size, step_generator(seed, 0, "people"))
    outings = plan_outings(people, weeks, step_generator(seed, 0, "outings"))
    bursts = draw_bursts_per_week(people, weeks, step_generator(seed, 0, "bursts"))
    parts = [
        _rows(people, slice(start, min(start + size, users)), outings, bursts, seed)
        for start in range(0, users, size)
    ]
    who, seconds, latitude, longitude = (np.concatenate(column) for column in zip(*parts, strict=True))
    digits = max(3, len(str(users)))
    ids = tuple(f"{number:0{digits}}" for number in range(1, users + 1))
    twins = [ids[twin] for twin in sorted(people.twins)] or ["", ""]
    return City(
        Track(who, ids, who, ids, seconds + _first_second(weeks), latitude, longitude, demonstration=True),
        (twins[0], twins[1]),
        tuple(ids[number] for number in np.flatnonzero(people.works_nights)),
    )


def _rows(
    people: People, group: slice, outings: Outings, bursts: Ints, seed: int
) -> tuple[Ints, Ints, Floats, Floats]:
    """Person, second, latitude and longitude of the rows of a group of people."""
    random = step_generator(seed, group.start, "rows")
    moments = simulate_days(people, group, outings, random)
    who, seconds = draw_record_times(people, group, bursts[group], moments, random)
    place = positions_at(moments, who, seconds)
    place += draw_gps_noise(people.noise[group][who], random)
    return ((who + group.start).astype(np.int32), seconds, *to_degrees(place))


def _first_second(weeks: int) -> int:
    """Start of the first week: half of the weeks, rounded up, lie before the first ISO week of 2016."""
    return int(FIRST_WEEK_OF_2016.astype(np.int64)) - (weeks + 1) // 2 * SECONDS_IN_WEEK


def _check(users: int, weeks: int, seed: int) -> None:
    """Raise a UsageError for sizes out of range or too large for memory."""
    check_whole_numbers(
        "the demonstration city",
        (("users", users, 1, MAX_USERS), ("weeks", weeks, 1, MAX_WEEKS), ("seed", seed, 0, 2**63 - 1)),
    )
    if users * weeks > MAX_USER_WEEKS:
        raise UsageError(
            "The demonstration city must have at most {most:,} users × weeks (about 160 rows "
            "each), got {users} × {weeks}: take fewer users or weeks.",
            most=MAX_USER_WEEKS,
            users=users,
            weeks=weeks,
        )
