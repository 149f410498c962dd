"""The score of an attack: the competition's, and the share of people re-identified, each with an interval."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.grouping import sum_by_group
from insanonym_core.mobility.competition import Footprint, Guesses
from insanonym_core.mobility.track import week_label
from insanonym_core.scores import Bars, Score
from insanonym_core.texts import Phrase

DRAWS = 1000
LEVEL = 0.95
MAX_DRAWN = 20_000  # people; above, the bootstrap is replaced by the normal interval to which it tends
_NORMAL = 1.959963984540054


def score_guesses(secret: Footprint, guesses: Guesses) -> Score:
    """The competition's score: the share found, where DEL is right for a week that was deleted whole.

    A list of N different guesses that holds the right one earns 1/N. `reidentified` counts pseudonyms only:
    nobody is found in what was deleted.
    """
    tries = secret.coded(guesses)
    earned = tries.earned(secret.answer)
    tried = np.ones(secret.pairs, dtype=bool) if tries.tried is None else tries.tried
    people = secret.units.name[tried]
    competition, found = Share.from_scorings(people, (earned[tried], np.where(secret.kept, earned, 0)[tried]))
    weeks, place = secret.weeks
    found_by_week = sum_by_group(place[tried], np.where(secret.kept, earned, 0)[tried], len(weeks))
    people_by_week = np.bincount(place[tried], minlength=len(weeks))
    return Score(
        competition.value,
        (share_by_week(weeks, found_by_week, people_by_week, secret.min_holders),),
        {
            "chance": secret.chance(tries.tried),
            "pairs": secret.pairs,
            "reidentified": found.value,
            "reidentified_low": found.low,
            "reidentified_high": found.high,
            "chance_reidentified": secret.chance_reidentified(tries.tried),
            "deleted_pairs": int((~secret.kept).sum()),
            **({} if tries.tried is None else {"sampled_pairs": int(tried.sum())}),
        },
        (competition.low, competition.high),
    )


class Share(NamedTuple):
    """A share of the pairs with its 95 % interval over people: the weeks of a person are not independent."""

    value: float
    low: float
    high: float

    @classmethod
    def from_points(cls, person: Ints, points: Floats) -> Share:
        """Of points for each pair, given whose it is."""
        return cls.from_scorings(person, (points,))[0]

    @classmethod
    def from_scorings(cls, person: Ints, scorings: Sequence[Floats]) -> list[Share]:
        """Of several scorings of the same pairs."""
        number = np.bincount(person)
        pairs = number[number > 0].astype(np.float64)
        found = [sum_by_group(person, points)[number > 0] for points in scorings]
        drawn: Floats | None = None
        if 0 < len(pairs) <= MAX_DRAWN:
            # Not by a matrix product: its threads would spin for longer than this takes.
            drawn = np.einsum("ij,kj->ik", _times_drawn(len(pairs)), np.stack([pairs, *found]))
        return [
            cls._from_totals(pairs, one, None if drawn is None else drawn[:, place] / drawn[:, 0])
            for place, one in enumerate(found, start=1)
        ]

    @classmethod
    def _from_totals(cls, pairs: Floats, found: Floats, drawn: Floats | None) -> Share:
        people = len(pairs)
        if people == 0:
            return cls(0.0, 0.0, 1.0)
        value = float(found.sum() / pairs.sum())
        if value in (0.0, 1.0):  # Clopper–Pearson: no draw of the bootstrap would differ
            bound = ((1 - LEVEL) / 2) ** (1 / people)
            return cls(value, 0.0, 1 - bound) if value == 0 else cls(value, bound, 1.0)
        if drawn is None:
            spread = float(np.sqrt(((found - value * pairs) ** 2).sum()) / pairs.sum())
            return cls(value, max(0.0, value - _NORMAL * spread), min(1.0, value + _NORMAL * spread))
        low, high = np.percentile(drawn, (2.5, 97.5))
        return cls(value, float(low), float(high))


@lru_cache(maxsize=2)
def _times_drawn(people: int) -> Floats:
    """How often each draw of the bootstrap takes each person."""
    drawn = np.random.default_rng(0)
    times = np.zeros((DRAWS, people))
    for row in times:
        row[:] = np.bincount(drawn.integers(0, people, size=people), minlength=people)
    return times


def share_by_week(
    weeks: Ints, found: Floats, people: Ints, fewest: int, title: str = "Share re-identified in each week"
) -> Bars:
    """The share in each week; weeks with few individuals, who could be known by them, together."""
    named = people >= fewest
    labels = [week_label(week) for week in weeks[named].tolist()]
    shares = (found[named] / people[named]).tolist()
    if not named.all():
        labels.append(Phrase("(other weeks)"))
        shares.append(float(found[~named].sum() / people[~named].sum()))
    return Bars(title, "share of the individuals", tuple(labels), np.array(shares), shows_individuals=False)
