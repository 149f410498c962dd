"""Run recipes of mobility data: read the data, apply the steps, run the attacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from insanonym_core.errors import DataError
from insanonym_core.kinds import Made
from insanonym_core.mobility.choose import said_columns
from insanonym_core.mobility.competition import Guesses, footprint
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.files import read, refuse
from insanonym_core.mobility.layout import column_order
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.scoring import score_guesses
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.week_classes import week_classes
from insanonym_core.parameters import Range
from insanonym_core.reading.options import ReadingOptions
from insanonym_core.recipe import method_entry
from insanonym_core.results.deletions import deletion_warnings
from insanonym_core.results.promises import Promise
from insanonym_core.runtime.jobs import working_for
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    from pathlib import Path

    from insanonym_core.io.sources import Source
    from insanonym_core.numeric.randomness import Draws
    from insanonym_core.parameters import Parameter, ParameterValues
    from insanonym_core.recipe import Recipe
    from insanonym_core.registry import Entry
    from insanonym_core.results.scores import Score
    from insanonym_core.runtime.jobs import Job

_MAX_STORED_ROWS = 1_000_000  # larger tracks are not cached between runs
_MIN_UPPER_LIMIT = 10
SHADOWS = 2
UTC = Phrase(
    "The times of the file have an offset, and hours are UTC: home and work are looked for at these hours. "
    "Say --zone Europe/Paris, or another, to convert them (zone under reading in a recipe)."
)
_BROKEN = (
    "{method} promised classes of at least {asked} pseudonyms with the same week, and the smallest has "
    "{measured}, because of a later step: let only pseudonyms for each week follow."
)


def read_data(source: Source | Path | str, reading: ParameterValues) -> Track:
    """Read a file; raise a DataError for any problem."""
    columns = reading.get("columns")
    order = column_order(columns) if columns else None
    result = read(source, order, ReadingOptions.of(reading), original=True)
    refuse(result.problems)
    if len(result.track) == 0:
        raise DataError("{file} has no rows: give a file with at least one row.", file=result.name)
    # A file without a header is read back by the same --columns; one with a header names its columns.
    return replace(result.track, order=result.order) if columns and not said_columns(order) else result.track


def make(recipe: Recipe, data: Track, draws: Draws, job: Job) -> Made:
    """Apply the steps. Results of the steps before a changed parameter come from the job's store."""
    track = data
    kept_rows = [len(data.kept)]
    stored = draws.repeatable and len(data) <= _MAX_STORED_ROWS
    last = len(recipe.steps) - 1
    for place, (method, generator) in enumerate(recipe.built(draws)):
        job.progress(method_entry(recipe.steps[place].method, recipe.kind).title)
        apply: Callable[[], Track] = partial(_apply, method, track, generator, job)
        if stored and place < last:
            track = job.store.get("steps", (data.digest(), draws, repr(recipe.steps[: place + 1])), apply)
        else:
            track = apply()
        kept_rows.append(len(track.kept))
    pair = replace(Pair.from_tracks(data, track), min_holders=recipe.min_holders)
    titles = [method_entry(step.method, recipe.kind).title for step in recipe.steps]
    deletions = deletion_warnings(titles, pairwise(kept_rows))
    promises = tuple(_promises(recipe, pair))
    broken = tuple(
        Phrase(_BROKEN, method=Phrase(one.title), asked=one.asked, measured=one.measured)
        for one in promises
        if not one.holds
    )
    clock = (UTC,) if data.clock == "UTC" else ()
    return replace(made_of_pair(pair, deletions), promises=promises, warnings=(*deletions, *broken, *clock))


def _apply(
    method: Any,  # Any: an instance of a registered method
    track: Track,
    generator: np.random.Generator,
    job: Job,
) -> Track:
    with working_for(job):
        result: Track = method.apply(track, generator)
    return result


def _promises(recipe: Recipe, pair: Pair) -> Iterator[Promise]:
    """Promises of the steps: the smallest class asked for, and the smallest one in the release."""
    for step, method in zip(recipe.steps, recipe.methods(), strict=True):
        asked = getattr(method, "promised_class", 1)
        if asked > 1 and len(pair.release.kept):
            title = method_entry(step.method, recipe.kind).title
            measured = week_classes(pair).smallest_linked or 0
            yield Promise(step.method, title, asked, measured, (), "weeks")


def made_of_pair(pair: Pair, deletions: tuple[str, ...] = ()) -> Made:
    """Wrap a pair of original and release in a Made, so that it can be measured."""
    facts = {"deletions": deletions}
    return Made(pair, pair.rows, pair.rows - pair.deleted, warnings=deletions, facts=facts)


def score_attack(entry: Entry, made: Made, values: Mapping[str, object]) -> Score:
    """Run an attack and score its guesses, beside chance and with an interval.

    An attacker who learns gets shadow releases, where the recipe is known. The recipe may be the wrong one:
    the attack without it counts if it re-identifies more.
    """
    pair: Pair = made.release
    secret = footprint(pair)
    score = score_guesses(secret, guesses(entry, pair.original, pair.release, values))
    if "shadows" not in entry.given or made.shadow is None:
        return score
    learnt = score_guesses(secret, guesses(entry, pair.original, pair.release, values, made.shadow))
    return max(learnt, score, key=lambda one: float(one.details["reidentified"] or 0))


def guesses(
    entry: Entry,
    original: Track,
    release: Track,
    values: Mapping[str, object],
    shadow: Callable[[int], Made] | None = None,
) -> Guesses:
    """The guesses of an attack; with what makes shadow releases, one that learns from them."""
    learnt = {} if shadow is None or "shadows" not in entry.given else {"shadows": shadow_pairs(shadow)}
    guessed: Guesses = entry.item(Crowd.known(original), Crowd.seen(release), **learnt, **values)
    return guessed


def guesses_on_pair(
    entry: Entry, pair: Pair, values: Mapping[str, object], shadow: Callable[[int], Made] | None
) -> Guesses:
    """The guesses of an attack on a release that stands beside its original."""
    return guesses(entry, pair.original, pair.release, values, shadow)


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
