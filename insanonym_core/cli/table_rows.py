"""table suppress-rare, grow, bucketise, pseudonymise: deleting, choosing and splitting."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import Output
from insanonym_core.cli.role_options import split
from insanonym_core.cli.table import K, ValueK, table_app
from insanonym_core.cli.table_input import checked_k, print_report, run_table, summary, told_privacy
from insanonym_core.cli.table_options import FILE, HIDING, READING, WRITING, TableOptions, takes
from insanonym_core.io.output import check_apart, check_writable
from insanonym_core.kinds import kind_named


def register() -> None:
    """Add the commands to the group of cli.table."""
    table_app.command("suppress-rare")(suppress_rare)
    table_app.command()(grow)
    table_app.command()(bucketise)
    table_app.command()(pseudonymise)


@takes(*HIDING, *READING, "as_json", *WRITING)
def suppress_rare(
    table: TableOptions,
    *,
    output: Output,
    columns: Annotated[str, typer.Option(help="Columns to check; all but the identifier by default.")] = "",
    k: ValueK = "5",
    scope: Annotated[str, typer.Option(help="row, or individual (needs --id).")] = "row",
    by: Annotated[str, typer.Option(help="Also count the losses by this column, such as the year.")] = "",
) -> None:
    """Delete rows with values that fewer than k rows share, pass by pass until none is left."""
    from insanonym_core.tabular.exposure import smallest_support
    from insanonym_core.tabular.publication import write_release

    check_writable(output, **table.writing)
    step = {"columns": split(columns), "k": k, "scope": scope}
    run = run_table(table, ("suppress_rare_values", step), by=by)
    support = smallest_support(run.release, scope == "individual")
    report = summary(run) | {
        "rows_lost": run.rows - run.kept,
        "support": support,
        "verified": f"Every value of the columns looked at stands in at least {support} "
        f"{'individuals' if scope == 'individual' else 'rows'}; combinations of values may be rarer.",
    }
    if by:
        report["loss_by"] = run.facts["losses_by"]
    write_release(run.release, output, style=table.output_style, **table.writing)
    print_report(report, table.as_json, "Rare values deleted")


@takes("sensitive", *HIDING, *READING, "as_json", *WRITING)
def grow(
    table: TableOptions,
    *,
    start: Annotated[str, typer.Option(help="The columns to begin with.", show_default=False)],
    columns: Annotated[
        str, typer.Option(help="Candidates; all but identifier and sensitive by default.")
    ] = "",
    k: K = "5",
    max_loss: Annotated[str, typer.Option(help="Largest share of rows to lose.")] = "0.05",
    rows_before: Annotated[
        str, typer.Option(help="Rows before any cleaning; losses count from there.")
    ] = "0",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Also write the projection.", show_default=False)
    ] = None,
) -> None:
    """Add columns one by one, each time the one that loses the fewest rows, within a budget of lost rows."""
    from insanonym_core.tabular.publication import write_release

    if output:
        check_writable(output, **table.writing)
    step = {"start": split(start), "candidates": split(columns), "k": k, "max_loss": max_loss}
    run = run_table(table, ("grow_projection", {**step, "rows_before": rows_before}))
    checked = checked_k(run, int(run.recipe.steps[0].parameters["k"]))
    report = summary(run) | {name: checked[name] for name in ("asked_k", "k", "verified")}
    if output:
        write_release(run.release, output, style=table.output_style, **table.writing)
    print_report(report, table.as_json, "Columns that can be published together")


@takes("quasi", "sensitive", "seed", *HIDING, *READING, "as_json", *WRITING)
def bucketise(
    table: TableOptions,
    *,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="The folder or .zip to write two tables to.", show_default=False),
    ],
    k: Annotated[str, typer.Option(help="Smallest number of rows in a group.")] = "5",
    l: Annotated[str, typer.Option(help="Different sensitive values in every group.")] = "2",  # noqa: E741
) -> None:
    """Split a table in two: quasi-identifiers with a group, and the sensitive values of each group."""
    from insanonym_core.tabular.publication import FIRST, SECOND, write_two_tables
    from insanonym_core.tabular.several_tables import check_several

    check_several((FIRST, SECOND), output, **table.writing)
    needed = kind_named("table").headline("privacy").needs
    run = run_table(table, ("bucketise", {"k": k, "l": l}), only=needed)
    write_two_tables(run.release, output, style=table.output_style, **table.writing)
    print_report(summary(run) | told_privacy(run, table.as_json), table.as_json, "Bucketised")


@takes("seed", *HIDING, *FILE, "as_json", *WRITING)
def pseudonymise(
    table: TableOptions,
    *,
    output: Output,
    column: Annotated[str, typer.Option(help="The column to replace.", show_default=False)],
    lookup: Annotated[
        Path | None, typer.Option(help="Also write who is behind which pseudonym (CSV).", show_default=False)
    ] = None,
) -> None:
    """Replace an identifier by random pseudonyms. Other identifiers are left out, other columns unchanged."""
    from insanonym_core.tabular.files import write_frame
    from insanonym_core.tabular.publication import write_release

    check_apart(output, lookup)
    for target in filter(None, (output, lookup)):
        check_writable(target, **table.writing)
    run = run_table(table, ("pseudonymise", {"column": column}))
    names = run.recipe.data_kind.publishing.lookup(run.release)
    if lookup:
        style = run.release.original.style.asked(table.output_style)
        write_frame(names, lookup, style, private=True, **table.writing)
        show.errors.print(f"Lookup written to {lookup}. Keep this file secret: it undoes the release.")
    write_release(run.release, output, style=table.output_style, **table.writing)
    print_report(summary(run) | {"pseudonyms": len(names)}, table.as_json, "Pseudonyms")
