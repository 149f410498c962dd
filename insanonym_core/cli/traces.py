"""traces: study paths from enrolments, and what two published tables give away together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import AsJson, Force, Output
from insanonym_core.cli.reading_options import (
    Decimal,
    Encoding,
    Missing,
    Separator,
    Sheet,
    Types,
    Zone,
    reading_of,
)
from insanonym_core.cli.role_options import split, split_identifiers
from insanonym_core.cli.table_input import (
    about_columns,
    print_not_published,
    print_report,
    table_data,
    told_privacy,
)
from insanonym_core.cli.table_options import Drop, File
from insanonym_core.errors import UsageError, brief
from insanonym_core.kinds import kind_named

if TYPE_CHECKING:
    from insanonym_core.tabular.roles import Withheld

traces_app = typer.Typer(help="Build, mask and compare study traces.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(traces_app, name="traces")
    traces_app.command()(build)
    traces_app.command()(difference)
    traces_app.command("difference-tables")(difference_tables)


def build(
    file: File,
    output: Output,
    identifier: Annotated[
        str,
        typer.Option(
            "--id",
            help="Identifiers, separated by commas; the first tells individuals apart. None is published.",
            show_default=False,
        ),
    ],
    order: Annotated[
        str, typer.Option(help="The column that orders a path, such as the year.", show_default=False)
    ],
    item: Annotated[
        str, typer.Option(help="Columns that make up a step, joined by a dot.", show_default=False)
    ],
    prefix: Annotated[
        str, typer.Option(help="A column to put first, such as the bac.", show_default=False)
    ] = "",
    several: Annotated[str, typer.Option(help="Several rows in one year: last, or all.")] = "last",
    since: Annotated[
        str, typer.Option(help="Leave out individuals first seen before this year.", show_default=False)
    ] = "",
    mask: Annotated[
        int | None, typer.Option(help="Mask counts below this threshold.", show_default=False)
    ] = None,
    style: Annotated[
        str, typer.Option(help="Masked counts are written 1 (one, as in the source document) or <10 (less).")
    ] = "one",
    rare: Annotated[int, typer.Option(help="Also list items that concern fewer individuals than this.")] = 5,
    drop: Drop = "",
    missing: Missing = "value",
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    zone: Zone = None,
    types: Types = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Turn enrolments into counted study traces, one line per different path."""
    from insanonym_core.experiment import load, run
    from insanonym_core.io.output import check_writable
    from insanonym_core.recipe import Recipe, Step
    from insanonym_core.traces import rare_items, write_trace_table
    from insanonym_core.traces.table import check_threshold

    check_writable(output, force=force, sources=(file,))
    count = {
        "item": split(item),
        "order": (order,),
        "several": _several(several),
        # Below 2 there is only 1: masked so, nothing is hidden.
        **({"mask": 2, "style": "one"} if mask is None else {"mask": mask, "style": _style(style)}),
        **({"prefix": (prefix,)} if prefix else {}),
    }
    reading = {
        **reading_of(
            missing=missing,
            separator=separator,
            decimal=decimal,
            encoding=encoding,
            sheet=sheet,
            zone=zone,
            types=types,
        ),
        "texts": "all",
        "since": since,
    }
    if mask is not None:
        check_threshold(mask)
    recipe = Recipe(
        (Step("count_traces", count),),
        data=table_data(file),
        kind="traces",
        reading={name: value for name, value in reading.items() if value},
    )
    needed = kind_named("traces").headline("privacy").needs
    if mask is None:  # no count is masked: none can become known
        needed = tuple(name for name in needed if name != "privacy.pinned")
    with show.job(2) as job:
        job.progress(f"Reading {file.name}")
        table: Any = load(recipe, job.store)
        names = split_identifiers(identifier, table.columns)
        recipe = replace(recipe, roles={"identifier": names, "drop": split(drop)})
        found = run(recipe, only=needed, job=job)
    release = found.release
    _warn_of_direct_identifiers(found.facts["published_on_request"])
    report: dict[str, Any] = {
        "rows": found.rows,
        "rows_with_missing_dropped": found.facts["missing_dropped"],
        "individuals": release.traces.individuals,
        "traces": len(release.counted),
        "rare_items": len(rare_items(release.traces, rare)),
        **about_columns(found.facts),
    }
    print_not_published(found.facts["not_published"])
    if mask is not None:
        masked = release.masked
        report |= {
            "threshold": mask,
            "singular_traces": masked.singular_traces,
            "singular_individuals": masked.singular_individuals,
            "counted_traces": masked.counted_traces,
            "counted_individuals": masked.counted_individuals,
        }
    write_trace_table(release.published, output, force=force, sources=(file,))
    print_report(report | told_privacy(found, as_json), as_json, "Study traces")


