"""Options that several commands share, and the files behind them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.errors import UsageError

if TYPE_CHECKING:
    from insanonym_core.jobs import Job
    from insanonym_core.mobility.checks import CheckedPair
    from insanonym_core.mobility.pair import Pair

Original = Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The original file.", show_default=False)]
Release = Annotated[
    Path, typer.Argument(metavar="RELEASE", help="Its anonymised version.", show_default=False)
]
Columns = Annotated[
    str | None,
    typer.Option(help="Order of the columns, when it is not id,date,latitude,longitude.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]
MadeBy = Annotated[
    Path | None,
    typer.Option(
        "--recipe",
        metavar="FILE",
        help="The recipe that made RELEASE: the attacker 'everything' learns from it.",
        show_default=False,
    ),
]
AllowInvalid = Annotated[
    bool,
    typer.Option(
        "--allow-invalid", help="Go on although rows left their week or an id has two pseudonyms in a week."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the output file.")]
Output = Annotated[Path, typer.Option("-o", "--output", help="The file to write.", show_default=False)]


def column_order_of(columns: str | None) -> tuple[str, ...] | None:
    """What --columns says, checked."""
    from insanonym_core.mobility.layout import column_order

    return column_order(columns) if columns else None


def checked_files(original: Path, release: Path, columns: str | None, job: Job) -> CheckedPair:
    """Both files read and checked."""
    from insanonym_core.mobility.checks import check
    from insanonym_core.mobility.files import read

    order = column_order_of(columns)
    job.progress(f"Reading {original.name}")
    before = read(original, order, original=True)
    job.progress(f"Reading {release.name}")
    after = read(release, order)
    job.progress("Checking")
    return check(before, after)


def pair_of_files(original: Path, release: Path, columns: str | None, allow_invalid: bool, job: Job) -> Pair:
    """The checked pair; warnings go to standard error."""
    checked = checked_files(original, release, columns, job)
    pair = checked.pair(allow_invalid=allow_invalid)
    for problem in checked.problems:
        show.warn(problem)
    return pair


def values_of(decimals: int | None, settings: list[str]) -> dict[str, object]:
    """Parameters of scores and attacks from --decimals and --set."""
    values: dict[str, object] = {} if decimals is None else {"decimals": decimals}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise UsageError(f"--set reads NAME=VALUE, such as --set meet.share=0.2, got {setting!r}.")
        values[name.strip()] = value.strip()
    return values
