"""look: what is understood of a file, before anything is done with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import AsJson, Columns, Lang, language
from insanonym_core.cli.reading_options import (
    Decimal,
    Encoding,
    Separator,
    Sheet,
    Types,
    Zone,
    reading_of,
)
from insanonym_core.cli.role_options import roles_of
from insanonym_core.cli.table_options import Drop, Identifier, PublishColumns, Quasi, Roles, Sensitive
from insanonym_core.errors import UsageError, brief

if TYPE_CHECKING:
    from insanonym_core.reading.look import Look


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("look")(look_at)


def look_at(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to look at.", show_default=False)],
    kind: Annotated[
        str,
        typer.Option(
            help="mobility, table, traces or avatars; by default what the file looks like.",
            show_default=False,
        ),
    ] = "",
    quasi: Quasi = "",
    sensitive: Sensitive = "",
    identifier: Identifier = "",
    drop: Drop = "",
    publish_columns: PublishColumns = "",
    roles: Roles = None,
    columns: Columns = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    zone: Zone = None,
    types: Types = None,
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Say what is understood of FILE: its format, and the type and proposed role of each column, with the
    reason.

    No value is shown: an outline such as 99/99/9999 stands for them. Everything can be said otherwise by the
    options of this command, which every command that reads a file has.
    """
    from insanonym_core.kinds import kind_named
    from insanonym_core.mobility.recognise import looks_like_traces

    reading = reading_of(
        separator=separator,
        decimal=decimal,
        encoding=encoding,
        sheet=sheet,
        zone=zone,
        types=types,
        columns=columns,
    )
    said = roles_of(roles, quasi, sensitive, identifier, drop, publish_columns)
    kind = kind or ("mobility" if columns or looks_like_traces(file, reading) else "table")
    looker = kind_named(kind).code("look")
    if looker is None:
        raise UsageError("Data of the kind {kind} cannot be looked at: leave --kind out.", kind=brief(kind))
    found: Look = looker(str(file), reading, said)
    if as_json:
        show.print_json(found.as_json())
    else:
        _print(found, language())


def _print(found: Look, lang: str) -> None:
    from insanonym_core.texts import Phrase, say

    console = show.output()
    rows = say(Phrase.plural("{n:,} row", "{n:,} rows", n=found.rows), lang)
    people = (
        [say(Phrase.plural("{n:,} person", "{n:,} people", n=found.people), lang)]
        if found.people is not None
        else []
    )
    form = [f"{name} {value!r}" for name, value in found.form.items()]
    console.print(", ".join([found.file, found.kind, rows, *people, *form]), markup=False)
    if found.columns:
        shown = show.table(
            "",
            say("column", lang),
            say("type", lang),
            ">" + say("different", lang),
            ">" + say("missing", lang),
            say("outlines", lang),
            say("role", lang),
            say("why", lang),
        )
        for name, one in zip(found.names, found.columns, strict=True):
            role = one.role or ("" if one.published else say("not published", lang))
            why = [say(one.why, lang), *([say(one.role_why, lang)] if one.role_why else [])]
            cells = [name, one.type, f"{one.distinct:,}", f"{one.missing:,}"]
            cells += ["  ".join(one.outlines), role, "; ".join(why)]
            shown.add_row(*map(show.plain, cells))
        console.print(shown)
    for sentence in (*found.notes, *found.questions):
        console.print(say(sentence, lang), markup=False)
