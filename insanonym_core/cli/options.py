"""Options that several commands share, and the files behind them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from insanonym_core.cli import show
from insanonym_core.errors import UsageError, brief
from insanonym_core.texts import LANGUAGES

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from insanonym_core.figures.theme import Size
    from insanonym_core.mobility.checks import CheckedPair
    from insanonym_core.mobility.pair import Pair
    from insanonym_core.runtime.jobs import Job

Original = Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The original file.", show_default=False)]
Release = Annotated[
    Path, typer.Argument(metavar="RELEASE", help="Its anonymised version.", show_default=False)
]
Columns = Annotated[
    str | None,
    typer.Option(help="Order of the columns, if it is not id,date,latitude,longitude.", show_default=False),
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
OutputStyle = Annotated[
    str,
    typer.Option(
        help="How a .csv is written: original, french (; and decimal comma, for a French Excel) or plain.",
        show_default="original",
    ),
]
AllowInvalid = Annotated[
    bool,
    typer.Option(
        "--allow-invalid",
        help="Accept rows that left their week, and ids with several pseudonyms in a week; rows without a "
        "position on the globe count as deleted.",
    ),
]
_language = ContextVar("language", default="en")


def speak(lang: str | None) -> str | None:
    """Set the language of this command's error messages, if it is supported."""
    if lang in LANGUAGES:
        _language.set(lang)
    return lang


def language() -> str:
    """The language that --lang asked for; English in commands without it."""
    return _language.get()


Lang = Annotated[str, typer.Option(help="en or fr.", callback=speak)]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the output file.")]
Output = Annotated[Path, typer.Option("-o", "--output", help="The file to write.", show_default=False)]

PrintedWidth = Annotated[
    str,
    typer.Option(
        "--width", help="Width of the figures on paper: 85mm, 170mm or slide; no text is below 7 points."
    ),
]
Titled = Annotated[
    bool, typer.Option("--title/--no-title", help="Write the title into a figure; its caption has it always.")
]
Carded = Annotated[
    bool, typer.Option("--card/--no-card", help="Write the recipe into a figure; its caption has it always.")
]


def renamed_options(
    names: Mapping[str, str],
) -> dict[str, Any]:  # Any: settings of click, each of its own type
    """Settings of a command that still takes the old names (keys) of options; --help does not show them."""
    return {"token_normalize_func": lambda name: names.get(name, name)}


def column_order_of(columns: str | None) -> tuple[str, ...] | None:
    """Parse and check --columns."""
    from insanonym_core.mobility.layout import column_order

    return column_order(columns) if columns else None


def checked_files(
    original: Path, release: Path, columns: str | None, job: Job, reading: Mapping[str, object]
) -> CheckedPair:
    """Read and check both files."""
    from insanonym_core.mobility.checks import check
    from insanonym_core.mobility.files import read
    from insanonym_core.reading.options import ReadingOptions

    order, options = column_order_of(columns), ReadingOptions.of(reading)
    job.progress(f"Reading {original.name}")
    before = read(original, order, options, original=True)
    job.progress(f"Reading {release.name}")
    after = read(release, order, options)
    job.progress("Checking")
    return check(before, after)


def pair_of_files(
    original: Path,
    release: Path,
    columns: str | None,
    allow_invalid: bool,
    job: Job,
    reading: Mapping[str, object],
) -> Pair:
    """Read and check both files, print warnings on standard error, and return the pair."""
    checked = checked_files(original, release, columns, job, reading)
    pair = checked.pair(allow_invalid=allow_invalid)
    for problem in (checked.lenient() if allow_invalid else checked).problems:
        show.warn(problem)
    return pair


def values_of(decimals: int | None, settings: list[str]) -> dict[str, object]:
    """Parameters of scores and attacks from --decimals and --set."""
    values: dict[str, object] = {} if decimals is None else {"decimals": decimals}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise UsageError(
                "--set must be NAME=VALUE, such as --set meet.share=0.2, got {setting}.",
                setting=brief(setting),
            )
        values[name.strip()] = value.strip()
    return values


def check_figure(figure: Path, width: str = "") -> None:
    """Refuse early a figure that could not be saved at the end: another format, or no browser to draw it."""
    from insanonym_core.figures.export import FORMATS, browser_path
    from insanonym_core.figures.print_width import print_width

    if width:
        print_width(width)

    kind = figure.suffix.lower().lstrip(".")
    if kind not in FORMATS:
        raise UsageError("{figure}: a figure's name must end in .html, .svg, .png or .pdf.", figure=figure)
    if kind != "html":
        browser_path()


def save_figure(
    draw: Callable[[Size], go.Figure],
    path: Path,
    *,
    width: str = "",
    title: bool = True,
    card: bool = True,
    force: bool = False,
) -> None:
    """Save a figure for the screen, or with a `width` for print, with its caption beside it."""
    from insanonym_core.figures.export import save
    from insanonym_core.figures.print_width import print_width
    from insanonym_core.figures.printed import save_printed
    from insanonym_core.figures.theme import SCREEN

    if width:
        paper = print_width(width)
        save_printed(draw(paper.layout(title=title, card=card)), [path], paper, force=force)
    else:
        save(draw(replace(SCREEN, titled=title, carded=card)), path, force=force)
