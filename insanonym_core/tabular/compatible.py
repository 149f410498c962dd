"""Find the published classes that match what an attacker knows of a person (for linkage and inference)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from insanonym_core.numeric.arrays import Ints
from insanonym_core.numeric.grouping import expanded, joint_codes
from insanonym_core.tabular.exposure import classes_of_release
from insanonym_core.tabular.release import TableRelease


def compatible_classes(release: TableRelease, known: Mapping[str, Ints]) -> tuple[Ints, Ints]:
    """Return all pairs (person, class) where the published values of the class match all known values.

    `known` maps columns to the codes of the people's values, in the coding of the original. A pseudonym
    reveals nothing about its value, so it matches every value.
    """
    first = np.unique(classes_of_release(release).code, return_index=True)[1]
    person, matching_class = _exact_matches(release, known, first)
    for name, code in known.items():
        if name in release.generalised:
            holds = release.generalised[name].holds(code[person], release.group[first[matching_class]])
            person, matching_class = person[holds], matching_class[holds]
    return person, matching_class


def mean_pairs_per_person(release: TableRelease, known: Mapping[str, Ints]) -> float:
    """Return the mean number of classes that a search compares with each person."""
    first = np.unique(classes_of_release(release).code, return_index=True)[1]
    low, high, _ = _exact_ranges(release, known, first)
    return float((high - low).mean()) if len(low) else 0.0


def _exact_matches(release: TableRelease, known: Mapping[str, Ints], first: Ints) -> tuple[Ints, Ints]:
    """Return the pairs (person, class) with equal values in the columns published unchanged."""
    low, high, order = _exact_ranges(release, known, first)
    return expanded(low, high, order)


def _exact_ranges(release: TableRelease, known: Mapping[str, Ints], first: Ints) -> tuple[Ints, Ints, Ints]:
    """Return for each person the range of matching classes in sorted order, and that order."""
    exact = [name for name in known if name not in release.generalised and name not in release.pseudonymised]
    people = len(next(iter(known.values())))
    if not exact:
        return np.zeros(people, dtype=np.int64), np.full(people, len(first)), np.arange(len(first))
    published = [release.original[name].codes[release.rows[first]] for name in exact]
    theirs, ours, _ = joint_codes([known[name] for name in exact], published)
    order = np.argsort(ours, kind="stable")
    low, high = (np.searchsorted(ours[order], theirs, side) for side in ("left", "right"))
    return low, high, order
