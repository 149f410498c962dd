"""What the phones of the inhabitants record: bursts of rows with gaps of hours between, and GPS noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.arrays import Bools, Floats, Ints
from insanonym_core.demo.city_life import DAY, DEPARTURES, HOUR, WORKING_DAYS, Moments, on_other_days
from insanonym_core.demo.city_map import People

AWAY = 0.03  # share of the weeks in which a phone records nothing
WEEKLY_SHAPE = 6.0  # of the gamma factor by which somebody's weeks differ
ON_THE_MOVE = 0.25  # share of the bursts that begin when somebody sets out
STEP_AT_REST, STEP_ON_THE_MOVE = (15.0, 600.0), (5.0, 150.0)  # seconds between the rows of a burst
# How often phones record, by hour of the day: nights count, or nobody would have a home.
HOURS_WORKING = (6, 6, 5, 5, 5, 5, 3, 3, 4, 5, 5, 5, 6, 5, 5, 5, 5, 4, 4, 5, 5, 5, 6, 6)
HOURS_WEEKEND = (4, 4, 3, 3, 3, 3, 2, 2, 3, 4, 7, 7, 7, 7, 7, 7, 7, 7, 5, 5, 5, 4, 4, 4)
TWINS_DIFFER_BY = 0.1  # hours between the same burst of either, apart from the day
NOISE_MEMORY = 0.8  # correlation of the noise of one row and the next
NOISE_LASTS = 24  # rows after which 0.5 % of it is left
OUTLIERS, OUTLIER_METRES = 0.005, (100.0, 1_000.0)


def draw_bursts_per_week(people: People, weeks: int, random: np.random.Generator) -> Ints:
    """How many bursts each (person, week) has: none in a few weeks, but some in at least one."""
    expected = people.rows_per_week / _rows_per_burst(people.rows_per_week)
    factor = random.gamma(WEEKLY_SHAPE, 1 / WEEKLY_SHAPE, (len(people), weeks))
    bursts = 1 + random.poisson(np.maximum(expected[:, None] - 1, 0) * factor)
    away = random.random(bursts.shape) < AWAY
    away[np.arange(len(people)), random.integers(weeks, size=len(people))] = False
    bursts[away] = 0
    bursts[people.twins[1:]] = bursts[people.twins[:1]]
    return bursts


def _rows_per_burst(rows_per_week: Floats) -> Floats:
    """Who records more does so in more bursts, and in longer ones."""
    return 2 + 0.4 * np.sqrt(rows_per_week)


def sample_times(
    people: People, some: slice, bursts: Ints, moments: Moments, random: np.random.Generator
) -> tuple[Ints, Ints]:
    """Person (counted within `some`) and second of each row, sorted by both; no second comes twice."""
    horizon = bursts.shape[1] * 7 * DAY
    plan = _plan_bursts(people, some, bursts, random)
    departure = moments.time[plan.who, plan.day, plan.departure] - random.uniform(0, 300, len(plan.who))
    begin = np.where(plan.moves, departure, DAY * plan.day + HOUR * (plan.hour % 24))
    # A trip of the last Sunday may begin after the weeks end; each burst keeps at least its first row.
    begin = begin.clip(0, horizon - 1)

    first = np.cumsum(plan.rows) - plan.rows
    elapsed = np.cumsum(random.exponential(np.repeat(plan.step, plan.rows)))
    elapsed -= np.repeat(elapsed[first], plan.rows)
    seconds = (np.repeat(begin, plan.rows) + elapsed).astype(np.int64)
    packed = np.unique((np.repeat(plan.who, plan.rows) * horizon + seconds)[seconds < horizon])
    who, seconds = np.divmod(packed, horizon)
    return who, seconds


@dataclass(frozen=True, eq=False)
class _Bursts:
    """One entry for each burst: it begins at a departure of the day when its owner moves, else at an hour."""

    who: Ints
    day: Ints
    moves: Bools
    departure: Ints
    hour: Floats
    step: Floats
    rows: Ints


def _plan_bursts(people: People, some: slice, bursts: Ints, random: np.random.Generator) -> _Bursts:
    """Draw the bursts of some of the people; the second twin's are the first one's, on other days."""
    weeks = bursts.shape[1]
    unit = np.repeat(np.arange(bursts.size), bursts.ravel())
    who, week = np.divmod(unit, weeks)
    day = 7 * week + random.integers(7, size=len(unit))
    moves = random.random(len(unit)) < ON_THE_MOVE
    low, high = (np.where(moves, *both) for both in zip(STEP_ON_THE_MOVE, STEP_AT_REST, strict=True))
    plan = _Bursts(
        who,
        day,
        moves,
        departure=DEPARTURES[random.integers(len(DEPARTURES), size=len(unit))],
        hour=_hours(day, random) + people.body_clock[some][who],
        step=low * (high / low) ** random.random(len(unit)),
        rows=random.geometric(1 / _rows_per_burst(people.rows_per_week[some][who])),
    )
    if len(people.twins) and some.start == 0:  # the twins belong to the first group
        one, other = (np.flatnonzero(who == twin) for twin in people.twins)
        plan.day[other] = on_other_days(plan.day[one])
        for trait in (plan.moves, plan.departure, plan.hour, plan.step):
            trait[other] = trait[one]
        plan.hour[other] += random.normal(0, TWINS_DIFFER_BY, len(other))
        plan.rows[other] = np.maximum(1, plan.rows[one] + random.integers(-1, 2, size=len(other)))
    return plan


def _hours(day: Ints, random: np.random.Generator) -> Floats:
    """Hours of the day at which phones record, for bursts of these days."""
    drawn, hour = random.random(len(day)), np.empty(len(day))
    for weekend, weights in enumerate((HOURS_WORKING, HOURS_WEEKEND)):
        rows = (day % 7 >= WORKING_DAYS) == bool(weekend)
        share = np.cumsum((0, *weights)) / sum(weights)
        hour[rows] = np.interp(drawn[rows], share, np.arange(25))
    return hour


def gps_noise(sigma: Floats, random: np.random.Generator) -> Floats:
    """Errors of rows in time order: normal, each remembering the one before, and a few far off."""
    # An AR(1) process as the sum of its past, cut off where it is forgotten: importing a filter from
    # scipy.signal would take ten times longer than making the default city.
    weight = NOISE_MEMORY ** np.arange(NOISE_LASTS)
    fresh = random.standard_normal((len(sigma) + NOISE_LASTS - 1, 2)).view(np.complex128)[:, 0]
    error = sigma * np.convolve(fresh, weight / np.sqrt(np.sum(weight**2)), mode="valid")
    far = random.integers(len(sigma), size=random.binomial(len(sigma), OUTLIERS))
    nearest, farthest = OUTLIER_METRES
    distance = nearest * (farthest / nearest) ** random.random(len(far))
    error[far] = distance * np.exp(2j * np.pi * random.random(len(far)))
    return error
