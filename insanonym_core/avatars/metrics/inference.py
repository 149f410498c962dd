"""An attacker who knows the other columns of a person guesses a value: that of the nearest avatar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from insanonym_core.avatars.imputation import PreparedTable
from insanonym_core.avatars.release import Avatars, Rehearsal, score_rehearsal
from insanonym_core.avatars.space import Space
from insanonym_core.avatars.values import row_numbers
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import pieces
from insanonym_core.numeric.intervals import difference_interval
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Score
from insanonym_core.results.threats import INFERENCE, Threat
from insanonym_core.tabular.table import MISSING, Table

MAX_COLUMNS = 50
MAX_PEOPLE_TRIED = 500  # people of each half
TOLERANCE = 0.05
TOLERANCE_QUANTILES = (0.05, 0.95)
_DISTANCES_PER_CHUNK = 100_000  # few enough to stay in the processor's cache
_TIE = 1e-9  # rounding error of squared distances (sums over columns minus one of them)
_INFERENCE_SEED = 4


@metrics.add(
    "inference",
    data="avatars",
    family="privacy",
    title="Values guessed",
    better="lower",
    bounds=(-1, 1),
    order=12,
    costly=True,
    formula="right guesses of a value on people in the data − on people who are not",
    threat=Threat(
        INFERENCE,
        "being in the data adds {share} to the right guesses of a value",
        share=lambda score: max(0.0, score.value),
        interval=lambda score: score.interval and (max(0.0, score.interval[0]), max(0.0, score.interval[1])),
    ),
)
def inference(avatars: Avatars) -> Score:
    """How much better an attacker guesses a value of people in the data than of people who are not in it.

    The guess is the value of the nearest avatar on the columns that the attacker knows: the
    quasi-identifiers, or all others where none are named. Guessed are the sensitive columns, or each column
    in turn (at most 50 drawn ones). A number is right within 5 % of the span between its 5th and its 95th
    percentile. Avatars are made from one half of the people; the other half are not in the data: the
    difference is what the release gives away, not what statistics tell anyway. Of more than 500 people a
    half, 500 drawn ones are tried. The interval is a bootstrap over people.
    """
    return score_rehearsal(avatars, lambda rehearsal: _score(avatars, rehearsal))


class People(NamedTuple):
    """Rows as an attacker compares them: for each column coordinate, value, and whether it is known.

    A coordinate is a standardised number, or the position of a category.
    """

    coordinate: dict[str, Floats]
    value: dict[str, Floats]
    known: dict[str, Bools]

    @classmethod
    def from_table(cls, space: Space, source: Table, imputed: Table) -> People:
        """Build from a table before imputation (`source`) and after it (`imputed`)."""
        matrix, places = space.columns(imputed), space.column_slices
        coordinate = {column.name: matrix[:, places[column.name].start] for column in space.numbers}
        value = {column.name: row_numbers(source[column.name]) for column in space.numbers}
        for column in space.categories:
            coordinate[column.name] = matrix[:, places[column.name]].argmax(axis=1).astype(np.float64)
            value[column.name] = coordinate[column.name]
        return cls(coordinate, value, {name: source[name].codes != MISSING for name in coordinate})


def guess_success(
    space: Space,
    targets: People,
    avatars: People,
    known: Sequence[str],
    guessed: Sequence[str],
    tolerances: Floats,
) -> Floats:
    """Return the chance that each guess is right (people × guessed columns); NaN where there is no value.

    The guess is the value of the nearest avatar that has one; among equally near avatars, each is as likely.
    A guess is right within the `tolerances` of its column.
    """
    categories = {column.name for column in space.categories}
    people, others = (len(next(iter(group.coordinate.values()))) for group in (targets, avatars))
    success = np.full((people, len(guessed)), np.nan)

    def squared_difference(chunk: slice, name: str) -> Floats:
        ours, theirs = targets.coordinate[name][chunk, None], avatars.coordinate[name][None]
        return (ours != theirs).astype(np.float64) if name in categories else (ours - theirs) ** 2

    for chunk in pieces(people, max(1, _DISTANCES_PER_CHUNK // others)):
        total = squared_difference(chunk, known[0])
        for name in known[1:]:
            total += squared_difference(chunk, name)
        for number, name in enumerate(guessed):
            distance = total - squared_difference(chunk, name) if name in known else total
            if not avatars.known[name].all():
                distance = np.where(avatars.known[name], distance, np.inf)
            min_distance = distance.min(axis=1)
            person, nearest = np.nonzero(
                distance <= np.where(np.isfinite(min_distance), min_distance + _TIE, -1)[:, None]
            )
            hit = (
                np.abs(targets.value[name][chunk][person] - avatars.value[name][nearest])
                <= tolerances[number]
            )
            ties = np.bincount(person, minlength=len(distance))
            chance = np.bincount(person, hit, minlength=len(distance)) / np.maximum(ties, 1)
            success[chunk, number] = np.where(targets.known[name][chunk], chance, np.nan)
    return success


def guess_tolerance(avatars: Avatars, name: str) -> float:
    """Return the largest error of a right guess of a number; 0 for a category."""
    column = avatars.source[name]
    if column.kind == "category":
        return 0.0
    low, high = np.nanquantile(row_numbers(column), TOLERANCE_QUANTILES)
    return float(TOLERANCE * (high - low))


def _score(avatars: Avatars, rehearsal: Rehearsal) -> Score:
    space, avatars_of_half = rehearsal.avatars.space, rehearsal.avatars
    names = [column.name for column in (*space.numbers, *space.categories)]
    known, guessed = _known_and_guessed(avatars, names)
    if not guessed:
        return Score.undefined("no column that varies can be guessed from others")
    draw = np.random.default_rng([avatars.split_seed, _INFERENCE_SEED])
    if len(guessed) > MAX_COLUMNS:
        guessed = [
            guessed[column] for column in np.sort(draw.choice(len(guessed), MAX_COLUMNS, replace=False))
        ]
    released = People.from_table(space, avatars_of_half.published, avatars_of_half.imputed)
    tolerances = np.array([guess_tolerance(avatars, name) for name in guessed])
    success = [
        guess_success(space, _sample_people(space, half, draw), released, known, guessed, tolerances)
        for half in (rehearsal.train, rehearsal.held_out)
    ]
    if any(np.isnan(half).all() for half in success):
        return Score.undefined("a half of the rows has no value to guess")
    inside, outside = (float(np.nanmean(half)) for half in success)
    both = [
        column
        for column in range(len(guessed))
        if not any(np.isnan(half[:, column]).all() for half in success)
    ]
    shares = [np.nanmean(half[:, both], axis=0) for half in success]
    bars = Bars(
        "Values guessed from the nearest avatar",
        "share right",
        tuple(guessed[column] for column in both),
        {"in the data": shares[0], "not in the data": shares[1]},
        share=True,
        shows_individuals=False,
    )
    details = {
        "in_data": inside,
        "not_in_data": outside,
        "worst": float((shares[0] - shares[1]).max()) if both else None,
        "columns": len(guessed),
        "rows_tried": sum(map(len, success)),
    }
    sums = [np.nansum(half, axis=1) for half in success]
    guess_counts = [(~np.isnan(half)).sum(axis=1) for half in success]
    return Score(inside - outside, (bars,), details, difference_interval(sums, guess_counts, draw))


def _known_and_guessed(avatars: Avatars, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the columns known and guessed: by the roles, or each column from all others."""
    known = [name for name in names if not avatars.quasi or name in avatars.quasi]
    guessed = [
        name
        for name in names
        if (name in avatars.sensitive if avatars.sensitive else name not in avatars.quasi)
        and any(other != name for other in known)
    ]
    return known, guessed


def _sample_people(space: Space, half: PreparedTable, draw: np.random.Generator) -> People:
    """Return the people of a half, or a random sample of MAX_PEOPLE_TRIED."""
    rows: Ints = np.arange(half.imputed.rows)
    if len(rows) > MAX_PEOPLE_TRIED:
        rows = np.sort(draw.choice(len(rows), MAX_PEOPLE_TRIED, replace=False))
    return People.from_table(space, half.source.take(rows), half.imputed.take(rows))
