"""traces protect, difference, difference-tables: what published tables give away together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import AsJson, Force
from insanonym_core.cli.reading_options import Decimal, Encoding, Separator, reading_of
from insanonym_core.cli.table_input import print_report
from insanonym_core.errors import UsageError

if TYPE_CHECKING:
    from insanonym_core.traces import Protected

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


def protect_tables(
    tables: Annotated[
        list[Path],
        typer.Argument(
            help="Tables of traces (CSV) with true counts: the one without a prefix, and those with one.",
            show_default=False,
        ),
    ],
    *,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="The folder or .zip to write the tables to.", show_default=False),
    ],
    threshold: Annotated[int, typer.Option(help="Counts below it are masked.")] = 10,
    values: Annotated[int, typer.Option(help="Possible values that every masked count must keep.")] = 3,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Protect trace tables that are published together: no masked count can be worked out by subtraction."""
    from insanonym_core.tabular.several_tables import check_several, write_several
    from insanonym_core.traces import protect
    from insanonym_core.traces.files import read_with_style

    names = [path.name for path in tables]
    if len(set(names)) < len(names):
        raise UsageError(
            "Each table must have a file name of its own, because it is written under it: rename one."
        )
    rights: dict[str, Any] = {"force": force, "sources": tuple(tables)}
    check_several(names, output, **rights)
    found_in = {path.name: read_with_style(path) for path in tables}
    read, style = {name: table for name, (table, _) in found_in.items()}, found_in[names[0]][1]
    steps = {name: max(map(len, table.traces)) for name, table in read.items()}
    # All tables have the same traces, those with a prefix have one step more.
    plain = [name for name in names if len(names) == 1 or steps[name] < max(steps.values())]
    prefixed = {name: read[name] for name in names if name not in plain}
    found = protect({name: read[name] for name in plain}, prefixed, threshold, values)
    frames = {name: masked.table.to_frame() for name, masked in found.tables.items()}
    write_several(frames, output, style, **rights)
    report = {"asked_values": values, "threshold": threshold, **about_protection(found)}
    print_report(report, as_json, "Tables protected together")
    if found.values is not None and found.values < values:
        show.errors.print(
            f"Asked for {values} possible values of every masked count, left {found.values}: there are too "
            f"few "
            "people to hide them. Publish fewer tables, or mask below a higher threshold.",
            style="yellow",
        )


def about_protection(found: Protected) -> dict[str, int | None]:
    """What protection reached and cost, for a report."""
    return {
        "values_left": found.values,
        "counts_coarser": found.raised,
        "individuals_counted_coarser": found.individuals,
        "price": found.price,
    }
