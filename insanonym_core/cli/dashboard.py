"""dashboard: serve the dashboard as a local web page."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated

import typer

from insanonym_core.cli.options import Lang
from insanonym_core.errors import UsageError

Port = Annotated[
    int | None,
    typer.Option(
        help="The port to serve it on; by default 8866, or a free one if that is taken.", show_default=False
    ),
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Only print the address.")]
Share = Annotated[
    bool,
    typer.Option("--share", help="Let other machines of this network in, with a link that holds a token."),
]
Host = Annotated[
    str | None,
    typer.Option(
        help="The address to listen on; by default 127.0.0.1, with --share every address of this machine.",
        show_default=False,
    ),
]
Sessions = Annotated[
    int | None,
    typer.Option(
        help="Maximum number of open pages; by default one for each 600 MB of memory.",
        show_default=False,
    ),
]


File = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]", help="Open this file instead of demonstration data.", show_default=False
    ),
]
Tab = Annotated[
    str, typer.Option(help="The tab for FILE; by default detected from its first lines.", show_default=False)
]
Release = Annotated[
    Path | None,
    typer.Option(
        help="A release of FILE made elsewhere, to be scored instead of the steps.", show_default=False
    ),
]
Guesses = Annotated[
    Path | None,
    typer.Option(help="An attack file (JSON) on GPS traces, shown among the attacks.", show_default=False),
]
ShareData = Annotated[
    bool, typer.Option("--share-data", help="With --share: let everybody who has the link see FILE.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(dashboard)


def dashboard(
    file: File = None,
    tab: Tab = "",
    release: Release = None,
    guesses: Guesses = None,
    port: Port = None,
    lang: Lang = "en",
    no_browser: NoBrowser = False,
    share: Share = False,
    share_data: ShareData = False,
    host: Host = None,
    sessions: Sessions = None,
) -> None:
    """Open the dashboard in a browser, served on this machine: sliders with live scores, figures and maps."""
    # By name: the dashboard stands above the command line, which must not import it.
    server = importlib.import_module("insanonym_dashboard.server")
    if file is None and (tab or release or guesses):
        raise UsageError("--tab, --release and --guesses belong to a FILE: name it first.")
    if file is not None:
        if share and not share_data:
            raise UsageError(
                "Everybody who has the link would see {file}: add --share-data if that is meant, or leave "
                "--share out.",
                file=file.name,
            )
        opening = importlib.import_module("insanonym_dashboard.opening")
        opening.Opening.from_arguments(file, tab, release, guesses).to_environment()
    server.serve(port=port, lang=lang, open_browser=not no_browser, host=host, share=share, sessions=sessions)
