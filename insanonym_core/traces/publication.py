"""Publish study traces: one line per distinct trace, small counts masked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from insanonym_core.io.publication import Option
from insanonym_core.tabular.publication import TablePublication
from insanonym_core.traces.files import write_trace_table

if TYPE_CHECKING:
    import pandas as pd

    from insanonym_core.kinds import Made, Release
    from insanonym_core.recipe import Recipe


class TracePublication(TablePublication):
    """A table of counted traces."""

    def file(self, recipe: Recipe) -> tuple[str, str]:
        """Return file name and type: CSV."""
        return "traces.csv", "text/csv"

    def write(self, recipe: Recipe, release: Release, path: Path, **options: Option) -> list[str]:
        """Write the masked table."""
        write_trace_table(release.published, path, **options)
        return []

    def frames(self, recipe: Recipe, release: Release) -> dict[str, pd.DataFrame]:
        """The masked table."""
        return {"release": release.published.to_frame()}

    def has_mapping(self, recipe: Recipe) -> bool:
        """No: what was cleaned is counted, and not published row by row."""
        return False

    def describe(self, made: Made) -> str:
        """Describe the release: number of traces, and the rows they were counted from."""
        return f"{len(made.release.published):,} traces, counted from {super().describe(made)},"


PUBLICATION = TracePublication()
