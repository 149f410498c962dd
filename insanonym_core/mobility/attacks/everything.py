"""Combine seven clues, weighted by what they achieve on shadow releases made with the same recipe."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

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
from insanonym_core.numeric.arrays import Bools, Floats, Ints, one_thread
from insanonym_core.numeric.grouping import starts_of_runs
from insanonym_core.registry import attacks
from insanonym_core.runtime.jobs import stop_if_cancelled

MAX_PEOPLE = 2_000  # in a week; above, a sample is attacked
MAX_TRAINING_PAIRS = (
    2_000_000  # pairs of a person and a candidate; above, the weights are learnt on a sample of the people
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
    clues = [clue(known, seen) for clue in CLUES]

    def costs(people: Ints, candidates: Ints) -> Floats:
        return sum(
            weight * rank_costs(clue_costs(people, candidates))
            for weight, clue_costs in zip(weights, clues, strict=True)
        )

    return guess_one_to_one(known, seen, costs, sampled=sample_people(known))


def sample_people(known: Crowd) -> Bools | None:
    """Units to attack: None for all, else a mask with MAX_PEOPLE random people in each larger week."""
    weeks, people_in_week = np.unique(known.week, return_counts=True)
    if (people_in_week <= MAX_PEOPLE).all():
        return None
    sampled = np.ones(len(known), dtype=bool)
    draw = np.random.default_rng(0)
    for week in weeks[people_in_week > MAX_PEOPLE].tolist():
        people = known.units_in_week(week)
        sampled[people] = False
        sampled[np.sort(draw.choice(people, MAX_PEOPLE, replace=False))] = True
    return sampled


def rank_costs(costs: Floats) -> Floats:
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
    ranked = np.empty(table.shape)
    np.put_along_axis(ranked, order, np.repeat(middle, ends - starts).reshape(table.shape), axis=1)
    return ranked / (candidates - 1)


class _Examples(NamedTuple):
    """Pairs of a person and a candidate: the ranks of all clues, and whether they are the same person."""

    clues: Floats
    same: Bools


def learn_clue_weights(known: Crowd, shadows: Sequence[Pair]) -> Floats:
    """Weights of the clues by logistic regression on shadow releases; equal if there is nothing to learn."""
    from sklearn.linear_model import LogisticRegression

    examples = [batch for shadow in shadows for batch in _examples(known, shadow, len(shadows))]
    same = np.concatenate([batch.same for batch in examples]) if examples else np.zeros(0, dtype=bool)
    if same.all() or not same.any():
        return np.ones(len(CLUES))
    with one_thread():
        model = LogisticRegression(C=1, class_weight="balanced").fit(
            np.concatenate([batch.clues for batch in examples]), same
        )
    weights = np.maximum(-model.coef_[0], 0)
    return weights if weights.any() else np.ones(len(CLUES))


def _examples(known: Crowd, shadow: Pair, shadows: int) -> Iterator[_Examples]:
    """Yield the training examples of each week of a shadow release, of a sample of the people if needed."""
    seen, secret = Crowd.seen(shadow.release), footprint(shadow)
    clues = [clue(known, seen) for clue in CLUES]
    weeks = np.unique(known.week).tolist()
    pairs = sum(len(known.units_in_week(week)) * len(seen.units_in_week(week)) for week in weeks) * shadows
    draw = np.random.default_rng(0)
    for week in weeks:
        stop_if_cancelled()
        people, candidates = known.units_in_week(week), seen.units_in_week(week)
        if pairs > MAX_TRAINING_PAIRS:
            sample_size = max(1, len(people) * MAX_TRAINING_PAIRS // pairs)
            people = np.sort(draw.choice(people, sample_size, replace=False))
        if len(candidates):
            features = np.stack(
                [rank_costs(clue_costs(people, candidates)).ravel() for clue_costs in clues], axis=1
            )
            same = secret.answer[people][:, None] == seen.name[candidates][None, :]
            yield _Examples(features, same.ravel())
