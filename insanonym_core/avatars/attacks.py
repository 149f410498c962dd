"""Attacks on avatars: was this person in the table, and which avatar is theirs?

Closeness alone misleads: a low DCR can be a dense region, a high one can still give members away.
"""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Floats
from insanonym_core.avatars.generate import nearest
from insanonym_core.avatars.make import Avatars, AvatarSettings, make_avatars
from insanonym_core.avatars.space import Space
from insanonym_core.errors import DataError
from insanonym_core.scores import Bars, Score
from insanonym_core.tabular.subsets import some_subsets
from insanonym_core.tabular.table import Table

RESAMPLES = 200
MOST_RESAMPLED = 2000
MOST_SUBSETS = 50


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


def membership_inference(table: Table, settings: AvatarSettings, generator: np.random.Generator) -> Score:
    """AUC of an attacker who says "member" the closer a person is to the nearest avatar.

    Avatars are made from one half of the table; the other half are people who were not in it. 0.5 is a coin.
    The interval is a bootstrap over people.
    """
    half = table.rows // 2
    if half < 3:
        raise DataError(
            f"Membership inference needs at least 6 rows to split, and the table has {table.rows}."
        )
    order = generator.permutation(table.rows)
    train, held_out = table.take(np.sort(order[:half])), table.take(np.sort(order[half : 2 * half]))
    made = make_avatars(train, settings, generator)
    avatars = made.space.project(made.space.columns(made.published))
    members, others = (
        -nearest(made.space.project(made.space.columns(part)), avatars, 1).distance[:, 0]
        for part in (made.original, held_out)
    )
    sizes = min(len(members), MOST_RESAMPLED), min(len(others), MOST_RESAMPLED)
    drawn = [
        area_under_curve(generator.choice(members, sizes[0]), generator.choice(others, sizes[1]))
        for _ in range(RESAMPLES)
    ]
    low, high = np.quantile(drawn, (0.025, 0.975))
    value = area_under_curve(members, others)
    labels = ("members", "others")
    medians = np.array([-np.median(members), -np.median(others)])
    return Score(
        value,
        (Bars("Median distance to the nearest avatar", "distance", labels, medians),),
        {"gain": 2 * abs(value - 0.5), "members": len(members), "others": len(others)},
        (min(float(low), value), max(float(high), value)),
    )


def linkage(avatars: Avatars, known: int = 3, generator: np.random.Generator | None = None) -> Score:
    """Share of people whose nearest avatar on the columns an attacker knows is their own.

    Mean over all subsets of that many columns (at most 50 drawn ones), the worst subset beside it.
    """
    draw = generator or np.random.default_rng(0)
    names = [column.name for column in (*avatars.space.numbers, *avatars.space.categories)]
    size = min(known, len(names))
    subsets = some_subsets(names, size, MOST_SUBSETS, draw)
    places = _places(avatars.space)
    real, made = avatars.space.columns(avatars.original), avatars.space.columns(avatars.published)
    shares = []
    for some in subsets:
        columns = np.concatenate([places[name] for name in some])
        found = nearest(real[:, columns], made[:, columns], 1).index[:, 0]
        shares.append(float((avatars.owner[found] == np.arange(len(real))).mean()))
    return Score(
        float(np.mean(shares)),
        (
            Bars(
                "People found by what is known",
                "share",
                tuple(" + ".join(some) for some in subsets),
                np.array(shares),
            ),
        ),
        {"worst": max(shares), "subsets": len(subsets), "chance": 1 / len(real)},
    )


def _places(space: Space) -> dict[str, Floats]:
    """Which columns of the matrix belong to which column of the table."""
    places: dict[str, Floats] = {column.name: np.array([place]) for place, column in enumerate(space.numbers)}
    start = len(space.numbers)
    for column in space.categories:
        places[column.name] = np.arange(start, start + column.domain)
        start += column.domain
    return places
