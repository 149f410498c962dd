"""Utility by task: counting queries."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.parameters import Range
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Distribution, Score
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.table import Column, column_values

Seed = Annotated[int, Range(0, 10**6, whole=True)]
_ERROR_EDGES = np.array([0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 1e9])


@metrics.add(
    "query_error",
    data="table",
    family="utility",
    title="Range queries",
    better="lower",
    bounds=(0, np.inf),
    ideal=0.0,
    order=50,
    formula="median of |estimate − true| / max(true, rows/1000) over seeded queries",
)
def query_error(
    release: TableRelease,
    *,
    queries: Annotated[int, Range(1, 10_000, whole=True)] = 200,
    seed: Seed = 0,
) -> Score:
    """How wrong counts from the release are: rows within spans of two columns and of the sensitive one."""
    draw = np.random.default_rng(seed)
    original = release.original
    names = original.named(release.roles.quasi or release.quasi, "quasi-identifiers")
    errors = np.zeros(queries)
    for number in range(queries):
        chosen = draw.choice(len(names), min(2, len(names)), replace=False)
        spans = {names[place]: _random_span(original[names[place]], 0.3, draw) for place in chosen}
        secret = {name: _random_span(original[name], 0.5, draw) for name in release.roles.sensitive[:1]}
        inside = [_in_span(original[name].codes, span) for name, span in (spans | secret).items()]
        true = float(np.logical_and.reduce(inside).sum())
        part = np.ones(len(release.rows))
        for name, span in spans.items():
            part = part * _share_in_span(release, name, span)
        for name, span in secret.items():
            part = part * _sensitive_share_in_span(release, name, span)
        errors[number] = abs(float(part.sum()) - true) / max(true, original.rows / 1000)
    counts, _ = np.histogram(errors, _ERROR_EDGES)
    return Score(
        float(np.median(errors)),
        (
            Distribution(
                "Queries by relative error",
                "queries",
                "relative error",
                _ERROR_EDGES,
                {"queries": counts},
                shows_individuals=False,
            ),
        ),
    )


def _random_span(column: Column, share: float, draw: np.random.Generator) -> tuple[int, int]:
    """Draw a random range of codes that covers about this share of the column's values."""
    width = max(1, round(share * len(column.values)))
    first = int(draw.integers(0, max(1, len(column.values) - width + 1)))
    return first, first + width - 1


def _in_span(code: Ints, span: tuple[int, int]) -> Bools:
    return (code >= span[0]) & (code <= span[1])


def _share_in_span(release: TableRelease, name: str, span: tuple[int, int]) -> Floats:
    """Return the share of each row that lies in the span; uniform if the column is not published."""
    if name in release.generalised:
        return release.generalised[name].share_within(*span)[release.group]
    if name not in release.published.columns:
        return np.full(len(release.rows), (span[1] - span[0] + 1) / max(release.original[name].domain, 1))
    if name in release.perturbed and release.original[name].kind != "category":
        ends = release.original[name].numbers()[list(span)]
        values = column_values(release.published[name])
        return ((values >= ends[0]) & (values <= ends[1])).astype(np.float64)
    codes = release.original[name].codes[release.rows]
    if name in release.perturbed:
        codes = release.published[name].codes
    return _in_span(codes, span).astype(np.float64)


def _sensitive_share_in_span(release: TableRelease, name: str, span: tuple[int, int]) -> Floats:
    """Return the share of each row's sensitive value in the span; by group in a bucketised table."""
    if name not in release.sensitive_by_group:
        return _share_in_span(release, name, span)
    hit = _in_span(release.original[name].codes[release.rows], span).astype(np.float64)
    size = np.bincount(release.group)
    return (np.bincount(release.group, hit) / np.maximum(size, 1))[release.group]
