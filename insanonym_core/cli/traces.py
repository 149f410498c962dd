"""traces: study paths from enrolments, and what two published tables give away together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from insanonym_core.cli import show
from insanonym_core.cli.opened import field_mark, print_not_published, split, split_identifiers, tell
from insanonym_core.cli.options import AsJson, Force, Output
from insanonym_core.cli.table import Decimal, Drop, File, Missing, Separator
from insanonym_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from insanonym_core.tabular.roles import Roles

_ROWS_LOOKED_AT = 10_000  # to tell what a column holds
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
    since: Annotated[str, typer.Option(help="Leave out who was first seen before.", show_default=False)] = "",
    mask: Annotated[
        int | None, typer.Option(help="Mask counts below this threshold.", show_default=False)
    ] = None,
    style: Annotated[
        str, typer.Option(help="Masked counts read 1 (one, as in the source) or <10 (less).")
    ] = "one",
    rare: Annotated[int, typer.Option(help="Also list items that concern fewer individuals than this.")] = 5,
    drop: Drop = "",
    missing: Missing = "value",
    separator: Separator = None,
    decimal: Decimal = ".",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Turn enrolments into counted study traces, one line per different path."""
    from insanonym_core.output import check_writable
    from insanonym_core.tabular.files import read_frame
    from insanonym_core.tabular.roles import not_published_list
    from insanonym_core.traces import (
        build_traces,
        count_traces,
        mask_small_counts,
        rare_items,
        write_trace_table,
    )

    check_writable(output, force=force, sources=(file,))
    if missing not in ("value", "drop"):
        raise UsageError(f"--missing must be value or drop, got {missing!r}.")
    frame = read_frame(file, separator=field_mark(separator), decimal=decimal, as_text=True)
    rows = len(frame)
    roles = _roles(frame, identifier, drop, order, (*split(item), prefix))
    who = roles.identifier or identifier
    used = [name for name in (who, order, *split(item), prefix) if name in frame.columns]
    if missing == "drop":
        frame = frame.dropna(subset=used)
    traces = build_traces(
        frame, who, order, list(split(item)), prefix or None, _several(several), _since(since)
    )
    table = count_traces(traces)
    report: dict[str, Any] = {
        "rows": rows,
        "rows_with_missing_dropped": rows - len(frame),
        "individuals": traces.individuals,
        "traces": len(table),
        "rare_items": len(rare_items(traces, rare)),
        "not_published": not_published_list(roles.withheld or ()),
        "roles_guessed": [],
    }
    print_not_published(roles.withheld or ())
    if mask is not None:
        masked = mask_small_counts(table, mask, _style(style))
        table = masked.table
        report |= {
            "threshold": mask,
            "singular_traces": masked.singular_traces,
            "singular_individuals": masked.singular_individuals,
            "counted_traces": masked.counted_traces,
            "counted_individuals": masked.counted_individuals,
        }
    write_trace_table(table, output, force=force, sources=(file,))
    tell(report, as_json, "Study traces")


def _roles(frame: pd.DataFrame, identifier: str, drop: str, order: str, published: Sequence[str]) -> Roles:
    """The identifiers and dropped columns; none of them may be part of a trace.

    What looks like a direct identifier may be, with a warning.
    """
    from insanonym_core.tabular.roles import Roles, listed_with_reasons, published_on_request, refuse_hidden
    from insanonym_core.tabular.table import Table

    first, further = split_identifiers(identifier, frame.columns)
    table = Table.from_frame(frame.head(_ROWS_LOOKED_AT).apply(_number_if_all_are))
    roles = Roles(identifier=first, further_identifiers=further, drop=split(drop))
    roles = roles.checked(table, needs_quasi=False).decided(table, (order, *published))
    refuse_hidden(roles, [name for name in (order, *published) if name and name != first], "part of a trace")
    risky = published_on_request(table, roles, [name for name in published if name != first])
    if risky:
        show.errors.print(
            f"The traces publish columns that look like direct identifiers: {listed_with_reasons(risky)}; "
            "check them before you hand the file over.",
            style="yellow",
        )
    return roles


def _number_if_all_are(column: pd.Series[Any]) -> pd.Series[Any]:
    """Traces are read as texts; a weight is no text that is nearly unique."""
    import pandas as pd

    try:
        return pd.to_numeric(column)
    except (ValueError, TypeError):
        return column


def _several(value: str) -> Any:
    if value not in ("last", "all"):
        raise UsageError(f"--several must be last or all, got {value!r}.")
    return value


def _style(value: str) -> Any:
    if value not in ("one", "less"):
        raise UsageError(f"--style must be one or less, got {value!r}.")
    return value


def _since(value: str) -> int | str | None:
    return None if not value else int(value) if value.isascii() and value.isdigit() else value


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
    """What two published trace tables, one with the bac and one without, give away together."""
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
    tell(report, False, "What the two tables give away together")
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
    decimal: Decimal = ".",
    as_json: AsJson = False,
) -> None:
    """What two published projections of one table give away: subtracting them finds deleted rows."""
    from insanonym_core.tabular.files import read_frame
    from insanonym_core.traces import difference_projections

    frames = [
        read_frame(path, separator=field_mark(separator), decimal=decimal, as_text=True)
        for path in (table_a, table_b)
    ]
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
    tell(report, as_json, "What the two projections give away together")
