"""Run recipes of mobility data: read the data, apply the steps, run the attacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from insanonym_core.deletions import deletion_warnings
from insanonym_core.errors import DataError
from insanonym_core.kinds import Made
from insanonym_core.mobility.competition import footprint
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.files import read, refuse
from insanonym_core.mobility.layout import column_order
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.scoring import score_guesses
from insanonym_core.mobility.track import Track
from insanonym_core.parameters import Range
from insanonym_core.recipe import method_entry

if TYPE_CHECKING:
    from pathlib import Path

    from insanonym_core.jobs import Job
    from insanonym_core.parameters import Parameter
    from insanonym_core.randomness import Draws
    from insanonym_core.recipe import Recipe
    from insanonym_core.registry import Entry
    from insanonym_core.scores import Score
    from insanonym_core.sources import Source

_MAX_STORED_ROWS = 1_000_000  # larger tracks are not cached between runs
_MIN_UPPER_LIMIT = 10
SHADOWS = 2


def read_data(source: Source | Path | str, reading: Mapping[str, Any]) -> Track:
    """Read a file; raise a DataError for any problem."""
    columns = reading.get("columns")
    result = read(source, column_order(columns) if columns else None, original=True)
    refuse(result.problems)
    if len(result.track) == 0:
        raise DataError(f"{result.name} has no rows: give a file with at least one.")
    # A file without a header is read back by the same --columns; one with a header names its columns.
    return replace(result.track, order=result.order) if columns else result.track


def make(recipe: Recipe, data: Track, draws: Draws, job: Job) -> Made:
    """Apply the steps. Results of the steps before a changed parameter come from the job's store."""
    track = data
    kept_rows = [len(data.kept)]
    stored = draws.repeatable and len(data) <= _MAX_STORED_ROWS
    last = len(recipe.steps) - 1
    for place, (method, generator) in enumerate(recipe.built(draws)):
        job.progress(method_entry(recipe.steps[place].method, recipe.kind).title)
        apply: Callable[[], Track] = partial(method.apply, track, generator)
        if stored and place < last:
            track = job.store.get("steps", (data.digest(), draws, repr(recipe.steps[: place + 1])), apply)
        else:
            track = apply()
        kept_rows.append(len(track.kept))
    pair = replace(Pair.from_tracks(data, track), min_holders=recipe.min_holders)
    titles = [method_entry(step.method, recipe.kind).title for step in recipe.steps]
    warnings = deletion_warnings(titles, pairwise(kept_rows))
    return made_of_pair(pair, warnings)


def made_of_pair(pair: Pair, warnings: tuple[str, ...] = ()) -> Made:
    """Wrap a pair for measurement, whether or not a recipe made its release."""
    facts = {"deletions": warnings}
    return Made(pair, pair.rows, pair.rows - pair.deleted, warnings=warnings, facts=facts)


def score_attack(entry: Entry, made: Made, values: Mapping[str, object]) -> Score:
    """Run an attack and score its guesses, beside chance and with an interval.

    An attacker who learns gets shadow releases, where the recipe is known. The recipe may be the wrong one:
    the attack without it counts if it re-identifies more.
    """
    pair: Pair = made.release
    known, seen, secret = Crowd.known(pair.original), Crowd.seen(pair.release), footprint(pair)
    score = score_guesses(secret, entry.item(known, seen, **values))
    if "shadows" not in entry.given or made.shadow is None:
        return score
    learnt = score_guesses(secret, entry.item(known, seen, shadows=shadow_pairs(made.shadow), **values))
    return max(learnt, score, key=lambda one: float(one.details["reidentified"] or 0))


def shadow_pairs(shadow: Callable[[int], Made]) -> list[Pair]:
    """Make the shadow releases that an attack learns from."""
    return [shadow(number).release for number in range(1, SHADOWS + 1)]


def max_swept_value(parameter: Parameter, recipe: Recipe, data: Track) -> float:
    """Highest value to sweep: half of the individuals for a count of individuals, else the declared limit."""
    allowed = parameter.constraint
    assert isinstance(allowed, Range)  # noqa: S101  only numbers are swept
    if allowed.unit != "individuals":
        return allowed.high
    return max(_MIN_UPPER_LIMIT, len(np.unique(data.individual)) // 2)
