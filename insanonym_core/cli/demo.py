"""demo: files to play with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from insanonym_core.cli import show

demo_app = typer.Typer(help="Write demonstration data.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(demo_app, name="demo")


@demo_app.callback()
def _demo() -> None:
    """Write demonstration data: nobody in it exists."""


@demo_app.command()
def mobility(
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write.", show_default=False)],
    users: Annotated[int, typer.Option(help="How many people.")] = 80,
    weeks: Annotated[int, typer.Option(help="How many ISO weeks.")] = 6,
    seed: Annotated[int, typer.Option(help="Another seed, another city.")] = 7,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output file.")] = False,
) -> None:
    """A synthetic city: GPS traces of people who live, work and go out, over several weeks."""
    from insanonym_core.demo.city import make_city
    from insanonym_core.mobility.writer import write_track
    from insanonym_core.output import check_writable

    check_writable(output, force=force)
    with show.progress(2) as tell:
        tell("Making the city")
        city = make_city(users, weeks, seed)
        tell(f"Writing {output.name}")
        write_track(city.track, output, force=force)
    show.errors.print(f"{len(city.track):,} rows of {users} people over {weeks} weeks written to {output}.")
