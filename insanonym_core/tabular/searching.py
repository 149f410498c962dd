"""What a search wants to know of a table: the ceiling of privacy, and a sample of its people."""

from __future__ import annotations

import numpy as np

from insanonym_core.numeric.arrays import Ints
from insanonym_core.recipe import Recipe, identifiers_of
from insanonym_core.results.ceiling import Ceiling, ceiling_of_people
from insanonym_core.tabular.table import Table


def ceiling(recipe: Recipe, data: Table) -> Ceiling:
    """A blind guess is right for one of all people."""
    return ceiling_of_people(len(np.unique(_person_of_row(recipe, data))))


def sample(recipe: Recipe, data: Table, rows: int, generator: np.random.Generator) -> Table:
    """All rows of some people, drawn until there are so many rows."""
    person = _person_of_row(recipe, data)
    people, counts = np.unique(person, return_counts=True)
    order = generator.permutation(len(people))
    enough = int(np.searchsorted(np.cumsum(counts[order]), rows)) + 1
    return data.take(np.flatnonzero(np.isin(person, people[order[:enough]])))


def _person_of_row(recipe: Recipe, data: Table) -> Ints:
    """A number for the person of each row; without an identifier each row is somebody."""
    identifier = next((name for name in identifiers_of(recipe.roles) if name in data.columns), None)
    return np.arange(data.rows) if identifier is None else data.classes([identifier]).code
