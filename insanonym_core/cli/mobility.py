"""check and score: is a release of GPS traces legal, and what is it worth?"""

from __future__ import annotations

from typing import Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import (
    AllowInvalid,
    AsJson,
    Columns,
    Original,
    Release,
    checked_files,
    values_of,
)
from insanonym_core.cli.scored import scored
from insanonym_core.errors import DataError, Problem


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(check)
    app.command()(score)


def check(original: Original, release: Release, columns: Columns = None, as_json: AsJson = False) -> None:
    """Tell whether RELEASE is a legal anonymised version of ORIGINAL, with every problem and its lines."""
    boxes: dict[str, dict[str, float]] = {}
    try:
        with show.progress(3) as tell:
            checked = checked_files(original, release, columns, tell)
        problems, valid, boxes = checked.problems, checked.valid, checked.bounding_box()
    except DataError as error:
        problems, valid = error.problems or (Problem("unreadable", str(error)),), False
    if as_json:
        show.print_json(
            {
                "valid": valid,
                "problems": [
                    {
                        "code": problem.code,
                        "count": problem.count,
                        "lines": problem.lines,
                        "message": problem.message,
                        "file": problem.file,
                        "role": problem.role,
                        "warning": problem.warning,
                    }
                    for problem in problems
                ],
                "bounding_box": boxes,
            }
        )
    else:
        console = show.output()
        for problem in problems:
            console.print(f"[bold]{problem.code}[/]", end="  ")
            console.print(problem.sentence(), markup=False, soft_wrap=True)
        for role, box in boxes.items():
            console.print(
                f"{role}: latitude {box['south']:.1f} to {box['north']:.1f}, "
                f"longitude {box['west']:.1f} to {box['east']:.1f}"
            )
        console.print("[bold green]valid[/]" if valid else "[bold red]invalid[/]")
    if not valid:
        raise typer.Exit(1)


def score(
    original: Original,
    release: Release,
    rules: Annotated[str, typer.Option(help="Rule set: v2 or v1.")] = "v2",
    decimals: Annotated[
        int | None,
        typer.Option(help="Decimals of the cells, for all scores and attacks (2).", show_default=False),
    ] = None,
    attacks: Annotated[str, typer.Option(help="all, none, or names separated by commas.")] = "all",
    aggregate: Annotated[
        str, typer.Option(help="How the scores become one: mean, median, min, max.")
    ] = "mean",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Set any parameter: share=0.2, poi.work_hours=9-16."
        ),
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes of this machine that count.")] = 1,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Scheduler of a dask cluster (tcp://10.0.0.1:8786); its workers must see the folders.",
            show_default=False,
        ),
    ] = None,
    allow_invalid: AllowInvalid = False,
    columns: Columns = None,
    as_json: AsJson = False,
) -> None:
    """Score RELEASE: six utility scores, all attacks, privacy and the defence score.

    ORIGINAL and RELEASE may be folders that 'insanonym partition' made.
    """
    from insanonym_core.mobility.evaluate import Settings

    chosen = None if attacks == "all" else tuple(name.strip() for name in attacks.split(","))
    wanted = Settings(
        rules=rules,
        aggregate=aggregate,
        attacks=() if attacks == "none" else chosen,
        values=values_of(decimals, settings or []),
    )
    report = scored(original, release, wanted, columns, allow_invalid, workers, cluster)
    if as_json:
        show.print_json(report.to_json())
        return
    console = show.output()
    scores = show.table(f"Utility (rules {rules})", "score", ">value", "", "what it is")
    for entry in wanted.metric_entries():
        value = report.utility[entry.name]
        scores.add_row(
            entry.name,
            show.number(value.value),
            show.bar(value.value),
            value.undefined_because or entry.title,
        )
    scores.add_row(f"[bold]{aggregate}[/]", f"[bold]{show.number(report.utility_value)}[/]", "", "")
    console.print(scores)
    if report.attacks:
        found = show.table("\nAttacks", "attack", ">found", "", ">95 % interval", ">chance")
        for name, value in report.attacks.items():
            low, high = value.interval or (float("nan"), float("nan"))
            found.add_row(
                name,
                show.number(value.value),
                show.bar(value.value),
                f"{low:.3f} – {high:.3f}",
                show.number(float(value.details["chance"] or 0)),
            )
        console.print(found)
    console.print(
        f"\n{report.rows:,} rows, {report.deleted:,} deleted. Privacy {show.number(report.privacy)}, "
        f"defence {show.number(report.defence)} (utility × privacy)."
    )
    if not report.valid:
        console.print("[bold red]This release is not valid for the competition.[/]")
