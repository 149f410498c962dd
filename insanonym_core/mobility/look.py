"""What was understood of a file of GPS traces."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from insanonym_core.mobility.checks import bounding_box
from insanonym_core.mobility.files import interpret
from insanonym_core.mobility.layout import column_order
from insanonym_core.mobility.reader import read_columns
from insanonym_core.reading.files import opened
from insanonym_core.reading.look import Look
from insanonym_core.reading.options import ReadingOptions
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    from insanonym_core.io.sources import Source
    from insanonym_core.parameters import ParameterValues


def look(source: Source | Path | str, reading: ParameterValues, roles: ParameterValues) -> Look:
    """Look at traces: who, when and where is read from which columns, and every problem with its lines."""
    options = ReadingOptions.of(reading)
    columns = reading.get("columns")
    raw = read_columns(opened(source), column_order(columns) if columns else None, options)
    found = interpret(raw, options, original=True)
    track = found.track
    weeks = np.unique(track.week[found.usable]) if found.usable.any() else np.empty(0)
    notes = list(raw.notes)
    if not raw.names:
        notes.append(Phrase("The columns are {order}.", order=", ".join(raw.order)))
    if track.clock:
        notes.append(Phrase("The times have an offset, and hours are those of {zone}.", zone=track.clock))
    return Look(
        found.name,
        "mobility",
        len(track),
        {},
        (),
        tuple(notes),
        tuple(problem.sentence() for problem in found.problems),
        len(track.individuals),
        {"weeks": len(weeks), "bounding_box": bounding_box(found), "columns_read": dict(raw.names)},
    )
