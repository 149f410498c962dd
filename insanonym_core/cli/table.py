"""table: risk of a table, and methods that lower it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import AsJson, Force, Output
from insanonym_core.errors import UsageError

if TYPE_CHECKING:
    from insanonym_core.tabular.release import TableRelease
    from insanonym_core.tabular.roles import Roles
    from insanonym_core.tabular.table import Table

table_app = typer.Typer(help="Anonymise tables, verify and measure them.", no_args_is_help=True)

File = Annotated[
    Path, typer.Argument(metavar="FILE", help="CSV, TSV, zip, gz or Parquet.", show_default=False)
]
Quasi = Annotated[
    str, typer.Option("--qi", help="Quasi-identifiers, separated by commas.", show_default=False)
]
Sensitive = Annotated[str, typer.Option(help="Sensitive columns, separated by commas.", show_default=False)]
Identifier = Annotated[
    str, typer.Option("--id", help="The column that tells individuals apart.", show_default=False)
]
Missing = Annotated[str, typer.Option(help="value: missing is a value of its own; drop: such rows are lost.")]
Separator = Annotated[
    str | None, typer.Option(help="Field separator, guessed by default.", show_default=False)
]
Decimal = Annotated[str, typer.Option(help="Decimal mark: . or ,")]
K = Annotated[str, typer.Option(help="Smallest number of rows that look alike.")]
Seed = Annotated[int | None, typer.Option(help="Repeatable draws, for lessons.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the group; table_rows.register adds the rest of its commands."""
    app.add_typer(table_app, name="table")


def split(names: str) -> tuple[str, ...]:
    """Names separated by commas."""
    return tuple(name.strip() for name in names.split(",") if name.strip())


class Opened:
    """A table as a command got it: read, roles checked, rows with missing values dropped on request."""

    def __init__(
        self,
        file: Path,
        *,
        quasi: str = "",
        sensitive: str = "",
        identifier: str = "",
        missing: str = "value",
        separator: str | None = None,
        decimal: str = ".",
        needs_quasi: bool = False,
        used: tuple[str, ...] = (),
    ) -> None:
        from insanonym_core.tabular.files import read_table
        from insanonym_core.tabular.roles import Roles

        if missing not in ("value", "drop"):
            raise UsageError(f"--missing must be value or drop, got {missing!r}.")
        with show.progress(1) as tell_name:
            tell_name(f"Reading {file.name}")
            self.whole: Table = read_table(file, separator=field_mark(separator), decimal=decimal)
        self.roles: Roles = Roles(split(quasi), split(sensitive), identifier or None).checked(
            self.whole, needs_quasi=needs_quasi
        )
        concerned = tuple(name for name in used if name in self.whole.columns) or (
            *self.roles.quasi,
            *self.roles.sensitive,
        )
        concerned = concerned or tuple(name for name in self.whole.columns if name != self.roles.identifier)
        self.rows = self.whole.complete_rows(concerned) if missing == "drop" else np.arange(self.whole.rows)
        self.dropped: int = self.whole.rows - len(self.rows)
        self.table: Table = self.whole.take(self.rows) if self.dropped else self.whole
        if self.table.rows == 0:
            raise UsageError("Every row has a missing value: leave --missing drop out.")

    def counted_as_lost(self, release: TableRelease) -> TableRelease:
        """A release of the complete rows as one of the whole table: what was dropped is lost."""
        if not self.dropped:
            return release
        return replace(release, original=self.whole, rows=self.rows[release.rows])


def field_mark(mark: str | None) -> str | None:
    """What --separator says; a tab may be written as tab."""
    return {"tab": "\t", "\\t": "\t"}.get(mark, mark) if mark else None


def run_method(name: str, opened: Opened, seed: int | None, **parameters: object) -> TableRelease:
    """Build the method and apply it; a seed is announced, because it can be replayed."""
    from insanonym_core.randomness import step_generator
    from insanonym_core.registry import methods
    from insanonym_core.tabular.evaluate import refuse_nothing_left

    method = methods.get(name, data="table").item(**parameters)
    if seed is not None:
        if seed < 0:
            raise UsageError(f"The seed must be a whole number of 0 or more, got {seed}.")
        show.errors.print(
            f"Seed {seed} used: whoever has the table and this command can replay it. "
            "Leave it out for a real release.",
            style="yellow",
        )
    with show.progress(1) as tell_name:
        tell_name(name)
        release: TableRelease = method.apply(opened.table, opened.roles, step_generator(seed, 1, name))
    refuse_nothing_left(release)
    return opened.counted_as_lost(release)


