"""table: risk of a table, and methods that lower it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from insanonym_core.cli.opened import (
    Opened,
    field_mark,
    print_not_published,
    run_method,
    split,
    tell,
    verified,
)
from insanonym_core.cli.options import AsJson, Force, Output

if TYPE_CHECKING:
    from insanonym_core.tabular.release import TableRelease

table_app = typer.Typer(help="Anonymise tables, verify and measure them.", no_args_is_help=True)

File = Annotated[
    Path, typer.Argument(metavar="FILE", help="CSV, TSV, zip, gz or Parquet.", show_default=False)
]
Quasi = Annotated[
    str, typer.Option("--qi", help="Quasi-identifiers, separated by commas.", show_default=False)
]
Sensitive = Annotated[str, typer.Option(help="Sensitive columns, separated by commas.", show_default=False)]
Identifier = Annotated[
    str,
    typer.Option(
        "--id",
        help="Identifiers, separated by commas; the first tells individuals apart. None is published.",
        show_default=False,
    ),
]
Drop = Annotated[
    str, typer.Option("--drop", help="Columns not to publish, separated by commas.", show_default=False)
]
PublishColumns = Annotated[
    str,
    typer.Option(
        "--publish-columns",
        help="Columns to publish although they look like direct identifiers (names, e-mail …).",
        show_default=False,
    ),
]
Missing = Annotated[str, typer.Option(help="value: missing is a value of its own; drop: such rows are lost.")]
Separator = Annotated[
    str | None, typer.Option(help="Field separator, guessed by default.", show_default=False)
]
Decimal = Annotated[str, typer.Option(help="Decimal mark: . or ,")]
K = Annotated[str, typer.Option(help="Smallest number of rows that look alike.")]
Everything = Annotated[
    bool, typer.Option("--all", help="Also linkage, distributions, correlations, queries and a classifier.")
]
Seed = Annotated[int | None, typer.Option(help="Repeatable draws, for lessons.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the group; table_rows.register adds the rest of its commands."""
    app.add_typer(table_app, name="table")


@table_app.command()
def risk(
    file: File,
    quasi: Quasi = "",
    sensitive: Sensitive = "",
    identifier: Identifier = "",
    missing: Missing = "value",
    separator: Separator = None,
    decimal: Decimal = ".",
    population: Annotated[
        Path | None,
        typer.Option(help="A table of the whole population, for the journalist's risk.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure how exposed the rows of a table are."""
    from insanonym_core.tabular.evaluate import evaluate_table, journalist_risk, unchanged
    from insanonym_core.tabular.files import read_table
    from insanonym_core.tabular.roles import not_published_list

    opened = Opened(
        file,
        quasi=quasi,
        sensitive=sensitive,
        identifier=identifier,
        missing=missing,
        separator=separator,
        decimal=decimal,
        needs_quasi=True,
    )
    release = unchanged(opened.table, opened.roles.decided(opened.whole))
    scores = evaluate_table(release, family="privacy").scores
    report: dict[str, Any] = {
        "rows": opened.table.rows,
        "rows_with_missing_dropped": opened.dropped,
        "classes": scores["k"].details["classes"],
        "k": int(scores["k"].value),
    }
    if opened.roles.identifier:
        report["k_individuals"] = scores["k"].details["individuals"]
    for name, score in scores.items():
        if name != "k":
            report[name] = int(score.value) if name == "l" and score.defined else score.value
    report["marketer"] = scores["prosecutor_mean"].value
    report["linkage_worst"] = scores["linkage"].details["worst"]
    if population:
        others = read_table(population, separator=field_mark(separator), decimal=decimal)
        report |= journalist_risk(release, others)
    print_not_published(release.not_published)
    report["not_published"] = not_published_list(release.not_published)
    report["roles_guessed"] = list(opened.roles.guessed)
    tell(report, as_json, f"Risk of {file.name}")


@table_app.command()
def mondrian(
    file: File,
    output: Output,
    quasi: Quasi = "",
    sensitive: Sensitive = "",
    k: K = "5",
    choice: Annotated[str, typer.Option(help="Attribute of the next cut: random or widest.")] = "random",
    stop: Annotated[
        str, typer.Option(help="both: no side below k; source: the literal rule, which fails.")
    ] = "both",
    seed: Seed = None,
    identifier: Identifier = "",
    drop: Drop = "",
    publish: PublishColumns = "",
    missing: Missing = "value",
    separator: Separator = None,
    decimal: Decimal = ".",
    everything: Everything = False,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Generalise all quasi-identifiers until every row looks like at least k - 1 others."""
    opened = _prepared(
        file,
        output,
        force,
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
    release = run_method("mondrian", opened, seed, k=k, choice=choice, stop=stop)
    _finish(opened, release, file, output, force, as_json, "Mondrian", everything)


@table_app.command()
def generalise(
    file: File,
    output: Output,
    column: Annotated[str, typer.Option(help="The column to generalise.", show_default=False)],
    k: K = "5",
    stop: Annotated[
        str, typer.Option(help="both: no side below k; source: the literal rule, which fails.")
    ] = "both",
    identifier: Identifier = "",
    drop: Drop = "",
    publish: PublishColumns = "",
    missing: Missing = "value",
    separator: Separator = None,
    decimal: Decimal = ".",
    everything: Everything = False,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Generalise one column into intervals or sets of at least k rows. Protects that column alone."""
    opened = _prepared(
        file,
        output,
        force,
        identifier=identifier,
        drop=drop,
        publish=publish,
        missing=missing,
        separator=separator,
        decimal=decimal,
        used=split(column),
    )
    release = run_method("generalise_column", opened, None, column=column, k=k, stop=stop)
    _finish(opened, release, file, output, force, as_json, f"Generalised {column}", everything)


def _prepared(file: Path, output: Path, force: bool, **options: Any) -> Opened:
    from insanonym_core.output import check_writable

    check_writable(output, force=force, sources=(file,))
    return Opened(file, **options)


def _finish(
    opened: Opened,
    release: TableRelease,
    file: Path,
    output: Path,
    force: bool,
    as_json: bool,
    title: str,
    everything: bool,
) -> None:
    from insanonym_core.tabular.files import write_frame

    report = verified(opened, release, everything)
    write_frame(release.frame, output, force=force, sources=(file,))
    tell(report, as_json, title)
