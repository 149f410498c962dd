"""How far the headlines of a setting lie apart over fresh draws."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from insanonym_core.experiment import run
from insanonym_core.figures.trail_points import Spread
from insanonym_core.recipe import Recipe
from insanonym_core.results.headlines import WHAT
from insanonym_core.runtime.jobs import Job

FRESH_DRAWS = 5


def spread_of(recipe: Recipe, data: Any, job: Job) -> Spread | None:
    """Lowest and highest utility and privacy over fresh draws; None where nothing is drawn."""
    kind = recipe.data_kind
    needs = {need for what in WHAT for need in kind.headline(what, recipe.headline.get(what)).needs}
    found = []
    for number in range(1, FRESH_DRAWS + 1):
        job.progress("Fresh draws")
        seed = None if recipe.seed is None else recipe.seed + number
        report = run(replace(recipe, seed=seed), data=data, job=Job(job.progress), only=needs, costly=False)
        found.append((report.utility, report.privacy))
    utility, privacy = zip(*found, strict=True)
    if any(map(math.isnan, (*utility, *privacy))):
        return None
    return Spread((min(utility), max(utility)), (min(privacy), max(privacy)))
