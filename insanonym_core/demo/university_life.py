"""Simulate the students year by year: they arrive, continue, repeat, change, leave, return."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.demo.university_catalogue import COMPONENTS, FATES
from insanonym_core.demo.university_offer import FIRST_YEAR, LAST_YEAR, YEARS, Offer
from insanonym_core.numeric.arrays import Bools, Ints

WARM_UP = 15  # years before the first published one: some students of 2006 came long before
FIRST_YEAR_SHARE = 0.189  # share of all individuals who are there in 2006, as in the source
GROWTH = 0.02  # yearly growth of the number of newcomers
RETURN_CHANCE = 0.06  # chance that a student who leaves returns to another slot, two or three years later
SAME_COMPONENT_SHARE = 0.65  # of the students who change slot
NEXT_LEVEL_SHARE = 0.4  # of the students who change slot
NO_RETURN = LAST_YEAR + 1


@dataclass(frozen=True, eq=False)
class Enrolments:
    """One entry per enrolment: person, index into YEARS, slot, and rank among the person's enrolments."""

    person: Ints
    column: Ints
    slot: Ints
    nth: Ints
    first_slot: Ints  # of each person, not of each enrolment


def simulate_enrolments(offer: Offer, individuals: int, random: np.random.Generator) -> Enrolments:
    """Simulate all individuals up to 2015, and record the years from 2006."""
    next_year = _first_years(individuals, random)
    slot = random.choice(len(offer.slots), individuals, p=offer.weights)
    first_slot, nth = slot.copy(), np.zeros(individuals, dtype=np.int64)
    parts = []
    for year in range(FIRST_YEAR - WARM_UP, LAST_YEAR + 1):
        here = np.flatnonzero(next_year == year)
        nth[here] += 1
        if year >= FIRST_YEAR:
            parts.append((here, np.full(len(here), year - FIRST_YEAR), slot[here], nth[here]))
        slot[here], leaves = _draw_next_slots(offer, slot[here], random)
        next_year[here] += 1
        gone = here[leaves]
        if year < FIRST_YEAR:  # replace leavers by newcomers, so that 2006 has its full size
            slot[gone] = first_slot[gone] = random.choice(len(offer.slots), len(gone), p=offer.weights)
            nth[gone] = 0
        else:
            returns = random.random(len(gone)) < RETURN_CHANCE
            next_year[gone] = np.where(returns, year + random.integers(2, 4, len(gone)), NO_RETURN)
    person, column, slots, counts = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Enrolments(person, column, slots, counts, first_slot)


def _first_years(individuals: int, random: np.random.Generator) -> Ints:
    """Draw the year in which the simulation of each individual starts."""
    newcomers = (1 + GROWTH) ** np.arange(len(YEARS))
    newcomers *= (1 - FIRST_YEAR_SHARE) / newcomers[1:].sum()
    newcomers[0] = FIRST_YEAR_SHARE
    years = np.array(YEARS)
    years[0] -= WARM_UP
    return random.choice(years, individuals, p=newcomers)


def _draw_next_slots(offer: Offer, slot: Ints, random: np.random.Generator) -> tuple[Ints, Bools]:
    """Draw the slot of the next year, and who leaves (their slot is the one they may return to)."""
    draw = random.random(len(slot))
    choice = (draw[:, None] >= offer.next_chances[slot]).sum(axis=1)
    stays = choice < offer.next_chances.shape[1]
    goes_on = offer.next_slots[slot, np.where(stays, choice, 0)]
    changed = _draw_changes(offer, slot, random)
    change = np.array([FATES[f"{offered.kind}{offered.year}"].change for offered in offer.slots])
    leaves = ~stays & (draw >= offer.next_chances[slot, -1] + change[slot])
    return np.where(stays, goes_on, changed), leaves


def _draw_changes(offer: Offer, slot: Ints, random: np.random.Generator) -> Ints:
    """Draw another slot of the same or next level, preferably in the same component and a large subject."""
    names = list(COMPONENTS)
    level = np.array([offered.level for offered in offer.slots])
    component = np.array([names.index(offered.subject.component) for offered in offer.slots])
    # Slots are intervals of a line, ordered by level and component, with lengths by their weights: a
    # component of a level is one interval, and so is a whole level.
    group = level * len(names) + component
    order = np.argsort(group, kind="stable")
    ends = np.sqrt(offer.weights[order]).cumsum()
    edges = np.concatenate([[0.0], ends])
    wanted = level[slot] + (random.random(len(slot)) < NEXT_LEVEL_SHARE)
    stays = random.random(len(slot)) < SAME_COMPONENT_SHARE
    first = np.where(stays, wanted * len(names) + component[slot], wanted * len(names))
    last = np.where(stays, first + 1, first + len(names))
    start, stop = (edges[np.searchsorted(group[order], side)] for side in (first, last))
    target = np.searchsorted(ends, start + random.random(len(slot)) * (stop - start), side="right")
    return np.where(start < stop, order[target.clip(max=len(order) - 1)], slot)
