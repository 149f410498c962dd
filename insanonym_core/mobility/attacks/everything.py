"""All clues together, by an attacker who knows the recipe and tries it out: the strongest that we have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from insanonym_core.arrays import Bools, Floats, Ints
from insanonym_core.grouping import starts_of_runs
from insanonym_core.mobility.attacks.gaps import gaps_costs
from insanonym_core.mobility.attacks.heatmap import topsoe_costs
from insanonym_core.mobility.attacks.hours import hours_costs
from insanonym_core.mobility.attacks.join import join_costs
from insanonym_core.mobility.attacks.mean_position import mean_position_costs
from insanonym_core.mobility.attacks.path import path_costs
from insanonym_core.mobility.attacks.row_count import row_count_costs
from insanonym_core.mobility.competition import Guesses, footprint
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import Costs
from insanonym_core.mobility.matching import guess_one_to_one, round_to_billionths
from insanonym_core.mobility.pair import Pair
from insanonym_core.registry import attacks

MAX_PEOPLE = 2_000  # of a week; above, a sample of them is looked for
MAX_LEARNT = (
    2_000_000  # pairs of a person and a candidate; above, the weights are learnt on some of the people
)


def _heatmap(known: Crowd, seen: Crowd) -> Costs:
    return topsoe_costs(known, seen, 2)


CLUES: tuple[Callable[[Crowd, Crowd], Costs], ...] = (
    mean_position_costs,
    _heatmap,
    row_count_costs,
    hours_costs,
    join_costs,
    gaps_costs,
    path_costs,
)


@attacks.add(
    "everything",
    data="mobility",
    title="All clues together",
    formula="Σ weight · rank of seven costs",
    order=14,
    costly=True,
    given=("shadows",),
)
def everything(known: Crowd, seen: Crowd, shadows: Sequence[Pair] = ()) -> Guesses:
    """Matches people and pseudonyms of a week one-to-one by seven clues together: mean position, heat map,
    number of rows, hours of the week, times, gaps, and places by the hour.

    Each cost becomes its rank among the candidates of a person. Who knows the recipe makes two releases of
    the same original and learns from them by logistic regression how much each clue is worth; without a
    recipe all count the same. In weeks of more than 2,000 people a sample of them is looked for.
    """
    weights = learn_clue_weights(known, shadows) if shadows else np.ones(len(CLUES))
    clues = [costs_of(known, seen) for costs_of in CLUES]

    def costs(people: Ints, candidates: Ints) -> Floats:
        return sum(
            weight * ranks(one(people, candidates)) for weight, one in zip(weights, clues, strict=True)
        )

    return guess_one_to_one(known, seen, costs, sampled=sampled(known))


def sampled(known: Crowd) -> Bools | None:
    """Whom to look for: everybody (None), or a sample of the people of large weeks."""
    weeks, number = np.unique(known.week, return_counts=True)
    if (number <= MAX_PEOPLE).all():
        return None
    chosen = np.ones(len(known), dtype=bool)
    draw = np.random.default_rng(0)
    for week in weeks[number > MAX_PEOPLE].tolist():
        people = known.units_in_week(week)
        chosen[people] = False
        chosen[np.sort(draw.choice(people, MAX_PEOPLE, replace=False))] = True
    return chosen


def ranks(costs: Floats) -> Floats:
    """Each cost as its mean rank among a person's candidates, from 0 (lowest) to 1; 0 for one candidate."""
    table = round_to_billionths(costs)
    people, candidates = table.shape
    if candidates == 1:
        return np.zeros(table.shape)
    order = np.argsort(table, axis=1, kind="stable")
    ordered = np.take_along_axis(table, order, axis=1).ravel()
    person = np.repeat(np.arange(people), candidates)
    starts = starts_of_runs(person, ordered)
    ends = np.append(starts[1:], len(ordered))
    middle = (starts + ends - 1) / 2 - person[starts] * candidates
    found = np.empty(table.shape)
    np.put_along_axis(found, order, np.repeat(middle, ends - starts).reshape(table.shape), axis=1)
    return found / (candidates - 1)


class _Examples(NamedTuple):
    """Pairs of a person and a candidate: the ranks of all clues, and whether they are the same person."""

    clues: Floats
    same: Bools


def learn_clue_weights(known: Crowd, shadows: Sequence[Pair]) -> Floats:
    """How much each clue is worth, learnt from releases whose answers are known; equal where nothing is."""
    from sklearn.linear_model import LogisticRegression

    examples = [one for shadow in shadows for one in _examples(known, shadow, len(shadows))]
    same = np.concatenate([one.same for one in examples]) if examples else np.zeros(0, dtype=bool)
    if same.all() or not same.any():
        return np.ones(len(CLUES))
    model = LogisticRegression(C=1, class_weight="balanced").fit(
        np.concatenate([one.clues for one in examples]), same
    )
    weights = np.maximum(-model.coef_[0], 0)
    return weights if weights.any() else np.ones(len(CLUES))


def _examples(known: Crowd, shadow: Pair, shadows: int) -> Iterator[_Examples]:
    """Of every week of a shadow release; of some people where there are very many pairs."""
    seen, secret = Crowd.seen(shadow.release), footprint(shadow)
    clues = [clue(known, seen) for clue in CLUES]
    weeks = np.unique(known.week).tolist()
    pairs = sum(len(known.units_in_week(week)) * len(seen.units_in_week(week)) for week in weeks) * shadows
    draw = np.random.default_rng(0)
    for week in weeks:
        people, candidates = known.units_in_week(week), seen.units_in_week(week)
        if pairs > MAX_LEARNT:
            some = max(1, len(people) * MAX_LEARNT // pairs)
            people = np.sort(draw.choice(people, some, replace=False))
        if len(candidates):
            features = np.stack([ranks(one(people, candidates)).ravel() for one in clues], axis=1)
            same = secret.answer[people][:, None] == seen.name[candidates][None, :]
            yield _Examples(features, same.ravel())
