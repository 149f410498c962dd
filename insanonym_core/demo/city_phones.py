"""Draw what the phones record: bursts of rows with gaps of hours between them, and GPS noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.demo.city_life import DAY, DEPARTURES, HOUR, WORKING_DAYS, Moments, twin_days
from insanonym_core.demo.city_map import People
from insanonym_core.numeric.arrays import Bools, Complexes, Floats, Ints

EMPTY_WEEK_SHARE = 0.03  # share of the weeks in which a phone records nothing
WEEKLY_GAMMA_SHAPE = 6.0  # of the gamma factor between the weeks of one person
MOVING_BURST_SHARE = 0.25  # share of the bursts that begin when somebody sets out
ROW_GAP_AT_REST, ROW_GAP_MOVING = (15.0, 600.0), (5.0, 150.0)  # seconds between the rows of a burst
# Relative number of bursts by hour of the day; nights included, so that homes show.
HOUR_WEIGHTS_WORKING_DAY = (6, 6, 5, 5, 5, 5, 3, 3, 4, 5, 5, 5, 6, 5, 5, 5, 5, 4, 4, 5, 5, 5, 6, 6)
HOUR_WEIGHTS_WEEKEND = (4, 4, 3, 3, 3, 3, 2, 2, 3, 4, 7, 7, 7, 7, 7, 7, 7, 7, 5, 5, 5, 4, 4, 4)
TWIN_HOUR_SPREAD = 0.1  # standard deviation in hours between the same burst of the two twins
NOISE_CORRELATION = 0.8  # correlation of the noise of one row and the next
NOISE_WINDOW = 24  # rows after which 0.5 % of the correlation is left
OUTLIER_SHARE, OUTLIER_METRES = 0.005, (100.0, 1_000.0)


def draw_bursts_per_week(people: People, weeks: int, random: np.random.Generator) -> Ints:
    """Draw the number of bursts of each (person, week): 0 in a few weeks, but never in all."""
    expected = people.rows_per_week / _rows_per_burst(people.rows_per_week)
    factor = random.gamma(WEEKLY_GAMMA_SHAPE, 1 / WEEKLY_GAMMA_SHAPE, (len(people), weeks))
    bursts = 1 + random.poisson(np.maximum(expected[:, None] - 1, 0) * factor)
    away = random.random(bursts.shape) < EMPTY_WEEK_SHARE
    away[np.arange(len(people)), random.integers(weeks, size=len(people))] = False
    bursts[away] = 0
    bursts[people.twins[1:]] = bursts[people.twins[:1]]
    return bursts


def _rows_per_burst(rows_per_week: Floats) -> Floats:
    """Mean number of rows per burst: people with more rows have more and longer bursts."""
    return 2 + 0.4 * np.sqrt(rows_per_week)


def draw_record_times(
    people: People, group: slice, bursts: Ints, moments: Moments, random: np.random.Generator
) -> tuple[Ints, Ints]:
    """Person (index within `group`) and second of each row, sorted by both, without duplicates."""
    horizon = bursts.shape[1] * 7 * DAY
    plan = _plan_bursts(people, group, bursts, random)
    departure = moments.time[plan.who, plan.day, plan.departure] - random.uniform(0, 300, len(plan.who))
    begin = np.where(plan.moves, departure, DAY * plan.day + HOUR * (plan.hour % 24))
    # A trip of the last Sunday may begin after the last week: clip, so that its first row is kept.
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
    """One entry per burst: it starts at departure `departure` of the day if `moves`, else at `hour`."""

    who: Ints
    day: Ints
    moves: Bools
    departure: Ints
    hour: Floats
    step: Floats
    rows: Ints


def _plan_bursts(people: People, group: slice, bursts: Ints, random: np.random.Generator) -> _Bursts:
    """Draw the bursts of a group of people; the second twin repeats those of the first on other days."""
    weeks = bursts.shape[1]
    unit = np.repeat(np.arange(bursts.size), bursts.ravel())
    who, week = np.divmod(unit, weeks)
    day = 7 * week + random.integers(7, size=len(unit))
    moves = random.random(len(unit)) < MOVING_BURST_SHARE
    low, high = (np.where(moves, *both) for both in zip(ROW_GAP_MOVING, ROW_GAP_AT_REST, strict=True))
    plan = _Bursts(
        who,
        day,
        moves,
        departure=DEPARTURES[random.integers(len(DEPARTURES), size=len(unit))],
        hour=_draw_hours(day, random) + people.body_clock[group][who],
        step=low * (high / low) ** random.random(len(unit)),
        rows=random.geometric(1 / _rows_per_burst(people.rows_per_week[group][who])),
    )
    if len(people.twins) and group.start == 0:  # the twins belong to the first group
        first_twin, second_twin = (np.flatnonzero(who == twin) for twin in people.twins)
        plan.day[second_twin] = twin_days(plan.day[first_twin])
        for trait in (plan.moves, plan.departure, plan.hour, plan.step):
            trait[second_twin] = trait[first_twin]
        plan.hour[second_twin] += random.normal(0, TWIN_HOUR_SPREAD, len(second_twin))
        plan.rows[second_twin] = np.maximum(
            1, plan.rows[first_twin] + random.integers(-1, 2, size=len(second_twin))
        )
    return plan


def _draw_hours(day: Ints, random: np.random.Generator) -> Floats:
    """Draw the hour of the day of each burst, given its day."""
    drawn, hour = random.random(len(day)), np.empty(len(day))
    for weekend, weights in enumerate((HOUR_WEIGHTS_WORKING_DAY, HOUR_WEIGHTS_WEEKEND)):
        rows = (day % 7 >= WORKING_DAYS) == bool(weekend)
        share = np.cumsum((0, *weights)) / sum(weights)
        hour[rows] = np.interp(drawn[rows], share, np.arange(25))
    return hour


def draw_gps_noise(sigma: Floats, random: np.random.Generator) -> Complexes:
    """Draw position errors of rows in time order: autocorrelated normal noise with a few outliers."""
    # An AR(1) process as a truncated moving average: importing scipy.signal would take ten times longer than
    # generating the default city.
    weight = NOISE_CORRELATION ** np.arange(NOISE_WINDOW)
    innovations = random.standard_normal((len(sigma) + NOISE_WINDOW - 1, 2)).view(np.complex128)[:, 0]
    smoothed: Complexes = np.convolve(innovations, weight / np.sqrt(np.sum(weight**2)), mode="valid")
    error = sigma * smoothed
    outliers = random.integers(len(sigma), size=random.binomial(len(sigma), OUTLIER_SHARE))
    nearest, farthest = OUTLIER_METRES
    distance = nearest * (farthest / nearest) ** random.random(len(outliers))
    error[outliers] = distance * np.exp(2j * np.pi * random.random(len(outliers)))
    return error
