"""Utility of avatars: distributions of columns, correlations, distribution on the components."""

from __future__ import annotations

import numpy as np

from insanonym_core.avatars.metrics._shared import values_before_and_after
from insanonym_core.avatars.release import Avatars
from insanonym_core.numeric.arrays import Floats
from insanonym_core.numeric.holders import count_holders
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Cloud, Curve, Distribution, Matrix, Score, mean_of
from insanonym_core.results.scores import Table as TableEvidence
from insanonym_core.tabular.metrics.shape import correlations
from insanonym_core.tabular.table import Column, column_values
from insanonym_core.texts import Phrase

MAX_POINTS = 2000
MAX_BARS = 20
_DECIMALS = 9  # of positions, in standard deviations: a copy lies where its original does, to the last bit


@metrics.add(
    "resemblance",
    data="avatars",
    family="utility",
    title="Resemblance",
    better="higher",
    bounds=(0, 1),
    ideal=1.0,
    order=20,
    formula="1 − mean of the distances of columns, correlations and first component",
)
def resemblance(avatars: Avatars) -> Score:
    """How much avatars look like the originals in one number, from three distances."""
    distances = {
        "columns": columns_distance(avatars),
        "correlations": correlations_distance(avatars),
        "first component": overlay_distance(avatars),
    }
    similarities = {name: 1 - min(1.0, score.value) for name, score in distances.items() if score.defined}
    bars = Bars(
        "Resemblance by part",
        "1 − distance",
        tuple(map(Phrase, similarities)),
        np.array(list(similarities.values())),
        share=True,
        shows_individuals=False,
    )
    return Score(mean_of([Score(value) for value in similarities.values()]), (bars,))


@metrics.add(
    "columns_distance",
    data="avatars",
    family="utility",
    title="Distance of the columns",
    better="lower",
    bounds=(0, 1),
    ideal=0.0,
    order=21,
    formula="mean over columns of KS (numbers, dates) or Hellinger (categories)",
)
def columns_distance(avatars: Avatars) -> Score:
    """How far the distribution of each column moved, between the values that were observed."""

    def compare() -> Score:
        before, after = avatars.source, avatars.published
        names = [name for name in before.columns if len(before[name].values)]
        categories = [before[name].kind == "category" for name in names]
        distances_by_column = [
            hellinger(before[name], after[name])
            if category
            else kolmogorov_smirnov(observed(before[name]), observed(after[name]))
            for name, category in zip(names, categories, strict=True)
        ]
        table = {
            "column": np.array(names, dtype=object),
            "measure": np.where(categories, "Hellinger", "KS").astype(object),
            "distance": np.array(distances_by_column),
        }
        details = {}
        if any(avatars.imputed_shares.values()):
            table["imputed"] = np.array([avatars.imputed_shares.get(name, 0.0) for name in names])
            details["imputed"] = float(np.mean(list(avatars.imputed_shares.values())))
        figures = tuple(_column_figure(avatars, name) for name in names)
        distances = TableEvidence("Distance of each column", table, shows_individuals=False)
        return Score(float(np.mean(distances_by_column)), (distances, *figures), details)

    return avatars.derive("columns_distance", compare)


@metrics.add(
    "correlations_distance",
    data="avatars",
    family="utility",
    title="Distance of the correlations",
    better="lower",
    bounds=(0, 2),
    ideal=0.0,
    order=22,
    formula="mean |r − r′| over pairs of numeric columns",
)
def correlations_distance(avatars: Avatars) -> Score:
    """How far the correlations between numbers and dates moved."""
    names = tuple(column.name for column in avatars.space.numbers)
    if len(names) < 2:
        return Score.undefined("correlations need at least two columns of numbers or dates")

    def compare() -> Score:
        before, after = (
            correlations([column_values(table[name]) for name in names])
            for table in (avatars.source, avatars.published)
        )
        pairs = np.abs((after - before)[np.triu_indices(len(names), 1)])
        if np.isnan(pairs).all():
            return Score.undefined("no two columns vary together in both tables")
        return Score(
            float(np.nanmean(pairs)),
            (
                Matrix("Correlations of the originals", names, names, before, shows_individuals=False),
                Matrix("Correlations of the avatars", names, names, after, shows_individuals=False),
                Matrix(
                    "Difference of the correlations", names, names, after - before, shows_individuals=False
                ),
            ),
        )

    return avatars.derive("correlations_distance", compare)


