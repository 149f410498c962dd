"""Where a search begins: data, roles and headlines; without a recipe, those that suit the data.

search, table = search_for("demo:mobility", at_least={"privacy": 0.7})
tuned = tune(replace(search, trials=300), data=table)
print(tuned.reason(), tuned.recipe)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from insanonym_core.errors import UsageError
from insanonym_core.experiment import load
from insanonym_core.experiment.run import check_kind
from insanonym_core.kinds import Data, all_kinds, kind_named
from insanonym_core.parameters import ParameterValues
from insanonym_core.presets import preset_recipe
from insanonym_core.recipe import Recipe
from insanonym_core.runtime.store import Store
from insanonym_core.tuning.search import Search
from insanonym_core.tuning.space import AllMethods, Around
from insanonym_core.tuning.wish import wish_of


def search_for(
    data: str | None,
    *,
    at_least: Mapping[str, float] | None = None,
    at_most: Mapping[str, float] | None = None,
    maximise: str = "",
    kind: str = "",
    roles: ParameterValues | None = None,
    reading: ParameterValues | None = None,
    methods: Sequence[str] = (),
    around: Recipe | None = None,
    table: Data | None = None,
) -> tuple[Search, Data]:
    """A search for a file or demonstration data, or for a `table` in memory; and these data.

    Without `maximise` it is the utility if there are bounds, else the defence. `methods` are all that may be
    used; `around` keeps to recipes like this one.
    """
    if methods and around is not None:
        raise UsageError("Name methods or a recipe to search around, not both: a recipe has its own methods.")
    if around is None:
        base = recipe_for(data, kind, roles, reading, table=table)
    else:
        if kind:
            check_kind(around, kind)
        base = replace(
            around,
            data=data,
            folder="",
            seed=None,
            roles={**around.roles, **(roles or {})},
            reading={**around.reading, **(reading or {})},
        )
    bounded = bool(at_least or at_most)
    wish = wish_of(base, at_least, at_most, maximise or ("utility" if bounded else "defence"))
    table = load(base) if table is None else table
    space = AllMethods(base, table, tuple(methods)) if around is None else Around(base, table)
    return Search(base, wish, space), table


def recipe_for(
    data: str | None,
    kind: str = "",
    roles: ParameterValues | None = None,
    reading: ParameterValues | None = None,
    store: Store | None = None,
    table: Data | None = None,
) -> Recipe:
    """A recipe for this data whose steps only tell which columns a search may use.

    `kind` is that of the data if it is not named: of a file GPS traces, unless roles are given.
    """
    name = kind or _kind_of(data, roles or {})
    chosen = kind_named(name)
    base = Recipe((), data=data, kind=name, reading=reading or {})
    demo = next((known for known in chosen.demos if known == data), "")
    fields = chosen.adapted(
        replace(preset_recipe(chosen), data=data, roles={}, reading=reading or {}, seed=None),
        load(base, store) if table is None else table,
        demo,
    )
    suggested = fields.get("roles", {})
    if demo and not suggested:
        suggested = chosen.demos[demo].roles
    named = {**suggested, **(roles or {})}
    if roles:
        guessed = tuple(role for role in named.get("guessed", ()) if role not in roles)
        named = {role: names for role, names in named.items() if role != "guessed"}
        named |= {"guessed": guessed} if guessed else {}
    known = {role: names for role, names in named.items() if role in chosen.roles}
    return replace(base, roles=known, steps=tuple(fields.get("steps", ())))


def _kind_of(data: str | None, roles: ParameterValues) -> str:
    """The first kind that offers a demonstration; of a file, one with roles if some are given."""
    kinds = all_kinds().values()
    demos = ((kind.name, kind.demos.get(data or "")) for kind in kinds)
    offered = [name for name, demo in demos if demo is not None and demo.offered]
    if offered:
        return offered[0]
    fitting = [kind.name for kind in kinds if set(roles) <= set(kind.roles)]
    return (fitting or [kind.name for kind in kinds])[0]
