"""Roles of a table's columns in a run: named by the recipe, or guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from insanonym_core.recipe import Recipe, Step, identifiers_of
from insanonym_core.tabular.roles import DROPPED, Roles, guess_roles
from insanonym_core.tabular.table import Table

if TYPE_CHECKING:
    from insanonym_core.kinds import Facts


def roles_from_recipe(recipe: Recipe, table: Table) -> Roles:
    """Return the roles that a recipe names; the others are guessed among the columns it does not name.

    `guessed` of the result are the roles that the recipe does not name, and those that it marks as guesses.
    """
    given, identifiers = recipe.roles, identifiers_of(recipe.roles)
    guess = guess_roles(table, [name for name in identifiers if name in table.columns])
    drop, publish = (tuple(given.get(name, ())) for name in ("drop", "publish"))
    taken = {*given.get("quasi", ()), *given.get("sensitive", ()), *identifiers, *drop}
    open_to_guess = given.get("identifier") in (None, "")  # an empty list says that there is none
    if open_to_guess and guess.identifier and guess.identifier not in {*taken, *publish}:
        identifiers = (guess.identifier,)
    taken |= set(identifiers)
    chosen = {
        "quasi": given["quasi"] if "quasi" in given else [n for n in guess.quasi if n not in taken],
        "sensitive": given["sensitive"]
        if "sensitive" in given
        else [name for name in guess.sensitive if name not in taken],
        "identifier": identifiers,
    }
    guessed = [
        role
        for role in chosen
        if role in recipe.data_kind.roles
        and chosen[role]
        and (not given.get(role) or role in given.get("guessed", ()))
    ]
    return Roles(
        tuple(chosen["quasi"]),
        tuple(chosen["sensitive"]),
        next(iter(identifiers), None),
        tuple(identifiers[1:]),
        drop,
        publish,
        tuple(guessed),
    )


def decided_roles(recipe: Recipe, table: Table) -> Roles:
    """Return the roles with the columns of this table that are not published, whatever the steps do."""
    named = [name for step in recipe.steps for name in columns_of_step(step)]
    return roles_from_recipe(recipe, table).decided(table, named)


def about_columns(recipe: Recipe, table: Table) -> Facts:
    """Return the facts of a report about columns, without running the recipe."""
    return about_roles(recipe, decided_roles(recipe, table))


def about_roles(recipe: Recipe, roles: Roles) -> Facts:
    """Return the facts of a report about roles: which are guessed, and what is not published and why."""
    left_out = tuple((name, DROPPED) for name in recipe.reading.get("without", ()))
    return {
        "roles": roles,
        "roles_guessed": roles.guessed,
        "not_published": (*left_out, *(roles.withheld or ())),
    }


def columns_of_step(step: Step) -> tuple[str, ...]:
    """Return the columns named in the parameters of a step."""
    return tuple(name for value in step.parameters.values() if isinstance(value, tuple) for name in value)
