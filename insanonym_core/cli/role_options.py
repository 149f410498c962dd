"""The roles of columns from the options of a command."""

from __future__ import annotations

from collections.abc import Container, Mapping

from insanonym_core.errors import UsageError, brief

ROLES = ("identifier", "quasi", "sensitive", "drop", "publish")


def split(names: str) -> tuple[str, ...]:
    """Names separated by commas."""
    return tuple(name.strip() for name in names.split(",") if name.strip())


def split_identifiers(names: str, columns: Container[str]) -> tuple[str, ...]:
    """What --id says: the column that tells individuals apart, and the other identifiers."""
    return (names,) if names and names in columns else split(names)  # one name may hold a comma


def roles_of(
    settings: list[str] | None,
    quasi: str = "",
    sensitive: str = "",
    identifier: str = "",
    drop: str = "",
    publish: str = "",
    columns: Container[str] = (),
) -> dict[str, tuple[str, ...]]:
    """The `roles` of a recipe: lists of columns, and single columns by --role.

    With the `columns` of the file, a single identifier may have a comma in its name.
    """
    lists = dict(zip(ROLES, (identifier, quasi, sensitive, drop, publish), strict=True))
    found = {role: split(names) for role, names in lists.items() if names}
    if identifier:
        found["identifier"] = split_identifiers(identifier, columns)
    return with_roles(found, settings)


def with_roles(
    roles: Mapping[str, tuple[str, ...]], settings: list[str] | None
) -> dict[str, tuple[str, ...]]:
    """Roles after `--role COLUMN=ROLE` options: a column has the role that is said last, and no other."""
    found = dict(roles)
    for setting in settings or []:
        column, mark, role = (part.strip() for part in setting.rpartition("="))
        if not (mark and column) or role not in ROLES:
            raise UsageError(
                "--role must be COLUMN=ROLE with one of {roles}, such as --role age=quasi, got {setting}.",
                roles=", ".join(ROLES),
                setting=brief(setting),
            )
        for other in ROLES:
            if column in found.get(other, ()):
                found[other] = tuple(name for name in found[other] if name != column)
        found[role] = (*found.get(role, ()), column)
    return found
