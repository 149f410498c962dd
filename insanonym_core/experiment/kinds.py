"""What each kind of data needs on its way from a recipe to measures: a source, steps, measures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from insanonym_core.deletions import deletion_warning
from insanonym_core.errors import DataError, UsageError
from insanonym_core.experiment.column_roles import (
    about_roles,
    roles_of,
    with_people,
    without_identifiers,
)
from insanonym_core.experiment.report import Promise
from insanonym_core.randomness import Draws
from insanonym_core.recipe import Recipe, method_entry
from insanonym_core.registry import Entry, Measure, attacks, check_settings, metrics, values_for
from insanonym_core.scores import Evidence

Tell = Callable[[str], None]
_REMEMBERED = 1_000_000  # rows up to which what each step made is kept for the next run
_STEPS = "steps of the last run"


@dataclass(frozen=True, eq=False)
class Made:
    """A release before it is measured."""

    release: Any
    rows: int
    kept: int
    evidence: tuple[Evidence, ...] = ()
    promises: tuple[Promise, ...] = ()
    warnings: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """One kind of data: where it comes from, how steps are applied, and what is measured."""

    name: str
    source: str
    make: Callable[[Recipe, Any, Tell, Draws], Made]

    def entries(self, recipe: Recipe) -> list[Entry]:
        """The measures and attacks that apply under the recipe's rules."""
        measures = list(metrics.all(data=self.name, rules=recipe.rules if self.name == "mobility" else None))
        return measures + (list(attacks.all(data=self.name)) if self.name in attacks.homes else [])

    def check(self, recipe: Recipe) -> None:
        """Refuse settings that no measure has."""
        check_settings(self.entries(recipe), recipe.settings)

    def measure(
        self, recipe: Recipe, made: Made, tell: Tell, only: Collection[str] | None
    ) -> Iterator[list[Measure]]:
        """Every measure of the release, or only some: family by family."""
        wanted = [
            entry
            for entry in self.entries(recipe)
            if only is None
            or {entry.family or "attack", f"{entry.family or 'attack'}.{entry.name}"} & set(only)
        ]
        for family in dict.fromkeys(entry.family for entry in wanted):
            own = [entry for entry in wanted if entry.family == family]
            yield (_measured if family else _attacked)(recipe, made, tell, own)


def _city_or_track(data: str, reading: Mapping[str, Any]) -> Any:
    from insanonym_core.demo.city import make_city
    from insanonym_core.mobility.files import read_track
    from insanonym_core.mobility.layout import column_order

    if data == "demo:mobility":
        return make_city().track
    if data.startswith("demo:"):
        raise UsageError(f"There are no GPS traces called {data!r}; there is demo:mobility.")
    columns = reading.get("columns")
    track = read_track(data, column_order(columns) if columns else None)
    if len(track) == 0:
        raise DataError(f"{data} has no rows: give a file with at least one.")
    return track


def _table(data: str, reading: Mapping[str, Any]) -> Any:
    from insanonym_core.demo.named import named_table
    from insanonym_core.tabular.files import read_table

    table = (
        named_table(data)
        if data.startswith("demo:")
        else read_table(data, separator=reading.get("separator"), decimal=reading.get("decimal"))
    )
    dropped = table.named(reading.get("without", ()), "columns to leave out", at_least_one=False)
    kept = [name for name in table.columns if name not in dropped]
    if not kept:
        raise UsageError("No column is left: leave fewer out.")
    return table.select(kept) if dropped else table


def _mobility(recipe: Recipe, data: Any, tell: Tell, draws: Draws) -> Made:
    from insanonym_core.mobility.pair import Pair

    track = data
    # Of two runs in a row the steps before the moved slider are the same, and so is what they make.
    # Read once and replaced as a whole: a sweep or a download may run on the same data in another thread.
    before: tuple[tuple[Any, Any], ...] = data.remembered(_STEPS) or ()
    done: list[tuple[Any, Any]] = []
    left = [len(data.kept)]
    for place, (method, generator) in enumerate(recipe.built(draws)):
        tell(type(method).__name__)
        so_far = draws, recipe.steps[: place + 1]
        same = draws.repeatable and place < len(before) and before[place][0] == so_far
        track = before[place][1] if same else method.apply(track, generator)
        done.append((so_far, track))
        left.append(len(track.kept))
    data.remember(_STEPS, tuple(done[:-1]) if len(data) <= _REMEMBERED else ())
    pair = replace(Pair.of(data, track), min_holders=recipe.min_holders)
    said = _deletions(recipe, pairwise(left))
    return Made(pair, pair.rows, pair.rows - pair.deleted, warnings=said, facts={"deletions": said})


