"""Who lives in the demonstration city, and where: homes, workplaces, habits, the night shift, the twins.

A place is one complex number, metres east + i · metres north of the city's centre: its distance to another
place is the absolute value of their difference, and a walk between the two is an interpolation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.arrays import Bools, Complexes, Floats, Ints
from insanonym_core.mobility.geometry import METRES_PER_DEGREE

CENTRE = (45.76, 4.84)  # Lyon on the map, but nothing else here is
CITY_SPREAD = 4_000.0  # metres per axis: 95 % within 10 km of the centre
SUBURBS = 1_000 * np.array([14 + 6j, -3 + 16j, -15 - 4j, 4 - 14j, 17 - 10j])
SUBURB_SPREAD = 1_000.0
IN_SUBURBS = 0.15
IN_SHARED_BLOCK = 0.35
PEOPLE_PER_BLOCK = 15
PEOPLE_PER_EMPLOYER = 4
DOOR_SPREAD = 15.0  # neighbours and colleagues have doors and desks of their own
ON_NIGHT_SHIFT = 0.065
MEAN_ROWS_PER_WEEK = 166.0  # before rows of the same second are dropped
MIN_ROWS_PER_WEEK = 25.0
INEQUALITY = 0.9  # sigma of the log-normal numbers of rows: the top tenth has several times the median


@dataclass(frozen=True, eq=False)
class People:
    """One entry for each inhabitant; times are hours of the day."""

    home: Complexes
    work: Complexes
    leaves_home: Floats
    hours_at_work: Floats
    body_clock: Floats
    rows_per_week: Floats
    noise: Floats
    works_nights: Bools
    twins: Ints

    def __len__(self) -> int:
        return len(self.home)


def make_people(users: int, first_group: int, random: np.random.Generator) -> People:
    """Draw the inhabitants; two of the first group live and work alike, the twins."""
    twins = random.permutation(min(users, first_group))[:2] if users > 1 else np.zeros(0, dtype=np.int64)
    others = random.permutation(users)
    others = others[~np.isin(others, twins)]
    works_nights = np.zeros(users, dtype=bool)
    works_nights[others[: max(1, round(ON_NIGHT_SHIFT * users)) if users >= 10 else 0]] = True

    rows = random.lognormal(0, INEQUALITY, users)
    people = People(
        home=_homes(users, random),
        work=_workplaces(users, random),
        leaves_home=np.where(works_nights, 20.6, 7.7) + random.normal(0, 0.5, users).clip(-1, 1),
        hours_at_work=8.8 + random.normal(0, 0.4, users).clip(-1, 1),
        body_clock=random.normal(0, 0.7, users),
        rows_per_week=np.maximum(MIN_ROWS_PER_WEEK, MEAN_ROWS_PER_WEEK * rows / rows.mean()),
        noise=random.uniform(5, 15, users),
        works_nights=works_nights,
        twins=twins,
    )
    for place in (people.home, people.work):
        place += scatter(users, DOOR_SPREAD, random)
    people.rows_per_week[twins] = MEAN_ROWS_PER_WEEK  # with very few rows anybody would be hard to tell apart
    for trait in (people.home, people.work, people.leaves_home, people.hours_at_work):
        trait[twins[1:]] = trait[twins[:1]]
    return people


def _homes(users: int, random: np.random.Generator) -> Complexes:
    """Houses, and apartment blocks that several people share."""
    blocks = residential(max(1, users // PEOPLE_PER_BLOCK), random)
    in_block = random.random(users) < IN_SHARED_BLOCK
    block_of = random.integers(len(blocks), size=users)
    return np.where(in_block, blocks[block_of], residential(users, random))


def _workplaces(users: int, random: np.random.Generator) -> Complexes:
    """A few big employers and many small ones, all in the city: sizes fall as 1/rank."""
    employers = scatter(1 + users // PEOPLE_PER_EMPLOYER, CITY_SPREAD, random)
    return employers[by_rank(len(employers), users, random)]


def residential(count: int, random: np.random.Generator) -> Complexes:
    """Places all over the city, thinning out from its centre, and in a few suburbs around it."""
    inside = scatter(count, CITY_SPREAD, random)
    outside = SUBURBS[random.integers(len(SUBURBS), size=count)] + scatter(count, SUBURB_SPREAD, random)
    return np.where(random.random(count) < IN_SUBURBS, outside, inside)


def by_rank(choices: int, count: int, random: np.random.Generator) -> Ints:
    """Numbers below `choices`, drawn with probabilities that fall as 1/rank (Zipf's law)."""
    weight = 1 / np.arange(1, choices + 1)
    return random.choice(choices, count, p=weight / weight.sum())


def scatter(count: int, metres: float, random: np.random.Generator) -> Complexes:
    """Normal steps of `metres` per axis."""
    return metres * random.standard_normal((count, 2)).view(np.complex128)[:, 0]


def to_degrees(place: Complexes) -> tuple[Floats, Floats]:
    """Latitude and longitude of places, on a map that is flat enough for a city."""
    latitude = CENTRE[0] + place.imag / METRES_PER_DEGREE
    longitude = CENTRE[1] + place.real / (METRES_PER_DEGREE * np.cos(np.radians(CENTRE[0])))
    return np.round(latitude, 6), np.round(longitude, 6)
