"""Link people to perturbed rows: by the published rows that are nearest to what an attacker knows of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.tabular.exposure import classes_of_release, person_codes
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.table import MISSING, Column

MAX_COMPARISONS = 10_000_000
MAX_MATCHED = 1_500  # rows of a one-to-one matching
_PIECE = 2_000_000  # comparisons at once
_IMPOSSIBLE = 1e9  # a value that was not perturbed differs
_TOLERANCE = 1e-9


def nearest_rows(release: TableRelease, known: Mapping[str, Ints]) -> tuple[Ints, Ints]:
    """Return all pairs (person, published row) where no other row is nearer to the known values.

    `known` maps columns to the codes of the people's values in the original. Who attacks knows which columns
    were perturbed: in the others a row that differs is impossible. Perturbed numbers and dates count the
    square of their difference in standard deviations, perturbed texts 1 if they differ.
    """
    names = [name for name in known if name not in release.pseudonymised]
    people = len(next(iter(known.values())))
    step = max(1, _PIECE // max(len(release.rows), 1))
    found = []
    for first in range(0, people, step):
        piece = slice(first, min(first + step, people))
        distance = np.zeros((piece.stop - piece.start, len(release.rows)))
        for name in names:
            distance += _distances(release, name, known[name][piece])
        lowest = distance.min(axis=1, keepdims=True)
        person, row = np.nonzero(distance <= lowest + _TOLERANCE * (1 + lowest))
        found.append((person + first, row))
    person, row = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return person, row


def _distances(release: TableRelease, name: str, codes: Ints) -> Floats:
    """Return the distance of each person's value from each published row in one column."""
    original, shape = release.original[name], (len(codes), len(release.rows))
    if name in release.generalised:
        person, row = (part.ravel() for part in np.indices(shape))
        inside = release.generalised[name].holds(codes[person], release.group[row])
        return np.where(inside.reshape(shape), 0.0, _IMPOSSIBLE)
    if name not in release.perturbed:
        return np.where(codes[:, None] == original.codes[release.rows][None, :], 0.0, _IMPOSSIBLE)
    published = release.published[name]
    absent = (codes == MISSING)[:, None] != (published.codes == MISSING)[None, :]
    if original.kind == "category":  # texts are perturbed among those of the column
        gap: Floats = (codes[:, None] != published.codes[None, :]).astype(np.float64)
    else:
        ours, theirs = _numbers(original, codes), _numbers(published, published.codes)
        deviation = _numbers(original, original.codes[original.codes != MISSING]).std() or 1.0
        gap = np.square((ours[:, None] - theirs[None, :]) / deviation)
    return np.where(absent, _IMPOSSIBLE, gap)


def _numbers(column: Column, codes: Ints) -> Floats:
    """Return the numbers of codes; 0 where missing."""
    if len(column.values) == 0:
        return np.zeros(len(codes))
    return np.where(codes == MISSING, 0.0, column.numbers()[np.maximum(codes, 0)])


def sampled_positions(release: TableRelease, seed: int = 0, most: int | None = None) -> Ints:
    """Return the published rows whose people are looked for: all, or a seeded sample of a large table."""
    number = len(release.rows)
    most = max(20, MAX_COMPARISONS // max(number, 1) if most is None else most)
    if number <= most:
        return np.arange(number)
    return np.sort(np.random.default_rng(seed).choice(number, most, replace=False))


def right_matches(release: TableRelease) -> float:
    """Return the share of rows that are matched with their own, one to one, at the lowest total distance.

    Who knows all people and all quasi-identifiers finds more than by looking for each nearest row by itself.
    Of published rows that are equal, one is taken at random. 0 for tables of more than 1,500 rows.
    """
    if len(release.rows) > MAX_MATCHED:
        return 0.0
    from scipy.optimize import linear_sum_assignment

    distance = np.zeros((len(release.rows), len(release.rows)))
    for name in release.quasi:
        distance += _distances(release, name, release.original[name].codes[release.rows])
    person, found = linear_sum_assignment(np.minimum(distance, _IMPOSSIBLE))
    classes = classes_of_release(release)
    right = classes.code[found] == classes.code[person]
    return float((right / classes.size_of_row[found]).sum() / len(person))


def right_guesses(release: TableRelease, names: Sequence[str], positions: Ints) -> tuple[float, float]:
    """Return the share of guesses of the nearest row that are right: the row itself, and any of the person.

    Looked for are the people of some published rows, by the named columns; of several rows as near, one is
    guessed at random.
    """
    rows = release.rows[positions]
    person, found = nearest_rows(release, {name: release.original[name].codes[rows] for name in names})
    chance = 1 / np.bincount(person, minlength=len(rows))[person]
    individual = person_codes(release)
    own = found == positions[person]
    theirs = individual[release.rows[found]] == individual[rows[person]]
    return float(chance[own].sum() / len(rows)), float(chance[theirs].sum() / len(rows))
