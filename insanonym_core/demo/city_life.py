"""Simulate the days of the inhabitants: work, evenings out, weekends, and trips between places.

A day is six moments with a place each: leave home, reach and leave the first stop, reach and leave the
second, be home again. A skipped stop is spent at home. Between two moments people stay, or travel in a
straight line: the position at any second follows by interpolation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.demo.city_map import People, draw_residential_places, draw_zipf
from insanonym_core.numeric.arrays import Bools, Complexes, Floats, Ints

HOUR, DAY = 3_600, 86_400
WORKING_DAYS = 5
DEPARTURES = np.array([0, 2, 4])  # which of the six moments of a day begin a trip
EXPLORE_RHO, EXPLORE_GAMMA = 0.6, 0.21  # Song et al. 2010: a new place with probability ρ · S^−γ
POPULAR_SHARE = 0.5  # share of the new places that are popular ones, the same for everybody
MIN_TRIP, MAX_TRIP, TRIP_EXPONENT = (
    1_500.0,
    25_000.0,
    0.75,
)  # private places: bounded Pareto distances from home, in metres
WORK_CHANCE, EVENING_CHANCE = 0.93, 0.3  # on working days; the others work at home
WEEKEND_CHANCES = (0.93, 0.7)  # for a first stop, and for a second
SPEED, DEPARTURE_SECONDS = 8.0, 240.0  # metres per second including stops; seconds added to each trip
WEEKEND_DEPARTURE_HOUR = 9.8


@dataclass(frozen=True, eq=False)
class Outings:
    """By (person, day, stop): whether the person goes out, and the place if it is leisure.

    The first stop of a working day is work.
    """

    goes: Bools
    place: Complexes


@dataclass(frozen=True, eq=False)
class Moments:
    """Seconds since the first Monday, and places, by (person, day, moment); times never decrease."""

    time: Floats
    place: Complexes


def plan_outings(people: People, weeks: int, random: np.random.Generator) -> Outings:
    """Draw who goes where on which day; the second twin repeats the first one's week on other days."""
    working = is_working_day(7 * weeks)
    likely = np.where(working[:, None], (WORK_CHANCE, EVENING_CHANCE), WEEKEND_CHANCES)
    goes = random.random((len(people), 7 * weeks, 2)) < likely
    # No evening out after a night shift.
    goes[..., 1] &= ~(people.works_nights[:, None] & working)
    leisure = goes.copy()
    leisure[:, working, 0] = False
    place = explore_and_return(people.home, leisure.reshape(len(people), -1), random)
    outings = Outings(goes, place.reshape(goes.shape))
    if len(people.twins):
        first, second = people.twins
        days = twin_days(np.arange(7 * weeks))
        outings.goes[second, days] = outings.goes[first]
        outings.place[second, days] = outings.place[first]
    return outings


def is_working_day(days: int) -> Bools:
    """True for Monday to Friday, for days counted from a Monday."""
    return np.arange(days) % 7 < WORKING_DAYS


def twin_days(day: Ints) -> Ints:
    """Map each day of the first twin to the day on which the second repeats it, in the same week."""
    return day - day % 7 + np.array([1, 2, 3, 4, 0, 6, 5])[day % 7]


