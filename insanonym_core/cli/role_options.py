"""The roles of columns from the options of a command."""

from __future__ import annotations

from typing import Annotated

import typer

from insanonym_core.cli.table_input import split
from insanonym_core.errors import UsageError, brief

ROLES = ("identifier", "quasi", "sensitive", "drop", "publish")
Roles = Annotated[
    list[str] | None,
    typer.Option(
        "--role",
        metavar="COLUMN=ROLE",
        help="Role of a column: identifier, quasi, sensitive, drop or publish; may be repeated.",
        show_default=False,
    ),
]


def roles_of(
    settings: list[str] | None,
    quasi: str = "",
    sensitive: str = "",
    identifier: str = "",
    drop: str = "",
    publish: str = "",
) -> dict[str, tuple[str, ...]]:
    """The `roles` of a recipe: lists of columns, and single columns by --role."""
    lists = dict(zip(ROLES, (identifier, quasi, sensitive, drop, publish), strict=True))
    found = {role: split(names) for role, names in lists.items() if names}
    for setting in settings or []:
        column, mark, role = setting.rpartition("=")
        if not (mark and column.strip()) or role.strip() not in ROLES:
            raise UsageError(
                "--role must be COLUMN=ROLE with one of {roles}, such as --role age=quasi, got {setting}.",
                roles=", ".join(ROLES),
                setting=brief(setting),
            )
        found[role.strip()] = (*found.get(role.strip(), ()), column.strip())
    return found
