"""Default columns of a new step, and adapting steps to other data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from insanonym_core.parameters import ColumnNames
from insanonym_core.recipe import Recipe, Step, method_entry
from insanonym_core.registry import Entry
from insanonym_core.tabular.recipe_roles import columns_of_step, roles_from_recipe
from insanonym_core.tabular.roles import Roles, guess_roles
from insanonym_core.tabular.table import Table

_MIN_ROWS_KEPT = 0.5  # share of the rows that a new step must keep
_MAX_RARE_SHARE = 0.2  # share of the rows that a new step may lose by one column
_CANDIDATES = 6
_MAX_QUASI = 6


def new_step(method: str, recipe: Recipe, table: Table, position: int, end: int) -> Step:
    """Return a new step for the editor, between the steps before `position` and those from `end` on."""
    return suitable_step(
        method,
        recipe.kind,
        table,
        roles_from_recipe(recipe, table),
        recipe.steps[:position],
        recipe.steps[end:],
    )


def suitable_step(
    method: str,
    kind: str,
    table: Table,
    roles: Roles,
    before: Sequence[Step] = (),
    after: Sequence[Step] = (),
) -> Step:
    """Return a step whose columns, chosen from the roles, do not delete all rows.

    It uses only columns that the steps before keep, and keeps those that the steps after it need.
    """
    roles = roles.decided(table, (name for step in after for name in columns_of_step(step)))
    available = [name for name in columns_after(before, list(table.columns)) if name not in roles.hidden]
    needed = [
        name for step in after for name in _columns_needed(step, kind, table, roles) if name in available
    ]
    quasi = [name for name in roles.quasi if name in available] or available
    pool = [*needed, *(name for name in roles.sensitive if name in available), *quasi]
    others = list(dict.fromkeys(pool))
    # Prefer the columns that later steps count; otherwise those with roles.
    preferred = (
        list(dict.fromkeys(needed))
        if any(method_entry(step.method, kind).data != "table" for step in after)
        else others
    )
    plain = min(quasi, key=lambda name: table[name].domain, default="")
    wide = max(quasi, key=lambda name: table[name].domain, default="")
    start = list(dict.fromkeys([*needed, *([] if {*needed} & {*quasi} else [plain])]))
    match method:
        case "suppress_rare_values":
            return Step(method, {"columns": _frequent_columns(table, preferred) or (plain,)})
        case "suppress_rare_rows":
            return Step(method, {"columns": _frequent_combination(table, start, preferred)})
        case "grow_projection":
            begin = _frequent_combination(
                table, start, [name for name in roles.sensitive if name in preferred]
            )
            more = sorted((name for name in others if name not in begin), key=lambda name: table[name].domain)
            return Step(method, {"start": begin, "candidates": tuple(more[:_CANDIDATES])})
        case "generalise_column":
            return Step(method, {"column": (wide,)})
        case "pseudonymise":
            return Step(method, {} if roles.identifier else {"column": (wide,)})
        case "bucketise":
            return Step(method, {"k": 5, "l": min(2, largest_l(table, roles))})
    return Step(method)


def works_on(entry: Entry, table: Table, columns: Sequence[str], roles: Roles) -> bool:
    """Whether a method finds a column of the kind that it works on among these."""
    kind = getattr(entry.item, "works_on", None)
    return kind is None or any(table[name].kind == kind for name in columns if name in roles.quasi)


def _columns_needed(step: Step, kind: str, table: Table, roles: Roles) -> tuple[str, ...]:
    """Return the columns that a later step needs: those it names, or one of the kind that it works on."""
    value_kind = getattr(method_entry(step.method, kind).item, "works_on", None)
    if columns_of_step(step) or value_kind is None:
        return columns_of_step(step)
    fitting = [name for name in roles.quasi if name in table.columns and table[name].kind == value_kind]
    return tuple(sorted(fitting, key=lambda name: table[name].domain)[:1])


def adapt_steps(steps: Sequence[Step], kind: str, table: Table, roles: Roles) -> tuple[Step, ...]:
    """Adapt steps to other data: choose new columns for absent ones, and keep k and l possible."""
    adapted: list[Step] = []
    roles = roles.decided(table)
    for position, step in enumerate(steps):
        values, fresh = dict(step.parameters), None
        for name, parameter in method_entry(step.method, kind).parameters.items():
            if isinstance(parameter.constraint, ColumnNames):
                if set(values.get(name, ())) <= {*table.columns} - roles.hidden and name in values:
                    continue
                fresh = fresh or suitable_step(
                    step.method, kind, table, roles, adapted, steps[position + 1 :]
                )
                values[name] = fresh.parameters.get(name, ())
        largest = largest_l(table, roles) if step.method == "bucketise" else _fewest_values(table, roles)
        for name, max_value in (("k", table.rows), ("l", largest)):
            if name in values:
                values[name] = max(1, min(values[name], max_value))
        if "t" in values and not roles.sensitive:
            values["t"] = 1.0
        if "individuals" in values and roles.identifier is None:
            values["individuals"] = 1
        adapted.append(Step(step.method, values))
    return tuple(adapted)


def adapt(recipe: Recipe, table: Table, demo: str) -> dict[str, object]:
    """Return roles and steps for other data: the roles of the demonstration, or guessed ones.

    Roles that somebody has confirmed hold for all data with these columns.
    """
    if not demo and (confirmed := confirmed_roles(recipe, table)) is not None:
        return {
            "roles": dict(recipe.roles),
            "steps": adapt_steps(recipe.steps, recipe.kind, table, confirmed),
        }
    given = recipe.data_kind.demos[demo].roles if demo else {}
    roles = Roles(**given) if given else guess_roles(table)
    roles = replace(roles, quasi=roles.quasi[:_MAX_QUASI])
    named: dict[str, Any] = {"quasi": roles.quasi, "sensitive": roles.sensitive}
    named |= {"identifier": roles.identifier} if roles.identifier else {}
    named |= {"guessed": roles.guessed} if roles.guessed else {}
    return {"roles": named, "steps": adapt_steps(recipe.steps, recipe.kind, table, roles)}


def confirmed_roles(recipe: Recipe, table: Table) -> Roles | None:
    """Return the roles of a recipe if none is marked as a guess and the table has their columns."""
    if recipe.roles.get("guessed", True):
        return None
    roles = roles_from_recipe(recipe, table)
    named = {*roles.identifiers, *roles.quasi, *roles.sensitive, *roles.drop, *roles.publish}
    return roles if named and named <= {*table.columns} else None


def largest_l(table: Table, roles: Roles) -> int:
    """Return the largest possible l of buckets: no value may occur in more than 1/l of the rows."""
    if len(roles.sensitive) != 1 or roles.sensitive[0] not in table.columns:
        return table.rows
    return max(1, table.rows // int(np.bincount(table[roles.sensitive[0]].codes + 1).max()))


def _fewest_values(table: Table, roles: Roles) -> int:
    """Return the largest possible l of classes: the fewest values of a sensitive column; 1 without one."""
    return min((table[name].domain for name in roles.sensitive if name in table.columns), default=1)


def columns_after(steps: Sequence[Step], columns: list[str]) -> list[str]:
    """Return the columns that certainly remain after these steps."""
    for step in steps:
        if step.method == "drop_columns":
            columns = [name for name in columns if name not in step.parameters.get("columns", ())]
        kept = step.parameters.get(
            {"grow_projection": "start", "suppress_rare_rows": "columns"}.get(step.method, "")
        )
        columns = [name for name in columns if name in kept] if kept else columns
    return columns


def _frequent_columns(table: Table, names: Sequence[str], k: int = 5) -> tuple[str, ...]:
    """Return the columns with few rows of rare values (fewer than k rows), up to a total loss."""
    chosen, lost = [], 0.0
    for name in names:
        count = np.bincount(table[name].codes + 1)
        share = float(count[count < k].sum() / table.rows)
        if share <= _MAX_RARE_SHARE and lost + share <= 1 - _MIN_ROWS_KEPT:
            chosen.append(name)
            lost += share
    return tuple(chosen)


def _frequent_combination(
    table: Table, start: Sequence[str], pool: Sequence[str], k: int = 5
) -> tuple[str, ...]:
    """Add columns to `start` as long as most rows have a combination that k rows share."""
    chosen = list(start)
    for name in sorted(
        (other for other in pool if other not in start), key=lambda other: table[other].domain
    ):
        if float((table.classes([*chosen, name]).size_of_row >= k).mean()) >= _MIN_ROWS_KEPT:
            chosen.append(name)
    return tuple(chosen)
