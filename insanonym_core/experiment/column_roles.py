"""The roles of a table's columns in a run: those that a recipe names, and guesses for what it leaves open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from insanonym_core.errors import UsageError
from insanonym_core.recipe import Recipe, identifiers_of


def roles_of(recipe: Recipe, table: Any) -> Any:
    """The roles that a recipe gives; what it leaves open is guessed among the columns it does not name.

    `guessed` of the result are the roles that the recipe leaves open, and those that it calls guesses itself.
    """
    from insanonym_core.tabular.roles import Roles, guess_roles

    given, guess = recipe.roles, guess_roles(table)
    drop, publish = (tuple(given.get(name, ())) for name in ("drop", "publish"))
    identifiers = identifiers_of(given)
    taken = {*given.get("quasi", ()), *given.get("sensitive", ()), *identifiers, *drop}
    open_to_guess = given.get("identifier") in (None, "")  # an empty list says that there is none
    if open_to_guess and guess.identifier and guess.identifier not in {*taken, *publish}:
        identifiers = (guess.identifier,)
    taken |= set(identifiers)
    found = {
        "quasi": given["quasi"] if "quasi" in given else [n for n in guess.quasi if n not in taken],
        "sensitive": given["sensitive"]
        if "sensitive" in given
        else [name for name in guess.sensitive if name not in taken],
        "identifier": identifiers,
    }
    used = found if recipe.kind == "table" else ("identifier",)
    guessed = [
        role for role in used if found[role] and (not given.get(role) or role in given.get("guessed", ()))
    ]
    return Roles(
        tuple(found["quasi"]),
        tuple(found["sensitive"]),
        next(iter(identifiers), None),
        tuple(identifiers[1:]),
        drop,
        publish,
        tuple(guessed),
    )


def decided_roles(recipe: Recipe, table: Any) -> Any:
    """The roles with what is not published of this table, whatever the steps do to its rows."""
    from insanonym_core.experiment.suitable import columns_of_step

    if recipe.kind == "avatars":
        return without_identifiers(table, roles_of(recipe, table))[1]
    named = [name for step in recipe.steps for name in columns_of_step(step)]
    return roles_of(recipe, table).decided(table, named)


def about_roles(recipe: Recipe, roles: Any) -> dict[str, Any]:
    """What a report says about roles: which are guesses, and what is not published and why."""
    from insanonym_core.tabular.roles import DROPPED

    left_out = tuple((name, DROPPED) for name in recipe.reading.get("without", ()))
    return {
        "roles": roles,
        "roles_guessed": roles.guessed,
        "not_published": (*left_out, *(roles.withheld or ())),
    }


def with_people(avatars: Any, table: Any, roles: Any) -> Any:
    """Avatars that know whose the original rows are; the columns that tell it are not among theirs."""
    from insanonym_core.avatars.imputation import imputed, occurring
    from insanonym_core.tabular.release import people_columns

    people = people_columns(table, roles)
    if people and avatars.rows_dropped:
        kept = imputed(occurring(table.select(avatars.original.columns)), "drop")[1]
        people = tuple(who[kept] for who in people)
    return replace(avatars, people=people)


def without_identifiers(table: Any, roles: Any) -> tuple[Any, Any]:
    """A table to make avatars of, and its decided roles: what tells people apart must not be mixed in."""
    about = replace(roles, quasi=(), sensitive=())  # every column is mixed: none is named for a purpose
    about = about.checked(table, needs_quasi=False).decided(table)
    kept = [name for name in table.columns if name not in about.hidden]
    if not kept:
        raise UsageError(
            "No column is left to make avatars of: drop fewer columns, or name those to publish "
            "(--publish-columns, or roles.publish in a recipe)."
        )
    if len(kept) == len(table.columns):
        return table, about
    # Kept with the table: what is derived from it serves every move of a slider.
    return table.derive(("only", *kept), lambda: table.select(kept)), about
