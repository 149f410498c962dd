"""dashboard: the live page."""

from __future__ import annotations

import importlib
from typing import Annotated

import typer

Port = Annotated[
    int | None,
    typer.Option(help="The port to serve it on; without it 8866, or a free one.", show_default=False),
]
Lang = Annotated[str, typer.Option(help="en or fr.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Only print the address.")]
Share = Annotated[
    bool,
    typer.Option("--share", help="Let other machines of this network in, with a link that holds a token."),
]
Host = Annotated[
    str | None,
    typer.Option(
        help="The address to listen on; without it 127.0.0.1, with --share every address of this machine.",
        show_default=False,
    ),
]
Sessions = Annotated[
    int | None,
    typer.Option(
        help="How many pages may be open at a time; without it one for each 600 MB of memory.",
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(dashboard)


def dashboard(
    port: Port = None,
    lang: Lang = "en",
    no_browser: NoBrowser = False,
    share: Share = False,
    host: Host = None,
    sessions: Sessions = None,
) -> None:
    """Open the dashboard: sliders, scores and maps that redraw as they move, on a page of this machine."""
    # By name: the dashboard stands above the command line, which must not import it.
    server = importlib.import_module("insanonym_dashboard.server")
    server.serve(port=port, lang=lang, open_browser=not no_browser, host=host, share=share, sessions=sessions)
