"""league: a competition in class, played in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import AsJson, Columns, column_order_of

if TYPE_CHECKING:
    from insanonym_core.league import League


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("league")(league_command)


def league_command(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            help="Holds the original and, in 'teams', one folder per team.",
            show_default=False,
        ),
    ],
    original: Annotated[
        Path | None,
        typer.Option(help="The original file, when it is not FOLDER/original.*.", show_default=False),
    ] = None,
    closed: Annotated[
        bool,
        typer.Option("--closed", help="No new releases: what was published counts, only attacks are new."),
    ] = False,
    house_attacks: Annotated[
        bool, typer.Option("--house-attacks", help="Our own attacks count against every release, too.")
    ] = False,
    most_releases: Annotated[int, typer.Option(help="Releases of a team that count.")] = 3,
    most_attacks: Annotated[int, typer.Option(help="Attacks of a team on one release that count.")] = 10,
    rules: Annotated[str, typer.Option(help="Rules of the utility scores: v2 or v1.")] = "v2",
    aggregate: Annotated[
        str, typer.Option(help="The scores as one number: mean, median, min or max.")
    ] = "mean",
    columns: Columns = None,
    as_json: AsJson = False,
) -> None:
    """Play a competition in class: check what teams handed in, publish it sorted, print and save the table.

    Run it as often as you like; docs/league.md says where everything lies. A broken file is told to its team
    and costs nobody else anything.
    """
    from insanonym_core.jobs import Job
    from insanonym_core.league import Rules, league_as_json, play

    order = column_order_of(columns)
    chosen = Rules(rules, aggregate, order, house_attacks, closed, most_releases, most_attacks)
    with show.job(1 + sum(1 for _ in folder.glob("teams/*/*/*"))) as job:
        league = play(folder, chosen, original=original, job=Job(lambda name: job.progress(show.plain(name))))
    if as_json:
        show.print_json(league_as_json(league))
    else:
        _print(league)


def _print(league: League) -> None:
    table = show.table("League", ">", "team", ">general", ">defence", ">attack", "release", ">problems")
    for line in league.table:
        numbers = map(show.number, (line.general, line.defence, line.attack))
        release = show.plain(line.best_release) or "none that is valid"
        problems = str(league.problem_count(line.team) or "")
        table.add_row(str(line.rank), show.plain(line.team), *numbers, release, problems)
    console = show.output()
    console.print(table)
    done = league.publisher
    console.print(
        f"\nPublished: {len(done.written)} new, {len(done.kept)} unchanged, {len(done.withdrawn)} withdrawn. "
        "Saved: league.csv, league.json, and feedback in each team's folder.",
        markup=False,
    )
    for problem in league.problems:
        show.errors.print(f"Warning: {problem.sentence()}", style="yellow", markup=False)
