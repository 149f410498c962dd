"""The command `insanonym`: thin, it only reads arguments and prints what the core returns."""

from __future__ import annotations

import io
import logging
import os
import sys
from functools import cache

import typer

from insanonym_core import __version__
from insanonym_core.cli import (
    anonymise,
    dashboard,
    demo,
    lessons,
    listing,
    look,
    report,
    study,
    sweep,
    tune,
)
from insanonym_core.cli.options import language, speak
from insanonym_core.cli.termination import clean_termination
from insanonym_core.errors import InsanonymError
from insanonym_core.kinds import all_kinds
from insanonym_core.runtime.memory import keep_freed_memory

log = logging.getLogger("insanonym")


@cache
def app() -> typer.Typer:
    """All commands: those of every kind of data, then those that work with all of them."""
    made = typer.Typer(
        name="insanonym",
        help="Score, attack and anonymise data, and see what privacy costs in utility.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback()(_options)
    for kind in all_kinds().values():
        try:
            register = kind.code("commands")
        except Exception as error:  # of somebody else's package
            log.warning(
                "The commands of %s cannot be loaded (%s: %s).", kind.name, type(error).__name__, error
            )
        else:
            if register is not None:
                register(made)
    for commands in (look, anonymise, sweep, tune, report, study, dashboard, lessons, demo, listing):
        commands.register(made)
    return made


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"insanonym {__version__}")
        raise typer.Exit


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
    speak("en")
    try:
        with clean_termination():
            app()()
    except InsanonymError as error:
        _fail(error.say(language()), error.exit_code)
    except OSError as error:
        _fail(f"The output could not be written ({error.strerror or error}).", 1)
    except MemoryError:
        _fail("There is not enough memory for this file on this machine: try a smaller part of it.", 1)
    except Exception as error:
        if os.environ.get("INSANONYM_DEBUG"):
            raise
        _fail(
            f"Something went wrong inside {_package_of(error)} ({type(error).__name__}). "
            "Please report it with what INSANONYM_DEBUG=1 prints.",
            70,
        )


def _package_of(error: Exception) -> str:
    """Ours, or the package of another kind of data whose code the error comes from."""
    others = {kind.methods.partition(".")[0] for kind in all_kinds().values()} - {"insanonym_core"}
    place = error.__traceback__
    found = "insanonym"
    while place is not None:
        package = str(place.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
        found = package if package in others else found
        place = place.tb_next
    return found


def _fail(message: str, code: int) -> None:
    typer.echo(message, err=True)
    sys.exit(code)
