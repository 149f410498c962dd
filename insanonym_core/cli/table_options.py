"""The options that commands on tables share, declared once: which file, which roles, how it is read."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from insanonym_core.cli.options import AsJson, Force, OutputStyle
from insanonym_core.cli.reading_options import (
    Decimal,
    Encoding,
    Missing,
    Separator,
    Sheet,
    Types,
    Zone,
    reading_of,
)

File = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="CSV, Excel, Parquet, GPX; also in a zip or gz.", show_default=False),
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
Roles = Annotated[
    list[str] | None,
    typer.Option(
        "--role",
        metavar="COLUMN=ROLE",
        help="Role of a column: identifier, quasi, sensitive, drop or publish; may be repeated.",
        show_default=False,
    ),
]
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
    roles: Roles = None
    missing: Missing = "value"
    separator: Separator = None
    decimal: Decimal = None
    encoding: Encoding = None
    sheet: Sheet = None
    zone: Zone = None
    types: Types = None
    seed: Seed = None
    as_json: AsJson = False
    output_style: OutputStyle = ""
    force: Force = False

    @property
    def writing(self) -> dict[str, Any]:  # Any: arguments of different types
        """Arguments for writing outputs: `force`, and the input file, which must not be overwritten."""
        return {"force": self.force, "sources": (self.file,)}

    @property
    def reading(self) -> dict[str, object]:
        """The `reading` of a recipe."""
        return reading_of(missing=self.missing, **{name: getattr(self, name) for name in FILE})


FILE = ("separator", "decimal", "encoding", "sheet", "zone", "types")
READING = ("missing", *FILE)
WRITING = ("output_style", "force")
HIDING = ("identifier", "drop", "publish", "roles")


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