def summary(opened: Opened, release: TableRelease) -> dict[str, Any]:
    """What every command that makes a release reports."""
    return {
        "rows_in": opened.whole.rows,
        "rows_out": len(release.frame),
        "rows_with_missing_dropped": opened.dropped,
        **release.facts,
    }


def verified(opened: Opened, release: TableRelease) -> dict[str, Any]:
    """The summary with what was asked, what was measured, and what it cost."""
    from insanonym_core.tabular.evaluate import evaluate_table, verify

    check = verify(release)
    names = ("ncp", "rows_kept", "discernibility", "average_class", "prosecutor_mean", "l", "t")
    report = evaluate_table(release, names=("k", *names))
    scores, people = report.values(), report.scores["k"].details.get("individuals")
    return (
        summary(opened, release)
        | {"asked_k": check.asked, "k": check.measured, "holds": check.holds, "verified": check.sentence()}
        | ({"k_individuals": people} if people is not None else {})
        | {name: scores[name] for name in names}
    )


def tell(report: dict[str, Any], as_json: bool, title: str) -> None:
    """Print a report as JSON, or as a small table with its sentences and lists below."""
    if as_json:
        show.print_json(report)
        return
    console = show.output()
    figures = show.table(title, "", ">value")
    for name, value in report.items():
        if isinstance(value, bool):
            figures.add_row(name, "yes" if value else "no")
        elif isinstance(value, int):
            figures.add_row(name, f"{value:,}")
        elif isinstance(value, float):
            figures.add_row(name, f"{value:,.0f}" if value >= 1000 else show.number(value))
    console.print(figures)
    for name, value in report.items():
        if isinstance(value, str):
            console.print(f"\n{value}", markup=False)
        elif isinstance(value, dict):
            console.print(f"\n{name}: {_listed(value)}", markup=False)
        elif isinstance(value, list) and all(isinstance(item, str) for item in value):
            console.print(f"\n{name}: {', '.join(value)}", markup=False)
        elif isinstance(value, list):
            console.print(f"\n{name}:", markup=False)
            for number, item in enumerate(value, start=1):
                console.print(f"  {number}. {_listed(item)}", markup=False)


def _listed(item: object) -> str:
    if isinstance(item, dict):
        return "; ".join(f"{name} {_listed(value)}" for name, value in item.items())
    return ", ".join(map(str, item)) if isinstance(item, list) else str(item)


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
    release = unchanged(opened.table, opened.roles)
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
    missing: Missing = "value",
    separator: Separator = None,
    decimal: Decimal = ".",
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
        missing=missing,
        separator=separator,
        decimal=decimal,
        needs_quasi=True,
    )
    release = run_method("mondrian", opened, seed, k=k, choice=choice, stop=stop)
    _finish(opened, release, file, output, force, as_json, "Mondrian")


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
    missing: Missing = "value",
    separator: Separator = None,
    decimal: Decimal = ".",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Generalise one column into intervals or sets of at least k rows. Protects that column alone."""
    opened = _prepared(
        file,
        output,
        force,
        identifier=identifier,
        missing=missing,
        separator=separator,
        decimal=decimal,
        used=split(column),
    )
    release = run_method("generalise_column", opened, None, column=column, k=k, stop=stop)
    _finish(opened, release, file, output, force, as_json, f"Generalised {column}")


def _prepared(file: Path, output: Path, force: bool, **options: Any) -> Opened:
    from insanonym_core.output import check_writable

    check_writable(output, force=force, sources=(file,))
    return Opened(file, **options)


def _finish(
    opened: Opened, release: TableRelease, file: Path, output: Path, force: bool, as_json: bool, title: str
) -> None:
    from insanonym_core.tabular.files import write_frame

    report = verified(opened, release)
    write_frame(release.frame, output, force=force, sources=(file,))
    tell(report, as_json, title)
