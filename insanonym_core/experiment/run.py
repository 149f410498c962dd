"""Loading data once, applying the steps, measuring: the same for every kind of data."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from insanonym_core.errors import UsageError
from insanonym_core.experiment import kinds
from insanonym_core.experiment.headlines import headline
from insanonym_core.experiment.report import Report
from insanonym_core.randomness import Draws
from insanonym_core.recipe import Recipe
from insanonym_core.registry import Measure

Tell = Callable[[str], None]
_KEPT_IN_MEMORY = 4


def load(recipe: Recipe) -> Any:
    """The data that a recipe names, made or read; kept with what is derived from it while it is unchanged."""
    if recipe.data is None:
        raise UsageError(
            "The recipe names no data: set 'data' to a file or to demo:mobility, or hand it over."
        )
    reading = tuple(sorted((name, _hashable(value)) for name, value in recipe.reading.items()))
    source, place = kinds.KINDS[recipe.kind].source, recipe.place
    return _loaded(source, str(place or recipe.data), _stamp(place), reading)


def file_digest(path: Path) -> str:
    """The SHA-256 of a file."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror or error}): check the name.") from None


def _hashable(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _stamp(place: Path | None) -> tuple[int, int] | None:
    """When a file was written last, and its size: a changed file is read anew."""
    if place is None:
        return None
    try:
        state = place.stat()
    except OSError:
        return None  # the reader says what is wrong with it
    return state.st_mtime_ns, state.st_size


@lru_cache(maxsize=_KEPT_IN_MEMORY)
def _loaded(
    source: str, data: str, stamp: tuple[int, int] | None, reading: tuple[tuple[str, Any], ...]
) -> Any:
    return kinds.SOURCES[source](data, dict(reading))


def make_release(
    recipe: Recipe, data: Any = None, tell: Tell = lambda _: None, *, secret: bytes | None = None
) -> kinds.Made:
    """The release that a recipe makes, not yet measured; `secret`: see `run`."""
    data = load(recipe) if data is None else data
    return kinds.KINDS[recipe.kind].make(recipe, data, tell, draws_of(recipe.seed, data, secret))


def draws_of(seed: int | None, data: Any, secret: bytes | None = None) -> Draws:
    """Where the draws of a run over this data come from. Only draws over demonstration data ignore it."""
    own = not data.demonstration and (seed is not None or secret is not None)
    return Draws(seed, data.digest() if own else None, secret if seed is None else None)


def run(
    recipe: Recipe,
    *,
    data: Any = None,
    tell: Tell = lambda _: None,
    only: Collection[str] | None = None,
    early: Callable[[Report], None] = lambda _: None,
    secret: bytes | None = None,
) -> Report:
    """Make the release of a recipe and measure it. `tell` hears the name of each part before it begins.

    `only` keeps to the measures with these keys or families (a sweep needs its headlines alone). `early`
    is handed a report of each family of measures as soon as that is there. Without a seed, draws come from
    the operating system, anew each time; with the `secret` of a session, the same settings give the same
    release again in that session.
    """
    for what in ("privacy", "utility"):
        headline(recipe.kind, what, recipe.headline.get(what))
    kind = kinds.KINDS[recipe.kind]
    kind.check(recipe)
    file = recipe.place if data is None else None
    data = load(recipe) if data is None else data
    made = make_release(recipe, data, tell, secret=secret)
    whole = Report(
        recipe,
        data,
        made.release,
        made.rows,
        made.kept,
        (),
        made.evidence,
        made.promises,
        made.warnings,
        made.facts,
        file,
    )
    measures: list[Measure] = []
    for family in kind.measure(recipe, made, tell, only):
        early(replace(whole, measures=tuple(family)))
        measures += family
    return replace(whole, measures=tuple(measures))
