"""traces: study paths from enrolments, and what two published tables give away together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import AsJson, Force, Output, OutputStyle
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
from insanonym_core.cli.traces_together import about_protection, difference, difference_tables, protect_tables
from insanonym_core.errors import UsageError, brief
from insanonym_core.kinds import kind_named

if TYPE_CHECKING:
    from insanonym_core.tabular.roles import Withheld

traces_app = typer.Typer(help="Build, mask and compare study traces.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(traces_app, name="traces")
    traces_app.command()(build)
    traces_app.command("protect")(protect_tables)
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
    semester: Annotated[
        str,
        typer.Option(
            help="A column that orders the rows of a year: one step per semester.", show_default=False
        ),
    ] = "",
    renamed: Annotated[
        Path | None,
        typer.Option(
            help="CSV of renamed steps: old name, new name; both count as the new one.", show_default=False
        ),
    ] = None,
    since: Annotated[
        str, typer.Option(help="Leave out individuals first seen before this year.", show_default=False)
    ] = "",
    mask: Annotated[
        int | None, typer.Option(help="Mask counts below this threshold.", show_default=False)
    ] = None,
    style: Annotated[
        str, typer.Option(help="Masked counts are written 1 (one, as in the source document) or <10 (less).")
    ] = "one",
    further: Annotated[
        str,
        typer.Option(help="Further columns to put first, each in a table of its own.", show_default=False),
    ] = "",
    protect: Annotated[
        int | None,
        typer.Option(
            help="Leave every masked count this many possible values for who subtracts the tables with each "
            "prefix and without one; all are written, to the folder or .zip of -o.",
            show_default=False,
        ),
    ] = None,
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
    output_style: OutputStyle = "",
    force: Force = False,
) -> None:
    """Turn enrolments into counted study traces, one line per different path."""
    from insanonym_core.experiment import load, run
    from insanonym_core.reading.style import Style
    from insanonym_core.recipe import Recipe, Step
    from insanonym_core.traces import rare_items
    from insanonym_core.traces.table import check_threshold

    if protect is not None and mask is None:
        raise UsageError("--protect needs to know which counts are small: add --mask 10.")
    count = {
        "item": split(item),
        "order": (order,),
        "several": _several(several),
        # Below 2 there is only 1: masked so, nothing is hidden.
        **({"mask": 2, "style": "one"} if mask is None else {"mask": mask, "style": _style(style)}),
        **({"prefix": (prefix,)} if prefix else {}),
        **({"semester": (semester,)} if semester else {}),
        "renamed": renamed_lines(renamed) if renamed else "",
        "further": split(further),
        "protect": protect or 0,
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
    Style().asked(output_style)
    recipe = Recipe(
        (Step("count_traces", count),),
        data=table_data(file),
        kind="traces",
        reading={name: value for name, value in reading.items() if value},
    )
    publication = recipe.data_kind.publishing
    publication.check(recipe, output, force=force, sources=(file,))
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
    if release.protected is not None:
        report |= about_protection(release.protected)
    publication.write(recipe, release, output, style=output_style, force=force, sources=(file,))
    print_report(report | told_privacy(found, as_json), as_json, "Study traces")


def renamed_lines(path: Path) -> str:
    """The lines `old = new` of a CSV with two columns."""
    from insanonym_core.tabular.files import read_texts

    frame = read_texts(path)
    if frame.shape[1] != 2:
        raise UsageError(
            "{path} must have two columns, the old name and the new one, and has {columns}.",
            path=path.name,
            columns=frame.shape[1],
        )
    pairs = [tuple(map(str, frame.columns)), *frame.itertuples(index=False, name=None)]
    if frame.isna().any(axis=None) or any("=" in old for old, _ in pairs):
        raise UsageError(
            "{path} must have an old name without the sign = and a new name in every line: correct it.",
            path=path.name,
        )
    return "\n".join(f"{old} = {new}" for old, new in pairs)


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
