"""Attacks on avatars: was this person in the table, and which avatar is theirs?

Closeness alone misleads: a low DCR can be a dense region, a high one can still give members away.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from insanonym_core.avatars.generate import nearest
from insanonym_core.avatars.metrics._shared import SpaceName, histogram, why_unpaired
from insanonym_core.avatars.release import Avatars, Rehearsal, score_rehearsal
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.intervals import mean_interval
from insanonym_core.parameters import Range
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Score
from insanonym_core.results.threats import INFERENCE, LINKABILITY, Threat
from insanonym_core.tabular.subsets import sample_subsets

RESAMPLES = 200
MAX_RESAMPLED = 50_000
MAX_SUBSETS = 50
MAX_PEOPLE_TRIED = 2000
_MEMBERSHIP_SEED, _LINKAGE_SEED = 2, 3


def area_under_curve(members: Floats, others: Floats) -> float:
    """Return the AUC: the chance that a member scores higher than a non-member, ties counting half."""
    ranks, n_ranks = _joint_ranks(members, others)
    return _auc_from_counts(*(np.bincount(part, minlength=n_ranks) for part in ranks))


def bootstrap(members: Floats, others: Floats, draw: np.random.Generator) -> Floats:
    """Return bootstrap replicates of the AUC, over at most MAX_RESAMPLED people of each group.

    A sample of m of n people varies √(n/m) times as much, so the deviations are scaled by √(m/n).
    """
    ranks, n_ranks = _joint_ranks(members, others)
    sizes = [min(len(group), MAX_RESAMPLED) for group in ranks]
    areas = np.array(
        [
            _auc_from_counts(
                *(
                    np.bincount(group[draw.integers(len(group), size=size)], minlength=n_ranks)
                    for group, size in zip(ranks, sizes, strict=True)
                )
            )
            for _ in range(RESAMPLES)
        ]
    )
    estimate = area_under_curve(members, others)
    return estimate + (areas - estimate) * np.sqrt(sum(sizes) / (len(members) + len(others)))


def _joint_ranks(members: Floats, others: Floats) -> tuple[tuple[Ints, Ints], int]:
    """Return both groups as ranks among all distinct values, and the number of distinct values."""
    distinct, rank = np.unique(np.concatenate((members, others)), return_inverse=True)
    return (rank[: len(members)], rank[len(members) :]), len(distinct)


def _auc_from_counts(members: Ints, others: Ints) -> float:
    """Return the AUC from the number of members and others at each distinct value, in ascending order."""
    lower = np.cumsum(others) - others
    return float(members @ (lower + 0.5 * others) / (members.sum() * others.sum()))


def auc_advantage(area: float) -> float:
    """Return 2·max(0, AUC − ½): 0 for random guessing, 1 for an attacker who is never wrong."""
    return 2 * max(0.0, area - 0.5)


@metrics.add(
    "membership_auc",
    data="avatars",
    family="privacy",
    title="Membership inference (AUC)",
    better="lower",
    bounds=(0, 1),
    order=10,
    formula="AUC of minus the distance to the nearest avatar, training half against held-out half",
    threat=Threat(
        INFERENCE,
        "an attacker who asks who was in the data gets {share} of the way from guessing to certainty",
        share=lambda score: auc_advantage(score.value),
        interval=lambda score: (
            score.interval and (auc_advantage(score.interval[0]), auc_advantage(score.interval[1]))
        ),
        chance=lambda score: 0.0,
    ),
)
def membership_auc(avatars: Avatars, *, space: SpaceName = "pca") -> Score:
    """How well an attacker guesses who was in the data by the distance to the nearest avatar; 0.5 is chance.

    Avatars are made from one half of the people; the other half are people who were not in it. The interval
    is a bootstrap over people.
    """

    def score(rehearsal: Rehearsal) -> Score:
        train, held_out, synthetic = rehearsal.points(space)
        members, others = (-nearest(half, synthetic, 1).distance[:, 0] for half in (train, held_out))
        draw = np.random.default_rng([avatars.split_seed, _MEMBERSHIP_SEED])
        low, high = np.quantile(bootstrap(members, others, draw), (0.025, 0.975))
        value = area_under_curve(members, others)
        groups = {"in the data": -members, "not in the data": -others}
        return Score(
            value,
            (histogram("Distance of people to the nearest avatar", "distance", groups),),
            {"gain": 2 * abs(value - 0.5), "members": len(members), "others": len(others), "chance": 0.5},
            (min(float(low), value), max(float(high), value)),
        )

    return score_rehearsal(avatars, score)


@metrics.add(
    "linkage",
    data="avatars",
    family="privacy",
    title="Linkage success",
    better="lower",
    bounds=(0, 1),
    order=11,
    formula="mean over m-subsets of columns of the share of originals whose nearest avatar is their own",
    threat=Threat(LINKABILITY, "{share} of the people are found by a few columns that an attacker knows"),
)
def linkage(
    avatars: Avatars,
    *,
    known: Annotated[int, Range(1, 10, whole=True, unit="columns")] = 3,
) -> Score:
    """How often an attacker who knows some columns of a person finds that person's avatar.

    The mean over all subsets of that many columns (at most 50 drawn ones), the worst subset beside it. Among
    more than 2,000 people, 2,000 drawn ones are sought. The interval is a bootstrap over people.
    """
    if avatars.owner is None:
        return Score.undefined(why_unpaired(avatars))
    space, owner = avatars.space, avatars.owner
    person = np.arange(avatars.original.rows) if avatars.person is None else avatars.person
    draw = np.random.default_rng(avatars.split_seed)
    names = [column.name for column in (*space.numbers, *space.categories)]
    subsets = sample_subsets(names, min(known, len(names)), MAX_SUBSETS, draw)
    places = space.column_slices
    real, synthetic = avatars.points("columns")
    rows = np.arange(len(real))
    if len(rows) > MAX_PEOPLE_TRIED:
        rows = np.sort(draw.choice(len(real), MAX_PEOPLE_TRIED, replace=False))
    is_found = np.zeros((len(subsets), len(rows)), dtype=bool)
    for number, subset in enumerate(subsets):
        columns = np.concatenate([np.arange(len(space.centre))[places[name]] for name in subset])
        # The subset has few columns, even if their texts have many values: a tree is fast.
        nearest_avatar = nearest(real[np.ix_(rows, columns)], synthetic[:, columns], 1, tree=True).index[:, 0]
        is_found[number] = person[owner[nearest_avatar]] == person[rows]
    shares = is_found.mean(axis=1)
    chance = 1 / len(synthetic)
    labels = tuple(" + ".join(subset) for subset in subsets)
    bars = Bars(
        "People found by what is known",
        "share",
        labels,
        shares,
        {"chance": chance},
        share=True,
        shows_individuals=False,
    )
    return Score(
        float(np.mean(shares)),
        (bars,),
        {"worst": float(shares.max()), "subsets": len(subsets), "chance": chance, "rows_tried": len(rows)},
        mean_interval(is_found.mean(axis=0), np.random.default_rng([avatars.split_seed, _LINKAGE_SEED])),
    )
