"""Which evidence is worth a picture: nothing empty, no lonely bar, nothing twice, few columns of many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields

import numpy as np

from insanonym_core.scores import (
    Bars,
    CellMap,
    Cloud,
    Curve,
    Distribution,
    Evidence,
    Flow,
    Matrix,
    PoiMap,
    Table,
    Tree,
)

MOST_COLUMNS = 6


def worth_showing(evidence: Evidence) -> bool:
    """Whether there is something to see in it."""
    match evidence:
        case Bars():
            return _bars(evidence)
        case Distribution():
            return any(np.nansum(np.asarray(counts, dtype=float)) > 0 for counts in evidence.counts.values())
        case Flow():
            return bool((np.asarray(evidence.count, dtype=float) > 0).any())
        case Table():
            return any(len(values) > 0 for values in evidence.columns.values())
        case Matrix():
            return bool(np.isfinite(np.asarray(evidence.values, dtype=float)).any())
        case CellMap() | PoiMap():
            return len(evidence.latitude) > 0
        case Curve():
            return len(evidence.x) > 0
        case Cloud():
            return any(len(x) > 0 for x, _ in evidence.groups.values())
        case Tree():
            return len(evidence.labels) > 1


def chosen(evidence: Sequence[Evidence]) -> Iterator[tuple[int, Evidence]]:
    """What is worth showing, with its number; of a figure for each column those that differ most.

    A measure with one figure per column leads them with a table of their distances.
    """
    numbered = [(place, one) for place, one in enumerate(evidence, start=1) if worth_showing(one)]
    if numbered and isinstance(numbered[0][1], Table) and len(numbered) > 1 + MOST_COLUMNS:
        distance = _distances(numbered[0][1])
        farthest = sorted(numbered[1:], key=lambda item: -distance.get(item[1].title, -np.inf))
        numbered = [numbered[0], *farthest[:MOST_COLUMNS]]
    yield from numbered


def content(value: object) -> object:
    """What two pieces of evidence have in common when they show the same: title and all data."""
    if isinstance(value, np.ndarray):
        written = tuple(map(repr, value.tolist())) if value.dtype == object else value.tobytes()
        return value.shape, value.dtype.str, written
    if isinstance(value, Mapping):
        return tuple((name, content(inner)) for name, inner in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(content, value))
    if isinstance(value, Evidence):
        return type(value), *(content(getattr(value, field.name)) for field in fields(value))
    return repr(value)


def _bars(bars: Bars) -> bool:
    """At least two labels; and if things are counted, not all of them under one label."""
    groups = [np.nan_to_num(np.asarray(values, dtype=float)) for values in bars.groups.values()]
    if len(bars.labels) < 2 or not groups:
        return False
    filled = np.any([values != 0 for values in groups], axis=0).sum()
    counted = all((values % 1 == 0).all() for values in groups) and max(map(np.max, groups)) > 1
    return bool(filled > 1 if counted or len(bars.labels) == 2 else filled > 0)


def _distances(table: Table) -> dict[str, float]:
    """The last column of numbers by the first column."""
    columns = [np.asarray(values) for values in table.columns.values()]
    numbers = [values for values in columns if values.dtype.kind in "iuf"]
    if not numbers:
        return {}
    return {str(name): float(value) for name, value in zip(columns[0], numbers[-1], strict=True)}