def explore_and_return(home: Complexes, goes: Bools, random: np.random.Generator) -> Complexes:
    """Place of each visit, by (person, occasion): new with probability ρ · S^−γ, else a place visited before.

    A return picks one of the past visits uniformly, so a place is chosen in proportion to its visits.
    """
    users, occasions = goes.shape
    popular = draw_residential_places(10 + users // 20, random)
    visited = np.zeros((users, occasions), dtype=np.complex128)
    chosen = np.zeros((users, occasions), dtype=np.complex128)
    visits, known = np.zeros(users, dtype=np.int64), np.zeros(users)
    for occasion in range(occasions):
        who = np.flatnonzero(goes[:, occasion])
        if len(who) == 0:
            continue
        past = visits[who]
        is_new = random.random(len(who)) < EXPLORE_RHO * np.maximum(known[who], 1) ** -EXPLORE_GAMMA
        is_new |= past == 0
        place = visited[who, (random.random(len(who)) * past).astype(np.int64)]
        fresh = np.flatnonzero(is_new)
        place[fresh] = _draw_new_places(home[who[fresh]], popular, random)
        visited[who, past] = chosen[who, occasion] = place
        visits[who] += 1
        known[who[fresh]] += 1
    return chosen


def _draw_new_places(home: Complexes, popular: Complexes, random: np.random.Generator) -> Complexes:
    """Draw new places: popular ones by rank, private ones at Pareto distances from home."""
    count = len(home)
    shrink = 1 - (MIN_TRIP / MAX_TRIP) ** TRIP_EXPONENT
    distance = MIN_TRIP * (1 - random.random(count) * shrink) ** (-1 / TRIP_EXPONENT)
    private = home + distance * np.exp(2j * np.pi * random.random(count))
    famous = popular[draw_zipf(len(popular), count, random)]
    return np.where(random.random(count) < POPULAR_SHARE, famous, private)


def simulate_days(people: People, group: slice, outings: Outings, random: np.random.Generator) -> Moments:
    """Simulate the days of a group of people: times and places of their moments."""
    goes, leisure = outings.goes[group], outings.place[group]
    users, days = goes.shape[:2]
    working = is_working_day(days)
    home, nights = people.home[group, None], people.works_nights[group, None]
    first = np.where(goes[..., 0], np.where(working, people.work[group, None], leisure[..., 0]), home)
    second = np.where(goes[..., 1], leisure[..., 1], home)

    def hours(mean: Floats | float, spread: float, limit: float) -> Floats:
        return mean + random.normal(0, spread, (users, days)).clip(-limit, limit)

    leaves = np.where(
        working, hours(people.leaves_home[group, None], 0.25, 1), hours(WEEKEND_DEPARTURE_HOUR, 0.6, 1.5)
    )
    stays = np.where(working, hours(people.hours_at_work[group, None], 0.4, 1.5), hours(3.6, 0.7, 1.7))
    lingers = np.where(working, hours(1.5, 0.5, 1), hours(2.5, 0.6, 1.5)) * ~(nights & working)

    time = np.empty((users, days, 6))
    time[..., 0] = np.arange(days) * DAY + leaves * HOUR
    time[..., 1] = time[..., 0] + _travel_seconds(home, first)
    time[..., 2] = time[..., 1] + stays * HOUR
    time[..., 3] = time[..., 2] + _travel_seconds(first, second)
    time[..., 4] = time[..., 3] + lingers * HOUR
    time[..., 5] = time[..., 4] + _travel_seconds(second, home)
    place = np.stack(np.broadcast_arrays(home, first, first, second, second, home), axis=-1)
    np.maximum.accumulate(time.reshape(users, -1), axis=1, out=time.reshape(users, -1))
    return Moments(time, place)


def _travel_seconds(start: Complexes, end: Complexes) -> Floats:
    """Seconds from one place to another."""
    return DEPARTURE_SECONDS + np.abs(end - start) / SPEED


def positions_at(moments: Moments, who: Ints, seconds: Ints) -> Complexes:
    """Position of person `who` at each second; fastest if sorted by person and second."""
    users, days = moments.time.shape[:2]
    # Put the moments of all people on one time axis, one person after the other: one interpolation for all
    # rows. Each person starts and ends at home, else they would start from the previous person's last place.
    lifetime = (days + 2) * DAY  # the last trip home may end after midnight
    home = moments.place[:, 0, :1]
    start, end = np.zeros((users, 1)), np.full((users, 1), lifetime - 1.0)
    time = np.hstack([start, moments.time.reshape(users, -1), end]) + lifetime * np.arange(users)[:, None]
    place = np.hstack([home, moments.place.reshape(users, -1), home])
    return np.interp(who * lifetime + seconds, time.ravel(), place.ravel())
