"""demo: write demonstration data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import Force, Output

if TYPE_CHECKING:
    import pandas as pd

Seed = Annotated[int, typer.Option(help="Seed of the random draws.")]
demo_app = typer.Typer(help="Write demonstration data.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(demo_app, name="demo")


@demo_app.callback()
def _demo() -> None:
    """Write demonstration data: nobody in it exists."""


@demo_app.command()
def mobility(
    output: Output,
    users: Annotated[int, typer.Option(help="Number of people.")] = 80,
    weeks: Annotated[int, typer.Option(help="Number of ISO weeks.")] = 6,
    seed: Seed = 7,
    force: Force = False,
) -> None:
    """A synthetic city: GPS traces of people who live, work and go out, over several weeks."""
    from insanonym_core.demo.city import make_city
    from insanonym_core.io.output import check_writable
    from insanonym_core.mobility.writer import write_track

    check_writable(output, force=force)
    with show.job(2) as job:
        job.progress("Making the city")
        city = make_city(users, weeks, seed)
        job.progress(f"Writing {output.name}")
        write_track(city.track, output, force=force)
    show.errors.print(f"{len(city.track):,} rows of {users} people over {weeks} weeks written to {output}.")


@demo_app.command()
def enrolments(
    output: Output,
    users: Annotated[int, typer.Option(help="Number of students (106000 in the source document).")] = 12_000,
    seed: Seed = 7,
    force: Force = False,
) -> None:
    """A synthetic university: ten years of enrolments, with rare stages and heavy tails."""
    from insanonym_core.demo.university import make_enrolments

    _write(output, force, lambda: make_enrolments(users, seed), "Making the university")


@demo_app.command()
def patients(
    output: Output,
    rows: Annotated[int, typer.Option(help="Number of patients.")] = 600,
    seed: Seed = 7,
    force: Force = False,
) -> None:
    """Synthetic patients: numbers, categories, dates, missing values and a diagnosis."""
    from insanonym_core.demo.patients import make_patients

    _write(output, force, lambda: make_patients(rows, seed), "Making the patients")


def _write(output: Path, force: bool, make: Callable[[], pd.DataFrame], title: str) -> None:
    from insanonym_core.io.output import check_writable
    from insanonym_core.tabular.files import write_frame

    check_writable(output, force=force)
    with show.job(2) as job:
        job.progress(title)
        frame = make()
        job.progress(f"Writing {output.name}")
        write_frame(frame, output, force=force)
    show.errors.print(f"{len(frame):,} rows with {len(frame.columns)} columns written to {output}.")
