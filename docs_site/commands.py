"""The commands of `insanonym` and their options, from the command line's own declarations."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import click
from typer.main import get_command

from docs_site.pages import table
from insanonym_core.cli import app


def page() -> str:
    """Every command with its arguments and options."""
    text = (
        "# Commands\n\nWhat `insanonym COMMAND --help` says of each. `--json` prints one exact JSON object. "
        "Exit code 0: done; 1: the data is invalid; 2: the call is wrong. `-o` never overwrites a file "
        "without `--force`.\n"
    )
    return text + "".join(_section(name, command) for name, command in commands())


def commands() -> Iterator[tuple[str, Any]]:  # Any: typer's own class of commands
    """Every command that does something, by its whole name."""
    yield from _below("", get_command(app()))


def _below(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        yield name, command
        return
    if getattr(command, "invoke_without_command", False) and name:
        yield name, command
    for one, child in command.commands.items():
        if not child.hidden:
            yield from _below(f"{name} {one}".strip(), child)


def _section(name: str, command: Any) -> str:
    context = click.Context(command, info_name=f"insanonym {name}")
    usage = " ".join(command.collect_usage_pieces(context))
    rows = [
        (
            f"`{_called(one)}`",
            _escaped(one.help or ""),
        )
        for one in command.params
        if not getattr(one, "hidden", False) and one.name != "help"
    ]
    options = f"\n{table(('option', 'what it means'), rows)}" if rows else ""
    about = _escaped(inspect.cleandoc(command.help or ""))
    return f"\n## insanonym {name}\n\n{about}\n\n```text\ninsanonym {name} {usage}\n```\n{options}"


def _called(parameter: Any) -> str:
    if parameter.param_type_name == "option":
        return ", ".join(parameter.opts)
    return (parameter.metavar or parameter.name).upper()


def _escaped(text: str) -> str:
    """Nothing in it is HTML or emphasis of Markdown."""
    return text.replace("<", "&lt;").replace("*", "\\*").replace("\b", "")
