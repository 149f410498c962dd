"""partition: a large file as a folder of parts, for several processes or machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import Columns, column_order_of


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("partition")(partition_command)


def partition_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to part.", show_default=False)],
    output: Annotated[Path, typer.Option("-o", "--output", help="The new folder.", show_default=False)],
    original: Annotated[
        Path | None,
        typer.Option(
            help="The original of FILE if FILE is a release: it names the individual of each line.",
            show_default=False,
        ),
    ] = None,
    parts: Annotated[
        int | None,
        typer.Option(
            help="Number of parts; by default they have about half a million rows.", show_default=False
        ),
    ] = None,
    memory_limit: Annotated[int, typer.Option(help="Largest memory in megabytes.")] = 1000,
    columns: Columns = None,
) -> None:
    """Write FILE as a folder of Parquet files that hold whole individuals, in bounded memory.

    Partition the original, then its release with --original: `insanonym score` takes the two folders.
    """
    from insanonym_core.scale.partition import partition

    with show.counting("rows") as on_rows:
        rows = partition(
            file,
            output,
            original=original,
            parts=parts,
            memory=memory_limit * 10**6,
            columns=column_order_of(columns),
            on_rows=on_rows,
        )
    number = len(list(output.glob("*.parquet")))
    show.errors.print(f"{rows:,} rows written to {output} in {number} parts.")
