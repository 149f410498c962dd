"""Draw the inhabitants of the demonstration city: homes, workplaces, habits, night shift, twins.

A place is one complex number, metres east + i · metres north of the city's centre: its distance to another
place is the absolute value of their difference, and a walk between the two is an interpolation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.mobility.geometry import METRES_PER_DEGREE
from insanonym_core.numeric.arrays import Bools, Complexes, Floats, Ints

CENTRE = (45.76, 4.84)  # Lyon; everything else is synthetic
CITY_SPREAD = 4_000.0  # metres per axis: 95 % within 10 km of the centre
SUBURBS = 1_000 * np.array([14 + 6j, -3 + 16j, -15 - 4j, 4 - 14j, 17 - 10j])
SUBURB_SPREAD = 1_000.0
SUBURB_SHARE = 0.15
SHARED_BLOCK_SHARE = 0.35
PEOPLE_PER_BLOCK = 15
PEOPLE_PER_EMPLOYER = 4
DOOR_SPREAD = 15.0  # metres between people at the same address
NIGHT_SHIFT_SHARE = 0.065
MEAN_ROWS_PER_WEEK = 166.0  # before rows of the same second are dropped
MIN_ROWS_PER_WEEK = 25.0
ROWS_SIGMA = 0.9  # sigma of the log-normal numbers of rows: the top tenth has several times the median


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
    """Draw the inhabitants; two of the first group, the twins, share home, workplace and hours."""
    twins = random.permutation(min(users, first_group))[:2] if users > 1 else np.zeros(0, dtype=np.int64)
    others = random.permutation(users)
    others = others[~np.isin(others, twins)]
    works_nights = np.zeros(users, dtype=bool)
    works_nights[others[: max(1, round(NIGHT_SHIFT_SHARE * users)) if users >= 10 else 0]] = True

    rows = random.lognormal(0, ROWS_SIGMA, users)
    people = People(
        home=_draw_homes(users, random),
        work=_draw_workplaces(users, random),
        leaves_home=np.where(works_nights, 20.6, 7.7) + random.normal(0, 0.5, users).clip(-1, 1),
        hours_at_work=8.8 + random.normal(0, 0.4, users).clip(-1, 1),
        body_clock=random.normal(0, 0.7, users),
        rows_per_week=np.maximum(MIN_ROWS_PER_WEEK, MEAN_ROWS_PER_WEEK * rows / rows.mean()),
        noise=random.uniform(5, 15, users),
        works_nights=works_nights,
        twins=twins,
    )
    for place in (people.home, people.work):
        place += draw_normal_offsets(users, DOOR_SPREAD, random)
    people.rows_per_week[twins] = (
        MEAN_ROWS_PER_WEEK  # with very few rows the twins would be hard to tell from others
    )
    for trait in (people.home, people.work, people.leaves_home, people.hours_at_work):
        trait[twins[1:]] = trait[twins[:1]]
    return people


def _draw_homes(users: int, random: np.random.Generator) -> Complexes:
    """Draw homes: houses, and apartment blocks that several people share."""
    blocks = draw_residential_places(max(1, users // PEOPLE_PER_BLOCK), random)
    in_block = random.random(users) < SHARED_BLOCK_SHARE
    block_of = random.integers(len(blocks), size=users)
    return np.where(in_block, blocks[block_of], draw_residential_places(users, random))


def _draw_workplaces(users: int, random: np.random.Generator) -> Complexes:
    """Draw workplaces in the city; the sizes of the employers fall as 1/rank."""
    employers = draw_normal_offsets(1 + users // PEOPLE_PER_EMPLOYER, CITY_SPREAD, random)
    return employers[draw_zipf(len(employers), users, random)]


def draw_residential_places(count: int, random: np.random.Generator) -> Complexes:
    """Draw places around the city centre (normal) and in a few suburbs."""
    inside = draw_normal_offsets(count, CITY_SPREAD, random)
    outside = SUBURBS[random.integers(len(SUBURBS), size=count)] + draw_normal_offsets(
        count, SUBURB_SPREAD, random
    )
    return np.where(random.random(count) < SUBURB_SHARE, outside, inside)


def draw_zipf(choices: int, count: int, random: np.random.Generator) -> Ints:
    """Draw integers below `choices` with probabilities that fall as 1/rank (Zipf's law)."""
    weight = 1 / np.arange(1, choices + 1)
    return random.choice(choices, count, p=weight / weight.sum())


def draw_normal_offsets(count: int, metres: float, random: np.random.Generator) -> Complexes:
    """Draw normal offsets with a standard deviation of `metres` per axis."""
    return metres * random.standard_normal((count, 2)).view(np.complex128)[:, 0]


def to_degrees(place: Complexes) -> tuple[Floats, Floats]:
    """Latitude and longitude of places, by an equirectangular projection around CENTRE."""
    latitude = CENTRE[0] + place.imag / METRES_PER_DEGREE
    longitude = CENTRE[1] + place.real / (METRES_PER_DEGREE * np.cos(np.radians(CENTRE[0])))
    return np.round(latitude, 6), np.round(longitude, 6)
