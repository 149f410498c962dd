"""league: a competition in class, played in a folder, by files or on a page."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from insanonym_core.cli import show
from insanonym_core.cli.options import AsJson, Columns, Lang, column_order_of, renamed_options

if TYPE_CHECKING:
    from insanonym_core.league import League

Folder = Annotated[
    Path,
    typer.Argument(
        metavar="FOLDER",
        help="Folder with the original and, in 'teams', one folder per team.",
        show_default=False,
    ),
]
Original = Annotated[
    Path | None,
    typer.Option(help="The original file, if it is not FOLDER/original.*.", show_default=False),
]
HouseAttacks = Annotated[
    bool,
    typer.Option("--house-attacks", help="Also count the attacks of this package against every release."),
]
MaxReleases = Annotated[int, typer.Option(help="Number of releases of a team that count.")]
MaxAttacks = Annotated[int, typer.Option(help="Number of attacks of a team on one release that count.")]
RuleSet = Annotated[str, typer.Option("--rules", help="Rules of the utility scores: v2 or v1.")]
Aggregate = Annotated[str, typer.Option(help="How the scores are combined: mean, median, min or max.")]


class _PlayByDefault(TyperGroup):
    """`insanonym league FOLDER` means `insanonym league play FOLDER`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # Any: typer brings its own click
        """Put `play` in front of anything that is no command and asks for no help."""
        if args and args[0] not in {*self.commands, "-h", "--help"}:
            args = ["play", *args]
        return super().parse_args(ctx, args)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    commands = typer.Typer(
        cls=_PlayByDefault,
        help="A competition in class: teams hand in releases and attack those of the others.",
        no_args_is_help=True,
    )
    old_names = {"most-releases": "max-releases", "most-attacks": "max-attacks"}
    commands.command("play", context_settings=renamed_options(old_names))(play_command)
    commands.command("init")(init_command)
    commands.command("serve")(serve_command)
    app.add_typer(commands, name="league")


def init_command(
    folder: Folder,
    teams: Annotated[
        int | None, typer.Option(help="Number of teams, called Team 1, Team 2 and so on.", show_default=False)
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option(help="Name of a team; may be repeated.", show_default=False)
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Write the demonstration city as the original of the league.")
    ] = False,
    house_bots: Annotated[
        bool,
        typer.Option("--house-bots", help="Let teams of this package play too: it takes a minute or so."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Prepare a league: make the folders of the teams, and a code for each to sign in with.

    Run it again to see the codes, or to add teams: what is there stays as it is. The codes are for the
    teacher to give out, each to its team.
    """
    from insanonym_core.league import layout
    from insanonym_core.league.room import init_league

    room = init_league(folder, name, teams=teams)
    if demo and not any(folder.glob("original.*")):
        from insanonym_core.demo.city import make_city
        from insanonym_core.mobility.writer import write_track

        write_track(make_city().track, folder / "original.tsv")
    if house_bots:
        from insanonym_core.league.house_bots import BOTS, hand_in_house_releases

        layout.find_original(folder, None)
        with show.job(len(BOTS)) as job:
            hand_in_house_releases(folder, on_progress=job.progress)
        room = init_league(folder)
    if as_json:
        codes = [{"team": team, "sign_in_code": code} for team, code in room.codes.items()]
        show.print_json(
            {"folder": str(folder), "teacher": {"sign_in_code": room.teacher_code}, "teams": codes}
        )
        return
    table = show.table("Codes", "team", "code")
    for team, code in room.codes.items():
        table.add_row(show.plain(team), code)
    table.add_row("teacher", room.teacher_code)
    console = show.output()
    console.print(table)
    console.print(
        "\nGive each team its code, and keep the teacher's: it shows everything and starts the rounds. "
        "Then run 'insanonym league serve' on the folder.",
        markup=False,
    )
    if not any(folder.glob("original.*")):
        console.print(
            "There is no original yet: put one into the folder as original.tsv or original.csv, "
            "or run this again with --demo.",
            markup=False,
        )


def serve_command(
    folder: Folder,
    original: Original = None,
    port: Annotated[
        int | None,
        typer.Option(help="The port; by default 8877, or a free one if that is taken.", show_default=False),
    ] = None,
    share: Annotated[
        bool,
        typer.Option("--share", help="Let other machines of this network in; every page asks for a code."),
    ] = False,
    host: Annotated[
        str | None,
        typer.Option(
            help="The address to listen on: 127.0.0.1, or with --share every address of this machine.",
            show_default=False,
        ),
    ] = None,
    give_original: Annotated[
        bool,
        typer.Option("--give-original", help="Let every team download the original, which attackers need."),
    ] = False,
    house_bots: Annotated[
        bool, typer.Option("--house-bots", help="Let the attacker of the house attack what is published.")
    ] = False,
    house_attacks: HouseAttacks = False,
    max_releases: MaxReleases = 3,
    max_attacks: MaxAttacks = 10,
    rules: RuleSet = "v2",
    aggregate: Aggregate = "mean",
    columns: Columns = None,
    lang: Lang = "en",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> None:
    """Serve a league as a page: teams sign in with their codes, hand in and see the table, until Ctrl-C.

    The folder stays as 'insanonym league play' knows it: files put there by hand count too.
    """
    from insanonym_core.league import Rules
    from insanonym_core.league.live import LiveLeague

    chosen = Rules(
        rules, aggregate, column_order_of(columns), house_attacks, False, max_releases, max_attacks
    )
    live = LiveLeague(folder, chosen, original)
    # By name: the pages stand above the command line, which must not import them.
    server = importlib.import_module("insanonym_dashboard.league_server")
    server.serve(
        live,
        server.Options(lang, give_original, house_bots),
        port=port,
        host=host,
        share=share,
        open_browser=not no_browser,
    )


def play_command(
    folder: Folder,
    original: Original = None,
    closed: Annotated[
        bool,
        typer.Option(
            "--closed", help="Accept no new releases: those accepted before count, and attacks on them."
        ),
    ] = False,
    house_attacks: HouseAttacks = False,
    max_releases: MaxReleases = 3,
    max_attacks: MaxAttacks = 10,
    rules: RuleSet = "v2",
    aggregate: Aggregate = "mean",
    columns: Columns = None,
    as_json: AsJson = False,
) -> None:
    """Run a competition in class: check and publish what teams handed in, print and save the table.

    It can be run repeatedly; docs/league.md describes the folder. Problems of a file are reported to its team
    and do not affect other teams.
    """
    from insanonym_core.league import Rules, league_as_json, play
    from insanonym_core.league.room import is_closed
    from insanonym_core.runtime.jobs import Job

    order = column_order_of(columns)
    closed = closed or is_closed(folder)
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
