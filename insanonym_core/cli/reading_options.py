"""The options that say how a file is read, the same on every command that reads one."""

from __future__ import annotations

from typing import Annotated

import typer

from insanonym_core.errors import UsageError, brief

Missing = Annotated[
    str, typer.Option(help="value: missing counts as a value; drop: rows with a missing value are deleted.")
]
Separator = Annotated[str | None, typer.Option(help="Field separator, found by default.", show_default=False)]
Decimal = Annotated[
    str | None, typer.Option(help="Decimal mark, found by default: . or ,", show_default=False)
]
Encoding = Annotated[
    str | None,
    typer.Option(help="Encoding of a text, found by default: utf-8, cp1252 …", show_default=False),
]
Sheet = Annotated[
    str | None, typer.Option(help="Sheet of a workbook, if several hold something.", show_default=False)
]
Zone = Annotated[
    str | None,
    typer.Option(
        help="Time zone, such as Europe/Paris, into which times with an offset are converted.",
        show_default=False,
    ),
]
Types = Annotated[
    list[str] | None,
    typer.Option(
        "--type",
        metavar="COLUMN=TYPE",
        help="Type of a column: text, number, date, date:dmy, date:mdy or date:ymd; may be repeated.",
        show_default=False,
    ),
]


def reading_of(
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    zone: str | None = None,
    types: list[str] | None = None,
    missing: str = "value",
    columns: str | None = None,
) -> dict[str, object]:
    """The `reading` of a recipe from the options."""
    from insanonym_core.reading.options import ReadingOptions, types_of

    if missing not in ("value", "drop"):
        raise UsageError("--missing must be value or drop, got {missing}.", missing=brief(missing))
    mark = {"tab": "\t", "\\t": "\t"}.get(separator or "", separator)
    given: dict[str, object] = {"separator": mark, "decimal": decimal, "encoding": encoding, "sheet": sheet}
    given |= {"zone": zone, "types": types_of(types or []), "columns": columns}
    given |= {"missing": missing} if missing != "value" else {}
    reading = {name: value for name, value in given.items() if value}
    ReadingOptions.of(reading)
    return reading
