"""Publish tables: rows sorted by all columns, without the pairing or a lookup table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from insanonym_core.io.output import check_writable
from insanonym_core.io.publication import Option, Publication
from insanonym_core.tabular.files import write_frame
from insanonym_core.tabular.release import TableRelease, sorted_rows
from insanonym_core.tabular.several_tables import check_several, write_several

if TYPE_CHECKING:
    import pandas as pd

    from insanonym_core.recipe import Recipe


FIRST, SECOND = "quasi_identifiers.csv", "sensitive.csv"


class TablePublication(Publication):
    """One table as CSV, or two in a folder or a zip."""

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
            write_several(two_tables(release), path, **options)
        else:
            write_frame(sorted_rows(release.published).frame(), path, **options)
        return []

    def has_lookup(self, recipe: Recipe) -> bool:
        """Whether a step gives pseudonyms."""
        return any(step.method == "pseudonymise" for step in recipe.steps)

    def lookup(self, release: TableRelease) -> pd.DataFrame:
        """Return the lookup table of values and pseudonyms."""
        if "lookup" not in release.extra:
            return super().lookup(release)
        frame: pd.DataFrame = release.extra["lookup"]
        return frame


def two_tables(release: TableRelease) -> dict[str, pd.DataFrame]:
    """Return the two tables of a bucketised release by file name."""
    return {FIRST: release.published.frame(), SECOND: release.extra["sensitive"]}


def publishes_two_tables(recipe: Recipe) -> bool:
    """Whether the recipe publishes two tables (bucketised)."""
    return any(step.method == "bucketise" for step in recipe.steps)


PUBLICATION = TablePublication()
