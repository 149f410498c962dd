"""table: risk of a table, and methods that lower it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import Output
from insanonym_core.cli.table_input import (
    VERIFIED,
    about_columns,
    hierarchy_lines,
    intervals,
    print_not_published,
    print_report,
    run_table,
    told_l,
    told_privacy,
    verified,
)
from insanonym_core.cli.table_options import HIDING, READING, WRITING, TableOptions, takes
from insanonym_core.io.output import check_apart, check_writable
from insanonym_core.kinds import kind_named

if TYPE_CHECKING:
    from insanonym_core.experiment import Report

FAMILIES = ("utility", "privacy")
table_app = typer.Typer(help="Anonymise tables, verify and measure them.", no_args_is_help=True)

K = Annotated[str, typer.Option(help="Smallest number of rows with the same values in all these columns.")]
ValueK = Annotated[str, typer.Option(help="Smallest number of rows with the same value in a column.")]
Stop = Annotated[
    str,
    typer.Option(
        help="both: both sides of a cut keep k rows; source: the source document's rule, which can fail."
    ),
]
Diversity = Annotated[str, typer.Option("--l", help="The l of recursive (c, l)-diversity.")]
Mapped = Annotated[
    Path | None,
    typer.Option("--mapping", help="Also write which values became which (CSV).", show_default=False),
]
Everything = Annotated[
    bool, typer.Option("--all", help="Also distributions, correlations, queries and a classifier.")
]


def register(app: typer.Typer) -> None:
    """Add the group."""
    from insanonym_core.cli import table_rows

    table_rows.register()
    app.add_typer(table_app, name="table")


@table_app.command()
@takes("quasi", "sensitive", "identifier", *READING, "as_json")
def risk(
    table: TableOptions,
    *,
    population: Annotated[
        Path | None,
        typer.Option(help="A table of the whole population, for the journalist's risk.", show_default=False),
    ] = None,
    diversity: Diversity = "2",
) -> None:
    """Measure how exposed the rows of a table are."""
    from insanonym_core.reading.options import ReadingOptions
    from insanonym_core.tabular.files import read_table
    from insanonym_core.tabular.journalist import journalist_risk

    run = run_table(table, only=("privacy",), settings=_settings(diversity))
    scores = {measure.entry.name: measure.score for measure in run.measures}
    report: dict[str, Any] = {
        "rows": run.kept,
        "rows_with_missing_dropped": run.facts["missing_dropped"],
        "classes": scores["k"].details["classes"],
        "k": int(scores["k"].value),
    }
    if run.release.roles.identifier:
        report["k_individuals"] = scores["k"].details["individuals"]
    for name, score in scores.items():
        if name != "k":
            report[name] = int(score.value) if name == "l" and score.defined else score.value
    report["marketer"] = scores["prosecutor_mean"].value
    report["linkage_worst"] = scores["linkage"].details["worst"]
    report["linkage_rows_tried"] = scores["linkage"].details["rows_tried"]
    report |= intervals(run) | told_l(run) | told_privacy(run, table.as_json)
    if population:
        others = read_table(population, ReadingOptions.of({**table.reading, "types": {}}))
        report |= journalist_risk(run.release, others)
    print_not_published(run.facts["not_published"])
    print_report(report | about_columns(run.facts), table.as_json, f"Risk of {table.file.name}")


@table_app.command()
@takes("quasi", "sensitive", "seed", *HIDING, *READING, "as_json", *WRITING)
def mondrian(
    table: TableOptions,
    *,
    output: Output,
    k: K = "5",
    choice: Annotated[str, typer.Option(help="Attribute of the next cut: best, widest or random.")] = "best",
    individuals: Annotated[str, typer.Option(help="Smallest number of individuals in a class.")] = "1",
    min_l: Annotated[str, typer.Option(help="Fewest different sensitive values in a class.")] = "1",
    entropy: Annotated[bool, typer.Option(help="Count values by entropy in --min-l.")] = False,
    max_t: Annotated[str, typer.Option(help="Largest distance of a class from the whole table.")] = "1",
    hierarchy: Annotated[
        list[str] | None,
        typer.Option(
            help="Hierarchy of a column: COLUMN=FILE (lines value;level1;level2), COLUMN=date, "
            "COLUMN=5,10,50 or COLUMN=low<mid<high. May be repeated.",
            show_default=False,
        ),
    ] = None,
    stop: Stop = "both",
    mapping: Mapped = None,
    everything: Everything = False,
    diversity: Diversity = "2",
) -> None:
    """Generalise all quasi-identifiers until every row looks like at least k - 1 others."""
    _check_outputs(table, output, mapping)
    step = {"k": k, "choice": choice, "individuals": individuals, "l": min_l, "t": max_t, "stop": stop}
    step["diversity"] = "entropy" if entropy else "distinct"
    step["hierarchies"] = hierarchy_lines(hierarchy or ())
    report = run_table(table, ("mondrian", step), only=_measures(everything), settings=_settings(diversity))
    _finish(report, table, output, mapping, "Mondrian")


@table_app.command()
@takes("quasi", "sensitive", *HIDING, *READING, "as_json", *WRITING)
def generalise(
    table: TableOptions,
    *,
    output: Output,
    column: Annotated[str, typer.Option(help="The column to generalise.", show_default=False)],
    k: ValueK = "5",
    stop: Stop = "both",
    mapping: Mapped = None,
    everything: Everything = False,
    diversity: Diversity = "2",
) -> None:
    """Generalise one column into intervals or sets of at least k rows. Protects that column alone.

    With --qi, risk and loss are measured on the quasi-identifiers; k is that of the column.
    """
    _check_outputs(table, output, mapping)
    step = {"column": column, "k": k, "stop": stop}
    only = _measures(everything)
    report = run_table(table, ("generalise_column", step), only=only, settings=_settings(diversity))
    _finish(report, table, output, mapping, f"Generalised {column}")


def _settings(diversity: str) -> dict[str, str]:
    return {"recursive_c.l": diversity}


def _measures(everything: bool) -> tuple[str, ...] | None:
    if everything:
        return None
    verified_by = tuple(f"{family}.{one}" for one in VERIFIED for family in FAMILIES)
    return *verified_by, *kind_named("table").headline("privacy").needs


def _check_outputs(table: TableOptions, output: Path, mapping: Path | None) -> None:
    check_apart(output, mapping)
    for target in filter(None, (output, mapping)):
        check_writable(target, **table.writing)


def _finish(report: Report, table: TableOptions, output: Path, mapping: Path | None, title: str) -> None:
    from insanonym_core.tabular.files import write_frame
    from insanonym_core.tabular.publication import value_mapping, write_release

    told = verified(report, int(report.recipe.steps[-1].parameters["k"])) | told_l(report)
    told |= told_privacy(report, table.as_json)
    if mapping:
        style = report.release.original.style.asked(table.output_style)
        write_frame(value_mapping(report.release), mapping, style, private=True, **table.writing)
        show.errors.print(f"Mapping written to {mapping}. Keep this file secret: it holds your values.")
    write_release(report.release, output, style=table.output_style, **table.writing)
    print_report(told, table.as_json, title)
