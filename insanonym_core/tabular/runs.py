"""Run recipes of tables: read the data, apply the steps, check the promises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from insanonym_core.errors import UsageError, brief
from insanonym_core.kinds import Made
from insanonym_core.numeric.arrays import Ints
from insanonym_core.parameters import Range
from insanonym_core.reading.options import ReadingOptions
from insanonym_core.recipe import Recipe, method_entry
from insanonym_core.recipe_texts import recipe_text
from insanonym_core.results.deletions import deletion_warnings
from insanonym_core.results.promises import Promise
from insanonym_core.tabular.chain import (
    StepResult,
    apply_steps,
    columns_of_method,
    losses_by,
    losses_evidence,
    rows_by,
)
from insanonym_core.tabular.files import read_table
from insanonym_core.tabular.recipe_roles import about_roles, roles_from_recipe
from insanonym_core.tabular.release import TableRelease, refuse_empty_release
from insanonym_core.tabular.roles import Roles, refuse_hidden
from insanonym_core.tabular.table import Table
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    from insanonym_core.io.sources import Source
    from insanonym_core.numeric.randomness import Draws
    from insanonym_core.parameters import Parameter, ParameterValues
    from insanonym_core.runtime.jobs import Job

_MIN_LARGEST, _WIDE_RANGE = 10, 400
MISSING = ("value", "drop")


def read_data(source: Source | Path | str, reading: ParameterValues) -> Table:
    """Read the table of a file, without the columns to leave out."""
    return without_columns(read_table(source, ReadingOptions.of(reading)), reading)


def without_columns(table: Table, reading: ParameterValues) -> Table:
    """Return the table without the columns that `reading` leaves out."""
    dropped = table.named(reading.get("without", ()), "columns to leave out", at_least_one=False)
    remaining = [name for name in table.columns if name not in dropped]
    if not remaining:
        raise UsageError("No column is left: leave out fewer columns.")
    return table.select(remaining) if dropped else table


def make(recipe: Recipe, data: Table, draws: Draws, job: Job) -> Made:
    """Apply the steps to the table, one after the other."""
    roles = roles_from_recipe(recipe, data).checked(data, needs_quasi="quasi" not in recipe.roles)
    by = recipe.roles.get("by")
    data.named((by,) if by else (), "column to count losses by", at_least_one=False)
    job.progress(recipe_text(recipe))
    built = list(recipe.built(draws))
    named = [name for method, _ in built for name in columns_of_method(method)]
    complete = complete_rows(recipe, data, roles, named)
    dropped = 0 if complete is None else data.rows - len(complete)
    roles = roles.decided(data, named)
    release, results = apply_steps(data, roles, built, rows=complete)
    release = replace(release, rehearse=partial(_rehearse, recipe, data, roles, complete))
    evidence = release.evidence
    warnings = (*missing_warning(dropped), *step_warnings(recipe, results))
    published_roles = replace(roles, withheld=release.not_published)
    facts: dict[str, Any] = {
        "steps": results,
        **about_roles(recipe, published_roles),
        "deletions": step_warnings(recipe, results),
        "missing_dropped": dropped,
    }
    if by:
        refuse_hidden(published_roles, (by,), "column to count losses by")
        facts |= {"rows_by": rows_by(release, by), "losses_by": losses_by(release, by), "by": by}
        evidence = (*evidence, losses_evidence(release, by))
    return Made(
        release, data.rows, len(release.rows), evidence, step_promises(recipe, results), warnings, facts
    )


def _rehearse(recipe: Recipe, data: Table, roles: Roles, complete: Ints | None, rows: Ints) -> TableRelease:
    """Apply the steps of a recipe to some rows with separate random draws; measured, never published."""
    kept_rows = rows if complete is None else rows[np.isin(rows, complete)]
    steps = ((method, np.random.default_rng([number])) for number, method in enumerate(recipe.methods()))
    return apply_steps(data.take(kept_rows), roles, steps)[0]


def wrap_release(release: TableRelease) -> Made:
    """Wrap an existing release so that it can be measured like a run."""
    refuse_empty_release(release)
    facts = {"roles": release.roles, "roles_guessed": (), "not_published": release.not_published}
    return Made(release, release.original.rows, len(release.rows), release.evidence, facts=facts)


def complete_rows(recipe: Recipe, table: Table, roles: Roles, named: Sequence[str]) -> Ints | None:
    """Return the rows to start from if rows with missing values are dropped; None for all rows.

    Rows must be complete in the columns that the step names; if it names none, in those with a role; if there
    are none, in all published ones. With several steps: in all columns that are named or have a role.
    """
    how = recipe.reading.get("missing", "value")
    if how not in MISSING:
        raise UsageError("missing must be value or drop, got {how}.", how=brief(how))
    if how == "value":
        return None
    with_roles = [*roles.quasi, *roles.sensitive] if "quasi" in recipe.data_kind.roles else []
    concerned = [name for name in named if name in table.columns]
    concerned = concerned if concerned and len(recipe.steps) == 1 else [*concerned, *with_roles]
    if not concerned:
        hidden = roles.decided(table).hidden
        concerned = [name for name in table.columns if name not in hidden]
    rows = table.complete_rows(tuple(dict.fromkeys(concerned)))
    if len(rows) == 0:
        raise UsageError(
            "Every row has a missing value, so none is left by --missing drop: omit that option."
        )
    return rows


def missing_warning(dropped: int) -> tuple[str, ...]:
    """Return a warning if rows with missing values were dropped: they count as lost."""
    said = Phrase.plural(
        "{n:,} row with a missing value was dropped and counts as lost.",
        "{n:,} rows with a missing value were dropped and count as lost.",
        n=dropped,
    )
    return (said,) if dropped else ()


def step_warnings(recipe: Recipe, results: Sequence[StepResult]) -> tuple[str, ...]:
    """Return a warning for each step that deleted nearly all rows."""
    titles = [method_entry(step.method, recipe.kind).title for step in recipe.steps]
    return deletion_warnings(titles, ((one.rows_before, one.rows_after) for one in results))


def step_promises(
    recipe: Recipe, results: Sequence[StepResult], *, cleaned: bool = False
) -> tuple[Promise, ...]:
    """Return what each step asked for, k and other limits, and what is measured on the final release."""
    promises = []
    for step, result in zip(recipe.steps, results, strict=False):
        title = method_entry(step.method, recipe.kind).title
        if result.measured is not None:
            promises.append(
                Promise(
                    step.method,
                    title,
                    result.asked,
                    result.measured,
                    result.columns,
                    result.subject,
                    cleaned,
                    getattr(result.method, "scope", "row") == "individual",
                )
            )
        for limit in result.limits:
            people = limit.name == "individuals"
            of = "combinations" if people else limit.name
            asked = int(limit.asked) if limit.asked == int(limit.asked) else limit.asked
            promises.append(
                Promise(step.method, title, asked, limit.measured, limit.columns, of, cleaned, people)
            )
    return tuple(promises)


def max_parameter_value(parameter: Parameter, recipe: Recipe, data: Table) -> float:
    """Return the largest useful value of a numeric parameter, from what it counts.

    For rows or individuals a tenth of the rows (a larger k leaves hardly any class), for values the number of
    different sensitive values, for components the number of columns.
    """
    allowed = parameter.constraint
    assert isinstance(allowed, Range)  # noqa: S101  only numbers are swept
    if allowed.unit in ("rows", "individuals"):
        return max(_MIN_LARGEST, len(data) // 10)
    if allowed.unit == "values":
        sensitive = [name for name in recipe.roles.get("sensitive", ()) if name in data.columns]
        return min((len(data.columns[name].values) for name in sensitive), default=_MIN_LARGEST)
    wide = allowed.high - allowed.low > _WIDE_RANGE
    return max(_MIN_LARGEST, len(data.columns)) if wide else allowed.high
