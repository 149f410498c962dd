"""Publish study traces: one line per distinct trace, small counts masked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from insanonym_core.io.output import check_writable
from insanonym_core.io.publication import Option
from insanonym_core.tabular.publication import TablePublication
from insanonym_core.tabular.several_tables import check_several, write_several
from insanonym_core.traces.files import write_trace_table

if TYPE_CHECKING:
    import pandas as pd

    from insanonym_core.kinds import Made, Release
    from insanonym_core.reading.style import Style
    from insanonym_core.recipe import Recipe


_PLAIN = "traces.csv"


class TracePublication(TablePublication):
    """A table of counted traces; if it was protected, all tables it was protected with."""

    def file(self, recipe: Recipe) -> tuple[str, str]:
        """Return file name and type: CSV, or a zip of several."""
        several = len(table_names(recipe)) > 1
        return ("traces_to_publish.zip", "application/zip") if several else (_PLAIN, "text/csv")

    def check(
        self, recipe: Recipe, path: Path, *, force: bool, sources: tuple[Path, ...], **options: Option
    ) -> None:
        """Check before a run that the tables can be written."""
        names = table_names(recipe)
        if len(names) > 1:
            check_several(names, path, force=force, sources=sources)
        else:
            check_writable(path, force=force, sources=sources)

    def write(self, recipe: Recipe, release: Release, path: Path, **options: Option) -> list[str]:
        """Write the masked table, or all of them."""
        frames = _frames(recipe, release)
        style = release.style.asked(options.pop("style", ""))
        if len(frames) > 1:
            write_several(frames, path, style, **options)
        else:
            write_trace_table(release.published, path, style=style, **options)
        return []

    def frames(self, recipe: Recipe, release: Release) -> dict[str, pd.DataFrame]:
        """The masked table, or all of them."""
        frames = _frames(recipe, release)
        if len(frames) > 1:
            return {Path(name).stem: frame for name, frame in frames.items()}
        return {"release": release.published.to_frame()}

    def style(self, release: Release) -> Style:
        """Return how the table of the enrolments is written."""
        style: Style = release.style
        return style

    def has_mapping(self, recipe: Recipe) -> bool:
        """No: what was cleaned is counted, and not published row by row."""
        return False

    def describe(self, made: Made) -> str:
        """Describe the release: number of traces, and the rows they were counted from."""
        return f"{len(made.release.published):,} traces, counted from {super().describe(made)},"


def _frames(recipe: Recipe, release: Release) -> dict[str, pd.DataFrame]:
    """Return what is published by file name."""
    names = table_names(recipe)
    tables = list(release.labelled().values())[: len(names)]
    return {name: table.to_frame() for name, table in zip(names, tables, strict=True)}


def table_names(recipe: Recipe) -> list[str]:
    """Return the names of the files to publish, in the order of the tables of a release."""
    count = recipe.complete().steps[-1].parameters
    first, *further = [*dict.fromkeys((*count["prefix"], *count["further"]))] or [None]
    if count["protect"] < 2 or first is None:
        return [_PLAIN]
    names = [_named(first), _PLAIN]
    for place, column in enumerate(further, start=2):
        name = _named(column)
        names.append(name if name not in names else f"{place}_{name}")
    return names


def _named(column: str) -> str:
    """Return the file name of the table with a prefix."""
    return f"traces_{re.sub(r'[^0-9A-Za-z_-]', '_', column)[:60]}.csv"


PUBLICATION = TracePublication()
