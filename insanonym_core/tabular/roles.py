"""What columns are for: identifier, quasi-identifier, sensitive, or other."""

from __future__ import annotations

import re
from dataclasses import dataclass

from insanonym_core.errors import UsageError
from insanonym_core.tabular.table import Table

_IDENTIFIER = re.compile(r"(^|_)(id|ident\w*|code_individu|uid|patient|nom|name|ssn|email|insee)($|_)", re.I)
_SENSITIVE = re.compile(
    r"(diagnos|disease|maladie|illness|salar|income|revenu|religion|result|note|grade|score|outcome|sensitive)",
    re.I,
)


@dataclass(frozen=True)
class Roles:
    """The roles of a table's columns; what is not named is published as it is."""

    quasi: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    identifier: str | None = None

    def checked(self, table: Table, *, needs_quasi: bool = True) -> Roles:
        """These roles, or a sentence when they do not fit the table."""
        table.named(self.quasi, "quasi-identifiers", at_least_one=needs_quasi)
        table.named(self.sensitive, "sensitive columns", at_least_one=False)
        if self.identifier is not None:
            table.named((self.identifier,), "identifier")
        if self.identifier in self.sensitive:
            raise UsageError(
                f"The column {self.identifier!r} cannot be sensitive and identifier at once: choose one role."
            )
        for name in self.quasi:
            if name in self.sensitive:
                raise UsageError(
                    f"The column {name!r} cannot be quasi-identifier and sensitive at once: choose one role."
                )
            if name == self.identifier:
                raise UsageError(
                    f"The column {name!r} cannot be quasi-identifier and identifier at once: choose one role."
                )
        return self


def guess_roles(table: Table) -> Roles:
    """A first proposal from names and values, for a person to correct."""
    identifier = next(
        (name for name in table.columns if _IDENTIFIER.search(name)),
        next((name for name, column in table.columns.items() if _looks_like_id(table, column.name)), None),
    )
    sensitive = [name for name in table.columns if name != identifier and _SENSITIVE.search(name)]
    quasi = [
        name
        for name, column in table.columns.items()
        if name != identifier
        and name not in sensitive
        and column.domain > 1
        and (column.kind != "category" or column.domain <= max(20, table.rows // 2))
    ]
    return Roles(tuple(quasi), tuple(sensitive), identifier)


def _looks_like_id(table: Table, name: str) -> bool:
    column = table[name]
    return table.rows > 1 and column.kind == "category" and column.domain == table.rows
