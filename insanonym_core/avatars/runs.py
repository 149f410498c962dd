"""Run recipes of avatars: choose the columns to mix, and apply the one step that mixes them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from insanonym_core.avatars.imputation import drop_unused_values, impute_missing
from insanonym_core.avatars.release import Avatars, avatars_from_tables
from insanonym_core.errors import UsageError
from insanonym_core.kinds import Made
from insanonym_core.recipe import Recipe, Step
from insanonym_core.recipe_texts import recipe_text
from insanonym_core.tabular.direct import direct_identifiers
from insanonym_core.tabular.frames import table_from_frame
from insanonym_core.tabular.recipe_roles import about_roles, roles_from_recipe
from insanonym_core.tabular.release import people_columns
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Table

if TYPE_CHECKING:
    import pandas as pd

    from insanonym_core.io.sources import Source
    from insanonym_core.kinds import Facts
    from insanonym_core.numeric.randomness import Draws
    from insanonym_core.runtime.jobs import Job


def before_anonymisation(recipe: Recipe) -> tuple[Step, ...]:
    """Avatars that are the people themselves: each mixed from their own row alone, on all components."""
    return (Step("mix_neighbours", {"k": 1, "include_self": True, "variance": 1.0}),)


def make(recipe: Recipe, data: Table, draws: Draws, job: Job) -> Made:
    """Make avatars of a table without the columns that identify people."""
    if len(recipe.steps) != 1:
        raise UsageError(
            "A recipe of avatars must have one step, such as mix_neighbours, got {steps}.",
            steps=len(recipe.steps),
        )
    job.progress(recipe_text(recipe))
    ((method, generator),) = recipe.built(draws)
    table, roles = without_identifiers(data, roles_from_recipe(recipe, data))
    avatars = _with_roles(method.apply(table, generator), data, roles)
    facts = about_roles(recipe, roles)
    return Made(avatars, data.rows, avatars.published.rows, warnings=avatars.warnings, facts=facts)


def wrap_avatars(avatars: Avatars) -> Made:
    """Wrap existing avatars so that they can be measured like a run."""
    return Made(avatars, avatars.original.rows, avatars.published.rows, warnings=avatars.warnings)


def read_release(source: Source, original: Table, allow_invalid: bool = False) -> Made:
    """Read a synthetic table made elsewhere; only columns that it shares with the original are compared."""
    from insanonym_core.tabular.runs import read_data

    synthetic = read_data(source, {})
    shared = [name for name in original.columns if name in synthetic.columns]
    if not shared:
        raise UsageError("The synthetic table has no column of the original: give one with the same columns.")
    return wrap_avatars(avatars_from_tables(original.select(shared), synthetic.select(shared)))


def release_from_frame(frame: pd.DataFrame, original: Table, allow_invalid: bool = False) -> Made:
    """Pair a synthetic table made elsewhere with the original; direct identifiers need no counterpart."""
    synthetic = table_from_frame(frame, {})
    absent = [name for name in direct_identifiers(original) if name not in synthetic.columns]
    shared = [name for name in original.columns if name not in absent]
    return wrap_avatars(avatars_from_tables(original.select(shared), synthetic))


def about_columns(recipe: Recipe, table: Table) -> Facts:
    """Return the facts of a report about columns, without running the recipe."""
    return about_roles(recipe, without_identifiers(table, roles_from_recipe(recipe, table))[1])


def without_identifiers(table: Table, roles: Roles) -> tuple[Table, Roles]:
    """Return the table without columns that identify people, and the decided roles."""
    # All columns are mixed. What an attacker knows or guesses is only what was named, never a guessed role.
    emptied: dict[str, Any] = {role: () for role in ("quasi", "sensitive") if role in roles.guessed}
    decided = replace(roles, guessed=tuple(role for role in roles.guessed if role not in emptied), **emptied)
    decided = decided.checked(table, needs_quasi=False).decided(table)
    published = [name for name in table.columns if name not in decided.hidden]
    if not published:
        raise UsageError(
            "No column is left to make avatars of: drop fewer columns, or name those to publish "
            "(--publish-columns, or roles.publish in a recipe)."
        )
    if len(published) == len(table.columns):
        return table, decided
    # Cached with the table, so that later runs reuse what is derived from it.
    return table.derive(("only", *published), lambda: table.select(published)), decided


def _with_roles(avatars: Avatars, table: Table, roles: Roles) -> Avatars:
    """Add to avatars the people of the original rows, and the columns that an attacker knows and guesses.

    The people come from `table`: avatars have no columns that identify them.
    """
    people = people_columns(table, roles)
    if people and avatars.rows_dropped:
        complete = impute_missing(drop_unused_values(table.select(avatars.original.columns)), "drop")[1]
        people = tuple(codes[complete] for codes in people)
    return replace(avatars, people=people, quasi=roles.quasi, sensitive=roles.sensitive)
