"""Parts of a large week: people who are alike on a coarse description, so that all pairs can be compared."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from insanonym_core.mobility.common_week.rows import SEGMENTS, Rows
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import combine, count_pairs

MAX_PEOPLE = 256  # in a block
_CELL_KM = 11.0  # about one decimal of a degree
_DIRECTIONS = 16


def blocks(rows: Rows) -> Iterator[Rows]:
    """The rows of a week in blocks of at most MAX_PEOPLE individuals, each cut in two where it is widest."""
    if len(rows.people) <= MAX_PEOPLE:
        yield rows
        return
    sketch = _sketch(rows)
    waiting: list[Ints] = [np.arange(len(rows.people))]
    while waiting:
        people = waiting.pop()
        if len(people) <= MAX_PEOPLE:
            yield rows.select(np.sort(people))
            continue
        order = people[np.argsort(_along_widest(sketch[people]), kind="stable")]
        waiting += [order[len(order) // 2 :], order[: len(order) // 2]]


def _sketch(rows: Rows) -> Floats:
    """A coarse description of each individual: rows, segments of the week, heat map with cells of 11 km.

    The heat map has as many columns as there are cells; random directions, always the same, make it short.
    """
    people = len(rows.people)
    corner = np.rint(rows.place / _CELL_KM).astype(np.int64)
    corner -= corner.min(axis=0)
    sizes = (corner.max(axis=0) + 1).tolist()
    cell = np.unique(combine(*zip(corner.T, sizes, strict=True)), return_inverse=True)[1]
    directions = np.random.default_rng(0).normal(size=(int(cell.max()) + 1, _DIRECTIONS))
    visits = count_pairs(rows.person, people, cell, len(directions))
    share = np.sqrt(visits.count / rows.counts[visits.group])
    heat = np.zeros((people, _DIRECTIONS))
    np.add.at(heat, visits.group, share[:, None] * directions[visits.item] / np.sqrt(_DIRECTIONS))
    hours = np.bincount(rows.person * SEGMENTS + rows.segment, minlength=people * SEGMENTS)
    hours = np.sqrt(hours.reshape(people, SEGMENTS) / rows.counts[:, None])
    return np.column_stack([np.log(rows.counts), hours, heat])


def _along_widest(sketch: Floats) -> Floats:
    """Where each individual lies along the direction in which the descriptions differ most."""
    centred = sketch - sketch.mean(axis=0)
    _, directions = np.linalg.eigh(np.einsum("ij,ik->jk", centred, centred))
    widest = directions[:, -1]
    along: Floats = np.einsum("ij,j->i", centred, widest * np.sign(widest[np.abs(widest).argmax()]))
    return along