@metrics.add(
    "overlay_distance",
    data="avatars",
    family="utility",
    title="Distance on the first component",
    better="lower",
    bounds=(0, 1),
    ideal=0.0,
    order=23,
    formula="KS of originals and avatars on the first principal component",
)
def overlay_distance(avatars: Avatars) -> Score:
    """How far the distributions of originals and avatars on the first component are apart."""
    real, synthetic = avatars.points("pca")
    real_first, synthetic_first = (np.round(points[:, 0], _DECIMALS) for points in (real, synthetic))
    title = "Distribution on the first component"
    first = values_before_and_after(title, "component 1", avatars, real[:, 0], synthetic[:, 0], medians=True)
    return Score(
        kolmogorov_smirnov(real_first, synthetic_first),
        (
            Cloud(
                "Originals and avatars on the first components",
                "component 1",
                "component 2",
                {"originals": _first_two_coordinates(real), "avatars": _first_two_coordinates(synthetic)},
                shows_individuals=True,
            ),
            first,
        ),
    )


@metrics.add(
    "explained_variance",
    data="avatars",
    family="utility",
    title="Variance kept by the components",
    better="higher",
    bounds=(0, 1),
    order=24,
    formula="Σ of the kept components' variance / Σ of all",
)
def explained_variance(avatars: Avatars) -> Score:
    """The share of the variance that the components keep; avatars cannot show the rest."""
    kept = len(avatars.space.components)
    total = np.cumsum(avatars.space.explained)
    number = np.arange(1, len(total) + 1)
    curve = Curve(
        "Cumulated explained variance",
        "components",
        "share",
        number,
        total,
        marks={"kept": float(kept)},
        share=True,
        shows_individuals=False,
    )
    return Score(float(min(1.0, total[kept - 1])), (curve,), {"components": kept})


def kolmogorov_smirnov(first: Floats, second: Floats) -> float:
    """Return the Kolmogorov–Smirnov distance: the largest gap between two cumulative distributions."""
    steps = np.unique(np.concatenate((first, second)))
    gaps = [np.searchsorted(np.sort(values), steps, "right") / len(values) for values in (first, second)]
    return float(np.abs(gaps[0] - gaps[1]).max())


def observed(column: Column) -> Floats:
    """Return the numbers of a column without missing values."""
    values = column_values(column)
    return values[~np.isnan(values)]


def hellinger(first: Column, second: Column) -> float:
    """Return the Hellinger distance √(1 − Σ√(p·q)) over the values of both, missing included."""
    shares = _shares_by_text(first, second)
    overlap = sum(np.sqrt(p * q) for p, q in shares.values())
    return float(np.sqrt(max(0.0, 1 - overlap)))


def _shares_by_text(first: Column, second: Column) -> dict[str | None, list[float]]:
    """Return the share of each value (None: missing) in both columns."""
    shares: dict[str | None, list[float]] = {}
    for place, column in enumerate((first, second)):
        counts = np.bincount(column.codes + 1, minlength=len(column.values) + 1) / len(column.codes)
        for text, share in zip((None, *column.texts()), counts.tolist(), strict=True):
            shares.setdefault(text, [0.0, 0.0])[place] = share
    return shares


def _column_figure(avatars: Avatars, name: str) -> Bars | Distribution:
    """Draw a column of originals and avatars: bars of the most frequent values, or a histogram."""
    before, after = avatars.source[name], avatars.published[name]
    if before.kind == "category":
        return _category_bars(avatars, before, after)
    real, synthetic, unit = column_values(before), column_values(after), ""
    if before.kind == "date":  # draw years instead of days since 1970
        real, synthetic, unit = 1970 + real / 365.2425, 1970 + synthetic / 365.2425, "year"
    return values_before_and_after(_title(name), unit, avatars, real, synthetic)


def _title(column: str) -> Phrase:
    return Phrase("{column}, originals and avatars", column=column)


def _category_bars(avatars: Avatars, before: Column, after: Column) -> Bars:
    """Draw the most frequent values; values held by few people or by none are drawn together."""
    shares = {text: pair for text, pair in _shares_by_text(before, after).items() if any(pair)}
    holders = count_holders(before.codes + 1, len(before.values) + 1, avatars.people)
    held = dict(zip((None, *before.texts()), holders.tolist(), strict=True))
    common = [text for text in shares if held.get(text, 0) >= avatars.min_holders]
    frequent = sorted(common, key=lambda text: -sum(shares[text]))[:MAX_BARS]
    labels = [Phrase("(missing)") if text is None else text for text in frequent]
    parts = [shares[text] for text in frequent]
    if len(frequent) < len(shares):
        labels.append(Phrase("(other values)"))
        others = [shares[text] for text in shares if text not in frequent]
        parts.append([sum(pair) for pair in zip(*others, strict=True)])
    groups = {"originals": np.array(parts)[:, 0], "avatars": np.array(parts)[:, 1]}
    title = _title(before.name)
    return Bars(title, "share of the rows", tuple(labels), groups, share=True, shows_individuals=False)


def _first_two_coordinates(points: Floats) -> tuple[Floats, Floats]:
    """Return the first two coordinates of a few thousand points at most."""
    sample = points[:: max(1, len(points) // MAX_POINTS)]
    return sample[:, 0], sample[:, 1] if sample.shape[1] > 1 else np.zeros(len(sample))
