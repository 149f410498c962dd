"""Risk of the sensitive column: l-diversity, t-closeness, homogeneous classes.

A bucketised table publishes sensitive values by group: there each group counts as a class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

import numpy as np

from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.parameters import Choice, Range
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Score
from insanonym_core.results.threats import INFERENCE
from insanonym_core.tabular.exposure import (
    SensitiveCounts,
    classes_of_release,
    sensitive_counts,
    values_of_classes,
)
from insanonym_core.tabular.nearest import attackers, nearest_rows, sampled_positions
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.row_threats import over_all_rows, row_threat
from insanonym_core.texts import Phrase

_NO_SENSITIVE = "no sensitive column is published beside the quasi-identifiers"


def _worst_over_columns(
    release: TableRelease,
    title: str,
    worst: Callable[[list[float]], float],
    measure: Callable[[SensitiveCounts], float],
) -> Score:
    """Score each sensitive column and return the worst, with the value of each column as evidence."""
    names = release.sensitive
    if not names:
        return Score.undefined(_NO_SENSITIVE)
    values = [measure(sensitive_counts(release, name)) for name in names]
    return Score(
        worst(values),
        (Bars(title, "", names, np.array(values), shows_individuals=False),),
        dict(zip(names, values, strict=True)),
    )


@metrics.add(
    "l",
    data="table",
    family="privacy",
    title="l (different values)",
    better="higher",
    bounds=(1, np.inf),
    order=10,
    formula="fewest different sensitive values in a class",
)
def distinct_l(release: TableRelease) -> Score:
    """Every class holds at least this many different sensitive values."""
    return _worst_over_columns(
        release, "l of each sensitive column", min, lambda counts: float(counts.distinct.min())
    )


@metrics.add(
    "entropy_l",
    data="table",
    family="privacy",
    title="Entropy l",
    better="higher",
    bounds=(1, np.inf),
    order=11,
    formula="exp of the smallest entropy of a class",
)
def entropy_l(release: TableRelease) -> Score:
    """As l, but a value that nearly everybody in a class has counts for little."""

    def measure(counts: SensitiveCounts) -> float:
        entropy = counts.per_class(-counts.share * np.log(counts.share))
        return max(1.0, float(np.exp(entropy.min())))

    return _worst_over_columns(release, "Entropy l of each sensitive column", min, measure)


@metrics.add(
    "recursive_c",
    data="table",
    family="privacy",
    title="Recursive (c, l)",
    better="lower",
    bounds=(0, np.inf),
    order=12,
    formula="smallest c with r₁ < c·(r_l + … + r_m) in every class",
)
def recursive_c(release: TableRelease, *, l: Annotated[int, Range(1, 100, whole=True)] = 2) -> Score:  # noqa: E741
    """The bound c above which the table is recursively (c, l)-diverse; none when a class has fewer values.

    l is 2 unless it is set (`table risk --l 3`, or `recursive_c.l` in the settings of a recipe).
    """

    def measure(counts: SensitiveCounts) -> float:
        order = np.lexsort((-counts.pairs.count, counts.pairs.group))
        group, count = counts.pairs.group[order], counts.pairs.count[order]
        start = np.searchsorted(group, np.arange(counts.classes.number))
        rank = np.arange(len(group)) - start[group]
        rest = np.bincount(group, np.where(rank >= l - 1, count, 0), minlength=counts.classes.number)
        with np.errstate(divide="ignore"):
            return float((count[start] / rest).max())

    title = Phrase("c of each sensitive column, for l = {l}", l=l)
    score = _worst_over_columns(release, title, max, measure)
    if score.value == np.inf:
        return Score.undefined(
            Phrase("some class holds fewer than {l} sensitive values: no c is enough", l=l)
        )
    return replace(score, details={**score.details, "for_l": l})


@metrics.add(
    "t",
    data="table",
    family="privacy",
    title="t-closeness",
    better="lower",
    bounds=(0, 1),
    order=13,
    formula="largest distance between a class and the whole table (equal, or ordered for numbers)",
)
def t(
    release: TableRelease, *, distance: Annotated[str, Choice("auto", "equal", "ordered")] = "auto"
) -> Score:
    """How far the sensitive values of a class are from those of the whole table, at worst."""

    def measure(counts: SensitiveCounts) -> float:
        ordered = distance == "ordered" or (distance == "auto" and counts.column.kind != "category")
        return float((ordered_distance(counts) if ordered else equal_distance(counts)).max())

    return _worst_over_columns(release, "t of each sensitive column", max, measure)


def equal_distance(counts: SensitiveCounts) -> Floats:
    """Return the total variation distance of each class from the table (sum of positive differences)."""
    return counts.per_class(np.maximum(counts.share - counts.overall[counts.pairs.item], 0))


def ordered_distance(counts: SensitiveCounts) -> Floats:
    """Earth mover's distance with neighbours 1/(m − 1) apart: Σ|P − Q| over the cumulated shares.

    The cumulated share P of a class is constant between its own values, and Q of the table only grows: on
    each such stretch it is below P first and above it afterwards, so prefix sums of Q do. One step for each
    value that a class holds, however many values the table has.
    """
    occurring = np.flatnonzero(counts.overall)
    if len(occurring) < 2:
        return np.zeros(counts.classes.number)
    table = np.cumsum(counts.overall[occurring])
    before = np.concatenate(([0.0], np.cumsum(table)))
    place, group = np.searchsorted(occurring, counts.pairs.item), counts.pairs.group
    first = np.searchsorted(group, np.arange(counts.classes.number))
    running = np.cumsum(counts.share)
    running -= (running[first] - counts.share[first])[group]
    end = np.append(place[1:], len(occurring))
    end[np.append(first[1:], len(group)) - 1] = len(occurring)
    stretches = [(place, end, running, group)]
    stretches.append((np.zeros_like(first), place[first], np.zeros(len(first)), np.arange(len(first))))
    total = np.zeros(counts.classes.number)
    for start, stop, level, owner in stretches:
        turn = np.clip(np.searchsorted(table, level), start, stop)
        below = level * (turn - start) - (before[turn] - before[start])
        above = (before[stop] - before[turn]) - level * (stop - turn)
        total += np.bincount(owner, below + above, minlength=len(total))
    return np.maximum(total, 0) / (len(occurring) - 1)


@metrics.add(
    "homogeneous_share",
    data="table",
    family="privacy",
    title="Rows given away",
    better="lower",
    bounds=(0, 1),
    order=14,
    formula="rows in classes with one sensitive value / published rows",
    threat=row_threat(INFERENCE, "{share} of all rows give their sensitive value away"),
)
def homogeneous_share(release: TableRelease) -> Score:
    """The share of rows whose sensitive value is revealed although k holds: their class has only one.

    A class of a bucketised table has the values of all groups that its rows stand in. A coarser value that
    stands for several of the original gives none of them away.
    """

    def measure(counts: SensitiveCounts) -> float:
        classes, name = classes_of_release(release), counts.column.name
        group, value, _ = values_of_classes(release, name)
        if name in release.coarser:
            stands_for = np.bincount(release.coarser[name].became, minlength=len(counts.column.values))
            several = np.append(False, stands_for > 1)[value]  # 0 is missing
            group, value = np.append(group, group[several]), np.append(value, np.full(several.sum(), -1))
        highest, lowest = np.full(classes.number, -1), np.full(classes.number, np.iinfo(np.int64).max)
        np.maximum.at(highest, group, value)
        np.minimum.at(lowest, group, value)
        return float(classes.size[highest == lowest].sum()) / len(classes.code)

    if release.perturbed_quasi:
        return Score.undefined("the quasi-identifiers are perturbed: a class is not of people who are alike")
    score = _worst_over_columns(release, "Rows given away by each sensitive column", max, measure)
    return over_all_rows(release, score)


@metrics.add(
    "uncertainty_removed",
    data="table",
    family="privacy",
    title="Uncertainty removed",
    better="lower",
    bounds=(0, 1),
    order=15,
    formula="τ = (chance of the true value by class − in the table) / (1 − in the table)",
    threat=row_threat(
        INFERENCE, "knowing the class of a row removes {share} of the uncertainty about its sensitive value"
    ),
)
def uncertainty_removed(release: TableRelease) -> Score:
    """How much of the uncertainty about the sensitive value goes when the class of a row is known.

    A value that a share p of the rows has is guessed with chance p. The chance of the true value, on average
    over the rows, is compared by class and in the whole table. This is Goodman and Kruskal's τ: 0 if all
    classes are like the table, 1 if each class gives its value away. Where quasi-identifiers are perturbed,
    the published rows that are nearest to a person's values stand for the class.
    """
    if not release.sensitive:
        return Score.undefined(_NO_SENSITIVE)
    scores = [_uncertainty_removed(release, name) for name in release.sensitive]
    return over_all_rows(release, max(scores, key=lambda score: score.value))


def _chances_of_original(
    release: TableRelease, name: str, group: Ints, value: Ints, share: Floats
) -> tuple[float, float]:
    """Return the chances of the original value where a coarser one is published: by class, and in the table.

    The attacker gives a coarser value its share of the class, and those it stands for their shares of it.
    """
    original, classes = release.original[name], classes_of_release(release)
    before = original.codes[release.rows] + 1
    after = release.coarser[name].values_of(original.codes[release.rows]) + 1
    width = int(value.max(initial=0)) + 1
    place = np.searchsorted(group * width + value, classes.code * width + after)
    count_before, count_after = np.bincount(before), np.bincount(after)
    chance = share[place] * count_before[before] / count_after[after]
    return float(chance.mean()), float(((count_before / len(before)) ** 2).sum())


def _uncertainty_removed(release: TableRelease, name: str) -> Score:
    if release.perturbed_quasi:
        return _removed(name, *_chances_by_nearest(release, name), Phrase("by nearest rows"))
    group, value, weight = values_of_classes(release, name)
    classes = classes_of_release(release)
    share, overall = weight / classes.size[group], sensitive_counts(release, name).overall
    if name in release.coarser:
        by_class, in_table = _chances_of_original(release, name, group, value, share)
    else:
        by_class, in_table = float((share * weight).sum()) / len(classes.code), float((overall**2).sum())
    return _removed(name, by_class, in_table, Phrase("by class"))


def _chances_by_nearest(release: TableRelease, name: str) -> tuple[float, float]:
    """Return the chances of the true value: among the rows nearest to a person's, and in the table."""
    positions, column = sampled_positions(release), release.published[name]
    rows = release.rows[positions]
    known = {quasi: release.original[quasi].codes[rows] for quasi in release.quasi}
    chances = []
    for by_chances in attackers(release):
        person, found = nearest_rows(release, known, by_chances)
        right = column.codes[found] == column.codes[positions[person]]
        near = np.bincount(person, minlength=len(rows))
        chances.append(float((np.bincount(person, right, len(rows)) / near).mean()))
    share = np.bincount(column.codes + 1) / len(column.codes)
    return max(chances), float((share**2).sum())


def _removed(name: str, by_class: float, in_table: float, label: Phrase) -> Score:
    """Return the share of the uncertainty that goes."""
    removed = min(1.0, max(0.0, (by_class - in_table) / (1 - in_table))) if in_table < 1 else 0.0
    title = Phrase("Chance of the true value of {column}", column=name)
    labels = label, Phrase("in the whole table")
    bars = Bars(
        title, "mean over rows", labels, np.array((by_class, in_table)), share=True, shows_individuals=False
    )
    return Score(removed, (bars,), {"chance_by_class": by_class, "chance_in_table": in_table})
