"""list: what there is."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from insanonym_core.cli import show


class Sort(StrEnum):
    """What can be listed."""

    METRICS = "metrics"
    METHODS = "methods"
    ATTACKS = "attacks"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("list")(list_items)


def list_items(
    sort: Annotated[Sort, typer.Argument(help="metrics, methods or attacks", show_default=False)],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """List the metrics, methods or attacks with their parameters."""
    from insanonym_core import registry

    entries = list(getattr(registry, sort.value).all())
    if as_json:
        show.print_json({sort.value: [entry.facts() for entry in entries]})
        return
    console = show.output()
    for entry in entries:
        rules = f" ({entry.rules})" if entry.rules else ""
        console.print(f"[bold]{entry.name}[/]{rules}  {entry.title} [dim]· {entry.data}[/]")
        if entry.formula:
            console.print(f"    {entry.formula}", markup=False)
        for line in entry.help.splitlines():
            console.print(f"    {line}" if line else "", markup=False)
        for name, parameter in entry.parameters.items():
            console.print(
                f"    • {name} = {parameter.written()}: {parameter.constraint.allowed()}", markup=False
            )
        console.print()
