"""One column before and after, to be drawn: bars for categories, a histogram for numbers and dates."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Bools, Floats, Ints
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

    Nothing rare is named, whether it was deleted or not: values that few hold or that are not published stand
    together, the histogram reaches no further than what is published, and leaves out what few hold.
    """
    title = Phrase("{column}, before and after", column=name)
    if release.original[name].kind == "category":
        return _bars(title, release, name, before, after)
    return _histogram(title, release, name, before, after)


def _bars(title: str, release: TableRelease, name: str, before: Floats, after: Floats) -> Bars:
    """The most frequent values that are published, and the rest together."""
    column = release.original[name]
    often = np.argsort(-(before + after), kind="stable")
    named = (after > 0) & (release.holders(name) >= release.min_holders)
    often = often[named[often]][:MOST_BARS]
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
        shows_individuals=False,
    )


def _histogram(title: str, release: TableRelease, name: str, before: Floats, after: Floats) -> Distribution:
    """Both on the same edges; an interval of the release is spread evenly over the values in it."""
    column = release.original[name]
    numbers = column.numbers()
    if column.kind == "date":  # days since 1970 say nothing to a reader
        numbers = 1970 + numbers / _DAYS_OF_A_YEAR
    held = release.holders(name)[1:]
    shown = _published(release, name) & within_common(held, release.min_holders)
    if not shown.any():
        return Distribution(title, "share of the rows", "", np.zeros(0), {}, shows_individuals=False)
    edges = histogram_edges(numbers[shown])
    shown &= ~in_small_bins(numbers, held, edges, release.min_holders)
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
    return Distribution(title, "share of the rows", unit, edges, counts, shows_individuals=False)


def within_common(held: Ints, fewest: int) -> Bools:
    """Which values, in their order, have at least so many holders at or before them, and at or after them.

    The ends of a histogram are then no single person's.
    """
    return (np.cumsum(held) >= fewest) & (np.cumsum(held[::-1])[::-1] >= fewest)


def in_small_bins(numbers: Floats, held: Ints, edges: Floats, fewest: int) -> Bools:
    """Which numbers stand in a bin that fewer than so many hold."""
    place = np.clip(np.searchsorted(edges, numbers, "right") - 1, 0, len(edges) - 2)
    inside = (numbers >= edges[0]) & (numbers <= edges[-1])
    total = np.bincount(place, np.where(inside, held, 0), minlength=len(edges) - 1)
    return (total < fewest)[place]


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
