"""Figures of one column before and after: bars for categories, a histogram for numbers and dates."""

from __future__ import annotations

import numpy as np

from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.holders import bin_of, common_range, rare_bins, round_edges
from insanonym_core.results.scores import Bars, Distribution
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.table import MISSING, Column
from insanonym_core.texts import Phrase

MAX_BARS = 8
BINS = 20
_DAYS_OF_A_YEAR = 365.2425


def before_and_after(release: TableRelease, name: str, before: Floats, after: Floats) -> Bars | Distribution:
    """Draw the shares of a column's values, missing first, in the original and in the release.

    Rare values are not named, whether deleted or not: values held by few people or not published are drawn
    together. A histogram has round edges, ends at values that several published rows have, and leaves out
    bins with few people.
    """
    title = Phrase("{column}, before and after", column=name)
    if release.original[name].kind == "category":
        return _bars(title, release, name, before, after)
    return _histogram(title, release, name, before, after)


def _bars(title: str, release: TableRelease, name: str, before: Floats, after: Floats) -> Bars:
    """Draw the most frequent published values, and all others together."""
    column = release.original[name]
    frequent = np.argsort(-(before + after), kind="stable")
    named = (after > 0) & (release.holders(name) >= release.min_holders)
    frequent = frequent[named[frequent]][:MAX_BARS]
    rest = np.ones(len(before), dtype=bool)
    rest[frequent] = False
    known = Column(name, column.kind, column.values[frequent[frequent > 0] - 1], np.zeros(0, dtype=np.int64))
    texts = iter(known.texts())
    labels = [next(texts) if place else Phrase("(missing)") for place in frequent]
    groups = {
        group: [*share[frequent], share[rest].sum()]
        for group, share in (("original", before), ("release", after))
    }
    if groups["original"][-1] + groups["release"][-1] > 0:
        labels.append(Phrase("(other values)"))
    return Bars(
        title,
        "share of the rows",
        tuple(labels),
        {group: np.array(shares[: len(labels)]) for group, shares in groups.items()},
        share=True,
        shows_individuals=False,
    )


def _histogram(title: str, release: TableRelease, name: str, before: Floats, after: Floats) -> Distribution:
    """Draw both histograms on the same edges; a published interval is spread evenly over its values."""
    column = release.original[name]
    numbers = column.numbers()
    if column.kind == "date":  # draw years instead of days since 1970
        numbers = 1970 + numbers / _DAYS_OF_A_YEAR
    ends = common_range(
        *_values_and_people(release, name, numbers, release.rows), min_people=release.min_holders
    )
    if ends is None:
        return Distribution(title, "share of the rows", "", np.zeros(0), {}, shows_individuals=False)
    edges = round_edges(*ends, BINS, whole=bool((numbers % 1 == 0).all()))
    every_row = np.arange(release.original.rows)
    rare = rare_bins(
        *_values_and_people(release, name, numbers, every_row), edges=edges, min_people=release.min_holders
    )
    bins = bin_of(numbers, edges)
    drawn = (bins >= 0) & ~rare[bins]
    counts = {
        group: np.histogram(numbers[drawn], edges, weights=share[1:][drawn])[0]
        for group, share in (("original", before), ("release", after))
    }
    # Rows with a missing or a rare value.
    left_out = round(release.original.rows * (1 - before[1:][drawn].sum()))
    unit = "year" if column.kind == "date" else ""
    if left_out:
        unit = Phrase(
            "not drawn: {before:,} rows before, {after:,} after",
            before=left_out,
            after=round(len(release.rows) * (1 - after[1:][drawn].sum())),
        )
    return Distribution(title, "share of the rows", unit, edges, counts, shows_individuals=False)


def _values_and_people(
    release: TableRelease, name: str, numbers: Floats, rows: Ints
) -> tuple[Floats, list[Ints]]:
    """Return the values of some original rows in a column, and the people they belong to."""
    codes = release.original[name].codes[rows]
    present = codes != MISSING
    return numbers[codes[present]], [person[rows[present]] for person in release.people]
