"""list: metrics, methods, attacks, kinds of data and presets."""

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
    KINDS = "kinds"
    PRESETS = "presets"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("list")(list_items)


def list_items(
    sort: Annotated[
        Sort, typer.Argument(help="metrics, methods, attacks, kinds or presets", show_default=False)
    ],
    kind: Annotated[
        str | None, typer.Option(help="Only those of one kind of data.", show_default=False)
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """List the metrics, methods or attacks with their parameters, the kinds of data, or the presets."""
    from insanonym_core import registry
    from insanonym_core.kinds import kind_named

    if kind is not None:
        kind_named(kind)
    if sort is Sort.KINDS:
        _list_kinds(kind, as_json)
        return
    if sort is Sort.PRESETS:
        _list_presets(kind, as_json)
        return
    entries = list(getattr(registry, sort.value).all(data=kind))
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


def _list_kinds(only: str | None, as_json: bool) -> None:
    from insanonym_core.kinds import all_kinds

    found = [kind for name, kind in all_kinds().items() if only in (None, name)]
    if as_json:
        facts = ("name", "title", "data_title", "formats", "reading", "roles")
        told = [
            {name: getattr(kind, name) for name in facts}
            | {"demos": list(kind.demos), "rules": list(kind.rules)}
            for kind in found
        ]
        show.print_json({"kinds": told})
        return
    console = show.output()
    for kind in found:
        console.print(f"[bold]{kind.name}[/]  {kind.data_title}: {', '.join(kind.demos)}")


def _list_presets(only: str | None, as_json: bool) -> None:
    from insanonym_core.presets import all_presets

    found = [one for one in all_presets() if only in (None, one.recipe.kind)]
    if as_json:
        show.print_json({"presets": [one.facts() for one in found]})
        return
    console = show.output()
    for one in found:
        console.print(f"[bold]{one.name}[/]  {one.title} [dim]· {one.recipe.kind}[/]")
        for step in one.recipe.steps:
            console.print(f"    {step.written()}", markup=False)
        if one.measured:
            on = one.measured["on"]
            utility, privacy = one.measured["utility"], one.measured["privacy"]
            console.print(f"    utility {utility:.2f}, privacy {privacy:.2f} on {on}", markup=False)
        console.print()