def _deletions(recipe: Recipe, rows: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """A sentence for each step that deleted nearly all; `rows` are those before and after each step."""
    return tuple(
        said
        for number, (step, (before, after)) in enumerate(zip(recipe.steps, rows, strict=False), start=1)
        if (said := deletion_warning(number, method_entry(step.method, recipe.kind).title, before, after))
    )


def _measured(recipe: Recipe, made: Made, tell: Tell, wanted: list[Entry]) -> list[Measure]:
    measures = []
    for entry in wanted:
        tell(entry.title)
        measures.append(Measure(entry, entry.item(made.release, **values_for(entry, recipe.settings))))
    return measures


def _attacked(recipe: Recipe, made: Made, tell: Tell, wanted: list[Entry]) -> list[Measure]:
    """Attacks together: they share what an attacker can see."""
    from insanonym_core.mobility.evaluate import Settings, run_attacks

    known = {name: value for name, value in recipe.settings.items() if _concerns(name, wanted)}
    settings = Settings(recipe.rules, attacks=tuple(entry.name for entry in wanted), values=known)
    found = run_attacks(made.release, settings, tell)
    return [Measure(entry, found[entry.name]) for entry in wanted]


def _concerns(name: str, entries: list[Entry]) -> bool:
    return any(name in entry.parameters or name.partition(".")[0] == entry.name for entry in entries)


def _tables(recipe: Recipe, data: Any, tell: Tell, draws: Draws) -> Made:
    from insanonym_core.tabular.chain import chained, losses_by, losses_evidence
    from insanonym_core.tabular.roles import refuse_hidden

    roles = roles_of(recipe, data).checked(data)
    by = recipe.roles.get("by")
    data.named((by,) if by else (), "column to count losses by", at_least_one=False)
    tell(recipe.written())
    release, done = chained(data, roles, recipe.built(draws))
    evidence = release.evidence
    said = _deletions(recipe, ((one.rows_before, one.rows_after) for one in done))
    told = replace(roles, withheld=release.not_published)
    facts: dict[str, Any] = {"steps": done, **about_roles(recipe, told), "deletions": said}
    if by:
        refuse_hidden(told, (by,), "column to count losses by")
        facts |= {"losses_by": losses_by(release, by), "by": by}
        evidence = (*evidence, losses_evidence(release, by))
    return Made(release, data.rows, len(release.rows), evidence, _promises(recipe, done), said, facts)


def _promises(recipe: Recipe, done: Any) -> tuple[Promise, ...]:
    return tuple(
        Promise(
            step.method,
            one.asked,
            one.measured,
            one.columns,
            one.of,
            recipe.kind == "traces",
            getattr(one.method, "scope", "row") == "individual",
        )
        for step, one in zip(recipe.steps, done, strict=False)
        if one.measured is not None
    )


def _traces(recipe: Recipe, data: Any, tell: Tell, draws: Draws) -> Made:
    """The table cleaned by all steps but the last, then counted."""
    from insanonym_core.registry import methods
    from insanonym_core.tabular.chain import chained, columns_of, losses_by, losses_evidence
    from insanonym_core.tabular.roles import refuse_hidden

    own = {entry.name for entry in methods.all(data="traces")}
    if (
        not recipe.steps
        or recipe.steps[-1].method not in own
        or any(s.method in own for s in recipe.steps[:-1])
    ):
        raise UsageError(
            "A recipe of traces must end with count_traces, after any steps that clean the table."
        )
    *cleaning, (count, _) = recipe.built(draws)
    roles = roles_of(recipe, data).checked(data, needs_quasi=False)
    tell(recipe.written())
    named = columns_of(count)
    release, done = chained(data, roles, cleaning, named)
    said = _deletions(recipe, ((one.rows_before, one.rows_after) for one in done))
    if release.generalised or release.extra:
        raise UsageError(
            "A table of traces can only be cleaned by steps that delete rows: leave the others out."
        )
    refuse_hidden(replace(roles, withheld=release.not_published), named, "column of a trace")
    names = [name for name in data.columns if name in release.published.columns or name == roles.identifier]
    left = data.select(names).take(np.sort(release.rows))
    data.named(count.order, "column that orders a trace", at_least_one=False)
    made = count.apply(left.frame(), roles.identifier, before=data.frame())
    by = count.order[0]
    release = replace(release, min_holders=max(release.min_holders, made.masked.threshold))
    return Made(
        made,
        data.rows,
        left.rows,
        (*release.evidence, losses_evidence(release, by)),
        _promises(recipe, done),
        said,
        {
            "steps": done,
            "deletions": said,
            **about_roles(recipe, replace(roles, withheld=release.not_published)),
            "losses_by": losses_by(release, by),
            "by": by,
            "cleaned": release,
        },
    )


def _avatars(recipe: Recipe, data: Any, tell: Tell, draws: Draws) -> Made:
    if len(recipe.steps) != 1:
        raise UsageError(
            f"A recipe of avatars has one step, such as mix_neighbours, got {len(recipe.steps)}."
        )
    tell(recipe.written())
    ((method, generator),) = recipe.built(draws)
    table, roles = without_identifiers(data, roles_of(recipe, data))
    made = with_people(method.apply(table, generator), data, roles)
    facts = about_roles(recipe, roles)
    return Made(made, data.rows, made.published.rows, (), (), made.loudly, facts)


SOURCES: Mapping[str, Callable[[str, Mapping[str, Any]], Any]] = {"track": _city_or_track, "table": _table}
KINDS: Mapping[str, Kind] = {
    "mobility": Kind("mobility", "track", _mobility),
    "table": Kind("table", "table", _tables),
    "traces": Kind("traces", "table", _traces),
    "avatars": Kind("avatars", "table", _avatars),
}
