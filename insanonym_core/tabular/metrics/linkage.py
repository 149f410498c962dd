"""An attacker who knows some quasi-identifiers of a person looks for the row."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from insanonym_core.numeric.arrays import Ints
from insanonym_core.parameters import Range
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Score
from insanonym_core.results.threats import LINKABILITY, Threat
from insanonym_core.tabular.compatible import compatible_classes
from insanonym_core.tabular.exposure import classes_of_release, person_codes, rows_by_person
from insanonym_core.tabular.nearest import right_guesses, sampled_positions
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.row_threats import PUBLISHED, published_share
from insanonym_core.tabular.subsets import sample_subsets
from insanonym_core.texts import Phrase

MAX_SUBSETS = 200
MAX_COMPARISONS = 2_000_000


@metrics.add(
    "linkage",
    data="table",
    family="privacy",
    title="Linkage success",
    better="lower",
    bounds=(0, 1),
    order=20,
    formula="mean over rows and m-subsets of 1/compatible release rows, 0 if the own is not among them",
    threat=Threat(
        LINKABILITY,
        "an attacker who knows some quasi-identifiers finds the right person in {share} of the guesses",
        share=lambda score: float(score.details["right_person"] or 0),
        published=published_share,
    ),
)
def linkage(
    release: TableRelease,
    *,
    known: Annotated[int, Range(1, 10, whole=True, unit="columns")] = 2,
    seed: Annotated[int, Range(0, 10**6, whole=True)] = 0,
) -> Score:
    """How often an attacker who knows m quasi-identifiers of a person picks that person's row.

    On a large table a seeded sample of the rows is tried; the figure says of how many. Read as a threat, any
    row of the person is a right guess, if the identifier is known. Where values are perturbed, the guess is
    the published row nearest to what is known; deleted rows are not looked for.
    """
    draw = np.random.default_rng(seed)
    subsets = sample_subsets(release.quasi, min(known, len(release.quasi)), MAX_SUBSETS, draw)
    if release.perturbed_quasi:
        return _linkage_by_nearest(release, subsets, seed)
    classes = classes_of_release(release)
    every = release.original.rows
    rows = sample_rows(every, MAX_COMPARISONS // classes.number, draw)
    own = np.full(every, -1, dtype=np.int64)
    own[release.rows] = classes.code
    success, persons = [], []
    for subset in subsets:
        target, compatible = compatible_classes(
            release, {name: release.original[name].codes[rows] for name in subset}
        )
        matching_rows = np.bincount(target, classes.size[compatible], minlength=len(rows))
        is_own = np.zeros(len(rows), dtype=bool)
        is_own[target[own[rows[target]] == compatible]] = True
        success.append(float(np.where(is_own, 1 / np.maximum(matching_rows, 1), 0.0).mean()))
        theirs = _rows_of_person(release, rows[target], compatible)
        if theirs is not None:
            of_person = np.bincount(target, theirs, minlength=len(rows))
            persons.append(float((of_person / np.maximum(matching_rows, 1)).mean()))
    title = "Linkage success by what is known"
    if len(rows) < every:
        title = Phrase(
            "Linkage success by what is known, on a sample of {tried:,} of {rows:,} rows",
            tried=len(rows),
            rows=every,
        )
    labels = tuple(" + ".join(subset) for subset in subsets)
    bars = Bars(title, "share of the rows", labels, np.array(success), share=True, shows_individuals=False)
    return Score(
        float(np.mean(success)),
        (bars,),
        {
            "worst": max(success),
            "rows_tried": len(rows),
            "rows": every,
            "subsets": len(subsets),
            "right_person": float(np.mean(persons or success)),
            PUBLISHED: len(release.rows) / every,
        },
    )


def _linkage_by_nearest(release: TableRelease, subsets: list[tuple[str, ...]], seed: int) -> Score:
    """Return the success of guessing the row nearest to what is known, of all rows of the data."""
    most = max(1, MAX_COMPARISONS // len(release.rows))  # of each of up to 200 subsets
    positions = sampled_positions(release, seed, most)
    found = [right_guesses(release, subset, positions) for subset in subsets]
    published = len(release.rows) / release.original.rows
    success, persons = (np.array(one) * published for one in zip(*found, strict=True))
    labels = tuple(" + ".join(subset) for subset in subsets)
    title = "Linkage success by what is known"
    bars = Bars(title, "share of the rows", labels, success, shows_individuals=False)
    return Score(
        float(success.mean()),
        (bars,),
        {
            "worst": float(success.max()),
            "rows_tried": len(positions),
            "rows": release.original.rows,
            "subsets": len(subsets),
            "right_person": float(persons.mean()),
            PUBLISHED: published,
        },
    )


def _rows_of_person(release: TableRelease, rows: Ints, classes: Ints) -> Ints | None:
    """Count the rows that the person of each row has in a class; None without an identifier."""
    own = rows_by_person(release)
    if own is None:
        return None
    person = person_codes(release)
    people = int(person.max(initial=0)) + 1
    pairs, requested = own.group * people + own.item, classes * people + person[rows]
    place = np.minimum(np.searchsorted(pairs, requested), len(pairs) - 1)
    return np.where(pairs[place] == requested, own.count[place], 0)


def sample_rows(rows: int, max_rows: int, draw: np.random.Generator) -> Ints:
    """Return all rows, or a random sample of `max_rows` (at least twenty)."""
    max_rows = max(20, max_rows)
    return np.arange(rows) if rows <= max_rows else np.sort(draw.choice(rows, max_rows, replace=False))
