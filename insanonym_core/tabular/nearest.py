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


def attackers(release: TableRelease) -> tuple[bool, ...]:
    """Return the attackers to try: who counts texts that differ, and who weighs them by known chances."""
    return (False, True) if release.evidence_against else (False,)


def nearest_rows(
    release: TableRelease, known: Mapping[str, Ints], by_chances: bool = False
) -> tuple[Ints, Ints]:
    """Return all pairs (person, published row) where no other row is nearer to the known values.

    `known` maps columns to the codes of the people's values in the original. Who attacks knows which columns
    were perturbed: in the others a row that differs is impossible. Perturbed numbers and dates count the
    square of their difference in standard deviations, perturbed texts 1 if they differ. Numbers that were
    made coarser before are compared with what the known ones became. `by_chances`: texts that were drawn by
    known chances count what it speaks against the row that they differ, so that the nearest rows are the
    likeliest.
    """
    names = [name for name in known if name not in release.pseudonymised]
    people = len(next(iter(known.values())))
    step = max(1, _PIECE // max(len(release.rows), 1))
    found = []
    for first in range(0, people, step):
        piece = slice(first, min(first + step, people))
        distance = np.zeros((piece.stop - piece.start, len(release.rows)))
        for name in names:
            distance += _distances(release, name, known[name][piece], by_chances)
        lowest = distance.min(axis=1, keepdims=True)
        person, row = np.nonzero(distance <= lowest + _TOLERANCE * (1 + lowest))
        found.append((person + first, row))
    person, row = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return person, row


def _distances(release: TableRelease, name: str, codes: Ints, by_chances: bool) -> Floats:
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
        if by_chances and name in release.evidence_against:
            against = np.minimum(release.evidence_against[name], _IMPOSSIBLE)
            gap *= np.append(against, 0.0)[codes][:, None]
    else:
        if name in release.perturbed_from:
            before = release.perturbed_from[name]
            original, codes = before.column, before.values_of(codes)
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

    classes, shares = classes_of_release(release), []
    # Rows stand beside their people here: of equally good matchings, the true one is not to come first.
    shuffled = np.random.default_rng(0).permutation(len(release.rows))
    for by_chances in attackers(release):
        distance = np.zeros((len(release.rows), len(release.rows)))
        for name in release.quasi:
            codes = release.original[name].codes[release.rows]
            distance += _distances(release, name, codes, by_chances)
        person, place = linear_sum_assignment(np.minimum(distance, _IMPOSSIBLE)[:, shuffled])
        found = shuffled[place]
        right = classes.code[found] == classes.code[person]
        shares.append(float((right / classes.size_of_row[found]).sum() / len(person)))
    return max(shares)


def right_guesses(release: TableRelease, names: Sequence[str], positions: Ints) -> tuple[float, float]:
    """Return the share of guesses of the nearest row that are right: the row itself, and any of the person.

    Looked for are the people of some published rows, by the named columns; of several rows as near, one is
    guessed at random. Of the attackers, the one who finds more counts.
    """
    rows, individual = release.rows[positions], person_codes(release)
    known, shares = {name: release.original[name].codes[rows] for name in names}, []
    for by_chances in attackers(release):
        person, found = nearest_rows(release, known, by_chances)
        chance = 1 / np.bincount(person, minlength=len(rows))[person]
        own = found == positions[person]
        theirs = individual[release.rows[found]] == individual[rows[person]]
        shares.append((float(chance[own].sum() / len(rows)), float(chance[theirs].sum() / len(rows))))
    return max(own for own, _ in shares), max(theirs for _, theirs in shares)
