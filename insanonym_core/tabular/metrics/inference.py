"""An attacker who knows the quasi-identifiers of a person guesses the sensitive value."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from insanonym_core.errors import InsanonymError
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import combine, expanded, sum_by_group
from insanonym_core.numeric.intervals import difference_interval
from insanonym_core.parameters import Range
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Score
from insanonym_core.results.threats import INFERENCE, Threat
from insanonym_core.tabular.compatible import compatible_classes, mean_pairs_per_person
from insanonym_core.tabular.exposure import person_codes, sensitive_counts, values_of_classes
from insanonym_core.tabular.nearest import attackers, nearest_rows
from insanonym_core.tabular.release import TableRelease
from insanonym_core.texts import Phrase

MIN_PEOPLE = 20  # fewer do not give a meaningful difference
MAX_PEOPLE = 2_000  # of each half
MAX_PAIRS = 10_000_000
_TIE_TOLERANCE = 1e-9  # rounding error of summed shares


@metrics.add(
    "inference",
    data="table",
    family="privacy",
    title="Sensitive values guessed",
    better="lower",
    bounds=(-1, 1),
    order=16,
    formula="right guesses of the sensitive value on people in the data − on people who are not",
    costly=True,
    threat=Threat(
        INFERENCE,
        "being in the data adds {share} to the right guesses of the sensitive value",
        share=lambda score: max(0.0, score.value),
        interval=lambda score: score.interval and (max(0.0, score.interval[0]), max(0.0, score.interval[1])),
    ),
)
def inference(release: TableRelease, *, seed: Annotated[int, Range(0, 10**6, whole=True)] = 0) -> Score:
    """How much better an attacker who knows the quasi-identifiers guesses the values of people in the data.

    The guess is the most frequent sensitive value among the published rows that fit; where none fits, among
    all. Half of the people are held out and the method is applied to the others: right guesses on these
    minus right guesses on those held out is what the release gives away, not what statistics tell anyway. The
    95 % interval is a percentile bootstrap over people. Of more than 2,000 people a half a sample is tried.
    """
    if not release.roles.sensitive:
        return Score.undefined("no sensitive column is named")
    if release.rehearse is None:
        return Score.undefined(
            "the release was made elsewhere: its method cannot be applied to half of the people"
        )
    person = person_codes(release)
    people = int(person.max()) + 1
    if people < MIN_PEOPLE:
        return Score.undefined(Phrase("there are fewer than {people} people to compare", people=MIN_PEOPLE))
    draw = np.random.default_rng(seed)
    halves = halve_people(people, draw)
    try:
        rehearsed = release.rehearse(np.flatnonzero(np.isin(person, halves[0])))
    except InsanonymError:
        return Score.undefined("the method cannot be applied to half of the people")
    if not (rehearsed.sensitive and rehearsed.quasi):
        return Score.undefined("no sensitive column is published beside the quasi-identifiers")
    tried = [_sample_people(half, rehearsed, person, release, draw) for half in halves]
    best: Score | None = None
    for name in rehearsed.sensitive:
        rates, interval = _success_difference(rehearsed, release, person, tried, name, seed)
        value = rates[0] - rates[1]
        if best is None or value > best.value:
            best = _score(name, value, rates, interval, tried, people)
    assert best is not None  # noqa: S101  there is a sensitive column
    return best


def halve_people(people: int, draw: np.random.Generator) -> tuple[Ints, Ints]:
    """Return the people in the data of a rehearsal and those held out, each sorted."""
    shuffled = draw.permutation(people)
    return np.sort(shuffled[: people // 2]), np.sort(shuffled[people // 2 :])


def _score(
    name: str,
    value: float,
    rates: tuple[float, float],
    interval: tuple[float, float],
    tried: list[Ints],
    people: int,
) -> Score:
    sampled = sum(map(len, tried))
    title = Phrase("Guesses of {column} that are right", column=name)
    if sampled < people:
        title = Phrase(
            "Guesses of {column} that are right, on a sample of {tried:,} of {people:,} people",
            column=name,
            tried=sampled,
            people=people,
        )
    labels = Phrase("people in the data"), Phrase("people who are not")
    bars = Bars(title, "share right", labels, np.array(rates), share=True, shows_individuals=False)
    details = {
        "in_the_data": rates[0],
        "not_in_the_data": rates[1],
        "people": people,
        "people_tried": sampled,
    }
    return Score(value, (bars,), details, interval)


def _sample_people(
    people: Ints, rehearsed: TableRelease, person: Ints, release: TableRelease, draw: np.random.Generator
) -> Ints:
    """Sample people of one half so that the number of comparisons stays bounded (at least MIN_PEOPLE)."""
    rows = np.flatnonzero(np.isin(person, people))
    known = {name: release.original[name].codes[rows] for name in rehearsed.quasi}
    pairs = len(rehearsed.rows) if rehearsed.perturbed_quasi else mean_pairs_per_person(rehearsed, known)
    each = pairs * len(rows) / len(people)
    max_people = max(MIN_PEOPLE, min(MAX_PEOPLE, int(MAX_PAIRS / max(each, 1))))
    return people if len(people) <= max_people else np.sort(draw.choice(people, max_people, replace=False))


def _success_difference(
    rehearsed: TableRelease, release: TableRelease, person: Ints, tried: list[Ints], name: str, seed: int
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the success rates of both halves, and the interval of their difference."""
    success, rows_asked = [], []
    for people in tried:
        rows = np.flatnonzero(np.isin(person, people))
        known = {quasi: release.original[quasi].codes[rows] for quasi in rehearsed.quasi}
        truth = release.original[name].codes[rows]
        if name in rehearsed.coarser:  # a coarser value is the right guess of all that became it
            truth = rehearsed.coarser[name].values_of(truth)
        chance = guess_success(rehearsed, name, known, truth)
        person_index = np.searchsorted(people, person[rows])
        success.append(sum_by_group(person_index, chance, len(people)))
        rows_asked.append(np.bincount(person_index, minlength=len(people)))
    inside, outside = (
        float(successes.sum() / number.sum()) for successes, number in zip(success, rows_asked, strict=True)
    )
    return (inside, outside), difference_interval(success, rows_asked, np.random.default_rng(seed))


