"""Risk by class size: k, uniqueness, prosecutor and marketer risk."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from insanonym_core.numeric.arrays import Ints
from insanonym_core.parameters import Range
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Distribution, Score
from insanonym_core.results.threats import LINKABILITY, SINGLING_OUT
from insanonym_core.tabular.exposure import classes_of_release, people_per_class, rows_by_person
from insanonym_core.tabular.nearest import right_guesses, right_matches, sampled_positions
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.row_threats import over_all_rows, row_threat
from insanonym_core.tabular.table import Classes
from insanonym_core.texts import Phrase

_OPEN_END = 10**9
_MAX_SINGLE_SIZE, _MAX_FINE_BARS = 10, 15
_ROUND_EDGES = (15, 20, 30, 50, 100, 200, 500, 1000, 10_000, 100_000)


def size_edges(size: Ints, asked_k: int = 1) -> Ints:
    """Return the lower edges of the bars of class sizes: single sizes first, then wider bars, the last open.

    If even the smallest class is large, equal steps start from it. k and the k asked for are edges.
    """
    smallest, largest = int(size.min()), int(size.max())
    usual = largest if largest <= _MAX_FINE_BARS else int(np.quantile(size, 0.9, method="lower"))
    if smallest <= _MAX_SINGLE_SIZE:
        fine = list(range(1, (usual if usual <= _MAX_FINE_BARS else _MAX_SINGLE_SIZE) + 2))
    else:
        wide = next(
            wide
            for power in range(9)
            for step in (1, 2, 5)
            if (wide := step * 10**power) * _MAX_FINE_BARS > usual - smallest
        )
        fine = [1, *range(smallest, usual + wide + 1, wide)]
    further = (edge for edge in _ROUND_EDGES if fine[-1] < edge <= largest)
    return np.unique([*fine, *further, asked_k, _OPEN_END])


def _class_size_figure(release: TableRelease, classes: Classes) -> Distribution:
    """Draw the number of classes by size, with marks at k and at the k asked for if it differs.

    The k asked for is not drawn if it is not about these classes: for a bucketised table it is the size of
    groups, for one generalised column a k of that column.
    """
    elsewhere = release.promised and not {*release.quasi} <= {*release.promised}
    asked_k = 1 if release.sensitive_by_group or elsewhere else release.asked_k
    edges, k = size_edges(classes.size, asked_k), float(classes.size.min())
    counts, _ = np.histogram(classes.size, edges)
    asked_mark = {"asked k": float(asked_k)} if 1 < asked_k != k else {}
    marks = {"k": k, **asked_mark}
    return Distribution(
        "Classes by size", "classes", "rows", edges, {"classes": counts}, marks, shows_individuals=False
    )


@metrics.add(
    "k",
    data="table",
    family="privacy",
    title="k (rows)",
    better="higher",
    bounds=(1, np.inf),
    order=1,
    formula="smallest class of equal quasi-identifiers",
)
def k(release: TableRelease) -> Score:
    """Every combination of quasi-identifiers in the file is shared by at least this many rows."""
    classes = classes_of_release(release)
    people = people_per_class(release)
    details: dict[str, float | int | None] = {"classes": classes.number}
    if people is not None:
        details["individuals"] = int(people.min())
    return Score(float(classes.size.min()), (_class_size_figure(release, classes),), details)


@metrics.add(
    "unique_share",
    data="table",
    family="privacy",
    title="Unique rows",
    better="lower",
    bounds=(0, 1),
    order=2,
    formula="rows in classes of one / published rows",
    threat=row_threat(
        SINGLING_OUT, "{share} of all rows belong to a person who is unique on the quasi-identifiers"
    ),
)
def unique_share(release: TableRelease) -> Score:
    """The share of rows that no other row looks like.

    Read as a threat, rows whose class holds a single person count too, if the identifier is known.
    """
    classes = classes_of_release(release)
    share = float((classes.size == 1).sum()) / len(classes.code)
    own = rows_by_person(release)
    of_people = None
    if own is not None:
        people = np.bincount(own.group, minlength=classes.number)
        of_people = float(classes.size[people == 1].sum()) / len(classes.code)
    return over_all_rows(release, Score(share, (_class_size_figure(release, classes),)), of_people)


@metrics.add(
    "prosecutor_max",
    data="table",
    family="privacy",
    title="Prosecutor risk, highest",
    better="lower",
    bounds=(0, 1),
    order=3,
    formula="max 1/size = 1/k",
)
def prosecutor_max(release: TableRelease) -> Score:
    """The chance to pick the right row for the worst protected person, who is known to be in the table."""
    classes = classes_of_release(release)
    return Score(1 / float(classes.size.min()), (_class_size_figure(release, classes),))


@metrics.add(
    "prosecutor_mean",
    data="table",
    family="privacy",
    title="Prosecutor risk, mean",
    better="lower",
    bounds=(0, 1),
    order=4,
    formula="classes / published rows; perturbed: right guesses of the nearest row",
    threat=row_threat(
        LINKABILITY,
        "an attacker who knows all quasi-identifiers finds the right person in {share} of the guesses",
    ),
)
def prosecutor_mean(release: TableRelease) -> Score:
    """The same chance averaged over all rows (without a population table also the marketer's risk).

    Read as a threat, any row of the person is a right guess, if the identifier is known. Where values are
    perturbed, the guess is the published row nearest to all quasi-identifiers, one of several at random, or
    that of a one-to-one matching (up to 1,500 rows), whichever finds more.
    """
    if release.perturbed_quasi:
        rows = sampled_positions(release)
        right, right_person = right_guesses(release, release.quasi, rows)
        matched = right_matches(release)
        right, right_person = max(right, matched), max(right_person, matched)
        shares, labels = np.array([right, 1 - right]), (Phrase("right"), Phrase("wrong"))
        bars = Bars("Guesses of rows by distance", "share", labels, shares, shows_individuals=False)
        return over_all_rows(release, Score(right, (bars,), {"rows_tried": len(rows)}), right_person)
    classes = classes_of_release(release)
    score = Score(classes.number / len(classes.code), (_class_size_figure(release, classes),))
    own = rows_by_person(release)
    of_people = None
    if own is not None:
        of_people = float((own.count**2 / classes.size[own.group]).sum()) / len(classes.code)
    return over_all_rows(release, score, of_people)


@metrics.add(
    "prosecutor_share",
    data="table",
    family="privacy",
    title="Rows at high risk",
    better="lower",
    bounds=(0, 1),
    order=5,
    formula="rows with 1/size > threshold / published rows",
)
def prosecutor_share(
    release: TableRelease, *, threshold: Annotated[float, Range(0, 1, step=0.01)] = 0.2
) -> Score:
    """The share of rows whose risk lies above a threshold."""
    classes = classes_of_release(release)
    return Score(float((1 / classes.size_of_row > threshold).mean()), (_class_size_figure(release, classes),))
