"""Utility by shape: distributions of columns and correlations between them, before and after."""

from __future__ import annotations

import numpy as np
import pandas as pd

from insanonym_core.numeric.arrays import Floats
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Matrix, Score, Table
from insanonym_core.tabular.metrics._before_and_after import before_and_after
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.table import MISSING, Column, code_column, column_values

MAX_COLUMNS = 6


def _before(column: Column) -> Floats:
    """Return the share of each value in a column, missing first."""
    return np.bincount(column.codes + 1, minlength=len(column.values) + 1) / len(column.codes)


def _not_compared(release: TableRelease) -> tuple[str, ...]:
    """Return the columns whose own values are not in the release (identifiers, pseudonyms)."""
    return (*release.roles.identifiers, *release.pseudonymised)


def _after(release: TableRelease, name: str) -> Floats:
    """Return the share of each value in the release; an interval or set is spread evenly over its values."""
    column = release.original[name]
    if name not in release.generalised:
        return _before(column.take(release.rows))
    generalised = release.generalised[name]
    size = np.bincount(release.group, minlength=generalised.groups).astype(np.float64)
    share = np.zeros(len(column.values) + 2)
    if column.kind == "category":
        each = size / np.maximum(generalised.set_size, 1)
        np.add.at(share, generalised.members.item + 1, each[generalised.members.group])
        share[0] = each[generalised.missing].sum()
    else:
        has_value = generalised.low != MISSING
        each = size / np.maximum(generalised.high - generalised.low + 1 + generalised.missing, 1)
        np.add.at(share, generalised.low[has_value] + 1, each[has_value])
        np.add.at(share, generalised.high[has_value] + 2, -each[has_value])
        share = np.cumsum(share)
        share[0] = np.where(has_value, each, size)[generalised.missing].sum()
    return share[:-1] / len(release.rows)


def _perturbed_shares(release: TableRelease, name: str) -> tuple[Column, Floats, Floats]:
    """Return a column with the values of original and release, and the shares of each value in both."""
    columns = release.original[name], release.published[name]
    if columns[0].values is columns[1].values:
        return columns[0], _before(columns[0]), _before(columns[1])
    both = code_column(name, pd.concat([column.series() for column in columns], ignore_index=True))
    rows = np.arange(len(both.codes))
    before = both.take(rows[: release.original.rows])
    return both, _before(before), _before(both.take(rows[release.original.rows :]))


@metrics.add(
    "distribution",
    data="table",
    family="utility",
    title="Distributions",
    better="lower",
    bounds=(0, 1),
    ideal=0.0,
    order=40,
    formula="mean over columns of total variation (categories) or KS (numbers)",
)
def distribution(release: TableRelease) -> Score:
    """How far the distribution of each published column moved; intervals are spread evenly."""
    names = [name for name in release.original.columns if name in release.published.columns]
    names = [name for name in names if name not in _not_compared(release)]
    if not names:
        return Score.undefined("no column is published with its own values")
    distances: dict[str, list[float]] = {"total_variation": [], "ks": [], "wasserstein": []}
    for name in names:
        column = release.original[name]
        if name in release.perturbed:
            column, before, after = _perturbed_shares(release, name)
        else:
            before, after = _before(column), _after(release, name)
        gap = after - before
        distances["total_variation"].append(float(np.abs(gap).sum()) / 2)
        numeric = column.kind != "category" and len(column.values) > 1
        running = np.abs(np.cumsum(gap))
        numbers = column.numbers()
        distances["ks"].append(float(running.max()) if numeric else np.nan)
        width = np.diff(numbers) / (numbers[-1] - numbers[0]) if numeric else np.zeros(0)
        distances["wasserstein"].append(float(running[1:-1] @ width) if numeric else np.nan)
    headline = [
        variation if np.isnan(ks) else ks
        for variation, ks in zip(distances["total_variation"], distances["ks"], strict=True)
    ]
    table = {
        "column": np.array(names, dtype=object),
        **{key: np.array(part) for key, part in distances.items()},
    }
    farthest = np.argsort(-np.array(headline), kind="stable")[:MAX_COLUMNS]
    figures = [
        before_and_after(release, name, _before(release.original[name]), _after(release, name))
        for name in (names[place] for place in farthest)
        if len(release.original[name].values) and name not in release.perturbed
    ]
    distance_table = Table("Distance of each column", table, shows_individuals=False)
    return Score(float(np.mean(headline)), (distance_table, *figures))


@metrics.add(
    "correlation",
    data="table",
    family="utility",
    title="Correlations",
    better="lower",
    bounds=(0, 2),
    ideal=0.0,
    order=41,
    formula="mean |r − r′| over pairs of numeric columns",
)
def correlation(release: TableRelease) -> Score:
    """How far the correlations between numbers and dates moved; an interval counts as its middle."""
    names = [
        name
        for name, column in release.original.columns.items()
        if column.kind != "category"
        and name in release.published.columns
        and name not in _not_compared(release)
    ]
    if len(names) < 2:
        return Score.undefined("correlations need at least two columns of numbers or dates")
    before = correlations([column_values(release.original[name]) for name in names])
    after = correlations([_released(release, name) for name in names])
    gap = after - before
    pairs = np.abs(gap[np.triu_indices(len(names), 1)])
    if np.isnan(pairs).all():
        return Score.undefined("no two columns of numbers vary together in both tables")
    labels = tuple(names)
    return Score(
        float(np.nanmean(pairs)),
        (
            Matrix("Correlations before", labels, labels, before, shows_individuals=False),
            Matrix("Correlations after", labels, labels, after, shows_individuals=False),
            Matrix("Difference of the correlations", labels, labels, gap, shows_individuals=False),
        ),
    )


def _released(release: TableRelease, name: str) -> Floats:
    """Return the released values in the original's order: an unchanged table then gives equal sums."""
    order = np.argsort(release.rows)
    if name in release.generalised:
        return release.generalised[name].middle()[release.group[order]]
    if name in release.perturbed:
        return column_values(release.published[name].take(order))
    return column_values(release.original[name].take(release.rows[order]))


def correlations(columns: list[Floats]) -> Floats:
    """Return Pearson's r of each pair, over the rows where both have a value; NaN if one does not vary."""
    size = len(columns)
    table = np.eye(size)
    for first in range(size):
        for second in range(first + 1, size):
            both = ~(np.isnan(columns[first]) | np.isnan(columns[second]))
            x, y = columns[first][both], columns[second][both]
            varies = len(x) > 1 and x.std() > 0 and y.std() > 0
            table[first, second] = table[second, first] = np.corrcoef(x, y)[0, 1] if varies else np.nan
    return table
