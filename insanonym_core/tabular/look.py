"""What was understood of a table, with the roles that are proposed for its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from insanonym_core.reading.files import read_file
from insanonym_core.reading.look import Look, form_of, look_at_column, notes_of, notes_on_names, questions_of
from insanonym_core.reading.options import ReadingOptions
from insanonym_core.recipe import Recipe
from insanonym_core.tabular.direct import direct_identifiers
from insanonym_core.tabular.files import table_of
from insanonym_core.tabular.recipe_roles import decided_roles
from insanonym_core.tabular.roles import DROPPED, Roles
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    from insanonym_core.io.sources import Source
    from insanonym_core.parameters import ParameterValues

_SAID, _KNOWN = Phrase("as you said"), Phrase("others may know it")
_NEARLY_ALL = 0.9
_REASONS = {
    "identifier": Phrase("tells people apart, by its name and values"),
    "quasi": Phrase("others may know it, and its values repeat"),
    "sensitive": Phrase("by its name, what must not become known"),
}


def look(
    source: Source | Path | str, reading: ParameterValues, roles: ParameterValues, kind: str = "table"
) -> Look:
    """Look at a table: no step is applied, and dates that nobody can tell are a question."""
    options = ReadingOptions.of(reading)
    found = read_file(source, options)
    table = table_of(found)
    recipe = Recipe((), kind=kind, roles=dict(roles))
    decided = decided_roles(recipe, table)
    if "quasi" not in recipe.data_kind.roles:
        decided = replace(decided, quasi=(), sensitive=())
    known = _roles_of_columns(decided, roles)
    known |= {
        name: ("quasi", _KNOWN)
        for name, (role, why) in known.items()
        if why is _REASONS["quasi"] and table[name].domain > _NEARLY_ALL * table.rows
    }
    hidden = {**dict(decided.withheld or ()), **direct_identifiers(table, decided.identifiers)}
    columns = tuple(
        replace(
            look_at_column(column),
            role=known.get(column.name, ("", ""))[0],
            role_why=_why(column.name, known, hidden),
            published=column.name not in decided.hidden,
        )
        for column in found.columns
    )
    questions = questions_of(found.columns)
    people = table[decided.identifier] if decided.identifier else None
    return Look(
        found.grid.name,
        kind,
        table.rows,
        form_of(found),
        columns,
        (*found.grid.notes, *notes_on_names(list(table.columns)), *notes_of(found.columns, options.zone)),
        questions,
        len(people.values) if people is not None else None,
        {
            "roles_guessed": list(decided.guessed),
            **({"zoned": True} if any(column.zoned for column in found.columns) else {}),
        },
        bool(questions),
    )


def look_at_traces(source: Source | Path | str, reading: ParameterValues, roles: ParameterValues) -> Look:
    """Look at a table of enrolments: who is who is all that its roles say."""
    return look(source, reading, roles, "traces")


def look_at_avatars(source: Source | Path | str, reading: ParameterValues, roles: ParameterValues) -> Look:
    """Look at a table of which avatars are made: all that is published is mixed."""
    known = {"quasi": (), "sensitive": (), **roles}
    return look(source, reading, known, "avatars")


def _why(name: str, known: Mapping[str, tuple[str, str]], hidden: Mapping[str, str]) -> str:
    """Why a column has its role, or why it is not published."""
    role, why = known.get(name, ("", ""))
    return hidden.get(name, why) if role in ("", "identifier") and why is not _SAID else why


def _roles_of_columns(decided: Roles, said: Mapping[str, object]) -> dict[str, tuple[str, Phrase]]:
    """The role of each column, and why."""
    by_role = {"identifier": decided.identifiers, "quasi": decided.quasi, "sensitive": decided.sensitive}
    found = {
        name: (role, _REASONS[role] if role in decided.guessed else _SAID)
        for role, names in by_role.items()
        for name in names
    }
    found |= dict.fromkeys(decided.drop, ("drop", DROPPED))
    return found | dict.fromkeys(decided.publish, ("publish", _SAID))
