"""Run recipes of study traces: all steps but the last clean the table, the last counts traces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from insanonym_core.errors import UsageError, brief
from insanonym_core.kinds import Made
from insanonym_core.presets import preset_recipe
from insanonym_core.reading.options import ReadingOptions
from insanonym_core.recipe import Recipe, Step, method_entry
from insanonym_core.registry import methods
from insanonym_core.results.promises import Promise
from insanonym_core.tabular.chain import apply_steps, columns_of_method, losses_by, losses_evidence, rows_by
from insanonym_core.tabular.coarser import coarser_table
from insanonym_core.tabular.direct import direct_identifiers
from insanonym_core.tabular.files import read_table, read_text_table
from insanonym_core.tabular.recipe_roles import about_roles, roles_from_recipe
from insanonym_core.tabular.roles import guess_roles, published_on_request, refuse_hidden
from insanonym_core.tabular.runs import (
    complete_rows,
    missing_warning,
    step_promises,
    step_warnings,
    without_columns,
)
from insanonym_core.tabular.step_defaults import confirmed_roles
from insanonym_core.tabular.table import AnySeries, Column, Table
from insanonym_core.traces.release import TraceRelease

if TYPE_CHECKING:
    from insanonym_core.io.sources import Source
    from insanonym_core.numeric.randomness import Draws
    from insanonym_core.parameters import ParameterValues
    from insanonym_core.runtime.jobs import Job

_ORDER = re.compile(r"year|ann[eé]e|(^|_)an($|_)|date|semest|period|session|order|ordre|time", re.I)
_ITEM = re.compile(r"diplom|degree|course|formation|etape|étape|step|item|program|fili[eè]re|event", re.I)
_MAX_ITEMS = 200
_SAMPLE_ROWS = 10_000  # to infer the type of a column


def read_data(source: Source | Path | str, reading: ParameterValues) -> Table:
    """Read the table of a file; with `texts: all` every cell stays text as written (007 is no number)."""
    texts = reading.get("texts", "")
    if texts not in ("", "all"):
        raise UsageError("texts must be all, got {texts}.", texts=brief(texts))
    options = ReadingOptions.of(reading)
    table = read_text_table(source, options) if texts == "all" else read_table(source, options)
    return without_columns(table, reading)


def before_anonymisation(recipe: Recipe) -> tuple[Step, ...]:
    """Every trace counted: nothing is cleaned, and only counts of 1 are masked, which tells them."""
    count = recipe.steps[-1]
    return (Step(count.method, {**count.parameters, "mask": 2, "protect": 0}),)


def make(recipe: Recipe, data: Table, draws: Draws, job: Job) -> Made:
    """Clean the table, then count and mask its traces."""
    own = {entry.name for entry in methods.all(data="traces")}
    if (
        not recipe.steps
        or recipe.steps[-1].method not in own
        or any(step.method in own for step in recipe.steps[:-1])
    ):
        raise UsageError(
            "A recipe of traces must end with count_traces, after any steps that clean the table."
        )
    *cleaning, (count, _) = recipe.built(draws)
    roles = roles_from_recipe(recipe, data).checked(data, needs_quasi=False)
    job.progress(recipe.written())
    trace_columns = columns_of_method(count)
    used = [name for method, _ in cleaning for name in columns_of_method(method)]
    identifier = [roles.identifier] if roles.identifier else []
    if "texts" in recipe.reading:
        roles = roles.decided(_typed_sample(data), [*trace_columns, *used])
    complete = complete_rows(recipe, data, roles, [*identifier, *used, *trace_columns])
    release, results = apply_steps(data, roles, cleaning, trace_columns, rows=complete)
    dropped = 0 if complete is None else data.rows - len(complete)
    warnings = (*missing_warning(dropped), *step_warnings(recipe, results))
    if {*release.generalised} - {*release.coarser} or release.extra:
        raise UsageError(
            "A table of traces can only be cleaned by steps that delete rows, leave columns out or make "
            "values coarser: leave the other steps out."
        )
    roles = replace(roles, withheld=release.not_published)
    refuse_hidden(roles, trace_columns, "column of a trace")
    names = [name for name in data.columns if name in release.published.columns or name == roles.identifier]
    cleaned = coarser_table(data, release.coarser).select(names).take(np.sort(release.rows))
    data.named(count.order, "column that orders a trace", at_least_one=False)
    traces_release = count.apply(
        cleaned.frame(),
        roles.identifier,
        before=data.select(identifier).frame(),
        since=_parse_since(recipe.reading.get("since", "")),
    )
    traces_release = replace(traces_release, style=data.style)
    by = count.order[0]
    release = replace(release, min_holders=max(release.min_holders, traces_release.masked.threshold))
    facts = {
        "steps": results,
        "deletions": step_warnings(recipe, results),
        **about_roles(recipe, roles),
        "rows_by": rows_by(release, by),
        "losses_by": losses_by(release, by),
        "by": by,
        "cleaned": release,
        "missing_dropped": dropped,
        "published_on_request": published_on_request(
            _typed_sample(data),
            roles,
            [name for name in trace_columns if name not in (*count.order, *count.semester, *identifier)],
        ),
    }
    evidence = (*release.evidence, losses_evidence(release, by))
    promises = (*step_promises(recipe, results, cleaned=True), *_protection_promise(recipe, traces_release))
    return Made(traces_release, data.rows, cleaned.rows, evidence, promises, warnings, facts)


def _protection_promise(recipe: Recipe, release: TraceRelease) -> Iterator[Promise]:
    """Yield how many values every masked count keeps, beside how many were asked for."""
    protected = release.protected
    if protected is not None and protected.values is not None:
        step = recipe.complete().steps[-1]
        title = method_entry(step.method, recipe.kind).title
        columns = (*step.parameters["prefix"], *step.parameters["further"])
        yield Promise(step.method, title, step.parameters["protect"], protected.values, columns, "counts")


def _parse_since(value: str) -> int | str | None:
    return None if not value else int(value) if value.isascii() and value.isdigit() else value


def _typed_sample(table: Table) -> Table:
    """Return the first rows with numeric texts as numbers, so that they are not taken for unique texts."""

    def look() -> Table:
        frame = table.take(np.arange(min(table.rows, _SAMPLE_ROWS))).frame()
        return Table.from_frame(frame.apply(_to_numbers))

    return table.derive("typed sample", look)


def _to_numbers(column: AnySeries) -> AnySeries:
    """Convert a column to numbers if all its texts are; otherwise return it unchanged."""
    try:
        return pd.to_numeric(column)
    except (ValueError, TypeError):
        return column


def adapt(recipe: Recipe, table: Table, demo: str) -> dict[str, object]:
    """Return default roles and steps for other data, from columns that look like people, years and steps."""
    kind = recipe.data_kind
    if demo:
        return {"roles": dict(kind.demos[demo].roles), "steps": preset_recipe(kind).steps}
    confirmed = confirmed_roles(recipe, table)
    identifier, order, item = likely_columns(table, confirmed.identifier if confirmed else None)
    count = Step("count_traces", {"item": (item,), "order": (order,)})
    used = tuple(dict.fromkeys((item, order)))
    steps = (Step("suppress_rare_values", {"columns": used, "k": 5}), count)
    roles = recipe.roles if confirmed else {"identifier": identifier, "guessed": ("identifier",)}
    return {"roles": dict(roles), "steps": steps}


def likely_columns(table: Table, known: str | None = None) -> tuple[str, str, str]:
    """Guess the columns of identifier, unless it is known, order and item from names and values."""
    names = list(table.columns)
    repeating = [name for name in names if table[name].domain < table.rows]  # values repeat
    guess = guess_roles(table).identifier
    guess = guess if guess in repeating else max(repeating or names, key=lambda name: table[name].domain)
    identifier = known or guess
    direct = direct_identifiers(table)  # never proposed: what a step names is published
    others = [name for name in names if name != identifier and name not in direct] or [identifier]
    year = [name for name in others if _ORDER.search(name)] + [
        name for name in others if _looks_like_years(table[name])
    ]
    dates = [name for name in others if table[name].kind != "category"]
    order = (year or dates or others)[0]
    remaining = [name for name in others if name != order] or others
    groups = [
        name for name in remaining if table[name].kind == "category" and 1 < table[name].domain <= _MAX_ITEMS
    ]
    item = ([name for name in groups if _ITEM.search(name)] or groups or remaining)[0]
    return identifier, order, item


def _looks_like_years(column: Column) -> bool:
    """Whether all values are whole numbers from 1900 to 2100."""
    values = column.numbers() if column.kind == "number" else np.empty(0)
    return bool(len(values) and ((values >= 1900) & (values <= 2100) & (values % 1 == 0)).all())
