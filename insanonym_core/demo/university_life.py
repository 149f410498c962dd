"""Students of the invented university, year after year: they arrive, go on, repeat, change, leave, return."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.arrays import Bools, Ints
from insanonym_core.demo.university_catalogue import COMPONENTS, FATES
from insanonym_core.demo.university_offer import FIRST_YEAR, LAST_YEAR, YEARS, Offer

WARM_UP = 15  # years before the first published one: some students of 2006 came long before
IN_FIRST_YEAR = 0.189  # share of all individuals who are there in 2006, as in the source
GROWTH = 0.02  # a year, of the newcomers
RETURNS = 0.06  # chance that who leaves comes back after a year or two, elsewhere
STAYS_IN_COMPONENT = 0.65  # who changes
GOES_UP = 0.4  # who changes, to the next level
NEVER = LAST_YEAR + 1


@dataclass(frozen=True, eq=False)
class Enrolments:
    """One entry for each enrolment: whose, in which column of YEARS, in which slot, the first or the nth."""

    person: Ints
    column: Ints
    slot: Ints
    nth: Ints
    first_slot: Ints  # of each person, not of each enrolment


def live(offer: Offer, individuals: int, random: np.random.Generator) -> Enrolments:
    """Let everybody live from before 2006 to 2015, and write down the published years."""
    next_year = _first_years(individuals, random)
    slot = random.choice(len(offer.slots), individuals, p=offer.weights)
    first_slot, nth = slot.copy(), np.zeros(individuals, dtype=np.int64)
    parts = []
    for year in range(FIRST_YEAR - WARM_UP, LAST_YEAR + 1):
        here = np.flatnonzero(next_year == year)
        nth[here] += 1
        if year >= FIRST_YEAR:
            parts.append((here, np.full(len(here), year - FIRST_YEAR), slot[here], nth[here]))
        slot[here], leaves = _move(offer, slot[here], random)
        next_year[here] += 1
        gone = here[leaves]
        if year < FIRST_YEAR:  # a newcomer takes the place: nobody of these years is missing in 2006
            slot[gone] = first_slot[gone] = random.choice(len(offer.slots), len(gone), p=offer.weights)
            nth[gone] = 0
        else:
            returns = random.random(len(gone)) < RETURNS
            next_year[gone] = np.where(returns, year + random.integers(2, 4, len(gone)), NEVER)
    person, column, slots, counts = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Enrolments(person, column, slots, counts, first_slot)


def _first_years(individuals: int, random: np.random.Generator) -> Ints:
    """The year in which each individual is first looked at."""
    newcomers = (1 + GROWTH) ** np.arange(len(YEARS))
    newcomers *= (1 - IN_FIRST_YEAR) / newcomers[1:].sum()
    newcomers[0] = IN_FIRST_YEAR
    years = np.array(YEARS)
    years[0] -= WARM_UP
    return random.choice(years, individuals, p=newcomers)


def _move(offer: Offer, slot: Ints, random: np.random.Generator) -> tuple[Ints, Bools]:
    """The slot of the year after, and who leaves (their slot is where they would go if they came back)."""
    draw = random.random(len(slot))
    choice = (draw[:, None] >= offer.next_chances[slot]).sum(axis=1)
    stays = choice < offer.next_chances.shape[1]
    goes_on = offer.next_slots[slot, np.where(stays, choice, 0)]
    changed = _change(offer, slot, random)
    change = np.array([FATES[f"{one.kind}{one.year}"].change for one in offer.slots])
    leaves = ~stays & (draw >= offer.next_chances[slot, -1] + change[slot])
    return np.where(stays, goes_on, changed), leaves


def _change(offer: Offer, slot: Ints, random: np.random.Generator) -> Ints:
    """Another slot of the same or the next level, more often in the same component and in a large subject."""
    names = list(COMPONENTS)
    level = np.array([one.level for one in offer.slots])
    component = np.array([names.index(one.subject.component) for one in offer.slots])
    # Slots lie on a line, ordered by level and component, the likely ones longer: then a component of a level
    # is a stretch of the line, and so is a whole level.
    group = level * len(names) + component
    order = np.argsort(group, kind="stable")
    ends = np.sqrt(offer.weights[order]).cumsum()
    edges = np.concatenate([[0.0], ends])
    wanted = level[slot] + (random.random(len(slot)) < GOES_UP)
    stays = random.random(len(slot)) < STAYS_IN_COMPONENT
    first = np.where(stays, wanted * len(names) + component[slot], wanted * len(names))
    last = np.where(stays, first + 1, first + len(names))
    start, stop = (edges[np.searchsorted(group[order], side)] for side in (first, last))
    target = np.searchsorted(ends, start + random.random(len(slot)) * (stop - start), side="right")
    return np.where(start < stop, order[target.clip(max=len(order) - 1)], slot)
