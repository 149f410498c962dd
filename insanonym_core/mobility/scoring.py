"""Score of an attack: competition score and share of individuals re-identified, each with an interval."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from insanonym_core.mobility.competition import Footprint, Guesses
from insanonym_core.mobility.track import week_label
from insanonym_core.numeric.arrays import Floats, Ints, one_thread
from insanonym_core.numeric.grouping import sum_by_group
from insanonym_core.results.scores import Bars, Score
from insanonym_core.texts import Phrase

DRAWS = 1000
LEVEL = 0.95
MAX_DRAWN = 20_000  # individuals; above, the normal interval replaces the bootstrap, which converges to it
_NORMAL = 1.959963984540054


def score_guesses(secret: Footprint, guesses: Guesses) -> Score:
    """Competition score: the share of pairs found, where DEL is right for a week without kept rows.

    A list of N different guesses that holds the answer earns 1/N. `reidentified` counts tokens only: a
    deleted week re-identifies nobody.
    """
    coded = secret.encode(guesses)
    points_of_pair = coded.points(secret.answer)
    sampled = np.ones(secret.pairs, dtype=bool) if coded.sampled is None else coded.sampled
    people = secret.units.name[sampled]
    competition, reidentified = Share.from_scorings(
        people, (points_of_pair[sampled], np.where(secret.kept, points_of_pair, 0)[sampled])
    )
    weeks, place = secret.weeks
    found_by_week = sum_by_group(
        place[sampled], np.where(secret.kept, points_of_pair, 0)[sampled], len(weeks)
    )
    people_by_week = np.bincount(place[sampled], minlength=len(weeks))
    return Score(
        competition.value,
        (share_by_week(weeks, found_by_week, people_by_week, secret.min_holders),),
        {
            "chance": secret.chance(coded.sampled),
            "pairs": secret.pairs,
            "reidentified": reidentified.value,
            "reidentified_low": reidentified.low,
            "reidentified_high": reidentified.high,
            "chance_reidentified": secret.chance_reidentified(coded.sampled),
            "deleted_pairs": int((~secret.kept).sum()),
            **({} if coded.sampled is None else {"sampled_pairs": int(sampled.sum())}),
        },
        (competition.low, competition.high),
    )


class Share(NamedTuple):
    """A share of pairs with its 95 % interval over individuals, whose weeks are not independent."""

    value: float
    low: float
    high: float

    @classmethod
    def from_points(cls, person: Ints, points: Floats) -> Share:
        """Share of the points of each pair; `person` is the individual of each pair."""
        return cls.from_scorings(person, (points,))[0]

    @classmethod
    def from_scorings(cls, person: Ints, scorings: Sequence[Floats]) -> list[Share]:
        """Shares of several scorings of the same pairs."""
        pairs_of_person = np.bincount(person)
        pairs = pairs_of_person[pairs_of_person > 0].astype(np.float64)
        points_of_person = [
            sum_by_group(person, points_of_pairs)[pairs_of_person > 0] for points_of_pairs in scorings
        ]
        drawn: Floats | None = None
        if 0 < len(pairs) <= MAX_DRAWN:
            with one_thread():
                drawn = np.stack([pairs, *points_of_person]) @ _times_drawn(len(pairs))
        return [
            cls._from_totals(pairs, points, None if drawn is None else drawn[place] / drawn[0])
            for place, points in enumerate(points_of_person, start=1)
        ]

    @classmethod
    def _from_totals(cls, pairs: Floats, points: Floats, drawn: Floats | None) -> Share:
        people = len(pairs)
        if people == 0:
            return cls(0.0, 0.0, 1.0)
        value = float(points.sum() / pairs.sum())
        if value in (0.0, 1.0):  # Clopper–Pearson: all draws of the bootstrap would be equal
            bound = ((1 - LEVEL) / 2) ** (1 / people)
            return cls(value, 0.0, 1 - bound) if value == 0 else cls(value, bound, 1.0)
        if drawn is None:
            spread = float(np.sqrt(((points - value * pairs) ** 2).sum()) / pairs.sum())
            return cls(value, max(0.0, value - _NORMAL * spread), min(1.0, value + _NORMAL * spread))
        low, high = np.percentile(drawn, (2.5, 97.5))
        return cls(value, float(low), float(high))


@lru_cache(maxsize=2)
def _times_drawn(people: int) -> Floats:
    """Bootstrap weights: how often each individual is taken in each draw."""
    drawn = np.random.default_rng(0)
    times = np.zeros((people, DRAWS))
    for draw in range(DRAWS):
        times[:, draw] = np.bincount(drawn.integers(0, people, size=people), minlength=people)
    return times


def share_by_week(
    weeks: Ints,
    points: Floats,
    people: Ints,
    min_individuals: int,
    title: str = "Share re-identified in each week",
) -> Bars:
    """Share in each week; weeks with fewer than `min_individuals` are shown together, to name nobody."""
    large = people >= min_individuals
    labels = [week_label(week) for week in weeks[large].tolist()]
    shares = (points[large] / people[large]).tolist()
    if not large.all():
        labels.append(Phrase("(other weeks)"))
        shares.append(float(points[~large].sum() / people[~large].sum()))
    return Bars(
        title,
        "share of the individuals",
        tuple(labels),
        np.array(shares),
        share=True,
        shows_individuals=False,
    )
