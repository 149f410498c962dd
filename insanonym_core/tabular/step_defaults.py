"""Steps that suit a table: which columns a new one takes, and what becomes of steps when the data changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from insanonym_core.parameters import ColumnNames
from insanonym_core.recipe import Recipe, Step, method_entry
from insanonym_core.tabular.recipe_roles import columns_of_step, roles_from_recipe
from insanonym_core.tabular.roles import Roles, guess_roles
from insanonym_core.tabular.table import Table

_MIN_ROWS_KEPT, _MAX_RARE_SHARE = (
    0.5,
    0.2,
)  # a new step leaves at least this share of the rows, or loses at most that one
_CANDIDATES = 6
_MAX_QUASI = 6


def new_step(method: str, recipe: Recipe, table: Table, place: int, end: int) -> Step:
    """A step for the editor: before it stand those up to `place`, after it those from `end` on."""
    return suitable_step(
        method, recipe.kind, table, roles_from_recipe(recipe, table), recipe.steps[:place], recipe.steps[end:]
    )


def suitable_step(
    method: str,
    kind: str,
    table: Table,
    roles: Roles,
    before: Sequence[Step] = (),
    after: Sequence[Step] = (),
) -> Step:
    """A method with columns of the table that leave something of it, chosen from the roles.

    It may only use columns that the steps before leave, and must leave those that the steps after it need.
    """
    roles = roles.decided(table, (name for step in after for name in columns_of_step(step)))
    left = [name for name in columns_after(before, list(table.columns)) if name not in roles.hidden]
    needed = [name for step in after for name in columns_of_step(step) if name in left]
    quasi = [name for name in roles.quasi if name in left] or left
    pool = [*needed, *(name for name in roles.sensitive if name in left), *quasi]
    others = list(dict.fromkeys(pool))
    # What is counted later is what matters; else what the roles are about.
    ours = (
        list(dict.fromkeys(needed))
        if any(method_entry(step.method, kind).data != "table" for step in after)
        else others
    )
    plain = min(quasi, key=lambda name: table[name].domain, default="")
    wide = max(quasi, key=lambda name: table[name].domain, default="")
    start = list(dict.fromkeys([*needed, *([] if {*needed} & {*quasi} else [plain])]))
    match method:
        case "suppress_rare_values":
            return Step(method, {"columns": _frequent(table, ours) or (plain,)})
        case "suppress_rare_rows":
            return Step(method, {"columns": _together(table, start, ours)})
        case "grow_projection":
            begin = _together(table, start, [name for name in roles.sensitive if name in ours])
            more = sorted((name for name in others if name not in begin), key=lambda name: table[name].domain)
            return Step(method, {"start": begin, "candidates": tuple(more[:_CANDIDATES])})
        case "generalise_column":
            return Step(method, {"column": (wide,)})
        case "pseudonymise":
            return Step(method, {} if roles.identifier else {"column": (wide,)})
        case "bucketise":
            return Step(method, {"k": 5, "l": min(2, largest_l(table, roles))})
    return Step(method)


def adapt_steps(steps: Sequence[Step], kind: str, table: Table, roles: Roles) -> tuple[Step, ...]:
    """The steps for other data: columns that it does not have are chosen anew, k and l stay possible."""
    made: list[Step] = []
    roles = roles.decided(table)
    for place, step in enumerate(steps):
        values, fresh = dict(step.parameters), None
        for name, parameter in method_entry(step.method, kind).parameters.items():
            if isinstance(parameter.constraint, ColumnNames):
                if set(values.get(name, ())) <= {*table.columns} - roles.hidden and name in values:
                    continue
                fresh = fresh or suitable_step(step.method, kind, table, roles, made, steps[place + 1 :])
                values[name] = fresh.parameters.get(name, ())
        for name, most in (("k", table.rows), ("l", largest_l(table, roles))):
            if name in values:
                values[name] = max(1, min(values[name], most))
        made.append(Step(step.method, values))
    return tuple(made)


def adapt(recipe: Recipe, table: Table, demo: str) -> dict[str, Any]:
    """Other roles: those of the demonstration, or a guess; and steps with columns that the data has."""
    given = recipe.data_kind.demos[demo].roles if demo else {}
    roles = Roles(**given) if given else guess_roles(table)
    roles = replace(roles, quasi=roles.quasi[:_MAX_QUASI])
    named: dict[str, Any] = {"quasi": roles.quasi, "sensitive": roles.sensitive}
    named |= {"identifier": roles.identifier} if roles.identifier else {}
    named |= {"guessed": roles.guessed} if roles.guessed else {}
    return {"roles": named, "steps": adapt_steps(recipe.steps, recipe.kind, table, roles)}


def largest_l(table: Table, roles: Roles) -> int:
    """The largest l that buckets of this table can have: no value stands in more than 1/l of the rows."""
    if len(roles.sensitive) != 1 or roles.sensitive[0] not in table.columns:
        return table.rows
    return max(1, table.rows // int(np.bincount(table[roles.sensitive[0]].codes + 1).max()))


def columns_after(steps: Sequence[Step], columns: list[str]) -> list[str]:
    """The columns that are there in any case after these steps."""
    for step in steps:
        kept = step.parameters.get(
            {"grow_projection": "start", "suppress_rare_rows": "columns"}.get(step.method, "")
        )
        columns = [name for name in columns if name in kept] if kept else columns
    return columns


def _frequent(table: Table, names: Sequence[str], k: int = 5) -> tuple[str, ...]:
    """Columns whose values fewer than k rows have stand in few rows, one column after the other."""
    chosen, lost = [], 0.0
    for name in names:
        count = np.bincount(table[name].codes + 1)
        share = float(count[count < k].sum() / table.rows)
        if share <= _MAX_RARE_SHARE and lost + share <= 1 - _MIN_ROWS_KEPT:
            chosen.append(name)
            lost += share
    return tuple(chosen)


def _together(table: Table, start: Sequence[str], pool: Sequence[str], k: int = 5) -> tuple[str, ...]:
    """Columns whose combinations are frequent enough that most rows stay."""
    chosen = list(start)
    for name in sorted((one for one in pool if one not in start), key=lambda one: table[one].domain):
        if float((table.classes([*chosen, name]).size_of_row >= k).mean()) >= _MIN_ROWS_KEPT:
            chosen.append(name)
    return tuple(chosen)
