"""How the inhabitants spend their days: work, evenings out, weekends, and the ways between.

A day is six moments with a place each: leave home, reach and leave the first stop, reach and leave the
second, be home again. Whoever skips a stop spends it at home. Between two moments people stay, or travel in
a straight line: the moments of all days in a row say where somebody is at any second.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.arrays import Bools, Complexes, Floats, Ints
from insanonym_core.demo.city_map import People, by_rank, residential

HOUR, DAY = 3_600, 86_400
WORKING_DAYS = 5
DEPARTURES = np.array([0, 2, 4])  # which of the six moments of a day begin a trip
EXPLORE, EXPLORE_FADES = 0.6, 0.21  # Song et al. 2010: a new place with probability ρ · S^−γ
POPULAR = 0.5  # of the places that somebody discovers, this share is known to all
NEAR, FAR, TAIL = 1_500.0, 25_000.0, 0.75  # the private ones: bounded Pareto distances from home, in metres
AT_WORK, EVENING_OUT = 0.93, 0.3  # on working days; the others work at home
WEEKEND_OUT = (0.93, 0.7)  # for a first stop, and for a second
SPEED, SET_OUT = 8.0, 240.0  # metres a second with all stops and traffic lights; seconds to get going
LEAVES_ON_WEEKENDS = 9.8


@dataclass(frozen=True, eq=False)
class Outings:
    """By (person, day, stop): whether somebody leaves home for it, and the place when it is leisure.

    The first stop of a working day is work.
    """

    goes: Bools
    place: Complexes


@dataclass(frozen=True, eq=False)
class Moments:
    """Seconds since the first Monday and places, by (person, day, moment); time never runs backwards."""

    time: Floats
    place: Complexes


def plan_outings(people: People, weeks: int, random: np.random.Generator) -> Outings:
    """Who goes where on which day; the second twin does as the first, in the same week on other days."""
    working = is_working_day(7 * weeks)
    likely = np.where(working[:, None], (AT_WORK, EVENING_OUT), WEEKEND_OUT)
    goes = random.random((len(people), 7 * weeks, 2)) < likely
    # Who comes from a night shift sleeps instead of going out.
    goes[..., 1] &= ~(people.works_nights[:, None] & working)
    leisure = goes.copy()
    leisure[:, working, 0] = False
    place = explore_and_return(people.home, leisure.reshape(len(people), -1), random)
    outings = Outings(goes, place.reshape(goes.shape))
    if len(people.twins):
        first, second = people.twins
        days = on_other_days(np.arange(7 * weeks))
        outings.goes[second, days] = outings.goes[first]
        outings.place[second, days] = outings.place[first]
    return outings


def is_working_day(days: int) -> Bools:
    """True for Monday to Friday, for days counted from a Monday."""
    return np.arange(days) % 7 < WORKING_DAYS


def on_other_days(day: Ints) -> Ints:
    """For days of one twin the days on which the other does the same: in the same week, never together."""
    return day - day % 7 + np.array([1, 2, 3, 4, 0, 6, 5])[day % 7]


def explore_and_return(home: Complexes, goes: Bools, random: np.random.Generator) -> Complexes:
    """Where each visit leads, by (person, occasion): to a new place with probability ρ · S^−γ, else back.

    To pick one of the past visits with equal chances is to return in proportion to past visits.
    """
    users, occasions = goes.shape
    popular = residential(10 + users // 20, random)
    visited = np.zeros((users, occasions), dtype=np.complex128)
    chosen = np.zeros((users, occasions), dtype=np.complex128)
    visits, known = np.zeros(users, dtype=np.int64), np.zeros(users)
    for occasion in range(occasions):
        who = np.flatnonzero(goes[:, occasion])
        if len(who) == 0:
            continue
        past = visits[who]
        is_new = random.random(len(who)) < EXPLORE * np.maximum(known[who], 1) ** -EXPLORE_FADES
        is_new |= past == 0
        place = visited[who, (random.random(len(who)) * past).astype(np.int64)]
        fresh = np.flatnonzero(is_new)
        place[fresh] = _discover(home[who[fresh]], popular, random)
        visited[who, past] = chosen[who, occasion] = place
        visits[who] += 1
        known[who[fresh]] += 1
    return chosen


def _discover(home: Complexes, popular: Complexes, random: np.random.Generator) -> Complexes:
    """New places: popular ones by their fame, private ones mostly near home and sometimes far."""
    count = len(home)
    shrink = 1 - (NEAR / FAR) ** TAIL
    distance = NEAR * (1 - random.random(count) * shrink) ** (-1 / TAIL)
    private = home + distance * np.exp(2j * np.pi * random.random(count))
    famous = popular[by_rank(len(popular), count, random)]
    return np.where(random.random(count) < POPULAR, famous, private)


def live(people: People, some: slice, outings: Outings, random: np.random.Generator) -> Moments:
    """The days of some of the people, moment by moment."""
    goes, leisure = outings.goes[some], outings.place[some]
    users, days = goes.shape[:2]
    working = is_working_day(days)
    home, nights = people.home[some, None], people.works_nights[some, None]
    first = np.where(goes[..., 0], np.where(working, people.work[some, None], leisure[..., 0]), home)
    second = np.where(goes[..., 1], leisure[..., 1], home)

    def hours(mean: Floats | float, spread: float, most: float) -> Floats:
        return mean + random.normal(0, spread, (users, days)).clip(-most, most)

    leaves = np.where(
        working, hours(people.leaves_home[some, None], 0.25, 1), hours(LEAVES_ON_WEEKENDS, 0.6, 1.5)
    )
    stays = np.where(working, hours(people.hours_at_work[some, None], 0.4, 1.5), hours(3.6, 0.7, 1.7))
    lingers = np.where(working, hours(1.5, 0.5, 1), hours(2.5, 0.6, 1.5)) * ~(nights & working)

    time = np.empty((users, days, 6))
    time[..., 0] = np.arange(days) * DAY + leaves * HOUR
    time[..., 1] = time[..., 0] + _travel(home, first)
    time[..., 2] = time[..., 1] + stays * HOUR
    time[..., 3] = time[..., 2] + _travel(first, second)
    time[..., 4] = time[..., 3] + lingers * HOUR
    time[..., 5] = time[..., 4] + _travel(second, home)
    place = np.stack(np.broadcast_arrays(home, first, first, second, second, home), axis=-1)
    np.maximum.accumulate(time.reshape(users, -1), axis=1, out=time.reshape(users, -1))
    return Moments(time, place)


def _travel(start: Complexes, end: Complexes) -> Floats:
    """Seconds from one place to another."""
    return SET_OUT + np.abs(end - start) / SPEED


def where_at(moments: Moments, who: Ints, seconds: Ints) -> Complexes:
    """The place of person `who` at these seconds; fastest when they are sorted by both."""
    users, days = moments.time.shape[:2]
    # Everybody's moments on one time axis, one life after the other, so that one search serves all rows.
    # Each life begins and ends at home, or people would travel there from their neighbour's last place.
    lifetime = (days + 2) * DAY  # a last trip home may go on past midnight
    home = moments.place[:, 0, :1]
    start, end = np.zeros((users, 1)), np.full((users, 1), lifetime - 1.0)
    time = np.hstack([start, moments.time.reshape(users, -1), end]) + lifetime * np.arange(users)[:, None]
    place = np.hstack([home, moments.place.reshape(users, -1), home])
    return np.interp(who * lifetime + seconds, time.ravel(), place.ravel())
