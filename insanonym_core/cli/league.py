"""league: a competition in class, played in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import AsJson, Columns, column_order_of, renamed_options

if TYPE_CHECKING:
    from insanonym_core.league import League


def register(app: typer.Typer) -> None:
    """Add the command."""
    old_names = {"most-releases": "max-releases", "most-attacks": "max-attacks"}
    app.command("league", context_settings=renamed_options(old_names))(league_command)


def league_command(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            help="Folder with the original and, in 'teams', one folder per team.",
            show_default=False,
        ),
    ],
    original: Annotated[
        Path | None,
        typer.Option(help="The original file, if it is not FOLDER/original.*.", show_default=False),
    ] = None,
    closed: Annotated[
        bool,
        typer.Option(
            "--closed", help="Accept no new releases: those accepted before count, and attacks on them."
        ),
    ] = False,
    house_attacks: Annotated[
        bool,
        typer.Option("--house-attacks", help="Also count the attacks of this package against every release."),
    ] = False,
    max_releases: Annotated[int, typer.Option(help="Number of releases of a team that count.")] = 3,
    max_attacks: Annotated[
        int, typer.Option(help="Number of attacks of a team on one release that count.")
    ] = 10,
    rules: Annotated[str, typer.Option(help="Rules of the utility scores: v2 or v1.")] = "v2",
    aggregate: Annotated[
        str, typer.Option(help="How the scores are combined: mean, median, min or max.")
    ] = "mean",
    columns: Columns = None,
    as_json: AsJson = False,
) -> None:
    """Run a competition in class: check and publish what teams handed in, print and save the table.

    It can be run repeatedly; docs/league.md describes the folder. Problems of a file are reported to its team
    and do not affect other teams.
    """
    from insanonym_core.league import Rules, league_as_json, play
    from insanonym_core.runtime.jobs import Job

    order = column_order_of(columns)
    chosen = Rules(rules, aggregate, order, house_attacks, closed, max_releases, max_attacks)
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
