"""Select the evidence to draw: skip empty, single-bar and duplicate figures; limit figures per column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields

import numpy as np

from insanonym_core.results.scores import (
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
from insanonym_core.texts import Phrase

MAX_COLUMN_FIGURES = 6


def has_content(evidence: Evidence) -> bool:
    """Whether the evidence holds data worth a figure."""
    match evidence:
        case Bars():
            return _bars_have_content(evidence)
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


def select_evidence(evidence: Sequence[Evidence]) -> Iterator[tuple[int, Evidence]]:
    """Yield the evidence to draw with its 1-based number.

    A measure with one figure per column starts with a table of distances: of these figures only the
    MAX_COLUMN_FIGURES with the largest distances are kept.
    """
    numbered = [(number, piece) for number, piece in enumerate(evidence, start=1) if has_content(piece)]
    if numbered and isinstance(numbered[0][1], Table) and len(numbered) > 1 + MAX_COLUMN_FIGURES:
        distance = _distance_by_column(numbered[0][1])
        farthest = sorted(numbered[1:], key=lambda item: -distance.get(_column_of(item[1].title), -np.inf))
        numbered = [numbered[0], *farthest[:MAX_COLUMN_FIGURES]]
    yield from numbered


def _column_of(title: str) -> str:
    """The column that a title is about."""
    return str(title.values.get("column", title)) if isinstance(title, Phrase) else title


def fingerprint(value: object) -> object:
    """A hashable value, equal for two pieces of evidence with the same title and data."""
    if isinstance(value, np.ndarray):
        data = tuple(map(repr, value.tolist())) if value.dtype == object else value.tobytes()
        return value.shape, value.dtype.str, data
    if isinstance(value, Mapping):
        return tuple((name, fingerprint(inner)) for name, inner in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(fingerprint, value))
    if isinstance(value, Evidence):
        return type(value), *(fingerprint(getattr(value, field.name)) for field in fields(value))
    return repr(value)


def _bars_have_content(bars: Bars) -> bool:
    """Whether there are two labels or more and, for counts, more than one non-zero bar."""
    groups = [np.nan_to_num(np.asarray(values, dtype=float)) for values in bars.groups.values()]
    if len(bars.labels) < 2 or not groups:
        return False
    filled = np.any([values != 0 for values in groups], axis=0).sum()
    counted = all((values % 1 == 0).all() for values in groups) and max(map(np.max, groups)) > 1
    return bool(filled > 1 if counted or len(bars.labels) == 2 else filled > 0)


def _distance_by_column(table: Table) -> dict[str, float]:
    """Map the first column of a table to its last numeric column."""
    columns = [np.asarray(values) for values in table.columns.values()]
    numbers = [values for values in columns if values.dtype.kind in "iuf"]
    if not numbers:
        return {}
    return {str(name): float(value) for name, value in zip(columns[0], numbers[-1], strict=True)}
