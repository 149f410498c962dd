"""Utility by what is left: rows, class sizes, width of intervals."""

from __future__ import annotations

import numpy as np

from insanonym_core.numeric.arrays import Floats
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Score
from insanonym_core.tabular.exposure import (
    SensitiveCounts,
    classes_of_release,
    groups_of_release,
    sensitive_counts,
)
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.table import column_values
from insanonym_core.texts import Phrase


@metrics.add(
    "rows_kept",
    data="table",
    family="utility",
    title="Rows kept",
    better="higher",
    bounds=(0, 1),
    ideal=1.0,
    order=30,
    formula="released rows / rows",
)
def rows_kept(release: TableRelease) -> Score:
    """The share of the rows that are published."""
    counts = np.array([len(release.rows), release.lost])
    return Score(
        float(counts[0]) / release.original.rows,
        (
            Bars(
                "Rows published and deleted",
                "rows",
                (Phrase("published"), Phrase("deleted")),
                counts,
                shows_individuals=False,
            ),
        ),
    )


@metrics.add(
    "ncp",
    data="table",
    family="utility",
    title="Information lost (NCP)",
    better="lower",
    bounds=(0, 1),
    ideal=0.0,
    order=31,
    formula="mean over rows and columns of width/range or (set − 1)/(domain − 1); what is deleted counts 1",
)
def ncp(release: TableRelease) -> Score:
    """How wide the published intervals and sets are, from 0 (exact) to 1 (anything, or deleted).

    Over the declared quasi-identifiers, and what else is published by group. A row that is deleted counts 1,
    and so does a column that is not published; "missing" is one value more. A perturbed number costs as
    much as an interval whose middle is as far off on average, 4 · difference / range (at most 1), a perturbed
    text 1 if it is another.
    """
    of_rows = losses_of_rows(release)
    names = tuple(of_rows)
    losses = [(float(lost.sum()) + release.lost) / release.original.rows for lost in of_rows.values()]
    return Score(
        float(np.mean(losses)),
        (
            Bars(
                "Information lost in each column",
                "NCP",
                names,
                np.array(losses),
                share=True,
                shows_individuals=False,
            ),
        ),
        dict(zip(names, losses, strict=True)),
    )


def losses_of_rows(release: TableRelease) -> dict[str, Floats]:
    """Return for each column of NCP what each published row loses, from 0 to 1."""
    by_group = release.sensitive_by_group
    quasi = release.roles.quasi or release.quasi
    names = tuple(dict.fromkeys((*quasi, *release.generalised, *by_group, *release.perturbed)))
    release.original.named(names, "quasi-identifiers")
    losses: dict[str, Floats] = {}
    for name in names:
        generalised = release.generalised.get(name)
        if name in by_group:
            losses[name] = _lost_in_groups(sensitive_counts(release, name))
        elif name not in release.published.columns:
            losses[name] = np.ones(len(release.rows))
        elif name in release.perturbed:
            losses[name] = _lost_by_perturbation(release, name)
        elif generalised is None:
            losses[name] = np.zeros(len(release.rows))
        else:
            losses[name] = generalised.loss()[release.group]
    return losses


def _lost_by_perturbation(release: TableRelease, name: str) -> Floats:
    """Return what each published row loses by a value that is not its own."""
    original, published = release.original[name], release.published[name]
    before = original.codes[release.rows]
    if original.kind == "category":
        return (before != published.codes).astype(np.float64)
    numbers = original.numbers()
    if len(numbers) < 2:
        return np.zeros(len(release.rows))
    gap = np.abs(column_values(published) - column_values(original.take(release.rows)))
    # The middle of an interval is off by a quarter of its width on average.
    return np.nan_to_num(np.minimum(4 * gap / (numbers[-1] - numbers[0]), 1.0))


def _lost_in_groups(counts: SensitiveCounts) -> Floats:
    """Return what each row loses by values published by group: (set − 1)/(domain − 1)."""
    domain = int((counts.overall > 0).sum())
    lost: Floats = (counts.distinct - 1)[counts.classes.code] / max(domain - 1, 1)
    return lost


@metrics.add(
    "discernibility",
    data="table",
    family="utility",
    title="Discernibility",
    better="lower",
    bounds=(0, np.inf),
    order=32,
    formula="Σ|E|² + rows · deleted",
)
def discernibility(release: TableRelease) -> Score:
    """Each row costs the size of its class, a deleted row the size of the whole table."""
    size = classes_of_release(release).size.astype(np.float64)
    return Score(float((size**2).sum()) + release.original.rows * release.lost)


@metrics.add(
    "average_class",
    data="table",
    family="utility",
    title="Average class size",
    better="lower",
    bounds=(0, np.inf),
    order=33,
    formula="released rows / (classes · k asked)",
)
def average_class(release: TableRelease) -> Score:
    """How much larger classes are than they had to be."""
    return Score(len(release.rows) / (groups_of_release(release).number * release.asked_k))
