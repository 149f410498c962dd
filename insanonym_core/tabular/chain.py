"""Apply several methods to one table, one after the other, and return one release."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields, replace
from typing import Literal, NamedTuple, cast

import numpy as np

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.kinds import Facts
from insanonym_core.numeric.arrays import Ints
from insanonym_core.numeric.holders import min_holders
from insanonym_core.registry import Entry, Method, methods, metrics
from insanonym_core.results.deletions import deletion_warning
from insanonym_core.results.scores import Bars
from insanonym_core.tabular.coarser import CoarserColumn, coarser_table
from insanonym_core.tabular.exposure import people_per_class, smallest_support
from insanonym_core.tabular.release import (
    TableRelease,
    refuse_empty_release,
    unchanged,
    with_coarser,
)
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Column, Table
from insanonym_core.texts import Phrase

PromiseSubject = Literal["combinations", "values", "groups"]
LimitName = Literal["individuals", "l", "entropy_l", "t"]


@dataclass(frozen=True)
class StepResult:
    """What one step did: rows before and after, and the k it asked for, measured on the final release."""

    method: Method
    rows_before: int
    rows_after: int
    facts: Facts
    asked: int
    measured: int | None
    columns: tuple[str, ...]
    subject: PromiseSubject
    limits: tuple[MeasuredLimit, ...] = ()


class MeasuredLimit(NamedTuple):
    """What a step asked of every class besides k rows, and what is measured on the final release."""

    name: LimitName
    asked: float
    measured: float
    columns: tuple[str, ...]


def apply_steps(
    table: Table,
    roles: Roles,
    steps: Iterable[tuple[Method, np.random.Generator]],
    counted: Collection[str] | None = None,
    *,
    rows: Ints | None = None,
) -> tuple[TableRelease, tuple[StepResult, ...]]:
    """Apply the steps in order and return the final release and the result of each step.

    Each step gets the rows and columns that the previous one left; losses are counted from the whole table.
    A step that publishes groups, pseudonyms or two tables must be the last; steps that make values coarser
    one by one may come before, and the release says what the values stand for in the original. Promises name
    only columns of the final release; for a table of traces these are the columns `counted`. The columns not
    to publish are decided once, on the whole table: columns that a step names, or that are `counted`, are not
    withheld for looking like identifiers. `rows` are the rows to start from, all by default.
    """
    steps = list(steps)
    asked_for = [*(counted or ()), *(name for method, _ in steps for name in columns_of_method(method))]
    roles = roles.decided(table, asked_for)
    release = unchanged(table, roles, rows)
    results: list[StepResult] = []
    coarser: dict[str, CoarserColumn] = {}
    perturbed_from: dict[str, CoarserColumn] = {}
    for number, (method, generator) in enumerate(steps, start=1):
        if release.generalised or release.extra or (results and _method_entry(results[-1].method).last):
            raise UsageError(
                "Step {number} comes too late: the step before it publishes groups, pseudonyms or "
                "two tables and must be the last one, so move it there.",
                number=number,
            )
        visible = [
            name for name in table.columns if name in release.published.columns or name in roles.hidden
        ]
        now = coarser_table(table, coarser)
        remaining = now.select(visible).take(release.rows)
        if getattr(method, "rows_before", None) == 0:  # earlier losses count against its budget
            method = replace(method, rows_before=table.rows)
        step_release = apply_method(method, remaining, _roles_within(roles, visible), generator, number)
        for name in step_release.perturbed:
            if name in coarser:
                if table[name].kind == "category":  # texts are compared with the original ones
                    raise UsageError(
                        "The texts of {name} were recoded by a step before: perturb another column.",
                        name=brief(name),
                    )
                perturbed_from[name] = coarser.pop(name)
        for name, one in step_release.coarser.items():
            coarser[name] = one.over(now[name]).after(coarser.get(name))
        subject, asked, columns = _promise(method, step_release)
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
        if step_release.coarser:
            release = replace(release, generalised={}, group=np.zeros_like(release.rows))
    release = replace(with_coarser(release, coarser), perturbed_from=perturbed_from)
    visible = [name for name in release.published.columns if counted is None or name in counted]
    return release, tuple(_with_measured_k(result, release, visible) for result in results)


def _method_entry(method: Method) -> Entry:
    return next(entry for entry in methods.all(data="table") if entry.item is type(method))


def apply_method(
    method: Method, table: Table, roles: Roles, generator: np.random.Generator, number: int | None = None
) -> TableRelease:
    """Apply one method, and refuse an empty release or one with undeclared changes.

    `number` is the position of the step among several, for the error message if it deleted all rows.
    """
    release: TableRelease = method.apply(table, roles, generator)
    if number is not None and len(release.rows) == 0:
        raise DataError(deletion_warning(number, _method_entry(method).title, table.rows, 0) or "")
    refuse_empty_release(release)
    _refuse_undeclared_changes(method, table, release)
    return replace(release, min_holders=min_holders(getattr(method, "k", 1)))


def _refuse_undeclared_changes(method: Method, table: Table, release: TableRelease) -> None:
    """Refuse a release that replaces values without declaring groups: their loss could not be measured."""
    for name, column in release.published.columns.items():
        declared = name in release.generalised or name in release.pseudonymised or name in release.perturbed
        if declared or name not in table.columns:
            continue
        if not _same_values(table[name].take(release.rows), column):
            title = _method_entry(method).title
            raise DataError(
                "The method {title} replaces values of {name} without declaring groups, so that "
                "their loss cannot be measured: publish them as generalised or perturbed (see "
                "CONTRIBUTING.md).",
                title=title,
                name=brief(name),
            )


def _same_values(before: Column, after: Column) -> bool:
    """Whether two columns have equal values in all rows."""
    if before.values is after.values:
        return bool(np.array_equal(before.codes, after.codes))
    return bool(before.series().reset_index(drop=True).equals(after.series().reset_index(drop=True)))


def _roles_within(roles: Roles, visible: list[str]) -> Roles:
    """Restrict quasi-identifiers and sensitive columns to the visible ones."""
    return replace(
        roles,
        quasi=tuple(name for name in roles.quasi if name in visible),
        sensitive=tuple(name for name in roles.sensitive if name in visible),
    )


def columns_of_method(method: Method) -> tuple[str, ...]:
    """Return the columns named in the parameters of a method."""
    values = (getattr(method, parameter.name) for parameter in fields(method))
    return tuple(name for value in values if isinstance(value, tuple) for name in value)


def _promise(method: Method, release: TableRelease) -> tuple[PromiseSubject, int, tuple[str, ...]]:
    """Return what k counts (combinations, single values or groups), the k asked for, and its columns."""
    if release.extra and "smallest_group" in release.facts:
        return "groups", release.asked_k, release.quasi
    if "passes" in release.facts:
        return "values", method.k, tuple(release.facts["columns"])
    return "combinations", release.asked_k, release.promised or release.quasi


def _with_measured_k(result: StepResult, release: TableRelease, visible: Collection[str]) -> StepResult:
    """Return the step result with k measured on those of its columns that are in the final release."""
    columns = tuple(name for name in result.columns if name in visible)
    measured = _measure_k(result, columns, release)
    limits = _measured_limits(release) if columns and columns == release.promised else ()
    return replace(result, columns=columns, measured=measured, limits=limits)


def _measured_limits(release: TableRelease) -> tuple[MeasuredLimit, ...]:
    """Measure on the final release what its last step asked of classes besides k rows."""
    found = []
    for name, asked in release.limits.items():
        if name == "individuals":
            people = people_per_class(release)
            measured = float("nan") if people is None else float(people.min())
            columns = release.quasi
        else:
            measured = float(metrics.get(name, data="table").item(release).value)
            columns = release.sensitive
        if not np.isnan(measured):
            found.append(MeasuredLimit(cast(LimitName, name), asked, measured, columns))
    return tuple(found)


def _measure_k(result: StepResult, columns: tuple[str, ...], release: TableRelease) -> int | None:
    """Return k on the final release, None if nothing was asked or no column is left.

    A later step may have deleted rows that an earlier one counted.
    """
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


def rows_by(release: TableRelease, by: str) -> dict[str, tuple[int, int]]:
    """Count the rows before and after for each value of a column, such as the year; rare values together."""
    column = release.original[by]
    size = len(column.values) + 1
    kept = np.bincount(column.codes[release.rows] + 1, minlength=size)
    before = np.bincount(column.codes + 1, minlength=size)
    named = release.holders(by) >= release.min_holders
    texts = [Phrase("(missing)"), *column.texts()]
    rows = {texts[code]: (int(before[code]), int(kept[code])) for code in np.flatnonzero(named).tolist()}
    if not named[1:].all() or (column.has_missing and not named[0]):
        rows[Phrase("(other values)")] = (int(before[~named].sum()), int(kept[~named].sum()))
    return rows


def losses_by(release: TableRelease, by: str) -> dict[str, int]:
    """Count the rows lost for each value of a column, such as the year; rare values are counted together."""
    return {value: before - kept for value, (before, kept) in rows_by(release, by).items()}


def losses_evidence(release: TableRelease, by: str) -> Bars:
    """Return the rows lost for each value of a column as a bar chart."""
    lost = losses_by(release, by)
    return Bars(
        Phrase("Rows lost by {column}", column=by),
        "rows",
        tuple(lost),
        np.array(list(lost.values())),
        shows_individuals=False,
        name="losses",
    )