def guess_success(release: TableRelease, name: str, known: dict[str, Ints], truth: Ints) -> Floats:
    """Return for each row the chance that the guess is right: 1, 0, or 1/n if n values are equally frequent.

    `known` are the codes of the quasi-identifiers, `truth` those of the sensitive column.
    """
    if release.perturbed_quasi:
        return _success_by_nearest(release, name, known, truth)
    names = list(known)
    key = combine(
        *((known[quasi].astype(np.int64) + 1, len(release.original[quasi].values) + 1) for quasi in names)
    )
    _, example, profile = np.unique(key, return_index=True, return_inverse=True)
    person, matching_class = compatible_classes(release, {quasi: known[quasi][example] for quasi in names})
    group, value, weight = values_of_classes(release, name)
    start, end = (np.searchsorted(group, matching_class, side) for side in ("left", "right"))
    pair, place = expanded(start, end, np.arange(len(group)))
    values = len(sensitive_counts(release, name).column.values) + 1
    total = _sum_weights(person[pair], value[place], weight[place], values)
    # Where no class matches, the attacker guesses the most frequent value of the whole release.
    without_match = np.setdiff1d(np.arange(len(example)), person)
    overall = sum_by_group(value, weight, values)
    return _chance_of_truth(total, overall, without_match, len(example), profile, truth.astype(np.int64) + 1)


def _success_by_nearest(release: TableRelease, name: str, known: dict[str, Ints], truth: Ints) -> Floats:
    """Return the chances where the guess is the most frequent value of the nearest published rows.

    They are those of the attacker who is right more often.
    """
    values = len(release.published[name].values) + 1
    everyone, nobody, overall = np.arange(len(truth)), np.zeros(0, dtype=np.int64), np.ones(values)
    found = []
    for by_chances in attackers(release):
        person, row = nearest_rows(release, known, by_chances)
        value = release.published[name].codes[row].astype(np.int64) + 1
        total = _sum_weights(person, value, np.ones(len(row)), values)
        found.append(
            _chance_of_truth(total, overall, nobody, len(truth), everyone, truth.astype(np.int64) + 1)
        )
    return max(found, key=lambda chances: float(chances.mean()))


def _sum_weights(person: Ints, value: Ints, weight: Floats, values: int) -> tuple[Ints, Ints, Floats]:
    """Return (person, value, weight) with the weights of equal pairs summed."""
    key, place = np.unique(person * values + value, return_inverse=True)
    return key // values, key % values, sum_by_group(place, weight, len(key))


def _chance_of_truth(
    total: tuple[Ints, Ints, Floats],
    overall: Floats,
    without_match: Ints,
    people: int,
    profile: Ints,
    truth: Ints,
) -> Floats:
    """Return the chance to pick the true value of each row among the most frequent values of its profile."""
    person, value, weight = total
    max_weight = np.zeros(people)
    np.maximum.at(max_weight, person, weight)
    top = weight >= max_weight[person] - _TIE_TOLERANCE
    tied = np.bincount(person[top], minlength=people)
    best = np.sort(person[top] * len(overall) + value[top])
    requested = profile * len(overall) + truth
    place = np.minimum(np.searchsorted(best, requested), max(len(best) - 1, 0))
    right = best[place] == requested if len(best) else np.zeros(len(requested), dtype=bool)
    usual = overall >= overall.max() - _TIE_TOLERANCE
    nothing = np.isin(profile, without_match)
    return np.where(nothing, usual[truth] / usual.sum(), right / np.maximum(tied[profile], 1))
