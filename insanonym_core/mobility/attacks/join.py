"""People are told by the very moments of their records: a join on the published time."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Bools, Floats, Ints
from insanonym_core.grouping import joint_codes, starts_of_runs
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import Costs
from insanonym_core.mobility.matching import guess_matched, kept_costs
from insanonym_core.mobility.moments import Times
from insanonym_core.mobility.overlap import Counted, shared_counts
from insanonym_core.registry import attacks


@attacks.add(
    "join",
    data="mobility",
    title="Same published times",
    formula="− records with the same time / max(rows, rows′)",
    order=11,
)
def join(known: Crowd, seen: Crowd) -> Guesses:
    """Matches people and pseudonyms of a week one-to-one by the records that have the same published time.

    Whoever shares no time with any pseudonym gives no guess.
    """

    def shares_nothing(table: Floats) -> Bools:
        return (table == 0).all(axis=1)

    return guess_matched(known, seen, join_costs(known, seen), shares_nothing)


def join_costs(known: Crowd, seen: Crowd) -> Costs:
    """Minus the share of records with a time in common."""
    ours, theirs = Moments(known.times(), len(known)), Moments(seen.times(), len(seen))

    def costs(people: Ints, candidates: Ints) -> Floats:
        rows = np.maximum(known.rows[people][:, None], seen.rows[candidates][None, :])
        return -in_common(ours, theirs, people, candidates) / rows

    return kept_costs("join", known, seen, costs)


class Moments:
    """Whole numbers of each unit (times, gaps), unit by unit in ascending order."""

    def __init__(self, values: Times, units: int) -> None:
        self.value = values.time
        self.ends = np.concatenate(([0], np.cumsum(np.bincount(values.unit, minlength=units))))

    def counted(self, units: Ints) -> tuple[Ints, Ints, Ints]:
        """The place of the unit, the value and how often, for some units."""
        length = self.ends[units + 1] - self.ends[units]
        place = np.repeat(np.arange(len(units)), length)
        first = np.repeat(self.ends[units] - (np.cumsum(length) - length), length)
        value = self.value[first + np.arange(len(first))]
        starts = starts_of_runs(place, value)
        return place[starts], value[starts], np.diff(np.append(starts, len(value)))


def in_common(ours: Moments, theirs: Moments, people: Ints, candidates: Ints) -> Floats:
    """How many values known and seen units have in common, as multisets."""
    unit, value, count = ours.counted(people)
    seen_unit, seen_value, seen_count = theirs.counted(candidates)
    item, seen_item, items = joint_codes((value,), (seen_value,))
    return shared_counts(
        Counted(unit, item, count),
        Counted(seen_unit, seen_item, seen_count),
        (len(people), len(candidates)),
        items,
    )
