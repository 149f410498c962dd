"""Which published rows fit what somebody knows of a person: the step that linkage and inference share."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from insanonym_core.arrays import Ints
from insanonym_core.grouping import expanded, joint_codes
from insanonym_core.tabular.exposure import classes_of_release
from insanonym_core.tabular.release import TableRelease


def compatible_classes(release: TableRelease, known: Mapping[str, Ints]) -> tuple[Ints, Ints]:
    """All pairs (person, class) where what the class publishes holds every value known of the person.

    `known` has for each column the codes of the people's values, in the coding of the original. A pseudonym
    says nothing about the value behind it, so that it holds all of them.
    """
    first = np.unique(classes_of_release(release).code, return_index=True)[1]
    person, matching_class = _equal(release, known, first)
    for name, code in known.items():
        if name in release.generalised:
            holds = release.generalised[name].holds(code[person], release.group[first[matching_class]])
            person, matching_class = person[holds], matching_class[holds]
    return person, matching_class


def mean_pairs_per_person(release: TableRelease, known: Mapping[str, Ints]) -> float:
    """How many pairs a search has to look at for each person, on average."""
    first = np.unique(classes_of_release(release).code, return_index=True)[1]
    low, high, _ = _ranges(release, known, first)
    return float((high - low).mean()) if len(low) else 0.0


def _equal(release: TableRelease, known: Mapping[str, Ints], first: Ints) -> tuple[Ints, Ints]:
    """Pairs that agree in the columns that are published as they are."""
    low, high, order = _ranges(release, known, first)
    return expanded(low, high, order)


def _ranges(release: TableRelease, known: Mapping[str, Ints], first: Ints) -> tuple[Ints, Ints, Ints]:
    """For each person the stretch of the sorted classes with equal values, and that order."""
    exact = [name for name in known if name not in release.generalised and name not in release.pseudonymised]
    people = len(next(iter(known.values())))
    if not exact:
        return np.zeros(people, dtype=np.int64), np.full(people, len(first)), np.arange(len(first))
    published = [release.original[name].codes[release.rows[first]] for name in exact]
    theirs, ours, _ = joint_codes([known[name] for name in exact], published)
    order = np.argsort(ours, kind="stable")
    low, high = (np.searchsorted(ours[order], theirs, side) for side in ("left", "right"))
    return low, high, order
