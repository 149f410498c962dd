"""Publish tables: rows sorted by all columns, without the pairing or a lookup table."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from insanonym_core.errors import UsageError
from insanonym_core.io.output import check_writable
from insanonym_core.io.publication import Option, Publication
from insanonym_core.numeric.grouping import count_pairs
from insanonym_core.reading.style import labels_of
from insanonym_core.registry import methods
from insanonym_core.tabular.files import write_frame
from insanonym_core.tabular.release import TableRelease, sorted_rows
from insanonym_core.tabular.several_tables import check_several, write_several

if TYPE_CHECKING:
    import pandas as pd

    from insanonym_core.reading.style import Style
    from insanonym_core.recipe import Recipe


FIRST, SECOND = "quasi_identifiers.csv", "sensitive.csv"


def write_release(
    release: TableRelease,
    path: Path,
    *,
    style: str = "",
    force: bool = False,
    sources: tuple[Path, ...] = (),
) -> None:
    """Write a published table in the style of its original, or in the one of this name."""
    labels = release_labels(release)
    frame = release.published.frame()
    asked = release.original.style.asked(style)
    write_frame(frame, path, asked, labels=labels, force=force, sources=sources)


def value_mapping(release: TableRelease) -> pd.DataFrame:
    """Return a table of column, original value, published value and number of rows."""
    import pandas as pd

    found = []
    for name, generalised in release.generalised.items():
        if name not in release.published.columns:
            continue
        original, labels = release.original[name], generalised.labels()
        codes = original.codes[release.rows].astype(np.int64) + 1
        pairs = count_pairs(codes, len(original.values) + 1, release.group, max(len(labels), 1))
        texts = ["", *original.texts()]
        counted: Counter[tuple[str, str]] = Counter()
        columns = (one.tolist() for one in (pairs.group, pairs.item, pairs.count))
        for code, group, rows in zip(*columns, strict=True):
            counted[texts[code], labels[group]] += rows
        found += [(name, value, label, rows) for (value, label), rows in counted.items()]
    if not found:
        raise UsageError("No value of this release is generalised: do not ask for a mapping of values.")
    return pd.DataFrame(found, columns=["column", "value", "published", "rows"])


class TablePublication(Publication):
    """One table as CSV, or two in a folder or a zip."""

    options = ("style",)

    def file(self, recipe: Recipe) -> tuple[str, str]:
        """Return file name and type: CSV, or a zip of the two tables of a bucketised release."""
        two = publishes_two_tables(recipe)
        return ("release_to_publish.zip", "application/zip") if two else ("release.csv", "text/csv")

    def check(
        self, recipe: Recipe, path: Path, *, force: bool, sources: tuple[Path, ...], **options: Option
    ) -> None:
        """Check before a run that the release can be written."""
        if publishes_two_tables(recipe):
            check_several((FIRST, SECOND), path, force=force, sources=sources)
        else:
            check_writable(path, force=force, sources=sources)

    def write(self, recipe: Recipe, release: TableRelease, path: Path, **options: Option) -> list[str]:
        """Write the published table, sorted by all its columns."""
        if publishes_two_tables(recipe):
            write_two_tables(release, path, **options)
        else:
            write_release(replace(release, published=sorted_rows(release.published)), path, **options)
        return []

    def frames(self, recipe: Recipe, release: TableRelease) -> dict[str, pd.DataFrame]:
        """The published table, sorted by all its columns, or both of a bucketised release."""
        if publishes_two_tables(recipe):
            return {Path(name).stem: frame for name, frame in two_tables(release).items()}
        return {"release": _published(release)}

    def has_lookup(self, recipe: Recipe) -> bool:
        """Whether a step gives pseudonyms."""
        return any(step.method == "pseudonymise" for step in recipe.steps)

    def has_mapping(self, recipe: Recipe) -> bool:
        """Whether a step of tables other than pseudonyms and buckets may make values coarser."""
        others = {step.method for step in recipe.steps} - {"pseudonymise"}
        of_tables = {entry.name for entry in methods.all(data="table")}
        return bool(others & of_tables) and not publishes_two_tables(recipe)

    def mapping(self, release: TableRelease) -> pd.DataFrame:
        """Return each original value of the generalised columns, what it became, and in how many rows."""
        return value_mapping(release)

    def style(self, release: TableRelease) -> Style:
        """Return how the original is written."""
        return release.original.style

    def lookup(self, release: TableRelease) -> pd.DataFrame:
        """Return the lookup table of values and pseudonyms."""
        if "lookup" not in release.extra:
            return super().lookup(release)
        frame: pd.DataFrame = release.extra["lookup"]
        return frame


def release_labels(release: TableRelease) -> dict[str, str]:
    """The generalised columns of numbers and dates, whose intervals are texts."""
    kinds = {name: column.kind for name, column in release.original.columns.items()}
    return labels_of(kinds, [*getattr(release, "generalised", ()), *getattr(release, "coarser", ())])


def write_two_tables(release: TableRelease, path: Path, *, style: str = "", **options: Option) -> None:
    """Write the two tables of a bucketised release in the style of its original, or the one of this name."""
    asked = release.original.style.asked(style)
    write_several(two_tables(release), path, asked, labels=release_labels(release), **options)


def two_tables(release: TableRelease) -> dict[str, pd.DataFrame]:
    """Return the two tables of a bucketised release by file name."""
    return {FIRST: release.published.frame(), SECOND: release.extra["sensitive"]}


def _published(release: TableRelease) -> pd.DataFrame:
    return sorted_rows(release.published).frame()


def publishes_two_tables(recipe: Recipe) -> bool:
    """Whether the recipe publishes two tables (bucketised)."""
    return any(step.method == "bucketise" for step in recipe.steps)


PUBLICATION = TablePublication()
