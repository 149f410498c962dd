"""study: every table of a study of enrolments, with its text, from one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import AsJson, Force


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("study")(study_command)


def study_command(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study (YAML).", show_default=False)],
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder to make.", show_default=False)],
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Make every table of a study of enrolments, and the text to publish with them in English and French.

    The folder has what may be published together (loss by year, projections, traces), the tables that may
    replace one of these, the working table, and the recipe of each.
    """
    from insanonym_core.cli.table_input import print_about_columns
    from insanonym_core.study import make_tables, read_study, write_study
    from insanonym_core.study.write import INSTEAD, PUBLISH, WORKING, check_study, file_names

    plan = read_study(study)
    check_study(output, force=force)
    with show.job(2 * len(plan.projections) + 8) as job:
        tables = make_tables(plan, job)
        job.progress("Writing")
        write_study(tables, output, force=force)
    print_about_columns(tables.cleaned.facts)
    together = tables.masked.release.together
    if as_json:
        show.print_json(
            {
                "folder": str(output),
                "rows": tables.cleaned.rows,
                "cleaned": tables.cleaned.kept,
                "files": list(file_names(tables).values()),
                "projections": {
                    name: {"columns": list(report.release.published.columns), "rows": report.kept}
                    for name, report in tables.projections.items()
                },
                "traces": {name: len(table) for name, table in tables.traces()},
                "masked_counts_pinned": None if together is None else together.pinned,
                "protected": tables.protected is not None,
                "groups_found_again": {
                    f"{pair.first} - {pair.second}": len(pair.found.combinations)
                    for pair in tables.differences
                    if pair.found is not None
                }
                | {
                    f"{pair.traces} - {pair.projection}": pair.groups
                    for pair in tables.beside
                    if pair.groups is not None
                },
            }
        )
        return
    replaced = [name for name in file_names(tables).values() if name.startswith(INSTEAD)]
    if replaced:
        show.errors.print(
            f"These give something away together with the others, and lie apart: {', '.join(replaced)}."
        )
    show.errors.print(
        f"Study written to {output}: publish what is in {output / PUBLISH}, and read its text first; "
        f"{output / WORKING} is not for publication."
    )