def _warn_of_direct_identifiers(risky: Withheld) -> None:
    """What looks like a direct identifier may be part of a trace, with a warning."""
    from insanonym_core.tabular.roles import listed_with_reasons

    if risky:
        show.errors.print(
            f"The traces publish columns that look like direct identifiers: {listed_with_reasons(risky)}; "
            "check them before you hand the file over.",
            style="yellow",
        )


def _several(value: str) -> Literal["last", "all"]:
    if value not in ("last", "all"):
        raise UsageError("--several must be last or all, got {value}.", value=brief(value))
    return cast(Literal["last", "all"], value)


def _style(value: str) -> Literal["one", "less"]:
    if value not in ("one", "less"):
        raise UsageError("--style must be one or less, got {value}.", value=brief(value))
    return cast(Literal["one", "less"], value)


Published = Annotated[Path, typer.Argument(help="A published table of traces (CSV).", show_default=False)]
Width = Annotated[int, typer.Option(help="Report ranges no wider than this.")]


def difference(
    table_a: Published,
    table_b: Published,
    threshold: Annotated[
        int | None, typer.Option(help="Counts below it are masked.", show_default=False)
    ] = None,
    width: Width = 2,
    as_json: AsJson = False,
) -> None:
    """Show what two published trace tables, one with the bac and one without, reveal together."""
    from insanonym_core.traces import differencing, read_trace_table

    one_table, other_table = (read_trace_table(path, threshold) for path in (table_a, table_b))
    found = differencing(one_table, other_table, threshold=threshold, width=width)
    listed: list[dict[str, Any]] = [
        {
            "table": one.table,
            "trace": list(one.trace),
            "published": one.published,
            "low": one.low,
            "high": one.high,
        }
        for one in found.disclosures
    ]
    report: dict[str, Any] = {
        "masked": found.masked,
        "narrowed": found.narrowed,
        "pinned": found.pinned,
        "people_pinned": found.people_pinned,
        "people_fewest": found.people[0],
        "people_most": found.people[1],
        "width": found.width,
    }
    if as_json:
        show.print_json(report | {"disclosures": listed})
        return
    print_report(report, False, "What the two tables give away together")
    shown = show.table("\nCounts that are no longer hidden", "table", "published", ">true count", "trace")
    for one in listed[:30]:
        span = str(one["low"]) if one["low"] == one["high"] else f"{one['low']} to {one['high']}"
        shown.add_row(str(one["table"]), str(one["published"]), span, show.plain(" → ".join(one["trace"])))
    show.output().print(shown)
    if len(listed) > 30:
        show.output().print(f"… and {len(listed) - 30} more; --json lists all.")


def difference_tables(
    table_a: Annotated[Path, typer.Argument(help="A published projection (CSV).", show_default=False)],
    table_b: Annotated[
        Path, typer.Argument(help="Another projection of the same table.", show_default=False)
    ],
    k: Annotated[int, typer.Option(help="Rows below this number were deleted.")] = 5,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    as_json: AsJson = False,
) -> None:
    """Show the deleted rows that two published projections of one table reveal by subtraction."""
    from insanonym_core.reading.options import ReadingOptions
    from insanonym_core.tabular.files import read_texts
    from insanonym_core.traces import difference_projections

    options = ReadingOptions.of(reading_of(separator=separator, decimal=decimal, encoding=encoding))
    frames = [read_texts(path, options) for path in (table_a, table_b)]
    found = difference_projections(frames[0], frames[1], k)
    report: dict[str, Any] = {
        "columns": list(found.columns),
        "k": found.k,
        "exact": found.exact,
        "combinations": len(found.combinations),
        "rows": found.rows,
    }
    if as_json:
        report["disclosures"] = [
            {
                "values": [str(value) for value in one.values],
                "rows_a": one.rows_a,
                "rows_b": one.rows_b,
                "rows": one.rows,
                "missing_from": one.missing_from,
            }
            for one in found.combinations
        ]
    print_report(report, as_json, "What the two projections give away together")
