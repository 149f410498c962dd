"""table suppress-rare, grow, bucketise, pseudonymise: deleting, choosing and splitting."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.opened import Opened, run_method, split, summary, tell
from insanonym_core.cli.options import AsJson, Force, Output
from insanonym_core.cli.table import (
    Decimal,
    Drop,
    File,
    Identifier,
    K,
    Missing,
    PublishColumns,
    Quasi,
    Seed,
    Sensitive,
    Separator,
    table_app,
)


def register(app: typer.Typer) -> None:
    """Add the commands to the group of cli.table."""
    table_app.command("suppress-rare")(suppress_rare)
    table_app.command()(grow)
    table_app.command()(bucketise)
    table_app.command()(pseudonymise)


def suppress_rare(
    file: File,
    output: Output,
    columns: Annotated[str, typer.Option(help="Columns to look at; all but the identifier by default.")] = "",
    k: K = "5",
    scope: Annotated[str, typer.Option(help="row, or individual (needs --id).")] = "row",
    by: Annotated[str, typer.Option(help="Also count the losses by this column, such as the year.")] = "",
    identifier: Identifier = "",
    drop: Drop = "",
    publish: PublishColumns = "",
    missing: Missing = "value",
    separator: Separator = None,
    decimal: Decimal = ".",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Delete rows with values that fewer than k rows share, pass by pass until none is left."""
    from insanonym_core.output import check_writable
    from insanonym_core.tabular.chain import losses_by
    from insanonym_core.tabular.evaluate import smallest_support
    from insanonym_core.tabular.files import write_frame
    from insanonym_core.tabular.roles import refuse_hidden

    check_writable(output, force=force, sources=(file,))
    opened = Opened(
        file,
        identifier=identifier,
        drop=drop,
        publish=publish,
        missing=missing,
        separator=separator,
        decimal=decimal,
        used=split(columns),
    )
    if by:
        opened.whole.named((by,), "--by column")
        refuse_hidden(opened.roles.decided(opened.whole, split(columns)), (by,), "--by column")
    release = run_method("suppress_rare_values", opened, None, columns=split(columns), k=k, scope=scope)
    support = smallest_support(release, scope == "individual")
    report = summary(opened, release) | {
        "rows_lost": opened.whole.rows - len(release.frame),
        "support": support,
        "verified": f"Every value of the columns looked at stands in at least {support} "
        f"{'individuals' if scope == 'individual' else 'rows'}; combinations of values may be rarer.",
    }
    if by:
        report["loss_by"] = losses_by(release, by)
    write_frame(release.frame, output, force=force, sources=(file,))
    tell(report, as_json, "Rare values deleted")


def grow(
    file: File,
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
    sensitive: Sensitive = "",
    identifier: Identifier = "",
    drop: Drop = "",
    publish: PublishColumns = "",
    missing: Missing = "value",
    separator: Separator = None,
    decimal: Decimal = ".",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Add columns one by one, the cheapest first, while the rows lost stay within a budget."""
    from insanonym_core.output import check_writable
    from insanonym_core.tabular.evaluate import verify
    from insanonym_core.tabular.files import write_frame

    if output:
        check_writable(output, force=force, sources=(file,))
    opened = Opened(
        file,
        sensitive=sensitive,
        identifier=identifier,
        drop=drop,
        publish=publish,
        missing=missing,
        separator=separator,
        decimal=decimal,
        used=split(start) + split(columns),
    )
    release = run_method(
        "grow_projection",
        opened,
        None,
        start=split(start),
        candidates=split(columns),
        k=k,
        max_loss=max_loss,
        rows_before=rows_before if rows_before != "0" else opened.whole.rows,
    )
    check = verify(release)
    report = summary(opened, release) | {
        "asked_k": check.asked,
        "k": check.measured,
        "verified": check.sentence(),
    }
    if output:
        write_frame(release.frame, output, force=force, sources=(file,))
    tell(report, as_json, "Columns that can be published together")


def bucketise(
    file: File,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="The folder or .zip to write two tables to.", show_default=False),
    ],
    quasi: Quasi = "",
    sensitive: Sensitive = "",
    k: K = "5",
    l: Annotated[str, typer.Option(help="Different sensitive values in every group.")] = "2",  # noqa: E741
    seed: Seed = None,
    identifier: Identifier = "",
    drop: Drop = "",
    publish: PublishColumns = "",
    missing: Missing = "value",
    separator: Separator = None,
    decimal: Decimal = ".",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Split a table in two: quasi-identifiers with a group, and the sensitive values of each group."""
    from insanonym_core.tabular.two_tables import check_two_tables, write_two_tables

    check_two_tables(output, force=force, sources=(file,))
    opened = Opened(
        file,
        quasi=quasi,
        sensitive=sensitive,
        identifier=identifier,
        drop=drop,
        publish=publish,
        missing=missing,
        separator=separator,
        decimal=decimal,
        needs_quasi=True,
    )
    release = run_method("bucketise", opened, seed, k=k, l=l)
    write_two_tables(release, output, force=force, sources=(file,))
    tell(summary(opened, release), as_json, "Bucketised")


def pseudonymise(
    file: File,
    output: Output,
    column: Annotated[str, typer.Option(help="The column to replace.", show_default=False)],
    lookup: Annotated[
        Path | None, typer.Option(help="Also write who is behind which pseudonym (CSV).", show_default=False)
    ] = None,
    seed: Seed = None,
    identifier: Identifier = "",
    drop: Drop = "",
    publish: PublishColumns = "",
    separator: Separator = None,
    decimal: Decimal = ".",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Replace an identifier by random pseudonyms. Other identifiers are left out, other columns unchanged."""
    from insanonym_core.output import check_apart, check_writable
    from insanonym_core.tabular.files import write_frame

    check_apart(output, lookup)
    for target in (output, *([lookup] if lookup else [])):
        check_writable(target, force=force, sources=(file,))
    opened = Opened(
        file, identifier=identifier, drop=drop, publish=publish, separator=separator, decimal=decimal
    )
    release = run_method("pseudonymise", opened, seed, column=column)
    if lookup:
        write_frame(release.extra["lookup"], lookup, force=force, sources=(file,), private=True)
        show.errors.print(f"Lookup written to {lookup}. Keep this file secret: it undoes the release.")
    write_frame(release.frame, output, force=force, sources=(file,))
    tell(summary(opened, release) | {"pseudonyms": len(release.extra["lookup"])}, as_json, "Pseudonyms")
