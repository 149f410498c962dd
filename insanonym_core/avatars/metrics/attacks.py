"""Attacks on avatars: was this person in the table, and which avatar is theirs?

Closeness alone misleads: a low DCR can be a dense region, a high one can still give members away.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.avatars.generate import nearest
from insanonym_core.avatars.metrics.closeness import Where, histogram
from insanonym_core.avatars.release import Avatars, Rehearsal, rehearsed
from insanonym_core.avatars.space import Space
from insanonym_core.parameters import Range
from insanonym_core.registry import metrics
from insanonym_core.scores import Bars, Score
from insanonym_core.tabular.subsets import some_subsets

RESAMPLES = 200
MOST_RESAMPLED = 2000
MOST_SUBSETS = 50
_AFTER_THE_SPLIT = 2


def area_under_curve(members: Floats, others: Floats) -> float:
    """Chance that a member scores higher than another person, ties counting half."""
    both = np.concatenate((members, others))
    order = np.argsort(both, kind="stable")
    rank = np.empty(len(both))
    rank[order] = np.arange(1, len(both) + 1)
    _, place, count = np.unique(both, return_inverse=True, return_counts=True)
    rank = (np.bincount(place, rank) / count)[place]
    wins = rank[: len(members)].sum() - len(members) * (len(members) + 1) / 2
    return float(wins / (len(members) * len(others)))


@metrics.add(
    "membership_auc",
    data="avatars",
    family="privacy",
    title="Membership inference (AUC)",
    better="lower",
    bounds=(0, 1),
    order=10,
    formula="AUC of minus the distance to the nearest avatar, training half against held-out half",
)
def membership_auc(avatars: Avatars, *, space: Where = "pca") -> Score:
    """How well an attacker tells who was in the data by how close they are to an avatar; 0.5 is a coin.

    Avatars are made from one half of the people; the other half are people who were not in it. The interval
    is a bootstrap over people.
    """

    def score(rehearsal: Rehearsal) -> Score:
        train, held_out, made = rehearsal.placed(space)
        members, others = (-nearest(part, made, 1).distance[:, 0] for part in (train, held_out))
        draw = np.random.default_rng([avatars.split_seed, _AFTER_THE_SPLIT])
        sizes = min(len(members), MOST_RESAMPLED), min(len(others), MOST_RESAMPLED)
        drawn = [
            area_under_curve(draw.choice(members, sizes[0]), draw.choice(others, sizes[1]))
            for _ in range(RESAMPLES)
        ]
        low, high = np.quantile(drawn, (0.025, 0.975))
        value = area_under_curve(members, others)
        groups = {"in the data": -members, "not in the data": -others}
        return Score(
            value,
            (histogram("Distance of people to the nearest avatar", "distance", groups),),
            {"gain": 2 * abs(value - 0.5), "members": len(members), "others": len(others), "chance": 0.5},
            (min(float(low), value), max(float(high), value)),
        )

    return rehearsed(avatars, score)


@metrics.add(
    "linkage",
    data="avatars",
    family="privacy",
    title="Linkage success",
    better="lower",
    bounds=(0, 1),
    order=11,
    formula="mean over m-subsets of columns of the share of originals whose nearest avatar is their own",
)
def linkage(
    avatars: Avatars,
    *,
    known: Annotated[int, Range(1, 10, whole=True, unit="columns")] = 3,
) -> Score:
    """How often an attacker who knows some columns of a person finds that person's avatar.

    The mean over all subsets of that many columns (at most 50 drawn ones), the worst subset beside it.
    """
    if avatars.owner is None:
        return Score.undefined("who is behind which row is not known: the pairing is needed")
    space, owner = avatars.space, avatars.owner
    names = [column.name for column in (*space.numbers, *space.categories)]
    subsets = some_subsets(
        names, min(known, len(names)), MOST_SUBSETS, np.random.default_rng(avatars.split_seed)
    )
    places = _places(space)
    real, made = avatars.points("columns")
    shares = []
    for some in subsets:
        columns = np.concatenate([places[name] for name in some])
        found = nearest(real[:, columns], made[:, columns], 1).index[:, 0]
        shares.append(float((owner[found] == np.arange(len(real))).mean()))
    chance = 1 / len(real)
    labels = tuple(" + ".join(some) for some in subsets)
    return Score(
        float(np.mean(shares)),
        (Bars("People found by what is known", "share", labels, np.array(shares), {"chance": chance}),),
        {"worst": max(shares), "subsets": len(subsets), "chance": chance},
    )


def _places(space: Space) -> dict[str, Ints]:
    """Which columns of the matrix belong to which column of the table."""
    places: dict[str, Ints] = {column.name: np.array([place]) for place, column in enumerate(space.numbers)}
    start = len(space.numbers)
    for column in space.categories:
        places[column.name] = np.arange(start, start + column.domain)
        start += column.domain
    return places
