"""A sweep as a CSV file, one line per run."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from typing import TextIO

from insanonym_core.io.output import writing
from insanonym_core.io.spreadsheets import defused, defused_row
from insanonym_core.sweep.front import Sweep
from insanonym_core.sweep.plan import Outcome

_FIRST = ("privacy", "utility", "defence")


def write_sweep(sweep: Sweep, path: Path, *, force: bool = False) -> None:
    """Series, axes, seed, hash of the recipe, headlines, measures, what decides privacy, why a run failed."""
    with writing(path, force=force) as beside, beside.open("w", newline="", encoding="utf-8") as file:
        _write(sweep, file)


def sweep_to_text(sweep: Sweep) -> str:
    """The same table as a text."""
    file = io.StringIO(newline="")
    _write(sweep, file)
    return file.getvalue()


def _write(sweep: Sweep, file: TextIO) -> None:
    measures = dict.fromkeys(
        name for outcome in sweep.outcomes for name in outcome.values if name not in _FIRST
    )
    names = ["series", *sweep.plan.labels, "seed", "recipe", *_FIRST, *measures, "decided_by", "failed"]
    rows = csv.writer(file)
    rows.writerow(defused_row(names))
    for outcome in sweep.outcomes:
        found = _row(outcome)
        rows.writerow([found.get(name, "") for name in names])


def _row(outcome: Outcome) -> dict[str, object]:
    recipe = outcome.point.recipe
    numbers = {
        name: "" if math.isnan(value) else repr(float(value)) for name, value in outcome.values.items()
    }
    head = {"series": outcome.point.series, "seed": recipe.seed, "recipe": recipe.hash}
    texts = {**head, **outcome.point.values, "failed": outcome.failed}
    texts["decided_by"] = outcome.decided_by.partition(".")[2]
    return {**{name: defused(value) for name, value in texts.items()}, **numbers}
