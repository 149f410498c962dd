"""The command `insanonym`: thin, it only reads arguments and prints what the core returns."""

from __future__ import annotations

import io
import os
import sys

import typer

from insanonym_core import __version__
from insanonym_core.cli import (
    anonymise,
    avatars,
    competition,
    dashboard,
    demo,
    league,
    lessons,
    listing,
    mobility,
    partition,
    report,
    sweep,
    table,
    table_rows,
    traces,
)
from insanonym_core.cli.termination import clean_termination
from insanonym_core.errors import InsanonymError
from insanonym_core.memory import keep_freed_memory

app = typer.Typer(
    name="insanonym",
    help="Score, attack and anonymise data, and see what privacy costs in utility.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for commands in (
    mobility,
    partition,
    competition,
    anonymise,
    table,
    table_rows,
    traces,
    avatars,
    league,
    sweep,
    report,
    dashboard,
    lessons,
    demo,
    listing,
):
    commands.register(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"insanonym {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version."
    ),
) -> None:
    pass


def main() -> None:
    """Run the command; whatever goes wrong is one sentence and an exit code, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that knows no bars gets question marks
            stream.reconfigure(errors="replace")
    keep_freed_memory()
    try:
        with clean_termination():
            app()
    except InsanonymError as error:
        _fail(str(error), error.exit_code)
    except OSError as error:
        _fail(f"The output could not be written ({error.strerror or error}).", 1)
    except MemoryError:
        _fail("There is not enough memory for this file on this machine: try a smaller part of it.", 1)
    except Exception as error:
        if os.environ.get("INSANONYM_DEBUG"):
            raise
        _fail(
            f"Something went wrong inside insanonym ({type(error).__name__}). "
            "Please report it with what INSANONYM_DEBUG=1 prints.",
            70,
        )


def _fail(message: str, code: int) -> None:
    typer.echo(message, err=True)
    sys.exit(code)
