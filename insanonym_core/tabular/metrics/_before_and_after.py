"""One column before and after, to be drawn: bars for categories, a histogram for numbers and dates."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Bools, Floats
from insanonym_core.scores import Bars, Distribution
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.table import MISSING, Column
from insanonym_core.texts import Phrase

MOST_BARS = 8
BINS = 20
_COUNTED = 10**9
_DAYS_OF_A_YEAR = 365.2425


def before_and_after(release: TableRelease, name: str, before: Floats, after: Floats) -> Bars | Distribution:
    """The shares of a column's values, missing first, in the original and in the release.

    Nothing is named that was deleted for being rare: values that are not published stand together with the
    rest, and the histogram reaches no further than what is published.
    """
    title = Phrase("{column}, before and after", column=name)
    if release.original[name].kind == "category":
        return _bars(title, release, name, before, after)
    return _histogram(title, release, name, before, after)


def _bars(title: str, release: TableRelease, name: str, before: Floats, after: Floats) -> Bars:
    """The most frequent values that are published, and the rest together."""
    column = release.original[name]
    often = np.argsort(-(before + after), kind="stable")
    often = often[after[often] > 0][:MOST_BARS]
    rest = np.ones(len(before), dtype=bool)
    rest[often] = False
    known = Column(name, column.kind, column.values[often[often > 0] - 1], np.zeros(0, dtype=np.int64))
    texts = iter(known.texts())
    labels = [next(texts) if place else Phrase("(missing)") for place in often]
    groups = {
        group: [*share[often], share[rest].sum()]
        for group, share in (("original", before), ("release", after))
    }
    if groups["original"][-1] + groups["release"][-1] > 0:
        labels.append(Phrase("(other values)"))
    return Bars(
        title,
        "share of the rows",
        tuple(labels),
        {group: np.array(shares[: len(labels)]) for group, shares in groups.items()},
    )


def _histogram(title: str, release: TableRelease, name: str, before: Floats, after: Floats) -> Distribution:
    """Both on the same edges; an interval of the release is spread evenly over the values in it."""
    column = release.original[name]
    numbers = column.numbers()
    if column.kind == "date":  # days since 1970 say nothing to a reader
        numbers = 1970 + numbers / _DAYS_OF_A_YEAR
    shown = _published(release, name)
    if not shown.any():
        return Distribution(title, "share of the rows", "", np.zeros(0), {})
    edges = histogram_edges(numbers[shown])
    counts = {
        group: np.histogram(numbers[shown], edges, weights=share[1:][shown])[0]
        for group, share in (("original", before), ("release", after))
    }
    left_out = round(release.original.rows * (1 - before[1:][shown].sum()))
    unit = "year" if column.kind == "date" else ""
    if left_out:
        unit = Phrase(
            "no value, or outside: {before} rows before, {after} after",
            before=left_out,
            after=round(len(release.rows) * (1 - after[1:][shown].sum())),
        )
    return Distribution(title, "share of the rows", unit, edges, counts)


def _published(release: TableRelease, name: str) -> Bools:
    """Which values lie between the lowest and the highest that the release gives away."""
    made = release.generalised.get(name)
    if made is None:
        codes = release.original[name].codes[release.rows]
        low, high = codes[codes != MISSING], codes[codes != MISSING]
    else:
        low, high = (ends[release.group] for ends in (made.low, made.high))
        low, high = low[low != MISSING], high[high != MISSING]
    place = np.arange(len(release.original[name].values))
    if len(low) == 0:
        return place < 0
    return (place >= low.min()) & (place <= high.max())


def histogram_edges(numbers: Floats) -> Floats:
    """Bins of equal width; around whole numbers, an equal number of them in each, where all are whole."""
    low, high = float(numbers.min()), float(numbers.max())
    if max(abs(low), abs(high)) < _COUNTED and (numbers % 1 == 0).all():
        wide = max(1, int(np.ceil((high - low + 1) / BINS)))
        return low - 0.5 + wide * np.arange(int(np.ceil((high - low + 1) / wide)) + 1)
    if low == high:
        half = max(0.5, abs(low) * 1e-9)
        low, high = low - half, high + half
    return np.unique(np.linspace(low, high, BINS + 1))
