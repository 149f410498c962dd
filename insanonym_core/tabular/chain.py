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
    results: list[StepResult] = []
    for number, (method, generator) in enumerate(steps, start=1):
        if release.generalised or release.extra or (results and _entry(results[-1].method).last):
            raise UsageError(
                f"Step {number} comes too late: the step before it publishes groups, pseudonyms or two "
                "tables, and must be the last."
            )
        visible = [
            name for name in table.columns if name in release.published.columns or name in roles.hidden
        ]
        remaining = table.select(visible).take(release.rows)
        if getattr(method, "rows_before", None) == 0:  # losses of earlier steps count against its budget too
            method = replace(method, rows_before=table.rows)
        step_release = apply_method(method, remaining, _within(roles, visible), generator, number)
        subject, asked, columns = _promised(method, step_release)
        results.append(
            StepResult(
                method,
                remaining.rows,
                len(step_release.rows),
                step_release.facts,
                asked,
                measured=None,
                columns=columns,
                subject=subject,
            )
        )
        release = replace(
            step_release,
            original=table,
            # Keep the declared roles, whichever columns the step worked on.
            roles=replace(roles, withheld=step_release.roles.withheld),
            rows=release.rows[step_release.rows],
            evidence=(*release.evidence, *step_release.evidence),
            facts={**release.facts, **step_release.facts},
            min_holders=max(release.min_holders, step_release.min_holders),
            promised=step_release.promised or release.promised,
        )
    visible = [name for name in release.published.columns if counted is None or name in counted]
    return release, tuple(_checked(result, release, visible) for result in results)


def _entry(method: Any) -> Entry:
    return next(entry for entry in methods.all(data="table") if entry.item is type(method))


def apply_method(
    method: Any, table: Table, roles: Roles, generator: np.random.Generator, number: int | None = None
) -> TableRelease:
    """The release of one method; it may not be empty, and values rarer than its k are named nowhere.

    `number` is the place of a step among several: the error says which one deleted all rows.
    """
    release: TableRelease = method.apply(table, roles, generator)
    if number is not None and len(release.rows) == 0:
        raise DataError(str(deletion_warning(number, _entry(method).title, table.rows, 0)))
    refuse_empty_release(release)
    _refuse_undeclared_changes(method, table, release)
    return replace(release, min_holders=min_holders(getattr(method, "k", 1)))


def _refuse_undeclared_changes(method: Any, table: Table, release: TableRelease) -> None:
    """Losses are measured on groups: values that are replaced otherwise would look like no loss at all."""
    for name, column in release.published.columns.items():
        if name in release.generalised or name in release.pseudonymised or name not in table.columns:
            continue
        if not _same_values(table[name].take(release.rows), column):
            raise DataError(
                f"The method {_entry(method).title} replaces values of {name!r} without declaring groups, so "
                "that their loss cannot be measured: publish them as generalised (see CONTRIBUTING.md)."
            )


def _same_values(before: Column, after: Column) -> bool:
    if before.values is after.values:
        return bool(np.array_equal(before.codes, after.codes))
    return bool(before.series().reset_index(drop=True).equals(after.series().reset_index(drop=True)))


def _within(roles: Roles, visible: list[str]) -> Roles:
    return replace(
        roles,
        quasi=tuple(name for name in roles.quasi if name in visible),
        sensitive=tuple(name for name in roles.sensitive if name in visible),
    )


def columns_of_method(method: Any) -> tuple[str, ...]:
    """The columns that a method's parameters name."""
    values = (getattr(method, parameter.name) for parameter in fields(method))
    return tuple(name for value in values if isinstance(value, tuple) for name in value)


def _promised(method: Any, release: TableRelease) -> tuple[PromiseSubject, int, tuple[str, ...]]:
    """What a method promises: of classes, of single values, or of groups whose values stand elsewhere."""
    if release.extra and "smallest_group" in release.facts:
        return "groups", release.asked_k, release.quasi
    if "passes" in release.facts:
        return "values", method.k, tuple(release.facts["columns"])
    return "combinations", release.asked_k, release.promised or release.quasi


def _checked(result: StepResult, release: TableRelease, visible: Collection[str]) -> StepResult:
    """The promise about the columns that are still there, measured on what is published in the end."""
    columns = tuple(name for name in result.columns if name in visible)
    return replace(result, columns=columns, measured=_measured(result, columns, release))


def _measured(result: StepResult, columns: tuple[str, ...], release: TableRelease) -> int | None:
    """k on what is published after the last step: it may have deleted what an earlier one counted."""
    if result.asked <= 1:
        return None
    if result.subject == "groups":
        return int(result.facts["smallest_group"])
    if not columns:
        return None
    if result.subject == "combinations":
        return int(release.published.classes(columns).size.min())
    restricted = replace(release, facts={**release.facts, "columns": columns})
    return smallest_support(restricted, getattr(result.method, "scope", "row") == "individual")


def losses_by(release: TableRelease, by: str) -> dict[str, int]:
    """How many rows were lost for each value of a column, such as the year; rare values stand together."""
    column = release.original[by]
    size = len(column.values) + 1
    kept = np.bincount(column.codes[release.rows] + 1, minlength=size)
    lost = np.bincount(column.codes + 1, minlength=size) - kept
    named = release.holders(by) >= release.min_holders
    texts = [Phrase("(missing)"), *column.texts()]
    losses = {texts[code]: int(lost[code]) for code in np.flatnonzero(named).tolist()}
    if not named[1:].all() or (column.has_missing and not named[0]):
        losses[Phrase("(other values)")] = int(lost[~named].sum())
    return losses


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
