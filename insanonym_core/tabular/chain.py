"""Several methods after one another on one table, as one release."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from insanonym_core.arrays import Ints
from insanonym_core.deletions import deletion_warning
from insanonym_core.errors import DataError, UsageError
from insanonym_core.holders import min_holders
from insanonym_core.registry import Entry, methods
from insanonym_core.scores import Bars
from insanonym_core.tabular.exposure import smallest_support
from insanonym_core.tabular.release import TableRelease, refuse_empty_release, unchanged
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Column, Table
from insanonym_core.texts import Phrase

PromiseSubject = Literal["combinations", "values", "groups"]


@dataclass(frozen=True)
class StepResult:
    """What one step did. What it asked for is measured on the table that is published in the end."""

    method: Any
    rows_before: int
    rows_after: int
    facts: Mapping[str, Any]
    asked: int
    measured: int | None
    columns: tuple[str, ...]
    subject: PromiseSubject


def apply_steps(
    table: Table,
    roles: Roles,
    steps: Iterable[tuple[Any, np.random.Generator]],
    counted: Collection[str] | None = None,
    *,
    rows: Ints | None = None,
) -> tuple[TableRelease, tuple[StepResult, ...]]:
    """Each method works on what the one before left; rows and losses are counted from the whole table.

    Rows may be deleted and columns left out by any step. What is published by groups, under pseudonyms or in
    two tables is no longer a table of single values, so that such a step must be the last. Promises name only
    columns that are published in the end; of a table of traces these are the ones `counted`. What is not
    published is decided once, on the whole table: columns that a step names, or that are `counted`, are not
    held back for their looks. `rows` are those to begin with, all by default.
    """
    steps = list(steps)
    asked_for = [*(counted or ()), *(name for method, _ in steps for name in columns_of_method(method))]
    roles = roles.decided(table, asked_for)
    release = unchanged(table, roles, rows)
    done: list[StepResult] = []
    for number, (method, generator) in enumerate(steps, start=1):
        if release.generalised or release.extra or (done and _entry(done[-1].method).last):
            raise UsageError(
                f"Step {number} comes too late: the step before it publishes groups, pseudonyms or two "
                "tables, and must be the last."
            )
        shown = [name for name in table.columns if name in release.published.columns or name in roles.hidden]
        left = table.select(shown).take(release.rows)
        if getattr(method, "rows_before", None) == 0:  # losses of earlier steps count against its budget too
            method = replace(method, rows_before=table.rows)
        made = apply_method(method, left, _within(roles, shown), generator, number)
        subject, asked, columns = _promised(method, made)
        done.append(StepResult(method, left.rows, len(made.rows), made.facts, asked, None, columns, subject))
        release = replace(
            made,
            original=table,
            roles=replace(roles, withheld=made.roles.withheld),  # as declared, whatever a step was about
            rows=release.rows[made.rows],
            evidence=(*release.evidence, *made.evidence),
            facts={**release.facts, **made.facts},
            min_holders=max(release.min_holders, made.min_holders),
            promised=made.promised or release.promised,
        )
    shown = [name for name in release.published.columns if counted is None or name in counted]
    return release, tuple(_checked(one, release, shown) for one in done)


def _entry(method: Any) -> Entry:
    return next(entry for entry in methods.all(data="table") if entry.item is type(method))


def apply_method(
    method: Any, table: Table, roles: Roles, generator: np.random.Generator, number: int | None = None
) -> TableRelease:
    """The release of one method; it may not be empty, and values rarer than its k are named nowhere.

    `number` is the place of a step among several: the error says which one deleted all rows.
    """
    made: TableRelease = method.apply(table, roles, generator)
    if number is not None and len(made.rows) == 0:
        raise DataError(str(deletion_warning(number, _entry(method).title, table.rows, 0)))
    refuse_empty_release(made)
    _refuse_undeclared_changes(method, table, made)
    return replace(made, min_holders=min_holders(getattr(method, "k", 1)))


def _refuse_undeclared_changes(method: Any, table: Table, made: TableRelease) -> None:
    """Losses are measured on groups: values that are replaced otherwise would look like no loss at all."""
    for name, column in made.published.columns.items():
        if name in made.generalised or name in made.pseudonymised or name not in table.columns:
            continue
        if not _same_values(table[name].take(made.rows), column):
            raise DataError(
                f"The method {_entry(method).title} replaces values of {name!r} without declaring groups, so "
                "that their loss cannot be measured: publish them as generalised (see CONTRIBUTING.md)."
            )


def _same_values(before: Column, after: Column) -> bool:
    if before.values is after.values:
        return bool(np.array_equal(before.codes, after.codes))
    return bool(before.series().reset_index(drop=True).equals(after.series().reset_index(drop=True)))


def _within(roles: Roles, shown: list[str]) -> Roles:
    return replace(
        roles,
        quasi=tuple(name for name in roles.quasi if name in shown),
        sensitive=tuple(name for name in roles.sensitive if name in shown),
    )


def columns_of_method(method: Any) -> tuple[str, ...]:
    """The columns that a method's parameters name."""
    values = (getattr(method, one.name) for one in fields(method))
    return tuple(name for value in values if isinstance(value, tuple) for name in value)


def _promised(method: Any, made: TableRelease) -> tuple[PromiseSubject, int, tuple[str, ...]]:
    """What a method promises: of classes, of single values, or of groups whose values stand elsewhere."""
    if made.extra and "smallest_group" in made.facts:
        return "groups", made.asked_k, made.quasi
    if "passes" in made.facts:
        return "values", method.k, tuple(made.facts["columns"])
    return "combinations", made.asked_k, made.promised or made.quasi


def _checked(done: StepResult, release: TableRelease, shown: Collection[str]) -> StepResult:
    """The promise about the columns that are still there, measured on what is published in the end."""
    columns = tuple(name for name in done.columns if name in shown)
    return replace(done, columns=columns, measured=_measured(done, columns, release))


def _measured(done: StepResult, columns: tuple[str, ...], release: TableRelease) -> int | None:
    """k on what is published after the last step: it may have deleted what an earlier one counted."""
    if done.asked <= 1:
        return None
    if done.subject == "groups":
        return int(done.facts["smallest_group"])
    if not columns:
        return None
    if done.subject == "combinations":
        return int(release.published.classes(columns).size.min())
    looked_at = replace(release, facts={**release.facts, "columns": columns})
    return smallest_support(looked_at, getattr(done.method, "scope", "row") == "individual")


def losses_by(release: TableRelease, by: str) -> dict[str, int]:
    """How many rows were lost for each value of a column, such as the year; rare values stand together."""
    column = release.original[by]
    size = len(column.values) + 1
    kept = np.bincount(column.codes[release.rows] + 1, minlength=size)
    lost = np.bincount(column.codes + 1, minlength=size) - kept
    named = release.holders(by) >= release.min_holders
    texts = [Phrase("(missing)"), *column.texts()]
    found = {texts[place]: int(lost[place]) for place in np.flatnonzero(named).tolist()}
    if not named[1:].all() or (column.has_missing and not named[0]):
        found[Phrase("(other values)")] = int(lost[~named].sum())
    return found


def losses_evidence(release: TableRelease, by: str) -> Bars:
    """The same, to be drawn."""
    lost = losses_by(release, by)
    return Bars(
        Phrase("Rows lost by {column}", column=by),
        "rows",
        tuple(lost),
        np.array(list(lost.values())),
        shows_individuals=False,
        name="losses",
    )
