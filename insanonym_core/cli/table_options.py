"""The options that commands on tables share, declared once: which file, which roles, how it is read."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from insanonym_core.cli.options import AsJson, Force

File = Annotated[
    Path, typer.Argument(metavar="FILE", help="CSV, TSV, zip, gz or Parquet.", show_default=False)
]
Quasi = Annotated[
    str, typer.Option("--qi", help="Quasi-identifiers, separated by commas.", show_default=False)
]
Sensitive = Annotated[str, typer.Option(help="Sensitive columns, separated by commas.", show_default=False)]
Identifier = Annotated[
    str,
    typer.Option(
        "--id",
        help="Identifiers, separated by commas; the first tells individuals apart. None is published.",
        show_default=False,
    ),
]
Drop = Annotated[
    str, typer.Option("--drop", help="Columns not to publish, separated by commas.", show_default=False)
]
PublishColumns = Annotated[
    str,
    typer.Option(
        "--publish-columns",
        help="Columns to publish although they look like direct identifiers (names, e-mail …).",
        show_default=False,
    ),
]
Missing = Annotated[
    str, typer.Option(help="value: missing counts as a value; drop: rows with a missing value are deleted.")
]
Separator = Annotated[
    str | None, typer.Option(help="Field separator, guessed by default.", show_default=False)
]
Decimal = Annotated[str, typer.Option(help="Decimal mark: . or ,")]
Seed = Annotated[
    int | None, typer.Option(help="Seed that repeats the random draws, for lessons.", show_default=False)
]


@dataclass(frozen=True)
class TableOptions:
    """Values of the shared options; an option that the command does not offer has its default."""

    file: File
    quasi: Quasi = ""
    sensitive: Sensitive = ""
    identifier: Identifier = ""
    drop: Drop = ""
    publish: PublishColumns = ""
    missing: Missing = "value"
    separator: Separator = None
    decimal: Decimal = "."
    seed: Seed = None
    as_json: AsJson = False
    force: Force = False

    @property
    def writing(self) -> dict[str, Any]:  # Any: arguments of different types
        """Arguments for writing outputs: `force`, and the input file, which must not be overwritten."""
        return {"force": self.force, "sources": (self.file,)}


READING = ("missing", "separator", "decimal")
HIDING = ("identifier", "drop", "publish")


def takes(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorator: a command `(table, *, …)` offers the file and these options before and after its own."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        types = get_type_hints(TableOptions, include_extras=True)
        shared = ("file", *(one.name for one in fields(TableOptions) if one.name in names))
        defaults = {one.name: one.default for one in fields(TableOptions)}
        known = get_type_hints(command, include_extras=True)
        own = [
            one.replace(annotation=known[one.name])
            for one in list(inspect.signature(command).parameters.values())[1:]
        ]
        offered = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if name == "file" else defaults[name],
                annotation=types[name],
            )
            for name in shared
        ]

        def call(**values: Any) -> None:  # Any: options of different types
            command(TableOptions(**{name: values.pop(name) for name in shared}), **values)

        call.__name__, call.__doc__ = command.__name__, command.__doc__
        call.__signature__ = inspect.Signature([offered[0], *own, *offered[1:]])  # type: ignore[attr-defined]
        call.__annotations__ = {one.name: one.annotation for one in (*offered, *own)}
        return call

    return decorate
